#include <algorithm>
#include <functional>

#include "io/number.h"
#include "motion/task/human_parts.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"
#include "motion/terms/channels.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/limits/joint_limit.h"

namespace verne {

namespace {

/// In the order of the words of the schema.
template <class Enum>
std::optional<Enum> read_one_of(const TaskMap& map, const char* key) {
  if (!map.find(key)) return std::nullopt;
  return static_cast<Enum>(map.word_of(key, 0));
}

std::optional<double> read_size(const TaskMap& map, const char* key) {
  if (!map.find(key)) return std::nullopt;
  return map.real(key, 0);
}

std::optional<bool> read_flag(const YamlMap& map, const char* key) {
  if (!map.find(key)) return std::nullopt;
  return map.flag(key, false);
}

/// The least time that the motion may take, s.
double least_duration(const Task& task) {
  double sum = 0;
  for (const PhaseSpec& phase : task.phases) sum += phase.duration.part ? 0 : phase.duration.bounds.lower;
  return std::max(sum, task.phases.empty() ? task.duration.bounds.lower : 0);
}

std::optional<RepeatSpec> read_repeat(const YamlMap& top, const Task& task) {
  const YamlNode* node = top.find("repeat");
  if (!node) return std::nullopt;
  const YamlReader reader = top.reader("repeat");
  const TaskMap map(*node, reader, repeat_schema());
  if (const std::string missing = missing_human_part(task.model); !missing.empty()) {
    reader.error(node->line, "muscles that tire are a person's, and the model has no link " + in_quotes(missing));
  }
  RepeatSpec repeat;
  map.require("times");
  repeat.times = map.integer("times", repeat.times);
  if (map.find("adapt")) repeat.adapt = map.integer("adapt", 1);
  if (map.find("rest") && map.find("every")) reader.error(node->line, "expected either rest or every");
  repeat.rest = map.real("rest", 0);
  if (!map.find("every")) return repeat;
  repeat.every = map.real("every", 1);
  if (*repeat.every < least_duration(task)) {
    map.reader("every").error(map.find("every")->line, "faster than the motion, which lasts " +
                                                           format_number(least_duration(task)) + " s at least");
  }
  return repeat;
}

}  // namespace

void read_repetitions(const YamlMap& top, Task& task) {
  task.work.repeat = read_repeat(top, task);
  const auto differs = [&](const PhaseSpec& phase) {
    return phase.limits.sizes.at("fatigue") != task.limits.sizes.at("fatigue");
  };
  if (std::any_of(task.phases.begin(), task.phases.end(), differs)) {
    top.reader("phases").error(top.find("phases")->line,
                               "limits: fatigue: is of the motion as a whole, and belongs to `subject_to: limits`");
  }
  if (!task.work.repeat || !task.work.repeat->every || !task.phases.empty()) return;
  Interval& duration = task.duration.bounds;
  if (*task.work.repeat->every >= duration.lower) duration.upper = std::min(duration.upper, *task.work.repeat->every);
}

namespace {

/// The same between what both hands share and the hands.
void refuse_loads_of_arms(const GripSpec& grip, const LimitsSpec& limits,
                          const std::function<std::string(const LimitsSpec&, std::size_t)>& asking, const Model& model,
                          const YamlMap& top) {
  const int hand = model.link(grip.loop.a.link), object = model.link(grip.loop.b.link);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    if (carries(model, joint.child_link, hand) == carries(model, joint.child_link, object)) continue;
    const std::string what = asking(limits, j);
    if (what.empty()) continue;
    top.reader("attach").error(grip.line,
                               what + " is of " + in_quotes(joint.spec.name) +
                                   ", in an arm that holds something together with the other one: what that does "
                                   "there is in results, but not in limits and costs of joint wrenches");
    return;
  }
}

}  // namespace

void refuse_loads_of_legs(const Task& task, const YamlMap& top) {
  /// What asks for the wrench of a joint; empty: nothing does.
  const auto asking = [&](const LimitsSpec& limits, std::size_t joint) -> std::string {
    for (const JointLimit* limit : joint_limits()) {
      const bool knows = limit->of_bearings() && joint < limit->entries(limits);
      if (knows && limit->is_set(limits, joint)) return std::string("the limit ") + limit->kind().name;
    }
    for (const CostSpec& cost : task.costs) {
      const bool knows = type_of(cost).of_joints && joint < cost.scale.size();
      if (knows && cost.scale[joint] > 0) return std::string("the cost ") + type_of(cost).name;
    }
    return "";
  };
  const auto check = [&](const std::optional<GroundSpec>& ground, const std::vector<GripSpec>& grips,
                         const LimitsSpec& limits) {
    for (std::size_t j = 0; ground && j < task.model.joints().size(); ++j) {
      const Joint& joint = task.model.joints()[j];
      const auto bears = [&](const SupportSpec& support) {
        return carries(task.model, joint.child_link, support.site);
      };
      if (std::none_of(ground->supports.begin(), ground->supports.end(), bears)) continue;
      const std::string what = asking(limits, j);
      if (what.empty()) continue;
      top.reader("subject_to")
          .inside("ground")
          .error(ground->line,
                 what + " is of " + in_quotes(joint.spec.name) +
                     ", between the root and what stands on the ground: what the ground does there is in results, "
                     "but not in limits and costs of joint wrenches");
      return;  // one is enough: there are many such joints
    }
    for (const GripSpec& grip : grips) refuse_loads_of_arms(grip, limits, asking, task.model, top);
  };
  if (task.phases.empty()) check(task.ground, task.grips, task.limits);
  for (const PhaseSpec& phase : task.phases) check(phase.ground, phase.grips, phase.limits);
}

WorkSpec read_work(const YamlMap& top, const Task& task) {
  WorkSpec work;
  const YamlNode* node = top.find("work");
  if (!node) return work;
  const TaskMap map(*node, top.reader("work"), work_schema());
  if (const std::string missing = missing_human_part(task.model); !missing.empty()) {
    top.reader("work").error(node->line, "scores are of a person, and the model has no link " + in_quotes(missing));
  }
  work.load = read_size(map, "load");
  work.frequency = read_size(map, "frequency");
  work.hours = read_size(map, "hours");
  work.coupling = read_one_of<Coupling>(map, "coupling");
  work.stance = read_one_of<Stance>(map, "stance");
  work.static_posture = read_flag(map, "static");
  work.shock = read_flag(map, "shock");
  work.arms_supported = read_flag(map, "arms_supported");
  if (const YamlNode* lift = map.find("lift")) {
    work.lift = map.word("lift", "");
    std::vector<std::string> names;
    for (const PhaseSpec& phase : task.phases) names.push_back(phase.name);
    if (std::find(names.begin(), names.end(), work.lift) == names.end()) {
      map.reader("lift").error(lift->line, "there is no phase " + in_quotes(work.lift) + suggestion(work.lift, names));
    }
  }
  return work;
}

double mass_in_hands(const YamlMap& map, const Model& model) {
  double mass = 0;
  for (const YamlNode& item : map.items("payloads")) {
    for (const YamlEntry& entry : item.entries) {
      if (entry.key != "frame") continue;
      const std::string link = name_of_bearer(model, model.site(entry.value.text));
      if (link != kHands[0] && link != kHands[1]) continue;
      mass += YamlMap(item, map.reader("payloads"), payload_schema().names()).number("mass", 0);
    }
  }
  return mass;
}

}  // namespace verne
