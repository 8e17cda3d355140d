/// Samples of a motion, phase by phase.
#pragma once

#include "motion/curve/phases.h"
#include "verne/motion/solution.h"

namespace verne {

/// The quantities of a motion at `samples` even times, in each phase by its own model.
SampledMotion sample_stages(const std::vector<Stage>& stages, const Trajectory& trajectory, int samples);

}  // namespace verne
