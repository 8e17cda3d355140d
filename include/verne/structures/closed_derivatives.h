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

/// ∂tau/∂q, ∂tau/∂v, ∂tau/∂a (actuated x mobility), and unless null those of the loops' wrenches. The mechanism must
/// have as many actuators as degrees of freedom.
VERNE_API void inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                            MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da,
                                            LoadsIn<double> loads = nullptr,
                                            LoopWrenchDerivatives* loop_wrenches = nullptr);

/// All accelerations a of the tree, and the derivatives of the independent ones: mobility x mobility to q and v,
/// mobility x actuated to tau.
VERNE_API void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                            VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                            MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                            LoadsIn<double> loads = nullptr);

}  // namespace verne
