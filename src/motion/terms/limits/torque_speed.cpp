#include "motion/terms/limits/torque_speed.h"

#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

constexpr LimitKind kTorqueSpeed{.name = "torque_speed", .known_from = 3};

struct TorqueSpeedPoint {
  double speed = 0, effort = 0;
};

const Schema& curve_schema() {
  static const Schema kSchema{
      {{"stall", positive(kInfinity), "effort at rest"},
       {"no_load", positive(kInfinity), "speed at which there is none left"},
       {"points", list(list(nonnegative(kInfinity), 2, 2), 2), "[[speed, effort], …], the first at rest"}}};
  return kSchema;
}

std::optional<double> read_nonnegative(const YamlNode& node, const YamlReader& reader, const std::string& unit) {
  const auto value = reader.number(node, false, unit);
  if (value && *value >= 0) return value;
  if (value) reader.expected("a number that is not negative", node);
  return std::nullopt;
}

/// `{points: [[speed, effort], ...]}`, or `{stall: effort, no_load: speed}`, which is [[0, stall], [no_load, 0]].
std::vector<TorqueSpeedPoint> read_points(const YamlMap& map, const std::string& speed_unit,
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
std::vector<TorqueSpeedLine> read_lines(const YamlMap& map, const std::string& speed_unit,
                                        const std::string& effort_unit) {
  const std::vector<TorqueSpeedPoint> points = read_points(map, speed_unit, effort_unit);
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

class TorqueSpeedLimits : public JointLimit {
 public:
  TorqueSpeedLimits()
      : JointLimit(kTorqueSpeed, verne::entries(map(curve_schema())), "what a drive gives at which speed, below",
                   "none") {}

  void set_default(const TaskJoints& joints, LimitsSpec& limits) const override {
    limits.torque_speed.assign(joints.count(), {});
  }
  void read(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints,
            LimitsSpec& limits) const override {
    if (!node.is_map()) return reader.expected("{joint: {stall: effort, no_load: speed}}", node);
    for (const YamlEntry& entry : node.entries) {
      for (const std::size_t dof : joints.dofs(entry.key, entry.line, reader)) {
        const TaskMap curve(entry.value, reader.inside(entry.key), curve_schema());
        if (!joints.actuated(dof)) {
          reader.inside(entry.key).error(entry.line, "the joint is not actuated: its effort is zero");
        }
        limits.torque_speed[dof] =
            read_lines(curve, joints.unit(dof, NodeQuantity::velocity), joints.unit(dof, NodeQuantity::effort));
      }
    }
  }

  std::size_t entries(const LimitsSpec& limits) const override { return limits.torque_speed.size(); }
  bool is_set(const LimitsSpec& limits, std::size_t i) const override { return !limits.torque_speed[i].empty(); }
  void drop(LimitsSpec& limits, std::size_t i) const override { limits.torque_speed[i].clear(); }

  void add(const Task& task, ChannelLayout& channels, bool equations, LimitTerms& terms) const override {
    for (int i = 0; i < task.model.nv() && !equations; ++i) {
      for (const TorqueSpeedLine& line : task.limits.torque_speed[i]) {
        LimitName name{kind(), std::string(task.model.dof_names()[i]), effort_unit(task.model, i)};
        terms.push_back(std::make_unique<TorqueSpeedLimit>(std::move(name), channels.tau(i), channels.v(i), line));
      }
    }
  }
  bool bounds_haste(const LimitsSpec& limits, std::size_t i) const override { return is_set(limits, i); }
  int suspicion() const override { return 90; }
};

}  // namespace

const JointLimit& torque_speed_limit() {
  static const TorqueSpeedLimits kLimit;
  return kLimit;
}

}  // namespace verne
