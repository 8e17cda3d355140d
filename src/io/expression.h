/// Arithmetic in model and task files: `pi/2`, `-90 deg`, `2*pi/3`, `sqrt(2)/2`, `1 - u`.
///
///   whole   = sum [unit]                       unit: only where asked for, any text that begins like a word
///   sum     = product { (+|-) product }
///   product = sign { (*|/) sign | deg }        deg: what stands before it in the product is in degrees, `360/8 deg`
///   sign    = { +|- } atom
///   atom    = number | pi | inf | name | (sum) | (sqrt|sin|cos)(sum)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "verne/base/export.h"

namespace verne {

struct Evaluated {
  double value = 0;
  std::string problem;  ///< empty when `value` holds the result
  /// What follows the number, without blanks, `*` and `^`: "Nm", "m/s2". Degrees are "deg" or "deg/s", and `value` is
  /// in radians then. "deg" inside parentheses belongs to a part of the expression, and does not count.
  std::string unit;
};

struct ExpressionOptions {
  const std::map<std::string, double>* names = nullptr;  ///< parameters
  bool units = false;                                    ///< other units than deg may follow
};

/// Whether a parameter can be called so: a word that means nothing else in an expression.
VERNE_API bool is_parameter_name(std::string_view name);

/// The value may be infinite or NaN (1/0, sqrt(-1)); the caller decides whether it wants that.
Evaluated evaluate_expression(std::string_view text, const ExpressionOptions& options = {});

}  // namespace verne
