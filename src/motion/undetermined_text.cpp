#include "motion/undetermined_text.h"

#include <map>

#include "verne/structures/mechanism.h"

namespace verne {

std::string undetermined_text(const Model& model) {
  if (model.loops().empty()) return "";
  static constexpr const char* kNames[] = {"fx", "fy", "fz", "mx", "my", "mz"};
  const Mechanism mechanism(model);
  std::map<std::string, std::string> joints_by_components;
  const auto add = [&](const std::string& name, auto&& determined) {
    std::string components;
    for (int i = 0; i < 6; ++i) {
      if (!determined(i)) components += (components.empty() ? "" : ", ") + std::string(kNames[i]);
    }
    if (components.empty()) return;
    std::string& joints = joints_by_components[components];
    joints += (joints.empty() ? "" : ", ") + name;
  };
  for (std::size_t k = 0; k < model.joints().size(); ++k) {
    add(model.joints()[k].spec.name, [&](int i) { return mechanism.joint_determined(static_cast<int>(k), i); });
  }
  for (std::size_t k = 0; k < model.loops().size(); ++k) {
    add(model.loops()[k].name, [&](int i) { return mechanism.loop_determined(static_cast<int>(k), i); });
  }
  std::string text =
      joints_by_components.empty() ? "" : "reactions that the motion does not tell; the least are given\n";
  for (const auto& [components, joints] : joints_by_components) text += "  " + components + " of " + joints + "\n";
  return text;
}

}  // namespace verne
