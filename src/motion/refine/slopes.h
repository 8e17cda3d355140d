/// How the least cost changes with parameters of the task and its model: docs/theory/design.md, (1).
#pragma once

#include "motion/refine/result.h"

namespace verne {

/// Completes a motion that was solved to the end, as long as `go_on` allows. `asked`: the task; `solved`: with its
/// energy as smooth as it was.
void put_slopes(const Task& asked, const Task& solved, Result& result, const std::function<bool()>& go_on);

}  // namespace verne
