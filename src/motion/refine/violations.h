/// Limits hold at nodes; what is done so that they hold between them, too: docs/theory/motion.md, section 8.
#pragma once

#include <optional>
#include <vector>

#include "motion/refine/result.h"

namespace verne {

/// The grid of a result with nodes more where limits are exceeded between them, or a tighter limit where there is a
/// node; and also where that costs less than `allowance`, a share of the cost, unless limits were exceeded there as
/// much `before` that was last done. Nothing when no limit is exceeded.
std::optional<Grid> with_violations_refined(const Result& found, double allowance,
                                            const std::vector<LimitReport>& before = {});

/// The same for a motion that keeps some distance from its limits, since it was not solved to the end: nodes or tighter
/// limits that will be needed when it is.
Grid prepared(const Result& found, double allowance);

/// Nodes on a curve with knots at which something may jump: as many on each span, evenly from its start on, and one
/// more at either side of such a knot.
std::vector<Place> nodes_between_knots(const CurveVariables& curve, int per_span);

}  // namespace verne
