#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "motion/task/task_reader.h"

namespace verne {

namespace {

struct CostForm {
  const char* name;
  CostKind kind;
  std::vector<std::string> keys;  ///< other than weight
};

const std::vector<CostForm>& cost_forms() {
  static const std::vector<CostForm> kForms = {
      {"time", CostKind::time, {}},
      {"effort", CostKind::effort, {"normalize", "joints"}},
      {"effort_rate", CostKind::effort_rate, {"normalize", "joints"}},
      {"peak_effort", CostKind::peak_effort, {"normalize", "joints"}},
      {"joint_force", CostKind::joint_force, {"joints"}},
      {"energy", CostKind::energy, {"smoothing", "joints"}},
      {"smoothness", CostKind::smoothness, {"of", "joints"}},
      {"reference", CostKind::reference, {"posture"}},
      {"discomfort", CostKind::discomfort, {"joints"}},
      {"steadiness", CostKind::steadiness, {"frame", "point", "of"}},
  };
  return kForms;
}

using Find = std::function<std::vector<std::size_t>(const std::string&, int, const YamlReader&)>;

/// `joints: [a, b]` or `joints: {a: 1, b: 0.5}`; `all` without the key.
std::vector<double> read_factors(const YamlMap& map, std::vector<double> all, const Find& find) {
  const YamlNode* node = map.find("joints");
  if (!node) return all;
  const YamlReader reader = map.reader("joints");
  std::vector<double> factors(all.size(), 0);
  if (!node->is_list() && !node->is_map()) reader.expected("a list of joints or {joint: factor}", *node);
  for (const YamlNode& item : node->items) {
    const auto name = reader.word(item);
    if (!name) continue;
    for (const std::size_t i : find(*name, item.line, reader)) factors[i] = 1;
  }
  for (const YamlEntry& entry : node->entries) {
    const auto factor = reader.inside(entry.key).number(entry.value);
    if (factor && *factor < 0) reader.inside(entry.key).expected("a factor that is not negative", entry.value);
    if (factor && *factor > kLargestWeight) {
      reader.inside(entry.key).expected("at most " + format_number(kLargestWeight), entry.value);
    }
    for (const std::size_t i : find(entry.key, entry.line, reader)) factors[i] = factor.value_or(0);
  }
  return factors;
}

std::vector<double> read_dof_factors(const YamlMap& map, const TaskJoints& joints) {
  return read_factors(
      map, std::vector<double>(joints.count(), 1),
      [&](const std::string& name, int line, const YamlReader& reader) { return joints.dofs(name, line, reader); });
}

std::vector<double> read_joint_factors(const YamlMap& map, const TaskJoints& joints) {
  std::vector<double> all;
  for (const bool moves : joints.moving_joints()) all.push_back(moves ? 1 : 0);
  return read_factors(map, std::move(all), [&](const std::string& name, int line, const YamlReader& reader) {
    return joints.joints(name, line, reader);
  });
}

/// Makes each effort count relative to its limit, to that power. A passive joint has none to count.
void normalize_by_limits(const YamlMap& map, const TaskJoints& joints, const std::vector<Interval>& effort, int power,
                         std::vector<double>& scale) {
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (scale[i] == 0 || !joints.actuated(i)) continue;
    const double limit = std::max(std::abs(effort[i].lower), std::abs(effort[i].upper));
    if (limit > 0 && limit < kInfinity) {
      scale[i] /= std::pow(limit, power);
    } else {
      map.reader("normalize").error(map.line(), "joint " + in_quotes(joints.name(i)) + " has no effort limit");
    }
  }
}

void read_peak(const YamlMap& map, const TaskJoints& joints, const std::vector<Interval>& effort, CostSpec& cost) {
  cost.scale = read_dof_factors(map, joints);
  bool any = false, driven = false;
  for (std::size_t i = 0; i < joints.count(); ++i) {
    any |= cost.scale[i] > 0;
    if (!joints.actuated(i)) cost.scale[i] = 0;
    driven |= cost.scale[i] > 0;
  }
  if (any && !driven) map.reader("joints").error(map.line(), "expected at least one joint that is driven");
  if (map.flag("normalize", false)) normalize_by_limits(map, joints, effort, 1, cost.scale);
}

void read_reference(const YamlMap& map, const TaskJoints& joints, CostSpec& cost) {
  cost.scale.assign(joints.count(), 0);
  cost.target.assign(joints.count(), 0);
  const YamlNode* posture = map.require("posture");
  if (!posture) return;
  const YamlReader reader = map.reader("posture");
  for_each_value(*posture, reader, joints, [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
    const auto number = in.number(value, false, joints.unit(dof, Quantity::position));
    cost.scale[dof] = 1;
    cost.target[dof] = number.value_or(0);
    return number.has_value();
  });
}

void read_discomfort(const YamlMap& map, const TaskJoints& joints, const std::vector<Interval>& position,
                     CostSpec& cost) {
  cost.scale = read_dof_factors(map, joints);
  cost.target.assign(joints.count(), 0);
  cost.half.assign(joints.count(), 1);
  for (std::size_t i = 0; i < joints.count(); ++i) {
    const double middle = (position[i].lower + position[i].upper) / 2, half = position[i].upper - middle;
    if (std::isfinite(half) && half > 0) {
      cost.target[i] = middle, cost.half[i] = half;
    } else {
      cost.scale[i] = 0;
    }
  }
}

int read_smoothness_order(const YamlMap& map) {
  const YamlNode* node = map.find("of");
  if (!node || is_word(*node, "acceleration")) return 2;
  if (is_word(*node, "jerk")) return 3;
  map.reader("of").expected("acceleration or jerk", *node);
  return 2;
}

void read_steadiness(const YamlMap& map, const TaskJoints& joints, CostSpec& cost) {
  cost.scale.assign(joints.count(), 0);
  cost.point = {read_site(map, joints.model()), map.vector("point", {0, 0, 0}, "m")};
  const YamlNode* node = map.find("of");
  if (!node || is_word(*node, "acceleration")) return;
  cost.unsteady = is_word(*node, "lean") ? Unsteady::lean : Unsteady::rotation;
  if (cost.unsteady == Unsteady::rotation && !is_word(*node, "rotation")) {
    map.reader("of").expected("acceleration, rotation or lean", *node);
  }
  if (map.find("point")) map.reader("point").error(map.line(), "all points of a frame turn alike: leave it out");
  const Vec3<double> gravity = joints.model().gravity();
  if (cost.unsteady == Unsteady::lean && dot(gravity, gravity) == 0) {
    map.reader("of").error(node->line, "without gravity nothing is upright");
  }
}

void read_cost_settings(const YamlMap& map, const TaskJoints& joints, const LimitsSpec& limits, CostSpec& cost) {
  cost.weight = nonnegative_number(map, "weight", cost.weight, kLargestWeight);
  switch (cost.kind) {
    case CostKind::time:
    case CostKind::own:  // not from files
    case CostKind::own_at:
      break;
    case CostKind::effort:
    case CostKind::effort_rate:
      cost.scale = read_dof_factors(map, joints);
      if (map.flag("normalize", false)) normalize_by_limits(map, joints, limits.effort, 2, cost.scale);
      break;
    case CostKind::peak_effort:
      read_peak(map, joints, limits.effort, cost);
      break;
    case CostKind::joint_force:
      cost.scale = read_joint_factors(map, joints);
      break;
    case CostKind::energy:
      cost.scale = read_dof_factors(map, joints);
      cost.smoothing = positive_number(map, "smoothing", cost.smoothing, kLargestWeight, "W");
      break;
    case CostKind::smoothness:
      cost.scale = read_dof_factors(map, joints);
      cost.order = read_smoothness_order(map);
      break;
    case CostKind::reference:
      read_reference(map, joints, cost);
      break;
    case CostKind::discomfort:
      read_discomfort(map, joints, limits.position, cost);
      break;
    case CostKind::steadiness:
      read_steadiness(map, joints, cost);
      break;
  }
}

CostSpec read_cost(const YamlEntry& entry, const YamlReader& reader, const CostForm& form, const TaskJoints& joints,
                   const LimitsSpec& limits) {
  CostSpec cost;
  cost.kind = form.kind;
  // `time: 1` is short for `time: {weight: 1}`.
  YamlNode settings = entry.value;
  if (settings.is_scalar()) {
    settings = YamlNode{YamlNode::Kind::map, entry.value.line, "", {}, {{"weight", entry.line, entry.value}}};
  }
  std::vector<std::string> keys = form.keys;
  keys.emplace_back("weight");
  read_cost_settings(YamlMap(settings, reader, keys), joints, limits, cost);
  return cost;
}

std::vector<CostSpec> read_cost_list(const YamlMap& of, const char* key, const TaskJoints& joints,
                                     const LimitsSpec& limits) {
  std::vector<CostSpec> costs;
  std::vector<std::string> names;
  for (const CostForm& form : cost_forms()) names.emplace_back(form.name);
  for (const YamlNode& item : of.items(key)) {
    const YamlMap map(item, of.reader(key), names);
    if (item.is_map() && item.entries.size() != 1) {
      of.reader(key).error(item.line,
                           "expected one cost in each item of the list, found " + std::to_string(item.entries.size()));
    }
    for (const YamlEntry& entry : item.entries) {
      for (const CostForm& form : cost_forms()) {
        if (entry.key == form.name) costs.push_back(read_cost(entry, map.reader(form.name), form, joints, limits));
      }
    }
  }
  return costs;
}

}  // namespace

void read_costs(const YamlMap& top, const TaskJoints& joints, Task& task) {
  const YamlNode* node = top.find("minimize");
  task.mean_cost = node && node->is_map();
  if (!task.mean_cost) {
    task.costs = read_cost_list(top, "minimize", joints, task.limits);
    return;
  }
  const YamlMap map(*node, top.reader("minimize"), {"mean"});
  map.require("mean");
  task.costs = read_cost_list(map, "mean", joints, task.limits);
  const auto is_time = [](const CostSpec& cost) { return cost.kind == CostKind::time; };
  if (std::any_of(task.costs.begin(), task.costs.end(), is_time)) {
    map.reader("mean").error(map.line(), "time has the mean 1 whatever moves: leave it out");
  }
}

}  // namespace verne
