/// Derivatives of many states of a mechanism, as closed_derivatives.h and contact_derivatives.h have them of one: rows
/// of a result are the entries of the single-state matrix, column-major. On lanes are those of accelerations, with
/// loops of few freedoms or with contacts on a tree, and of all wrenches; with loops also those of torques, where the
/// motors are the independent coordinates. Others, and derivatives by loads, are computed state by state, split evenly
/// among the threads of the batch. Errors name the state.
#pragma once

#include "structures/mechanism_batch.h"
#include "verne/dynamics/batch_derivatives.h"

namespace verne {

/// What is found beside the derivatives of torques or accelerations, unless null. Of wrenches of loops and contacts,
/// and of joints: 6 rows for each direction, wrench after wrench. Components that motion and torques do not determine
/// are NaN.
struct BatchReactions {
  BatchDerivatives* loops = nullptr;   ///< of loops, then of held contacts
  BatchDerivatives* joints = nullptr;  ///< of the joints of the tree
  BatchDerivatives* tree = nullptr;    ///< of all accelerations of the tree: nv rows for each direction
  LaneArray* by_loads = nullptr;       ///< of what is differentiated, by nine numbers of each load
};

/// tree.q, v, a and loads → actuated x mobility rows each
VERNE_API void inverse_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& tau, BatchReactions wrenches = {});
/// tree.q, v, tau and loads → tree.a, and mobility x mobility rows (dx: mobility x actuated)
VERNE_API void forward_dynamics_derivatives(MechanismBatch& batch, BatchDerivatives& a, BatchReactions wrenches = {});

/// The same with contacts held: nv x mobility rows each
VERNE_API void inverse_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& tau,
                                            BatchReactions wrenches = {});
/// under tree.tau: mobility x mobility rows (dx: mobility x nv)
VERNE_API void forward_dynamics_derivatives(MechanismBatch& batch, std::span<const int> contacts, BatchDerivatives& a,
                                            BatchReactions wrenches = {});

}  // namespace verne
