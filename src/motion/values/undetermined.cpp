#include "motion/values/undetermined.h"

#include <algorithm>
#include <map>

#include "motion/values/undetermined_json.h"

namespace verne {

namespace {

template <class IsTold>
void take(const std::string& name, const IsTold& is_told, std::vector<Determined::Wrench>& wrenches) {
  auto at = std::find_if(wrenches.begin(), wrenches.end(), [&](const auto& wrench) { return wrench.first == name; });
  if (at == wrenches.end()) {
    wrenches.push_back({name, {true, true, true, true, true, true}});
    at = wrenches.end() - 1;
  }
  for (int i = 0; i < 6; ++i) at->second[static_cast<std::size_t>(i)] &= is_told(i);
}

}  // namespace

std::vector<Mechanism> mechanisms_of(const Task& task) {
  std::vector<Mechanism> mechanisms;
  for (const PhaseSpec& phase : task.phases) mechanisms.emplace_back(phase.model);
  if (task.phases.empty()) mechanisms.push_back(task.mechanism ? *task.mechanism : Mechanism(task.model));
  return mechanisms;
}

Determined::Determined(const std::vector<Mechanism>& phases) {
  for (const Mechanism& mechanism : phases) {
    const Model& model = mechanism.model();
    for (std::size_t k = 0; k < model.joints().size(); ++k) {
      const auto is_told = [&](int i) { return mechanism.joint_determined(static_cast<int>(k), i); };
      take(model.joints()[k].spec.name, is_told, joints);
    }
    for (std::size_t k = 0; k < model.loops().size(); ++k) {
      const auto is_told = [&](int i) { return mechanism.loop_determined(static_cast<int>(k), i); };
      take(model.loops()[k].name, is_told, loops);
    }
  }
}

void append_undetermined(JsonWriter& json, const Determined& determined) {
  json.key("undetermined").begin_object();
  const auto append = [&](const char* key, const std::vector<Determined::Wrench>& wrenches) {
    append_undetermined(
        json, key, wrenches.size(), [&](std::size_t k) { return wrenches[k].first; },
        [&](std::size_t k, std::size_t i) { return wrenches[k].second[i]; });
  };
  append("loop_wrenches", determined.loops);
  append("joint_wrenches", determined.joints);
  json.end_object();
}

std::string undetermined_text(const std::vector<Mechanism>& phases) {
  static constexpr const char* kNames[] = {"fx", "fy", "fz", "mx", "my", "mz"};
  const Determined determined(phases);
  std::map<std::string, std::string> joints_by_components;
  for (const std::vector<Determined::Wrench>* wrenches : {&determined.joints, &determined.loops}) {
    for (const auto& [name, told] : *wrenches) {
      std::string components;
      for (std::size_t i = 0; i < 6; ++i) {
        if (!told[i]) components += (components.empty() ? "" : ", ") + std::string(kNames[i]);
      }
      if (components.empty()) continue;
      std::string& joints = joints_by_components[components];
      joints += (joints.empty() ? "" : ", ") + name;
    }
  }
  if (joints_by_components.empty()) return "";
  std::string text = std::string("reactions that the motion does not tell") +
                     (phases.size() > 1 ? ", in a phase at least" : "") + "; the least are given\n";
  for (const auto& [components, joints] : joints_by_components) text += "  " + components + " of " + joints + "\n";
  return text;
}

}  // namespace verne
