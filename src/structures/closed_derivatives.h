/// Exact derivatives of the dynamics of mechanisms with closed loops (docs/theory/loops.md).
///
/// Along the independent coordinates: q changes with them as the loops demand, in the tangent space, and with it all
/// velocities and accelerations. They exist where the rank of the loops is that of the mechanism; elsewhere InputError.
#pragma once

#include "structures/closed_dynamics.h"

namespace verne {

/// Derivatives of several wrenches, one beside the other: to q and v 6 x (wrenches mobility), to x 6 x (wrenches
/// inputs). x is a (`inputs` is the mobility) or, for forward dynamics, tau. Components that motion and torques do not
/// determine are NaN.
struct ReactionDerivatives {
  /// Room for so many wrenches.
  ReactionDerivatives(std::size_t wrenches, Eigen::Index mobility, Eigen::Index inputs) {
    const auto count = static_cast<Eigen::Index>(wrenches);
    for (Matrix6X<double>* block : {&dq, &dv}) block->setZero(6, count * mobility);
    dx.setZero(6, count * inputs);
  }
  Matrix6X<double> dq, dv, dx;  ///< by q, by v, and by a or tau
};

/// Of all loops, then of the contacts that a call holds (contact_derivatives.h).
struct LoopWrenchDerivatives : ReactionDerivatives {
  /// Room for all loops, by independent accelerations.
  explicit LoopWrenchDerivatives(const Mechanism& mechanism) : LoopWrenchDerivatives(mechanism, mechanism.mobility()) {}
  /// Room for all loops and so many contacts, by so many inputs.
  LoopWrenchDerivatives(const Mechanism& mechanism, Eigen::Index inputs, std::size_t contacts = 0)
      : ReactionDerivatives(mechanism.model().loops().size() + contacts, mechanism.mobility(), inputs) {}
};

/// Of all joints of the tree.
struct JointWrenchDerivatives : ReactionDerivatives {
  /// Room for all joints, by independent accelerations.
  explicit JointWrenchDerivatives(const Mechanism& mechanism)
      : JointWrenchDerivatives(mechanism, mechanism.mobility()) {}
  /// Room for all joints, by so many inputs.
  JointWrenchDerivatives(const Mechanism& mechanism, Eigen::Index inputs)
      : ReactionDerivatives(mechanism.model().joints().size(), mechanism.mobility(), inputs) {}
};

/// Of all accelerations of the tree, along the closed motions: nv x mobility to q and v, nv x inputs to x.
struct TreeAccelerationDerivatives {
  /// Room, by so many inputs.
  TreeAccelerationDerivatives(const Mechanism& mechanism, Eigen::Index inputs) {
    for (Eigen::MatrixXd* block : {&dq, &dv}) block->setZero(mechanism.model().nv(), mechanism.mobility());
    dx.setZero(mechanism.model().nv(), inputs);
  }
  Eigen::MatrixXd dq, dv, dx;  ///< by q, by v, and by a or tau
};

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a (actuated x mobility), and unless null those of the wrenches of loops and of joints, and
/// of the tree's accelerations. With more actuators than degrees of freedom they are those of the least Σ weight tau²
/// (all 1 unless given); with fewer, InputError.
VERNE_API void inverse_dynamics_derivatives(
    const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
    MatrixOut<double> dtau_dq, MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da, LoadsIn<double> loads = nullptr,
    LoopWrenchDerivatives* loop_wrenches = nullptr, JointWrenchDerivatives* joint_wrenches = nullptr,
    const Values* weights = nullptr, TreeAccelerationDerivatives* tree = nullptr);

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x actuated to tau; unless null those of the wrenches of loops and of joints under tau, and of all of a.
VERNE_API void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                            MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr,
                                            TreeAccelerationDerivatives* tree = nullptr);

/// Of tau by force, moment and point of each load (actuated x 9 per load, as load_derivatives() of a tree), and of the
/// independent accelerations under tau (mobility x 9 per load).
VERNE_API void load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                const Loads<double>& loads, MatrixOut<double> dtau, const Values* weights = nullptr);
/// Of the independent accelerations under tau, mobility x 9 per load.
VERNE_API void forward_load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                        const Loads<double>& loads, MatrixOut<double> da);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

/// Derivatives of torques, and of the wrenches in loops and joints.
struct ClosedTorqueDerivatives {
  /// Of so many torques, and of the wrenches of all loops and of so many contacts.
  ClosedTorqueDerivatives(const Mechanism& mechanism, Eigen::Index torques, std::size_t contacts = 0)
      : loop_wrenches(mechanism, mechanism.mobility(), contacts), joint_wrenches(mechanism) {
    for (Eigen::MatrixXd* block : {&dq, &dv, &da}) block->setZero(torques, mechanism.mobility());
  }
  Eigen::MatrixXd dq, dv, da;             ///< by q, v and a
  LoopWrenchDerivatives loop_wrenches;    ///< of the wrenches that close the loops
  JointWrenchDerivatives joint_wrenches;  ///< of the wrenches in the joints of the tree
};
/// Accelerations, their derivatives, and those of the wrenches in loops and joints.
struct ClosedAccelerationDerivatives {
  /// Under so many torques, and of the wrenches of all loops and of so many contacts.
  ClosedAccelerationDerivatives(const Mechanism& mechanism, Eigen::Index torques, std::size_t contacts = 0)
      : a(Eigen::VectorXd::Zero(mechanism.model().nv())),
        loop_wrenches(mechanism, torques, contacts),
        joint_wrenches(mechanism, torques) {
    for (Eigen::MatrixXd* block : {&dq, &dv}) block->setZero(mechanism.mobility(), mechanism.mobility());
    dtau.setZero(mechanism.mobility(), torques);
  }
  Eigen::VectorXd a;                      ///< all accelerations themselves
  Eigen::MatrixXd dq, dv, dtau;           ///< by q, v and tau
  LoopWrenchDerivatives loop_wrenches;    ///< of the wrenches that close the loops
  JointWrenchDerivatives joint_wrenches;  ///< of the wrenches in the joints of the tree
};

/// With a new result.
inline ClosedTorqueDerivatives inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data,
                                                            VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                                            const Loads<double>& loads = {},
                                                            const Values* weights = nullptr) {
  ClosedTorqueDerivatives out(mechanism, static_cast<Eigen::Index>(mechanism.actuated().size()));
  inverse_dynamics_derivatives(mechanism, data, q, v, a, out.dq, out.dv, out.da, &loads, &out.loop_wrenches,
                               &out.joint_wrenches, weights);
  return out;
}
/// With a new result.
inline ClosedAccelerationDerivatives forward_dynamics_derivatives(const Mechanism& mechanism,
                                                                  MechanismData<double>& data, VectorIn<double> q,
                                                                  VectorIn<double> v, VectorIn<double> tau,
                                                                  const Loads<double>& loads = {}) {
  ClosedAccelerationDerivatives out(mechanism, static_cast<Eigen::Index>(mechanism.actuated().size()));
  forward_dynamics_derivatives(mechanism, data, q, v, tau, out.a, out.dq, out.dv, out.dtau, &loads, &out.loop_wrenches,
                               &out.joint_wrenches);
  return out;
}
/// Of the torques, with a new result.
inline Eigen::MatrixXd load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                        const Loads<double>& loads, const Values* weights = nullptr) {
  Eigen::MatrixXd dtau(static_cast<Eigen::Index>(mechanism.actuated().size()), 9 * loads.size());
  load_derivatives(mechanism, data, q, loads, dtau, weights);
  return dtau;
}
/// Of the independent accelerations under tau, with a new result.
inline Eigen::MatrixXd forward_load_derivatives(const Mechanism& mechanism, MechanismData<double>& data,
                                                VectorIn<double> q, const Loads<double>& loads) {
  Eigen::MatrixXd da(mechanism.mobility(), 9 * loads.size());
  forward_load_derivatives(mechanism, data, q, loads, da);
  return da;
}

}  // namespace verne
