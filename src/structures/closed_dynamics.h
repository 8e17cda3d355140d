/// Motion and dynamics of mechanisms with closed loops. Conventions: docs/conventions.md, equations:
/// docs/theory/loops.md.
///
/// q, v, a are those of the tree and satisfy the loops; `independent` ones are the entries that the mechanism lists.
/// tau has one entry for each actuated velocity. Functions that need the dependent velocities throw InputError at
/// configurations where the independent ones do not tell them: it has the rank and the direction that is lost.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "verne/base/export.h"
#include "verne/dynamics/data.h"
#include "verne/structures/mechanism.h"

namespace verne {

/// Scratch memory for one thread; holds no results. S is double or std::complex<double>.
template <class S = double>
class VERNE_API MechanismData {
 public:
  /// Room for the algorithms on this mechanism.
  explicit MechanismData(const Mechanism& mechanism);
  MechanismData(MechanismData&&) noexcept;
  MechanismData& operator=(MechanismData&&) noexcept;
  ~MechanismData();

  struct Parts;
  /// The memory, for the library.
  Parts& parts() { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// The closed configuration that has the independent positions, on the branch of `guess` (a configuration of the tree):
/// that is closed first, its independent positions held, and these then go straight to the wanted ones. Returns whether
/// they can. Where the mechanism cannot follow that way, the result is what closes next to the guess, on any branch.
/// Throws InputError when nothing does: which loop stays open, and by how much.
template <class S>
VERNE_API bool assemble(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> independent, VectorIn<S> guess,
                        VectorOut<S> q);

/// Throws InputError when a loop is open by more than `tolerance` (metres, or the sine of an angle).
VERNE_API void require_closed(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                              double tolerance);
/// The same for velocities and accelerations: those by which the loops open. Values above 1 are compared relatively.
VERNE_API void require_closed(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                              VectorIn<double> v, VectorIn<double> a, double tolerance);

/// How far the loops are open at most: metres, or the sine of an angle.
VERNE_API double largest_opening(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q);
/// Moves q and v to the nearest that the loops allow; coordinates of the velocities `held`, and these, stay. Returns
/// whether there are such.
VERNE_API bool project_state(const Mechanism& mechanism, MechanismData<double>& data, VectorOut<double> q,
                             VectorOut<double> v, std::span<const int> held = {});

/// All velocities and accelerations from the independent ones.
template <class S>
VERNE_API void closed_motion(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q,
                             VectorIn<S> independent_v, VectorIn<S> independent_a, VectorOut<S> v, VectorOut<S> a);

/// G = ∂q/∂q_independent, nv x mobility.
template <class S>
VERNE_API void closed_jacobian(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, MatrixOut<S> G);

/// tau of a motion: Gᵀ B tau = Gᵀ tau_tree. With more actuators than mobility, the least Σ weight tau² (all 1 unless
/// given); with fewer, InputError. `loop_wrenches` (6 x loops) and `joint_wrenches` (6 x joints) unless null.
template <class S>
VERNE_API void inverse_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                                VectorIn<S> a, VectorOut<S> tau, LoadsIn<S> loads = nullptr,
                                WrenchesOut<S> loop_wrenches = nullptr, WrenchesOut<S> joint_wrenches = nullptr,
                                const Values* weights = nullptr);

/// All accelerations of the tree under tau.
template <class S>
VERNE_API void forward_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                                VectorIn<S> tau, VectorOut<S> a, LoadsIn<S> loads = nullptr,
                                WrenchesOut<S> loop_wrenches = nullptr, WrenchesOut<S> joint_wrenches = nullptr);

/// Gᵀ M G, and the forces along the independent coordinates that a motion needs: Gᵀ B tau.
template <class S>
VERNE_API void mass_matrix(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, MatrixOut<S> M);
/// The forces along the independent coordinates that a motion needs: Gᵀ B tau.
template <class S>
VERNE_API void generalized_forces(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                                  VectorIn<S> a, VectorOut<S> forces, LoadsIn<S> loads = nullptr);

/// The torques that do nothing but stress the mechanism: actuated x (actuated − mobility), orthonormal columns.
VERNE_API void null_space_torques(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                  MatrixOut<double> basis);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

/// Velocities and accelerations that keep the loops closed.
template <class S = double>
struct ClosedMotion {
  Vector<S> v, a;  ///< of the tree
};
/// While contacts are held (contacts.h), tau is of all velocities of the tree, and `loop_wrenches` has theirs, too.
template <class S = double>
struct ClosedTorques {
  Vector<S> tau;                              ///< one for each actuated velocity
  Matrix6X<S> loop_wrenches, joint_wrenches;  ///< a column for every loop, and for every joint of the tree
};
/// Accelerations of the tree, and the wrenches that close the loops and go through the joints.
template <class S = double>
struct ClosedAccelerations {
  Vector<S> a;                                ///< of the tree
  Matrix6X<S> loop_wrenches, joint_wrenches;  ///< a column for every loop, and for every joint of the tree
};

/// The closed configuration, with a new result.
template <class S>
Vector<S> assemble(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> independent, VectorIn<S> guess) {
  Vector<S> q(mechanism.model().nq());
  assemble(mechanism, data, independent, guess, q);
  return q;
}
/// All velocities and accelerations from the independent ones.
template <class S>
ClosedMotion<S> closed_motion(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q,
                              VectorIn<S> independent_v, VectorIn<S> independent_a) {
  ClosedMotion<S> out{Vector<S>(mechanism.model().nv()), Vector<S>(mechanism.model().nv())};
  closed_motion(mechanism, data, q, independent_v, independent_a, out.v, out.a);
  return out;
}
/// G, with a new result.
template <class S>
Matrix<S> closed_jacobian(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q) {
  Matrix<S> G(mechanism.model().nv(), mechanism.mobility());
  closed_jacobian(mechanism, data, q, G);
  return G;
}
/// Torques of a motion.
template <class S>
Vector<S> inverse_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                           VectorIn<S> a, const Loads<std::type_identity_t<S>>& loads = {},
                           const Values* weights = nullptr) {
  Vector<S> tau(mechanism.actuated().size());
  inverse_dynamics(mechanism, data, q, v, a, tau, &loads, nullptr, nullptr, weights);
  return tau;
}
/// Torques of a motion, and the wrenches of all loops and joints.
template <class S>
ClosedTorques<S> inverse_dynamics_and_wrenches(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q,
                                               VectorIn<S> v, VectorIn<S> a,
                                               const Loads<std::type_identity_t<S>>& loads = {},
                                               const Values* weights = nullptr) {
  const Model& model = mechanism.model();
  ClosedTorques<S> out{Vector<S>(mechanism.actuated().size()), Matrix6X<S>(6, model.loops().size()),
                       Matrix6X<S>(6, model.joints().size())};
  inverse_dynamics(mechanism, data, q, v, a, out.tau, &loads, &out.loop_wrenches, &out.joint_wrenches, weights);
  return out;
}
/// All accelerations of the tree under tau.
template <class S>
Vector<S> forward_dynamics(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                           VectorIn<S> tau, const Loads<std::type_identity_t<S>>& loads = {}) {
  Vector<S> a(mechanism.model().nv());
  forward_dynamics(mechanism, data, q, v, tau, a, &loads);
  return a;
}
/// All accelerations of the tree under tau, and the wrenches of all loops and joints.
template <class S>
ClosedAccelerations<S> forward_dynamics_and_wrenches(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q,
                                                     VectorIn<S> v, VectorIn<S> tau,
                                                     const Loads<std::type_identity_t<S>>& loads = {}) {
  const Model& model = mechanism.model();
  ClosedAccelerations<S> out{Vector<S>(model.nv()), Matrix6X<S>(6, model.loops().size()),
                             Matrix6X<S>(6, model.joints().size())};
  forward_dynamics(mechanism, data, q, v, tau, out.a, &loads, &out.loop_wrenches, &out.joint_wrenches);
  return out;
}
/// Gᵀ M G, with a new result.
template <class S>
Matrix<S> mass_matrix(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q) {
  Matrix<S> M(mechanism.mobility(), mechanism.mobility());
  mass_matrix(mechanism, data, q, M);
  return M;
}
/// Gᵀ B tau, with a new result.
template <class S>
Vector<S> generalized_forces(const Mechanism& mechanism, MechanismData<S>& data, VectorIn<S> q, VectorIn<S> v,
                             VectorIn<S> a, const Loads<std::type_identity_t<S>>& loads = {}) {
  Vector<S> forces(mechanism.mobility());
  generalized_forces(mechanism, data, q, v, a, forces, &loads);
  return forces;
}
/// The torques that do nothing but stress the mechanism, with a new result.
inline Eigen::MatrixXd null_space_torques(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q) {
  const auto actuated = static_cast<int>(mechanism.actuated().size());
  Eigen::MatrixXd basis(actuated, std::max(0, actuated - mechanism.mobility()));
  null_space_torques(mechanism, data, q, basis);
  return basis;
}

}  // namespace verne
