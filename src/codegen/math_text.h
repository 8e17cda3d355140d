/// Sine, cosine and tanh as sources that generated code brings along: the algorithms of base/lane_math.h.
#pragma once

#include <string>

namespace verne::codegen {

/// A function NAME_sincos(count, x, sn, cs) over arrays, in C99.
std::string sincos_in_c(const std::string& name, bool single_precision);
/// A function NAME_tanh(x), in C99, double only.
std::string tanh_in_c(const std::string& name);
/// The same over vectors of the type NAME_lane with as many states.
std::string math_of_lanes(const std::string& name, int lanes, bool with_tanh);

}  // namespace verne::codegen
