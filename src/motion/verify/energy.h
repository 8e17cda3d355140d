/// What a cost of energy stands for: ∫ Σ |effort · velocity| dt of a motion, without any smoothing.
/// docs/theory/motion.md, (9b).
#pragma once

#include <vector>

#include "motion/curve/phases.h"

namespace verne {

/// Of a cost of this kind, by a quadrature that is refined around the kinks of the sizes.
double energy_of(const CostSpec& cost, const std::vector<PlacedStage>& stages, const Trajectory& curve);

}  // namespace verne
