/// What two hands hold keeps clear of the person.
#include <algorithm>
#include <cmath>

#include "motion/task/task_reader.h"

namespace verne {

namespace {

constexpr double kSideRadius = 0.04, kOfThickness = 0.45;  // m: of capsules within a side, and their most
constexpr double kSpacing = 2.75;                          // of that radius, from one capsule to the next
const double kEdge = std::sqrt(2.0) - 1;                   // of that radius: how far the edges of a side are beyond

/// Links on the way from one to the root, by index.
std::vector<int> links_inwards(const Model& model, int link) {
  std::vector<int> all;
  for (int at = link; at >= 0; at = model.links()[static_cast<std::size_t>(at)].parent) all.push_back(at);
  return all;
}

/// Of the arms: links that carry the first hand or the second one, but not both, and what these carry.
std::vector<char> links_of_arms(const Model& model, const GripSpec& grip) {
  const int object = model.link(grip.object), other = model.link(grip.loop.a.link);
  const std::vector<int> first = links_inwards(model, object), second = links_inwards(model, other);
  std::vector<char> found(model.links().size(), 0);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto carries = [&](const std::vector<int>& hand) {
      return std::ranges::find(hand, static_cast<int>(k)) != hand.end();
    };
    const int parent = model.links()[k].parent;
    found[k] = carries(first) != carries(second) || (parent >= 0 && found[static_cast<std::size_t>(parent)]);
  }
  return found;
}

/// From the object's place to where the person stands, in the object's axes.
Vec3<double> towards_feet(const Model& model, const std::optional<GroundSpec>& ground, const Transform<double>& X_WO) {
  Vec3<double> sum{0, 0, 0};
  int count[3] = {0, 0, 0};
  for (const FrameGoalSpec& foot : ground ? ground->feet : std::vector<FrameGoalSpec>{}) {
    for (int i = 0; i < 3 && !foot.position.empty(); ++i) {
      const Interval& along = foot.position[static_cast<std::size_t>(i)];
      if (along.fixed()) sum[i] += along.lower, ++count[i];
    }
  }
  for (int i = 0; i < 3; ++i) sum[i] = count[i] ? sum[i] / count[i] : 0;
  const Vec3<double>& g = model.gravity();
  Vec3<double> way = sum - X_WO.p;
  if (dot(g, g) > 0) way = way - g * (dot(way, g) / dot(g, g));
  return transpose(X_WO.R) * way;
}

/// The side of a box along `way`, by capsules along the line from hand to hand that lie within the box and touch it.
/// Limbs do not fit between them.
std::vector<LinkCapsule> capsules_of_side(int link, const Vec3<double>& half, const Vec3<double>& way,
                                          const Vec3<double>& from_hand_to_hand) {
  const auto largest = [](const Vec3<double>& v, int but) {
    int best = but == 0 ? 1 : 0;
    for (int i = 0; i < 3; ++i) {
      if (i != but && std::abs(v[i]) > std::abs(v[best])) best = i;
    }
    return best;
  };
  const int out = largest(way, -1), along = largest(from_hand_to_hand, out), across = 3 - out - along;
  const double radius = std::min(kSideRadius, kOfThickness * std::min({half.x, half.y, half.z}));
  const int count = 1 + static_cast<int>(std::ceil(2 * (half[across] - radius) / (kSpacing * radius) - 1e-9));
  std::vector<LinkCapsule> all;
  for (int k = 0; k < count; ++k) {
    Vec3<double> middle{0, 0, 0}, end{0, 0, 0};
    middle[out] = std::copysign(half[out] - radius, way[out]);
    middle[across] = (half[across] - radius) * (2.0 * k / (count - 1) - 1);
    end[along] = half[along] - radius;
    all.push_back({link, middle - end, middle + end, radius});
  }
  return all;
}

}  // namespace

void keep_apart(const Model& model, const std::optional<GroundSpec>& ground, const GripSpec& grip,
                const Transform<double>& stands, std::vector<KeepOutSpec>& zones) {
  const int object = model.link(grip.object);
  const LinkSpec& link = model.spec().links[static_cast<std::size_t>(object)];
  const VisualSpec& shape = link.visuals.front();
  const bool box = shape.shape == VisualSpec::Shape::box;
  const Vec3<double> from_hand_to_hand = link.X_JL.p + grip.loop.b.X_LF.p;  // where they hold it
  KeepOutSpec zone;
  zone.parts = box ? capsules_of_side(object, shape.size * 0.5, towards_feet(model, ground, stands), from_hand_to_hand)
                   : capsules_of(model, object);
  const std::vector<char> of_arms = links_of_arms(model, grip);
  for (std::size_t k = 0; k < of_arms.size(); ++k) {
    if (of_arms[k] || model.links()[k].body < 0) continue;
    for (const LinkCapsule& part : capsules_of(model, static_cast<int>(k))) zone.against.push_back(part);
  }
  if (zone.parts.empty() || zone.against.empty()) return;
  if (box) zone.margin = kEdge * zone.parts.front().radius;
  zone.line = grip.line;
  zones.push_back(std::move(zone));
}

}  // namespace verne
