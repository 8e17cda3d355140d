/// Solves on finer and finer curves, as long as that pays. docs/theory/motion.md, section 8.
#pragma once

#include "motion/refine/rounds.h"

namespace verne {

/// Whether a task leaves it to refinement how fine its curve is.
bool refines_curve(const Task& task);
/// Whether a finer curve follows the first one surely, and no exact solution is near: phases may have their borders
/// where limits change.
bool finer_one_follows(const Task& task);

/// Finer and finer curves, solved loosely: none is the last one before its cost is known. Then, to the end.
void solve_on_finer_curves(State& state, const Record& record, Rounds& rounds);

}  // namespace verne
