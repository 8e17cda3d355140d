/// A motion as bytes, from which another prediction starts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "verne/motion/solution.h"

namespace verne {

std::string packed_motion(const Solution& solution);
Solution unpacked_motion(std::string_view bytes);

}  // namespace verne
