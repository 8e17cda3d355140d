#include "given.h"

#include <algorithm>

namespace verne::cli {

GivenAccelerations parse_given(const std::string& text, const Model& model) {
  const std::string kind = "acceleration=";
  if (!text.starts_with(kind)) {
    throw InputError("--given: expected acceleration=JOINT,JOINT,..., found '" + text + "'");
  }
  std::vector<int> joints;
  std::vector<Diagnostic> problems;
  for (const std::string& name : split_list(text.substr(kind.size()))) {
    try {
      const int joint = model.joint(name);
      (void)GivenAccelerations(model, std::span(&joint, 1));
      joints.push_back(joint);
    } catch (const InputError& error) {
      for (Diagnostic problem : error.problems()) {
        problem.text = "--given: " + problem.text;
        problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return GivenAccelerations(model, joints);
}

void require_given(const Mechanism& mechanism, const GivenAccelerations& given, const std::vector<Want>& wants) {
  const auto has = [](std::span<const int> velocities, int k) {
    return std::find(velocities.begin(), velocities.end(), k) != velocities.end();
  };
  std::vector<Diagnostic> problems;
  const auto complain = [&](std::string text) { problems.push_back({"", 0, std::move(text)}); };
  for (int k = 0; k < mechanism.model().nv(); ++k) {
    if (!given[k]) continue;
    const std::string name = "--given: '" + mechanism.model().dof_names()[static_cast<std::size_t>(k)] + "' ";
    if (!has(mechanism.independent(), k)) {
      complain(name + "is not an independent coordinate of the mechanism: its loops tell how it is accelerated");
    } else if (!has(mechanism.actuated(), k)) {
      complain(name + "is not actuated: it has no torque to be found");
    }
  }
  for (const Want& want : wants) {
    switch (want.quantity) {
      case Quantity::d_tau:
      case Quantity::d_acceleration:
      case Quantity::d_joint_wrenches:
      case Quantity::d_loop_wrenches:
        complain("--want: " + want.key + " of a model with closed loops is not known together with --given");
        break;
      default:
        break;
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace verne::cli
