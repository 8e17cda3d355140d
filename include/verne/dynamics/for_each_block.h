/// Large results of batches, block by block: a function is handed the results of some states while they are in the
/// processor's cache, and no more memory is needed than for one block a thread.
///
///   for_each_block(model, batch, BlockResult::inverse_dynamics_derivatives, [&](const StateBlock& block) {
///     for (int k = 0; k < block.count; ++k) use(block.first + k, block.dq.matrix(k, model.nv()));
///   });
#pragma once

#include <functional>

#include "verne/dynamics/batch.h"

namespace verne {

/// What is computed.
enum class BlockResult {
  mass_matrix,                   ///< q → dx
  inverse_dynamics_derivatives,  ///< q, v, a, loads → dq, dv, dx
  forward_dynamics_derivatives   ///< q, v, tau, loads → batch.a, and dq, dv, dx
};

/// The states [first, first + count) of a batch, and what was computed of them: nv² rows each, by q, by v, and by a or
/// tau. State k of the block is dq.matrix(k, nv). It holds until the function returns that it is handed to.
struct StateBlock {
  int first;                      ///< number of its first state
  int count;                      ///< of states in the block
  const LaneArray &dq, &dv, &dx;  ///< results, of `count` states
};

/// Calls consume(block) for all states of the batch. Blocks come in no order, and with several threads several at a
/// time. What the function throws reaches the caller, and the batch may be used as before.
VERNE_API void for_each_block(const Model& model, Batch& batch, BlockResult what,
                              const std::function<void(const StateBlock&)>& consume);

}  // namespace verne
