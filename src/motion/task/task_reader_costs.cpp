#include <algorithm>

#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

CostSpec read_cost(const YamlEntry& entry, const YamlReader& reader, const CostType& type, const TaskJoints& joints,
                   const LimitsSpec& limits) {
  CostSpec cost;
  cost.type = &type;
  cost.by_joint = type.of_joints;
  // `time: 1` is short for `time: {weight: 1}`.
  YamlNode settings = entry.value;
  if (settings.is_scalar()) {
    settings = YamlNode{YamlNode::Kind::map, entry.value.line, "", {}, {{"weight", entry.line, entry.value}}};
  }
  const Schema schema = with_weight(type);
  const TaskMap map(settings, reader, schema);
  cost.weight = map.real("weight", cost.weight);
  type.read({map, joints, limits}, cost);
  return cost;
}

std::vector<CostSpec> read_cost_list(const YamlMap& of, const char* key, const TaskJoints& joints,
                                     const LimitsSpec& limits) {
  std::vector<CostSpec> costs;
  const std::vector<std::string> names = costs_schema().names();
  for (const YamlNode& item : of.items(key)) {
    const YamlMap map(item, of.reader(key), names);
    if (item.is_map() && item.entries.size() != 1) {
      of.reader(key).error(item.line,
                           "expected one cost in each item of the list, found " + std::to_string(item.entries.size()));
    }
    for (const YamlEntry& entry : item.entries) {
      for (const CostType* type : costs_in_files()) {
        if (entry.key == type->name) costs.push_back(read_cost(entry, map.reader(type->name), *type, joints, limits));
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
  const YamlMap map(*node, top.reader("minimize"), mean_schema().names());
  map.require("mean");
  task.costs = read_cost_list(map, "mean", joints, task.limits);
  if (std::any_of(task.costs.begin(), task.costs.end(), is_time)) {
    map.reader("mean").error(map.line(), "time has the mean 1 whatever moves: leave it out");
  }
}

LimitsSpec model_limits(const TaskJoints& joints) {
  LimitsSpec limits;
  for (const JointLimit* limit : joint_limits()) limit->set_default(joints, limits);
  return limits;
}

LimitsSpec read_limits(const YamlMap& subject_to, const TaskJoints& joints, const LimitsSpec& otherwise) {
  LimitsSpec limits = otherwise;
  const YamlNode* node = subject_to.find("limits");
  if (!node) return limits;
  const YamlMap map(*node, subject_to.reader("limits"), limits_schema().names());
  for (const JointLimit* limit : joint_limits()) {
    const char* const key = limit->kind().name;
    if (const YamlNode* given = map.find(key)) limit->read(*given, map.reader(key), joints, limits);
  }
  return limits;
}

}  // namespace verne
