/// Ways around what links keep out of. docs/theory/motion.md, section 7.
#pragma once

#include "motion/guess/ways.h"

namespace verne {

/// Paths around the most penetrated obstacle, one per side; none where `way` keeps out of all.
std::vector<Way> detours(const Task& task, const Way& way);

}  // namespace verne
