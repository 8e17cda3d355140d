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

}  // namespace verne
