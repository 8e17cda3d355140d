/// Closed configurations and motions of many states on lanes: the walk of loop_walk.h, with Newton's method by sparse
/// elimination in place of the damped one. A state that does not get there so is closed as single states are.
#pragma once

#include <vector>

#include "structures/mechanism_batch.h"

namespace verne {

/// tree.q, tree.v and tree.a of the batch from the independent coordinates, each state from `guess` (a configuration of
/// the tree), or from home where that is null. `connected` tells of each state what assemble() of one says. Throws the
/// InputError of the first state that cannot be closed, with its number.
void assemble(MechanismBatch& batch, const LaneArray& q, const LaneArray& v, const LaneArray& a, const LaneArray* guess,
              std::vector<char>& connected);

}  // namespace verne
