/// Feet that stand: `ground: {stand: [foot_r, foot_l]}` as supports, and as places that they keep.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/terms/channels.h"
#include "motion/terms/contact_hull.h"

namespace verne {

namespace {

constexpr double kBand = 1e-3;  // m, that a foot may leave its place

/// Contacts of a link and of what it carries.
std::vector<ContactPoint> contacts_under(const Model& model, int site) {
  std::vector<ContactPoint> all;
  for (const ContactSpec& contact : model.contacts()) {
    const int link = model.link(contact.link);
    if (carries(model, site, link)) all.push_back({link, contact.point});
  }
  return all;
}

/// The four corners of a hull that span most of it: what others add costs more than it is worth.
std::vector<ContactPoint> four_of(std::vector<ContactPoint> hull, const AtZero& at) {
  constexpr std::size_t kCorners = 4;
  while (hull.size() > kCorners) {
    const auto lost = [&](std::size_t k) {  // area of the triangle with both neighbours
      const std::size_t n = hull.size();
      const Eigen::Vector3d p = at.place(hull[k]);
      return (at.place(hull[(k + 1) % n]) - p).cross(at.place(hull[(k + n - 1) % n]) - p).norm();
    };
    std::size_t least = 0;
    for (std::size_t k = 1; k < hull.size(); ++k) {
      if (lost(k) < lost(least)) least = k;
    }
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(least));
  }
  return hull;
}

/// A sole as three of its contacts: two far apart, and the one farthest from the line through them.
std::array<ContactPoint, 3> corners_of(const std::vector<ContactPoint>& contacts, const AtZero& at) {
  const auto farthest = [&](const auto& distance) {
    return *std::max_element(contacts.begin(), contacts.end(), [&](const ContactPoint& a, const ContactPoint& b) {
      return distance(at.place(a)) < distance(at.place(b));
    });
  };
  const Eigen::Vector3d first = at.place(contacts[0]);
  const ContactPoint second = farthest([&](const Eigen::Vector3d& p) { return (p - first).norm(); });
  const Eigen::Vector3d along = (at.place(second) - first).normalized();
  const ContactPoint third = farthest([&](const Eigen::Vector3d& p) { return along.cross(p - first).norm(); });
  return {contacts[0], second, third};
}

/// What holds a sole flat on the ground, `moved` from where it is at zero: all of the first corner's place, the height
/// of the others, and of the second one how far it is aside.
std::vector<FrameGoalSpec> sole_at(const std::array<ContactPoint, 3>& corners, const Eigen::Vector3d& moved,
                                   const AtZero& at, int up, int line) {
  const Eigen::Vector3d apart = at.place(corners[1]) - at.place(corners[0]);
  const int one = (up + 1) % 3, other = (up + 2) % 3,
            aside = std::abs(apart[one]) < std::abs(apart[other]) ? one : other;
  std::vector<FrameGoalSpec> goals;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d place = at.place(corners[k]) + moved;
    FrameGoalSpec goal;
    goal.site = corners[k].site, goal.point = corners[k].point;
    goal.when.path = true;
    goal.position.assign(3, Interval{-kInfinity, kInfinity});
    for (int i = 0; i < 3; ++i) {
      if (i == up || k == 0 || (k == 1 && i == aside)) goal.position[i] = {place[i], place[i]};
    }
    goal.position_tolerance = kBand;
    goal.line = line;
    goals.push_back(goal);
  }
  return goals;
}

struct Standing {
  YamlNode name;
  std::optional<std::vector<double>> place;  // horizontally
};
std::vector<Standing> read_names(const YamlNode& node, const YamlReader& reader) {
  std::vector<Standing> all;
  for (const YamlNode& item : node.items) all.push_back({item, {}});
  for (const YamlEntry& entry : node.entries) {
    const YamlNode name{YamlNode::Kind::scalar, entry.line, entry.key, {}, {}};
    all.push_back({name, reader.inside(entry.key).numbers(entry.value, 2, "m")});
  }
  if (all.empty() || all.size() > 2) reader.expected("one foot or two", node);
  return all;
}

}  // namespace

bool read_stand(const YamlMap& map, const Model& model, GroundSpec& ground) {
  const YamlNode* node = map.find("stand");
  if (!node) return false;
  const YamlReader reader = map.reader("stand");
  if (map.find("supports")) reader.error(node->line, "expected either stand or supports");
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d down(g.x, g.y, g.z);
  Eigen::Index up = 0;
  down.cwiseAbs().maxCoeff(&up);
  if (down.norm() > 0 && std::abs(down[up]) < down.norm() * (1 - 1e-9)) {
    reader.error(node->line, "feet stand so on level ground, along axes of the world: give supports and frames");
  }
  const AtZero at(model);
  const std::vector<Standing> feet = read_names(*node, reader);
  ground.supports.clear(), ground.polygon.clear(), ground.feet.clear();
  for (const Standing& foot : feet) {
    const auto site = find_site(foot.name, reader, model);
    if (!site) continue;
    const std::vector<ContactPoint> contacts = contacts_under(model, *site);
    if (contacts.size() < 3 || !moves_in_order(model, *site)) {
      reader.error(foot.name.line, in_quotes(foot.name.text) + " has no sole of three contacts or more to stand on");
      continue;
    }
    const auto corners = corners_of(contacts, at);
    Eigen::Vector3d moved = Eigen::Vector3d::Zero();
    moved[up] = -at.place(corners[0])[up];
    if (foot.place) {  // of the link's origin
      const int one = up == 0 ? 1 : 0, other = up == 2 ? 1 : 2;
      moved[one] = (*foot.place)[0] - at.position(*site)[one];
      moved[other] = (*foot.place)[1] - at.position(*site)[other];
    }
    SupportSpec support;
    support.name = foot.name.text, support.site = *site;
    support.share_from = support.share_to = 1.0 / static_cast<double>(feet.size());
    support.contacts = four_of(contact_hull(contacts, -down.normalized(), at), at);
    support.from = support.to = middle_of(support.contacts, *site, at);
    ground.supports.push_back(std::move(support));
    for (FrameGoalSpec& goal : sole_at(corners, moved, at, static_cast<int>(up), foot.name.line)) {
      ground.feet.push_back(std::move(goal));
    }
  }
  return true;
}

}  // namespace verne
