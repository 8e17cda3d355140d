/// What stands on the ground, and what is held still.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "base/decompositions.h"
#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/at_zero.h"
#include "motion/terms/channels.h"
#include "motion/terms/contact_hull.h"

namespace verne {

namespace {

constexpr double kMostMargin = 0.01;  // m

std::vector<ContactPoint> read_contacts(const YamlNode& node, const YamlReader& reader, const Model& model) {
  std::vector<ContactPoint> contacts;
  if (!node.is_list()) reader.expected("a list of contacts of the model", node);
  for (const YamlNode& item : node.items) {
    const auto name = reader.word(item);
    if (!name) continue;
    if (const auto contact = find_contact(*name, item.line, reader, model)) contacts.push_back(*contact);
  }
  return contacts;
}

void read_share(const YamlMap& map, SupportSpec& support) {
  const YamlNode* node = map.find("share");
  if (!node) return;
  const YamlReader reader = map.reader("share");
  const auto numbers = node->is_list() ? reader.numbers(*node, 2) : std::nullopt;
  const auto number = node->is_list() ? std::nullopt : reader.number(*node);
  if (numbers) support.share_from = (*numbers)[0], support.share_to = (*numbers)[1];
  if (number) support.share_from = support.share_to = *number;
  const auto sound = [](double x) { return x >= 0 && x <= 1; };
  if (!sound(support.share_from) || !sound(support.share_to)) reader.expected("parts between 0 and 1", *node);
}

void read_reference(const YamlMap& map, const Model& model, const AtZero& at, SupportSpec& support) {
  support.from = support.to = middle_of(support.contacts, support.site, at);
  const YamlNode* node = map.find("reference");
  if (!node) return;
  const auto middle = [&](const YamlNode& names, const YamlReader& reader) {
    const std::vector<ContactPoint> contacts = read_contacts(names, reader, model);
    return contacts.empty() ? Vec3<double>{0, 0, 0} : middle_of(contacts, support.site, at);
  };
  if (node->is_list()) {
    support.from = support.to = middle(*node, map.reader("reference"));
    return;
  }
  const YamlMap both(*node, map.reader("reference"), reference_schema().names());
  if (const YamlNode* from = both.require("from")) support.from = middle(*from, both.reader("from"));
  if (const YamlNode* to = both.require("to")) support.to = middle(*to, both.reader("to"));
}

/// A line of two contacts as a strip that is `margin` wider to either side.
std::vector<ContactPoint> widened(const std::vector<ContactPoint>& line, double margin, const Eigen::Vector3d& up,
                                  const AtZero& at) {
  const Eigen::Vector3d across = up.cross(at.place(line[1]) - at.place(line[0]));
  if (margin == 0 || across.norm() == 0) return line;
  std::vector<ContactPoint> strip;
  for (const ContactPoint& contact : line) {
    const Eigen::Vector3d local = at.rotation(contact.site).transpose() * across.normalized() * margin;
    const Vec3<double> aside{local.x(), local.y(), local.z()};
    for (const Vec3<double>& point : {contact.point - aside, contact.point + aside}) {
      strip.push_back(contact);
      strip.back().point = point;
    }
  }
  return strip;
}

SupportSpec read_support(const YamlMap& map, const Model& model, const AtZero& at, bool contact_variables) {
  SupportSpec support;
  const std::size_t least = contact_variables ? 1 : 2;  // contacts
  support.site = read_site(map, model);
  support.name = map.word("frame", "");
  read_share(map, support);
  if (const YamlNode* node = map.require("contacts")) {
    support.contacts = read_contacts(*node, map.reader("contacts"), model);
    if (support.contacts.size() < least && node->items.size() == support.contacts.size()) {
      map.reader("contacts")
          .error(node->line, contact_variables ? "expected a contact or more" : "expected two contacts or more");
    }
  }
  if (support.contacts.size() < least) return support;
  read_reference(map, model, at, support);
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d up = -Eigen::Vector3d(g.x, g.y, g.z).normalized();
  if (!contact_variables) support.contacts = contact_hull(support.contacts, up, at);
  for (const ContactPoint& contact : support.contacts) {
    if (!contact_variables) break;
    const YamlReader reader = map.reader("contacts");
    if (!moves_in_order(model, contact.site)) {
      reader.error(map.line(), "a joint on the way to one follows another of it or a later one, which none can have");
    }
    if (!carries(model, support.site, contact.site)) {
      reader.error(map.line(), "one is neither on " + in_quotes(support.name) + " nor on what that carries");
    }
  }
  const bool line = support.contacts.size() == 2;
  support.margin = nonnegative_number(map, "margin", line ? kMostMargin : 0.0, kMostMargin, "m");
  if (contact_variables && line) support.contacts = widened(support.contacts, support.margin, up, at);
  if (contact_variables && !line && support.margin > 0) {
    map.reader("margin").error(map.line(), "where forces are variables, only a line of two contacts has one");
  }
  if (!moves_in_order(model, support.site)) {
    map.reader("frame").error(
        map.line(), "a joint on the way to it follows another of it or a later one, which supports cannot have");
  }
  return support;
}

void read_forces(const YamlMap& map, GroundSpec& ground) {
  const YamlNode* node = map.find("forces");
  if (!node) return;
  ground.contact_variables = is_word(*node, "variables");
  if (!ground.contact_variables && !is_word(*node, "rule")) map.reader("forces").expected("rule or variables", *node);
}

/// Corners of the support polygon, each of which must be one of a support's hull.
void read_polygon(const YamlNode* node, const YamlReader& reader, const Model& model, GroundSpec& ground) {
  if (!node) return;
  if (ground.contact_variables) reader.error(node->line, "forces that are variables have a balance of their own");
  ground.polygon = read_contacts(*node, reader, model);
  if (ground.polygon.size() != node->items.size()) return;  // said so
  if (node->items.size() < 3) reader.error(node->line, "expected three contacts or more");
  std::vector<ContactPoint> left;  // corners of supports that were not named
  for (const SupportSpec& support : ground.supports) {
    left.insert(left.end(), support.contacts.begin(), support.contacts.end());
  }
  for (std::size_t k = 0; k < node->items.size(); ++k) {
    const ContactPoint& corner = ground.polygon[k];
    const auto found = std::find_if(left.begin(), left.end(), [&](const ContactPoint& contact) {
      const Vec3<double> d = corner.point - contact.point;
      return corner.site == contact.site && dot(d, d) == 0;
    });
    if (found == left.end()) {
      const std::string name = in_quotes(node->items[k].text);
      reader.error(node->items[k].line, name + " is not at a corner of a support's contacts, or is there twice");
    } else {
      left.erase(found);
    }
  }
}

/// Which parts of a force and a moment some freedoms can give, at zero.
std::vector<int> parts_given_by(const std::vector<int>& dofs, const Model& model, int site) {
  Data<double> data(model);
  Matrix6X<double> J(6, model.nv());
  jacobian<double>(model, data, Eigen::VectorXd::Zero(model.nv()), site, J);
  const Eigen::Vector3d p = AtZero(model).position(site);
  std::vector<int> parts;
  for (int r = 0; r < 6; ++r) {
    bool given = false;
    for (const int dof : dofs) {
      const Eigen::Vector3d v = J.col(dof).head<3>(), w = J.col(dof).tail<3>();
      Eigen::Matrix<double, 6, 1> axis;  // of the world's origin, as if it moved along
      axis << v + p.cross(w), w;
      given = given || std::abs(axis[r]) > 1e-9;
    }
    if (given) parts.push_back(r);
  }
  return parts;
}

/// Whether forces at contacts can make up any such parts of a force and a moment, at zero.
bool give_all(const GroundSpec& ground, const AtZero& at) {
  std::vector<Eigen::Vector3d> points;
  for (const SupportSpec& support : ground.supports) {
    for (const ContactPoint& contact : support.contacts) points.push_back(at.place(contact));
  }
  Eigen::MatrixXd wrenches(6, 3 * points.size());
  for (std::size_t c = 0; c < points.size(); ++c) {
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d force = Eigen::Vector3d::Unit(k);
      wrenches.col(static_cast<Eigen::Index>(3 * c) + k) << force, (points[c] - points[0]).cross(force);
    }
  }
  return independent_columns(wrenches(ground.balance, Eigen::all), 1e-6).size() == ground.balance.size();
}

void check_ground(const GroundSpec& ground, const Model& model, const YamlReader& reader) {
  if (ground.contact_variables && ground.friction >= kInfinity) {
    reader.error(ground.line, "forces that are variables need `friction`");
  }
  const AtZero at(model);
  const Vec3<double> gravity = model.gravity();
  if (dot(gravity, gravity) == 0) reader.error(ground.line, "without gravity nothing stands on the ground");
  if (model.joints()[0].nv > 0 || at.position(0).norm() > 0 || !at.rotation(0).isIdentity()) {
    reader.error(ground.line, "the model's base must be fixed in the world, at its origin");
  }
}

}  // namespace

Vec3<double> middle_of(const std::vector<ContactPoint>& contacts, int site, const AtZero& at) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const ContactPoint& c : contacts) sum += at.place(c) / static_cast<double>(contacts.size());
  const Eigen::Vector3d local = at.rotation(site).transpose() * (sum - at.position(site));
  return {local.x(), local.y(), local.z()};
}

std::vector<ContactPoint> read_hull(const YamlNode& node, const YamlReader& reader, const Model& model,
                                    const Vec3<double>& up) {
  return contact_hull(read_contacts(node, reader, model), {up.x, up.y, up.z}, AtZero(model));
}

std::optional<GroundSpec> read_ground(const YamlMap& map, const Model& model,
                                      const std::optional<GroundSpec>& otherwise) {
  const YamlNode* node = map.find("ground");
  if (!node) return otherwise;
  if (is_word(*node, "none")) return std::nullopt;
  GroundSpec ground = otherwise.value_or(GroundSpec{});
  ground.line = node->line;
  const YamlReader reader = map.reader("ground");
  const std::vector<YamlNode>* items = &node->items;
  const YamlNode* polygon = nullptr;
  if (!node->is_list()) {
    const YamlMap all(*node, reader, ground_schema().names());
    read_forces(all, ground);
    if (all.find("friction")) ground.friction = positive_number(all, "friction", 1, 100);
    ground.least_force = nonnegative_number(all, "least_force", ground.least_force, 1);
    items = &all.items("supports");
    polygon = all.find("polygon");
    const bool stands = read_stand(all, model, ground);
    if (stands || !all.find("supports")) {
      read_polygon(polygon, reader.inside("polygon"), model, ground);
      check_ground(ground, model, reader);
      return ground;
    }
  }
  ground.supports.clear();
  ground.polygon.clear();
  ground.feet.clear();
  const AtZero at(model);
  double start = 0, end = 0;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const YamlMap support((*items)[i], reader.inside(std::to_string(i + 1)), support_schema().names());
    ground.supports.push_back(read_support(support, model, at, ground.contact_variables));
    start += ground.supports.back().share_from, end += ground.supports.back().share_to;
  }
  read_polygon(polygon, reader.inside("polygon"), model, ground);
  if (items->empty() || items->size() > 2) {
    reader.error(node->line, "expected one support or two");
  } else if (std::abs(start - 1) > 1e-12 || std::abs(end - 1) > 1e-12) {
    reader.error(node->line, "the shares of the supports must make 1 at the start and at the end of the phase");
  }
  check_ground(ground, model, reader);
  return ground;
}

void release_root(Task& task, const YamlMap& top) {
  std::vector<GroundSpec*> grounds;
  if (task.ground) grounds.push_back(&*task.ground);
  for (PhaseSpec& phase : task.phases) {
    if (phase.ground) grounds.push_back(&*phase.ground);
  }
  if (grounds.empty()) return;
  std::vector<char> root(task.model.nv(), 1);  // carries every support
  for (const GroundSpec* ground : grounds) {
    for (const SupportSpec& support : ground->supports) {
      std::vector<char> carries(task.model.nv(), 0);
      for (const int dof : ChannelLayout(task.model).dofs_to_world(support.site)) carries[dof] = 1;
      for (std::size_t i = 0; i < root.size(); ++i) root[i] &= carries[i];
    }
  }
  std::vector<int> passive;
  for (int i = 0; i < task.model.nv(); ++i) {
    if (root[i] && task.limits.effort[i].fixed()) passive.push_back(i);
  }
  for (GroundSpec* ground : grounds) {
    if (!ground->contact_variables || ground->supports.empty()) continue;
    ground->balance = parts_given_by(passive, task.model, ground->supports[0].site);
    ground->contacts_give_all = give_all(*ground, AtZero(task.model));
    if (passive.empty() || ground->balance.size() != passive.size()) {
      top.reader("ground").error(ground->line,
                                 "forces that are variables need joints without a drive, from the world "
                                 "on, along and about axes of the world");
    }
    if (task.curve.free_knots) {
      top.reader("ground").error(ground->line, "forces that are variables need knots that are not free");
    }
  }
  const auto release = [&](LimitsSpec& limits) {
    for (std::size_t i = 0; i < root.size(); ++i) {
      if (root[i] && limits.effort[i].fixed()) limits.effort[i] = {};
    }
  };
  if (task.ground) release(task.limits);
  for (PhaseSpec& phase : task.phases) {
    if (phase.ground) release(phase.limits);
  }
}

std::vector<std::optional<double>> read_held(const YamlMap& top, const TaskJoints& joints) {
  std::vector<std::optional<double>> held(joints.count());
  const YamlNode* node = top.find("hold");
  if (!node) return {};
  const YamlReader reader = top.reader("hold");
  if (node->is_list()) {
    for (const YamlNode& item : node->items) {
      const auto name = reader.word(item);
      if (!name) continue;
      for (const std::size_t dof : joints.dofs(*name, item.line, reader)) held[dof] = 0;
    }
  } else {
    for_each_value(*node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
      held[dof] = in.number(value, false, joints.unit(dof, NodeQuantity::position));
      return held[dof].has_value();
    });
  }
  return held;
}

std::vector<double> read_effort_weights(const YamlMap& top, const TaskJoints& joints) {
  const YamlNode* node = top.find("weights");
  if (!node) return {};
  const YamlReader reader = top.reader("weights");
  std::vector<double> weights(joints.count(), 1.0);
  if (!node->is_map()) {
    reader.expected("{joint: weight}", *node);
    return {};
  }
  for_each_value(*node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
    const auto weight = in.number(value);
    if (weight && !(*weight > 0)) in.expected("a positive number", value);
    if (!joints.actuated(dof)) in.error(value.line, "the joint is not actuated: its effort is zero");
    if (weight) weights[dof] = *weight;
    return weight && *weight > 0 && joints.actuated(dof);
  });
  return weights;
}

void release_held(const std::vector<std::optional<double>>& held, LimitsSpec& limits) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i]) limits.position[i] = limits.velocity[i] = limits.acceleration[i] = limits.jerk[i] = {};
  }
}

}  // namespace verne
