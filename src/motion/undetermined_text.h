/// Which components of wrenches nothing tells, in words.
#pragma once

#include <string>

#include "verne/model/model.h"

namespace verne {

/// Lines of a summary: `fz, mx, my of crank_joint, coupler_joint, closing`, joints with the same components together.
/// Empty where all is told.
std::string undetermined_text(const Model& model);

}  // namespace verne
