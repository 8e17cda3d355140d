/// Arithmetic in model files: `pi/2`, `-90 deg`, `2*pi/3`, `sqrt(2)/2`.
///
///   sum     = product { (+|-) product }
///   product = sign { (*|/) sign | deg }        deg: what stands before it in the product is in degrees, `360/8 deg`
///   sign    = { +|- } atom
///   atom    = number | pi | inf | (sum) | (sqrt|sin|cos)(sum)
#pragma once

#include <string>
#include <string_view>

namespace verne {

struct Evaluated {
  double value = 0;
  std::string problem;  ///< empty when `value` holds the result
};

/// The value may be infinite or NaN (1/0, sqrt(-1)); the caller decides whether it wants that.
Evaluated evaluate_expression(std::string_view text);

}  // namespace verne
