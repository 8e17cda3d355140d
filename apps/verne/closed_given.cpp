/// `verne eval --given` of mechanisms with closed loops.
#include <algorithm>

#include "closed_results.h"

namespace verne::cli {

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

void ClosedSolver::complete(const StateLine& line, const Loads<double>& loads, bool wrenches, ClosedResults& out) {
  const Model& model = mechanism_.model();
  Eigen::VectorXd tau = tree_torques(line);
  Matrix6X<double> loops(6, static_cast<Eigen::Index>(model.loops().size()));
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(model.joints().size()));
  hybrid_dynamics(mechanism_, data_, *given_, out.q.eigen(), out.v.eigen(), out.a.eigen(), tau, &loads,
                  wrenches ? &loops : nullptr, wrenches ? &joints : nullptr);
  if (wrenches) out.loop_wrenches = loops, out.joint_wrenches = joints;
  out.tau = Eigen::VectorXd(tau(mechanism_.actuated()));
  out.acceleration = independent(out.a.eigen());
}

}  // namespace verne::cli
