#include "check_formulation.h"

#include "verne/base/error.h"

namespace verne::cli {

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

Model without(const Model& model, bool friction, bool rotor_inertia) {
  ModelSpec spec = model.spec();
  for (LinkSpec& link : spec.links) {
    for (DofSpec& dof : link.joint.dofs) {
      if (friction) dof.coulomb = dof.viscous = 0;
      if (rotor_inertia) dof.rotor_inertia = 0;
    }
  }
  return build_model(std::move(spec));
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
  return all;
}

}  // namespace verne::cli
