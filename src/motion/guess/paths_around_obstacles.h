/// Ways around what links keep out of. docs/theory/motion.md, section 7.
#pragma once

#include "motion/guess/ways.h"

namespace verne {

/// Ways that pass the zone which `way` is deepest in on its several sides; none where it keeps out of all.
std::vector<Way> detours(const Task& task, const Way& way);

}  // namespace verne
