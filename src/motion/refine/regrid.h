/// The same motion on other knots.
#pragma once

#include <utility>
#include <vector>

#include "motion/curve/curve_variables.h"
#include "motion/refine/switches.h"

namespace verne {

/// A curve of some degree whose knots lie at the switches, so that what may jump there can, and evenly between them,
/// about `spans` for each timing variable; and the given motion on it, as near as it gets. Spans keep the timing
/// variable of those in whose place they are, and knots between spans of different ones stay, or let more jump.
/// `beside_pulses`: between switches that are close to each other and those that are not, one more span, as short.
std::pair<CurveVariables, Trajectory> regridded(const CurveVariables& curve, const Trajectory& motion,
                                                const std::vector<Switch>& switches, const std::vector<int>& spans,
                                                int degree, bool beside_pulses = false);

}  // namespace verne
