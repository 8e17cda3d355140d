/// Exact derivatives of the dynamics of mechanisms with closed loops (docs/theory/loops.md).
///
/// Along the independent coordinates: q changes with them as the loops demand, in the tangent space, and with it all
/// velocities and accelerations. They exist where the rank of the loops is that of the mechanism; elsewhere InputError.
#pragma once

#include "verne/structures/closed_dynamics.h"

namespace verne {

/// Derivatives of the wrenches of all loops, 6 x (loops mobility), one loop beside the other. Components that the
/// motion does not determine are NaN.
struct LoopWrenchDerivatives {
  explicit LoopWrenchDerivatives(const Mechanism& mechanism) {
    const auto columns = static_cast<Eigen::Index>(mechanism.model().loops().size()) * mechanism.mobility();
    for (Matrix6X<double>* block : {&dq, &dv, &da}) block->setZero(6, columns);
  }
  Matrix6X<double> dq, dv, da;
};

/// Derivatives of the wrenches of all joints of the tree, one joint beside the other: to q and v 6 x (joints mobility),
/// to x 6 x (joints inputs). x is a (`inputs` is the mobility) or, for forward dynamics, tau. Components that motion
/// and torques do not determine are NaN.
struct JointWrenchDerivatives {
  explicit JointWrenchDerivatives(const Mechanism& mechanism)
      : JointWrenchDerivatives(mechanism, mechanism.mobility()) {}
  JointWrenchDerivatives(const Mechanism& mechanism, Eigen::Index inputs) {
    const auto joints = static_cast<Eigen::Index>(mechanism.model().joints().size());
    for (Matrix6X<double>* block : {&dq, &dv}) block->setZero(6, joints * mechanism.mobility());
    dx.setZero(6, joints * inputs);
  }
  Matrix6X<double> dq, dv, dx;
};

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a (actuated x mobility), and unless null those of the wrenches of loops and of joints. With
/// more actuators than degrees of freedom they are those of the least torques; with fewer, InputError.
VERNE_API void inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                            MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr);

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x actuated to tau; unless null those of the wrenches of joints, at fixed tau.
VERNE_API void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                            MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                            LoadsIn<double> loads = nullptr,
                                            JointWrenchDerivatives* joint_wrenches = nullptr);

}  // namespace verne
