#include "motion/task/task_reader.h"

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

std::optional<double> read_nonnegative(const YamlNode& node, const YamlReader& reader, const std::string& unit) {
  const auto value = reader.number(node, false, unit);
  if (value && *value >= 0) return value;
  if (value) reader.expected("a number that is not negative", node);
  return std::nullopt;
}

/// One for all joints that are driven, or {joint: limit}.
void read_effort_sizes(const YamlMap& map, const char* key, const char* per, const TaskJoints& joints,
                       std::vector<double>& limits) {
  const YamlNode* node = map.find(key);
  if (!node || is_word(*node, "none")) return;
  const YamlReader reader = map.reader(key);
  if (!node->is_scalar() && !node->is_map()) return reader.expected("none, one limit for all or {joint: limit}", *node);
  for_each_value(*node, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
    const auto size = in.number(value, false, joints.unit(dof, Quantity::effort) + per);
    if (size && !(*size > 0)) in.expected("a positive number", value);
    if (!joints.actuated(dof) && node->is_map()) {
      in.error(value.line, "the joint is not actuated: its effort is zero");
    }
    if (size && *size > 0 && joints.actuated(dof)) limits[dof] = *size;
    return size && *size > 0;
  });
}

struct TorqueSpeedPoint {
  double speed = 0, effort = 0;
};

/// `{points: [[speed, effort], ...]}`, or `{stall: effort, no_load: speed}`, which is [[0, stall], [no_load, 0]].
std::vector<TorqueSpeedPoint> read_torque_speed_points(const YamlMap& map, const std::string& speed_unit,
                                                       const std::string& effort_unit) {
  std::vector<TorqueSpeedPoint> points;
  if (!map.find("points")) {
    for (const char* key : {"stall", "no_load"}) map.require(key);
    return {{0, positive_number(map, "stall", 1, kInfinity, effort_unit)},
            {positive_number(map, "no_load", 1, kInfinity, speed_unit), 0}};
  }
  const YamlReader reader = map.reader("points");
  if (map.find("stall") || map.find("no_load")) reader.error(map.line(), "expected either points or stall and no_load");
  for (const YamlNode& item : map.items("points")) {
    if (!item.is_list() || item.items.size() != 2) {
      reader.expected("[speed, effort] in " + speed_unit + " and " + effort_unit, item);
      return {};
    }
    const auto speed = read_nonnegative(item.items[0], reader, speed_unit);
    const auto effort = read_nonnegative(item.items[1], reader, effort_unit);
    if (!speed || !effort) return {};
    points.push_back({*speed, *effort});
  }
  if (points.size() < 2 || points[0].speed != 0) {
    reader.expected("at least two points, the first at rest", *map.find("points"));
    return {};
  }
  return points;
}

/// The lines through neighbouring points. What is not convex has no such lines: a motion could not tell on which side
/// of a corner it is.
std::vector<TorqueSpeedLine> read_torque_speed_lines(const YamlMap& map, const std::string& speed_unit,
                                                     const std::string& effort_unit) {
  const std::vector<TorqueSpeedPoint> points = read_torque_speed_points(map, speed_unit, effort_unit);
  std::vector<TorqueSpeedLine> lines;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const TorqueSpeedPoint &a = points[k - 1], &b = points[k];
    const double slope = (a.effort - b.effort) / (b.speed - a.speed);
    if (!(b.speed > a.speed) || !(slope >= (lines.empty() ? 0 : lines.back().slope))) {
      map.reader("points").error(map.line(), "expected speeds that grow and efforts that fall more and more steeply");
      return {};
    }
    lines.push_back({a.effort + slope * a.speed, slope});
  }
  return lines;
}

void read_torque_speed(const YamlMap& map, const TaskJoints& joints,
                       std::vector<std::vector<TorqueSpeedLine>>& limits) {
  const YamlNode* node = map.find("torque_speed");
  if (!node) return;
  const YamlReader reader = map.reader("torque_speed");
  if (!node->is_map()) return reader.expected("{joint: {stall: effort, no_load: speed}}", *node);
  for (const YamlEntry& entry : node->entries) {
    for (const std::size_t dof : joints.dofs(entry.key, entry.line, reader)) {
      const YamlMap curve(entry.value, reader.inside(entry.key), {"stall", "no_load", "points"});
      if (!joints.actuated(dof))
        reader.inside(entry.key).error(entry.line, "the joint is not actuated: its effort is zero");
      limits[dof] =
          read_torque_speed_lines(curve, joints.unit(dof, Quantity::velocity), joints.unit(dof, Quantity::effort));
    }
  }
}

}  // namespace

LimitsSpec model_limits(const TaskJoints& joints) {
  LimitsSpec limits;
  for (std::size_t i = 0; i < joints.count(); ++i) {
    const DofSpec& dof = joints.model().dofs()[i];
    limits.position.push_back({dof.lower, dof.upper});
    limits.velocity.push_back({-dof.velocity, dof.velocity});
    limits.effort.push_back(joints.actuated(i) ? Interval{dof.effort_lower, dof.effort_upper} : Interval{0, 0});
  }
  limits.acceleration.resize(joints.count());
  limits.jerk.resize(joints.count());
  limits.joint_force.assign(joints.moving_joints().size(), kInfinity);
  limits.joint_moment = limits.joint_force;
  limits.torque_speed.resize(joints.count());
  limits.effort_rms.assign(joints.count(), kInfinity);
  limits.effort_rate = limits.effort_rms;
  return limits;
}

LimitsSpec read_limits(const YamlMap& subject_to, const TaskJoints& joints, const LimitsSpec& otherwise) {
  LimitsSpec limits = otherwise;
  const YamlNode* node = subject_to.find("limits");
  if (!node) return limits;
  const YamlMap map(*node, subject_to.reader("limits"),
                    {"position", "velocity", "acceleration", "jerk", "effort", "joint_force", "joint_moment",
                     "torque_speed", "effort_rms", "effort_rate"});
  read_limit(map, "position", Quantity::position, joints, limits.position);
  read_limit(map, "velocity", Quantity::velocity, joints, limits.velocity);
  read_limit(map, "acceleration", Quantity::acceleration, joints, limits.acceleration);
  read_limit(map, "jerk", Quantity::jerk, joints, limits.jerk);
  read_limit(map, "effort", Quantity::effort, joints, limits.effort);
  read_load_limit(map, "joint_force", "N", joints, limits.joint_force);
  read_load_limit(map, "joint_moment", "N m", joints, limits.joint_moment);
  read_torque_speed(map, joints, limits.torque_speed);
  read_effort_sizes(map, "effort_rms", "", joints, limits.effort_rms);
  read_effort_sizes(map, "effort_rate", "/s", joints, limits.effort_rate);
  return limits;
}

}  // namespace verne
