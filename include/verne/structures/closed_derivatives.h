/// Exact derivatives of the dynamics of mechanisms with closed loops (docs/theory/loops.md).
///
/// Along the independent coordinates: q changes with them as the loops demand, in the tangent space, and with it all
/// velocities and accelerations. They exist where the rank of the loops is that of the mechanism; elsewhere InputError.
#pragma once

#include "verne/structures/closed_dynamics.h"

namespace verne {

/// Derivatives of several wrenches, one beside the other: to q and v 6 x (wrenches mobility), to x 6 x (wrenches
/// inputs). x is a (`inputs` is the mobility) or, for forward dynamics, tau. Components that motion and torques do not
/// determine are NaN.
struct ReactionDerivatives {
  ReactionDerivatives(std::size_t wrenches, Eigen::Index mobility, Eigen::Index inputs) {
    const auto count = static_cast<Eigen::Index>(wrenches);
    for (Matrix6X<double>* block : {&dq, &dv}) block->setZero(6, count * mobility);
    dx.setZero(6, count * inputs);
  }
  Matrix6X<double> dq, dv, dx;
};

/// Of all loops, then of the contacts that a call holds (contact_derivatives.h).
struct LoopWrenchDerivatives : ReactionDerivatives {
  explicit LoopWrenchDerivatives(const Mechanism& mechanism) : LoopWrenchDerivatives(mechanism, mechanism.mobility()) {}
  LoopWrenchDerivatives(const Mechanism& mechanism, Eigen::Index inputs, std::size_t contacts = 0)
      : ReactionDerivatives(mechanism.model().loops().size() + contacts, mechanism.mobility(), inputs) {}
};

/// Of all joints of the tree.
struct JointWrenchDerivatives : ReactionDerivatives {
  explicit JointWrenchDerivatives(const Mechanism& mechanism)
      : JointWrenchDerivatives(mechanism, mechanism.mobility()) {}
  JointWrenchDerivatives(const Mechanism& mechanism, Eigen::Index inputs)
      : ReactionDerivatives(mechanism.model().joints().size(), mechanism.mobility(), inputs) {}
};

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a (actuated x mobility), and unless null those of the wrenches of loops and of joints. With
/// more actuators than degrees of freedom they are those of the least Σ weight tau² (all 1 unless given); with fewer,
/// InputError.
VERNE_API void inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                            MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr,
                                            const Values* weights = nullptr);

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x actuated to tau; unless null those of the wrenches of loops and of joints under tau.
VERNE_API void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                            MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr);

/// Of tau by force, moment and point of each load (actuated x 9 per load, as load_derivatives() of a tree), and of the
/// independent accelerations under tau (mobility x 9 per load).
VERNE_API void load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                const Loads<double>& loads, MatrixOut<double> dtau, const Values* weights = nullptr);
VERNE_API void forward_load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                        const Loads<double>& loads, MatrixOut<double> da);

// The same with new results, for scripts and where allocation does not matter. -------------------------------------

struct ClosedTorqueDerivatives {
  /// Of so many torques, and of the wrenches of all loops and of so many contacts.
  ClosedTorqueDerivatives(const Mechanism& mechanism, Eigen::Index torques, std::size_t contacts = 0)
      : loop_wrenches(mechanism, mechanism.mobility(), contacts), joint_wrenches(mechanism) {
    for (Eigen::MatrixXd* block : {&dq, &dv, &da}) block->setZero(torques, mechanism.mobility());
  }
  Eigen::MatrixXd dq, dv, da;
  LoopWrenchDerivatives loop_wrenches;
  JointWrenchDerivatives joint_wrenches;
};
struct ClosedAccelerationDerivatives {
  ClosedAccelerationDerivatives(const Mechanism& mechanism, Eigen::Index torques, std::size_t contacts = 0)
      : a(Eigen::VectorXd::Zero(mechanism.model().nv())),
        loop_wrenches(mechanism, torques, contacts),
        joint_wrenches(mechanism, torques) {
    for (Eigen::MatrixXd* block : {&dq, &dv}) block->setZero(mechanism.mobility(), mechanism.mobility());
    dtau.setZero(mechanism.mobility(), torques);
  }
  Eigen::VectorXd a;  ///< all accelerations themselves
  Eigen::MatrixXd dq, dv, dtau;
  LoopWrenchDerivatives loop_wrenches;
  JointWrenchDerivatives joint_wrenches;
};

inline ClosedTorqueDerivatives inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data,
                                                            VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                                            const Loads<double>& loads = {},
                                                            const Values* weights = nullptr) {
  ClosedTorqueDerivatives out(mechanism, static_cast<Eigen::Index>(mechanism.actuated().size()));
  inverse_dynamics_derivatives(mechanism, data, q, v, a, out.dq, out.dv, out.da, &loads, &out.loop_wrenches,
                               &out.joint_wrenches, weights);
  return out;
}
inline ClosedAccelerationDerivatives forward_dynamics_derivatives(const Mechanism& mechanism,
                                                                  MechanismData<double>& data, VectorIn<double> q,
                                                                  VectorIn<double> v, VectorIn<double> tau,
                                                                  const Loads<double>& loads = {}) {
  ClosedAccelerationDerivatives out(mechanism, static_cast<Eigen::Index>(mechanism.actuated().size()));
  forward_dynamics_derivatives(mechanism, data, q, v, tau, out.a, out.dq, out.dv, out.dtau, &loads, &out.loop_wrenches,
                               &out.joint_wrenches);
  return out;
}
inline Eigen::MatrixXd load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                        const Loads<double>& loads, const Values* weights = nullptr) {
  Eigen::MatrixXd dtau(static_cast<Eigen::Index>(mechanism.actuated().size()), 9 * loads.size());
  load_derivatives(mechanism, data, q, loads, dtau, weights);
  return dtau;
}
inline Eigen::MatrixXd forward_load_derivatives(const Mechanism& mechanism, MechanismData<double>& data,
                                                VectorIn<double> q, const Loads<double>& loads) {
  Eigen::MatrixXd da(mechanism.mobility(), 9 * loads.size());
  forward_load_derivatives(mechanism, data, q, loads, da);
  return da;
}

}  // namespace verne
