#include "structures/closed_hybrid.h"

#include "base/decompositions.h"
#include "structures/mechanism_parts.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// Of the largest: singular values below it belong to given joints that the loops tie to each other.
constexpr double kTied = 1e-9;

std::vector<int> given_velocities(const Model& model, const GivenAccelerations& given) {
  std::vector<int> velocities;
  for (int k = 0; k < model.nv(); ++k) {
    if (given[k]) velocities.push_back(k);
  }
  return velocities;
}

/// Throws InputError where some motion of the given coordinates opens a loop: `felt` are their rows of G.
void refuse_tied(const Model& model, const std::vector<int>& velocities, const Eigen::MatrixXd& felt) {
  if (felt.rows() <= felt.cols()) {
    const Eigen::VectorXd values = singular_values(felt).values;
    if (values.size() == 0 || values[felt.rows() - 1] > kTied * values[0]) return;
  }
  std::string names;
  for (const int k : velocities) {
    names += (names.empty() ? "'" : ", '") + model.dof_names()[static_cast<std::size_t>(k)] + "'";
  }
  throw InputError("the loops tie coordinates to each other whose accelerations are given: " + names);
}

}  // namespace

// Equation (4a) of docs/theory/structures.md.
void hybrid_dynamics(const Mechanism& mechanism, MechanismData<double>& data, const GivenAccelerations& given,
                     VectorIn<double> q, VectorIn<double> v, VectorOut<double> a, VectorOut<double> tau,
                     LoadsIn<double> loads, WrenchesOut<double> loop_wrenches, WrenchesOut<double> joint_wrenches) {
  auto& p = data.parts();
  const Model& model = mechanism.model();
  require_size("hybrid_dynamics", "q", model.nq(), q.size());
  for (const auto& [name, size] : {std::pair("v", v.size()), std::pair("a", a.size()), std::pair("tau", tau.size())}) {
    require_size("hybrid_dynamics", name, model.nv(), size);
  }
  require_size("hybrid_dynamics", "given", model.nv(), static_cast<Eigen::Index>(given.flags().size()));
  if (loop_wrenches) {
    require_size("hybrid_dynamics", "loop_wrenches", static_cast<Eigen::Index>(model.loops().size()),
                 loop_wrenches->cols());
  }
  const std::vector<int> velocities = given_velocities(model, given);
  p.evaluate(q, v);
  const Eigen::MatrixXd felt = p.G(velocities, Eigen::all);
  refuse_tied(model, velocities, felt);

  p.motion.setZero();
  p.complete(p.system.drift, p.motion);  // independent accelerations of zero
  p.tree_torques(q, v, p.motion, loads);
  Eigen::VectorXd known = tau;
  known(velocities).setZero();
  const Eigen::Index free = p.G.cols(), count = felt.rows();
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(free + count, free + count);
  Eigen::VectorXd right(free + count);
  p.mass_G.noalias() = p.system.terms.M * p.G;
  system.topLeftCorner(free, free).noalias() = p.G.transpose() * p.mass_G;
  system.topRightCorner(free, count) = -felt.transpose();
  system.bottomLeftCorner(count, free) = felt;
  right.head(free) = p.G.transpose() * known - p.forces;
  right.tail(count) = a(velocities) - p.motion(velocities);
  const Eigen::VectorXd found = solution(system, right);
  if (!found.allFinite()) {
    throw InputError("some motion of the mechanism has no inertia: its acceleration is not known");
  }
  p.motion.noalias() += p.G * found.head(free);
  known(velocities) = found.tail(count);
  if (loop_wrenches || joint_wrenches) {
    p.tree_torques(q, v, p.motion, loads);
    p.torques -= known;
    p.solve_multipliers(Eigen::VectorXd());  // what torques leave is for the loops to hold
    p.write_wrenches(q, v, p.motion, loads, loop_wrenches, joint_wrenches);
  }
  a = p.motion, tau = known;
}

}  // namespace verne
