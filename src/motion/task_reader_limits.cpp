#include "motion/task_reader.h"

namespace verne {

namespace {

/// x stands for [-x, x]; [lower, upper] may be given for any quantity, and must be for positions.
std::optional<Interval> read_limit_value(const YamlNode& node, const YamlReader& reader, Quantity quantity,
                                         const std::string& unit) {
  if (is_word(node, "none")) return Interval{};
  if (quantity == Quantity::position || node.is_list()) return read_range(node, reader, unit);
  const auto size = reader.number(node, true, unit);
  if (size && *size >= 0) return Interval{-*size, *size};
  if (size) reader.expected("a limit that is not negative", node);
  return std::nullopt;
}

/// The model's limits where `node` says nothing else.
void read_limit(const YamlMap& map, const char* key, Quantity quantity, const TaskJoints& joints,
                std::vector<Interval>& limits) {
  const YamlNode* node = map.find(key);
  if (!node || is_word(*node, "model")) return;
  const YamlReader reader = map.reader(key);
  if (!node->is_scalar() && !node->is_map()) {
    reader.expected("model, none, one limit for all or {joint: limit}", *node);
    return;
  }
  for_each_value(*node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
    const auto limit = read_limit_value(value, in, quantity, joints.unit(dof, quantity));
    const bool passive = quantity == Quantity::effort && !joints.actuated(dof);
    if (passive && node->is_map()) in.error(value.line, "the joint is not actuated: its effort is zero");
    if (limit && !passive) limits[dof] = *limit;
    return limit.has_value();
  });
}

/// Limits of the size of a joint's load: one for all joints that move, or {joint: limit}.
void read_load_limit(const YamlMap& map, const char* key, const char* unit, const TaskJoints& joints,
                     std::vector<double>& limits) {
  const YamlNode* node = map.find(key);
  if (!node || is_word(*node, "none")) return;
  const auto read = [&](const YamlReader& reader, const YamlNode& value) {
    const auto size = reader.number(value, true, unit);
    if (size && *size > 0) return *size;
    if (size) reader.expected("a positive number", value);
    return kInfinity;
  };
  if (!node->is_map()) {
    const double size = read(map.reader(key), *node);
    const std::vector<bool> moving = joints.moving_joints();
    for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = moving[i] ? size : kInfinity;
    return;
  }
  for (const YamlEntry& entry : node->entries) {
    for (const std::size_t i : joints.joints(entry.key, entry.line, map.reader(key))) {
      limits[i] = read(map.reader(key).inside(entry.key), entry.value);
    }
  }
}

}  // namespace

LimitsTask model_limits(const TaskJoints& joints) {
  LimitsTask limits;
  for (std::size_t i = 0; i < joints.count(); ++i) {
    const DofSpec& dof = joints.model().dofs()[i];
    limits.position.push_back({dof.lower, dof.upper});
    limits.velocity.push_back({-dof.velocity, dof.velocity});
    limits.effort.push_back(joints.actuated(i) ? Interval{dof.effort_lower, dof.effort_upper} : Interval{0, 0});
  }
  limits.acceleration.resize(joints.count());
  limits.jerk.resize(joints.count());
  limits.joint_force.assign(joints.model().joints().size(), kInfinity);
  limits.joint_moment = limits.joint_force;
  return limits;
}

LimitsTask read_limits(const YamlMap& subject_to, const TaskJoints& joints, const LimitsTask& otherwise) {
  LimitsTask limits = otherwise;
  const YamlNode* node = subject_to.find("limits");
  if (!node) return limits;
  const YamlMap map(*node, subject_to.reader("limits"),
                    {"position", "velocity", "acceleration", "jerk", "effort", "joint_force", "joint_moment"});
  read_limit(map, "position", Quantity::position, joints, limits.position);
  read_limit(map, "velocity", Quantity::velocity, joints, limits.velocity);
  read_limit(map, "acceleration", Quantity::acceleration, joints, limits.acceleration);
  read_limit(map, "jerk", Quantity::jerk, joints, limits.jerk);
  read_limit(map, "effort", Quantity::effort, joints, limits.effort);
  read_load_limit(map, "joint_force", "N", joints, limits.joint_force);
  read_load_limit(map, "joint_moment", "N m", joints, limits.joint_moment);
  return limits;
}

}  // namespace verne
