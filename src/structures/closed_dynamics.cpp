#include "structures/closed_dynamics.h"

#include <algorithm>

#include "base/decompositions.h"
#include "model/subject.h"
#include "structures/closing.h"
#include "structures/loop_walk.h"
#include "structures/mechanism_parts.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// Newton's method from a closed configuration: what is left of rounding, and for complex numbers the derivative.
constexpr int kPolishingSteps = 2;

template <class S>
void require_state(const char* function, const Mechanism& mechanism, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a) {
  require_size(function, "q", mechanism.model().nq(), q.size());
  require_size(function, "v", mechanism.model().nv(), v.size());
  require_size(function, "a", mechanism.model().nv(), a.size());
}

/// Room that the caller made: a library that made it would do so with its own allocator.
template <class S>
void require_wrenches(const char* function, const Mechanism& mechanism, const Matrix6X<S>* of_loops) {
  if (!of_loops) return;
  require_size(function, "loop_wrenches", static_cast<Eigen::Index>(mechanism.model().loops().size()),
               of_loops->cols());
}

}  // namespace

template <class S>
bool assemble(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> independent, VectorIn<S> guess,
              VectorOut<S> q) {
  auto& p = data.parts();
  require_size("assemble", "independent", mechanism.nq(), independent.size());
  require_size("assemble", "guess", mechanism.model().nq(), guess.size());
  require_size("assemble", "q", mechanism.model().nq(), q.size());
  const std::vector<int>& places = p.c.independent_q;
  Eigen::VectorXd goal = guess.real(), real = goal;
  for (std::size_t k = 0; k < places.size(); ++k) goal[places[k]] = real_of(independent[static_cast<Eigen::Index>(k)]);
  const bool connected = walk_to(p.c, p.real_data, p.real_system, goal, real);
  if (!connected) {
    real = goal;
    if (const auto gap = close_loops(p.c, p.real_data, p.real_system, p.c.dependent, real)) {
      throw InputError(gap_text(p.c, *gap) + " at these independent coordinates");
    }
  }
  q = real.template cast<S>();
  for (int k = 0; k < kPolishingSteps; ++k) {
    Vector<S> wanted = q;
    for (std::size_t i = 0; i < places.size(); ++i) wanted[places[i]] = independent[static_cast<Eigen::Index>(i)];
    for (const int i : p.c.exact_q) q[i] = wanted[i];
    if (!p.c.partial_v.empty()) difference<S>(p.model, p.data, q, wanted, p.motion);
    p.evaluate(q, p.zero_v);
    p.step.setZero();
    for (const int i : p.c.partial_v) p.step[i] = p.motion[i];
    p.complete(p.system.phi, p.step);
    integrate(p.model, p.data, q, p.step, q);
  }
  return connected;
}

void require_closed(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q, double tolerance) {
  auto& p = data.parts();
  require_size("require_closed", "q", mechanism.model().nq(), q.size());
  p.system.evaluate(p.model, p.data, q, p.zero_v);
  if (const auto gap = widest_gap(p.c, p.system, tolerance)) throw InputError(gap_text(p.c, *gap));
}

void require_closed(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q, VectorIn<double> v,
                    VectorIn<double> a, double tolerance) {
  require_state<double>("require_closed", mechanism, q, v, a);
  require_closed(mechanism, data, q, tolerance);
  auto& p = data.parts();
  p.system.evaluate(p.model, p.data, q, v);
  const Eigen::VectorXd rate = p.system.J * v, acceleration = p.system.J * a + p.system.drift;
  // Fast motions are given to as many digits as slow ones: what counts is the part that is left of the sums.
  const auto refuse = [&](const Eigen::VectorXd& by, const Eigen::VectorXd& summands, const char* what) {
    Eigen::Index worst = 0;
    if (by.size() == 0 || by.cwiseAbs().maxCoeff(&worst) <= tolerance * std::max(1.0, summands.maxCoeff())) return;
    throw InputError(std::string("the ") + what + " of the tree open a loop (" +
                     mechanism.equation_name(static_cast<int>(worst)) + " by " + rounded_text(by[worst]) + ")");
  };
  const Eigen::MatrixXd size = p.system.J.cwiseAbs();
  refuse(rate, size * v.cwiseAbs(), "velocities");
  refuse(acceleration, size * a.cwiseAbs() + p.system.drift.cwiseAbs(), "accelerations");
}

double largest_opening(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q) {
  require_size("largest_opening", "q", mechanism.model().nq(), q.size());
  auto& p = data.parts();
  p.system.evaluate(p.model, p.data, q, p.zero_v);
  return p.system.phi.size() == 0 ? 0 : p.system.phi.cwiseAbs().maxCoeff();
}

template <class S>
void closed_motion(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> independent_v,
                   VectorIn<S> independent_a, VectorOut<S> v, VectorOut<S> a) {
  require_state<S>("closed_motion", mechanism, q, v, a);
  require_size("closed_motion", "independent velocities", mechanism.mobility(), independent_v.size());
  require_size("closed_motion", "independent accelerations", mechanism.mobility(), independent_a.size());
  auto& p = data.parts();
  p.evaluate(q, p.zero_v);
  p.motion.noalias() = p.G * independent_v;
  p.evaluate(q, p.motion);
  for (std::size_t k = 0; k < p.c.independent.size(); ++k) {
    p.other_motion[p.c.independent[k]] = independent_a[static_cast<Eigen::Index>(k)];
  }
  p.complete(p.system.drift, p.other_motion);
  v = p.motion, a = p.other_motion;
}

template <class S>
void closed_jacobian(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, MatrixOut<S> G) {
  require_size("closed_jacobian", "q", mechanism.model().nq(), q.size());
  require_size("closed_jacobian", "G (rows)", mechanism.model().nv(), G.rows());
  require_size("closed_jacobian", "G (columns)", mechanism.mobility(), G.cols());
  auto& p = data.parts();
  p.evaluate(q, p.zero_v);
  G = p.G;
}

template <class S>
void inverse_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                      VectorOut<S> tau, LoadsIn<S> loads, WrenchesOut<S> loop_wrenches, WrenchesOut<S> joint_wrenches,
                      const Values* weights) {
  require_state<S>("inverse_dynamics", mechanism, q, v, a);
  const auto count = static_cast<Eigen::Index>(mechanism.actuated().size());
  require_size("inverse_dynamics", "tau", count, tau.size());
  require_wrenches<S>("inverse_dynamics", mechanism, loop_wrenches);
  auto& p = data.parts();
  if (weights) torque_scales("inverse_dynamics", p.c, weights);
  const bool wrenches = loop_wrenches || joint_wrenches;
  if constexpr (std::is_same_v<S, double>) {
    const bool simple = !wrenches && !weights && count >= mechanism.mobility();
    if (simple && p.sparse->inverse(p.data, q, v, a, loads, tau)) return;
  }
  Vector<S> found(count);  // tau may be the memory of v or a, which wrenches need
  if constexpr (std::is_same_v<S, double>) {
    if (!weights && count >= mechanism.mobility() && p.sparse->inverse(p.data, q, v, a, loads, found) &&
        p.sparse->reactions(p.data, q, v, a, found, loads, loop_wrenches, joint_wrenches)) {
      tau = found;
      return;
    }
  }
  p.solve_inverse(q, v, a, loads, weights, found);
  if (wrenches) {
    p.solve_multipliers(found);
    p.write_wrenches(q, v, a, loads, loop_wrenches, joint_wrenches);
  }
  tau = found;
}

template <class S>
void forward_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                      VectorOut<S> a, LoadsIn<S> loads, WrenchesOut<S> loop_wrenches, WrenchesOut<S> joint_wrenches) {
  require_state<S>("forward_dynamics", mechanism, q, v, a);
  require_size("forward_dynamics", "tau", static_cast<Eigen::Index>(mechanism.actuated().size()), tau.size());
  require_wrenches<S>("forward_dynamics", mechanism, loop_wrenches);
  auto& p = data.parts();
  require_inertia(p.c);
  const bool wrenches = loop_wrenches || joint_wrenches;
  if constexpr (std::is_same_v<S, double>) {
    if (!wrenches && p.sparse->forward(p.data, q, v, tau, loads, a)) return;
    if (wrenches && p.sparse->forward(p.data, q, v, tau, loads, p.motion) &&
        p.sparse->reactions(p.data, q, v, p.motion, tau, loads, loop_wrenches, joint_wrenches)) {
      a = p.motion;
      return;
    }
  }
  p.solve_forward(q, v, tau, loads);
  if (wrenches) {
    p.tree_torques(q, v, p.motion, loads);
    p.solve_multipliers(tau);
    p.write_wrenches(q, v, p.motion, loads, loop_wrenches, joint_wrenches);
  }
  a = p.motion;
}

template <class S>
void mass_matrix(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, MatrixOut<S> M) {
  require_size("mass_matrix", "q", mechanism.model().nq(), q.size());
  require_size("mass_matrix", "M (rows)", mechanism.mobility(), M.rows());
  require_size("mass_matrix", "M (columns)", mechanism.mobility(), M.cols());
  auto& p = data.parts();
  p.evaluate(q, p.zero_v);
  p.mass_G.noalias() = p.system.terms.M * p.G;
  M.noalias() = p.G.transpose() * p.mass_G;
}

template <class S>
void generalized_forces(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                        VectorOut<S> forces, LoadsIn<S> loads) {
  require_state<S>("generalized_forces", mechanism, q, v, a);
  require_size("generalized_forces", "forces", mechanism.mobility(), forces.size());
  auto& p = data.parts();
  p.evaluate(q, v);
  p.tree_torques(q, v, a, loads);
  forces = p.forces;
}

void null_space_torques(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                        MatrixOut<double> basis) {
  const auto count = static_cast<Eigen::Index>(mechanism.actuated().size());
  require_size("null_space_torques", "basis (rows)", count, basis.rows());
  require_size("null_space_torques", "basis (columns)", count - mechanism.mobility(), basis.cols());
  auto& p = data.parts();
  p.evaluate(q, p.zero_v);
  Eigen::MatrixXd actuators(count, mechanism.mobility());
  for (Eigen::Index k = 0; k < count; ++k) actuators.row(k) = p.G.row(p.c.actuated[static_cast<std::size_t>(k)]);
  basis = orthonormal(actuators).rightCols(basis.cols());
}

#define VERNE_INSTANTIATE(S)                                                                                      \
  template bool assemble<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, VectorIn<S>, VectorOut<S>);         \
  template void closed_motion<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>,      \
                                 VectorOut<S>, VectorOut<S>);                                                     \
  template void closed_jacobian<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, MatrixOut<S>);               \
  template void inverse_dynamics<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>,   \
                                    VectorOut<S>, LoadsIn<S>, WrenchesOut<S>, WrenchesOut<S>, const Values*);     \
  template void forward_dynamics<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>,   \
                                    VectorOut<S>, LoadsIn<S>, WrenchesOut<S>, WrenchesOut<S>);                    \
  template void mass_matrix<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, MatrixOut<S>);                   \
  template void generalized_forces<S>(const Mechanism&, MechanismData<S>&, VectorIn<S>, VectorIn<S>, VectorIn<S>, \
                                      VectorOut<S>, LoadsIn<S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne
