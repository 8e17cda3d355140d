#include "reproduce/comparison.h"

#include "verne/base/error.h"

namespace verne::reproduce {

const char* name_of(CheckedQuantity quantity) {
  static constexpr std::array<const char*, kQuantities> kNames{"torques", "accelerations", "internal forces",
                                                               "sensitivities"};
  return kNames[quantity];
}

LibraryAnswer Library::inverse(const CheckState& state) {
  LibraryAnswer out{Eigen::VectorXd(model_.nv()), Matrix6X<double>(6, model_.tree().joint_count)};
  inverse_dynamics(model_, data_, state.q, state.v, state.a, out.values, nullptr, &out.wrenches);
  return out;
}

LibraryAnswer Library::forward(const CheckState& state) {
  LibraryAnswer out{Eigen::VectorXd(model_.nv()), Matrix6X<double>(6, model_.tree().joint_count)};
  forward_dynamics(model_, data_, state.q, state.v, state.tau, out.values, nullptr, &out.wrenches);
  return out;
}

HybridMotion<double> Library::completed(const CheckState& state, const GivenAccelerations& given) {
  return hybrid_motion(model_, data_, given, state.q, state.v, state.a, state.tau);
}

Model without(const Model& model, const Lacks& lacks) {
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) {
      if (lacks.friction) dof.coulomb = dof.viscous = 0;
      if (lacks.rotor_inertia) dof.rotor_inertia = 0;
      if (lacks.springs) dof.stiffness = 0;
      if (lacks.springs || lacks.ligaments) dof.ligament = 0;
    }
  }
  return build_model(std::move(spec));
}

bool has_springs(const Model& model) {
  const Tree& tree = model.tree();
  return std::any_of(tree.stiffness, tree.stiffness + tree.nv, [](double k) { return k != 0; });
}

std::string lacking(const Model& model, const Lacks& lacks) {
  const Tree& tree = model.tree();
  std::vector<std::string> words;
  if (lacks.friction && tree.has_friction) words.emplace_back("friction");
  if (lacks.rotor_inertia && tree.has_rotor) words.emplace_back("rotor inertia");
  if (lacks.springs && has_springs(model)) words.emplace_back("springs");
  if ((lacks.springs || lacks.ligaments) && tree.has_ligament) words.emplace_back("ligaments");
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  }
  return text;
}

double relative_difference(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, double scale) {
  if (!expected.allFinite()) throw InputError("the library's answer is not finite: a mass or an inertia is missing");
  if (!found.allFinite()) return kInfinity;
  const double difference = (found - expected).cwiseAbs().maxCoeff();
  return difference == 0 ? 0 : difference / std::max(scale, expected.cwiseAbs().maxCoeff());
}

std::vector<CheckedFormulation> formulations_for(const Model& model) {
  std::vector<CheckedFormulation> all = fixed_base_formulations(model);
  for (CheckedFormulation& moving : moving_base_formulations(model)) all.push_back(std::move(moving));
  for (CheckedFormulation& elastic : elastic_formulations(model)) all.push_back(std::move(elastic));
  for (CheckedFormulation& closed : loop_formulations(model)) all.push_back(std::move(closed));
  return all;
}

}  // namespace verne::reproduce
