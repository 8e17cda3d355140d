/// Is there a posture at all in which somebody holds something at rest? Where there is none, no motion needs to be
/// looked for.
#pragma once

#include <optional>

#include "verne/motion/predict.h"

namespace verne {

/// For tasks in which two hands hold something while feet stand: why no posture at the start, or the end, of the motion
/// was found in which it is at rest there. Nothing where there is one, or none is needed. The efforts of all joints may
/// then be twice what they may be: what is refused is far from what a motion could do by its momentum.
std::optional<Conflict> no_still_posture(const Task& task, const PredictOptions& options);

}  // namespace verne
