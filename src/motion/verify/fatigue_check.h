/// Are limits of fatigue kept?
#pragma once

#include "motion/verify/limit_check.h"

namespace verne {

/// Of the motion as a whole, by a finer quadrature than that of the program, for each muscle group with a limit.
std::vector<LimitReport> check_fatigue(const Task& task, const Trajectory& trajectory,
                                       const std::vector<PlacedStage>& stages);

}  // namespace verne
