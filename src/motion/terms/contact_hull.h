/// Which of some contacts are at corners of the hull that surrounds them all.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/terms/at_zero.h"

namespace verne {

/// Against the clock as seen from above, where the posture is zero; the two ends where they are two or on one line.
std::vector<ContactPoint> contact_hull(const std::vector<ContactPoint>& contacts, const Eigen::Vector3d& up,
                                       const AtZero& at);

}  // namespace verne
