/// The arithmetic of a trace as statements of a C-like language.
#pragma once

#include <functional>
#include <string>

#include "codegen/schedule.h"

namespace verne::codegen {

/// How a language writes what statements are made of.
struct Dialect {
  std::string scalar;                                      ///< type of a number
  std::function<std::string(double)> constant;             ///< of positive numbers
  std::function<std::string(const std::string&)> result;   ///< a constant or parameter that is a result by itself
  std::function<std::string(int array, int entry)> input;  ///< an entry of an input of the trace
  std::function<std::string(int output, int row, int column)> output;  ///< where an entry of an output goes
  std::function<std::string(int index)> parameter;     ///< a symbol, or from symbols.size() on what is derived
  std::function<std::string(int angle)> sine, cosine;  ///< by the place among Schedule::angles()
  std::function<std::string(const std::string&)> tanh, square_root;
  /// Of conditions, which are numbers that are 1 or 0 here.
  std::function<std::string(const std::string& a, const std::string& b)> less;
  std::function<std::string(const std::string& condition, const std::string& a, const std::string& b)> select;
};

/// Where sines and cosines are computed.
enum class Trigonometry {
  side_by_side,  ///< all of them between `angles` and `results`
  where_used     ///< before their first use, among the `results`
};

struct Statements {
  std::string angles;   ///< the arithmetic of angles, and with `side_by_side` a statement for each
  std::string results;  ///< all else, to be done after them
};

/// `set_angle(k, text)` writes the statement that hands over angle k.
Statements statements_of(const Trace& trace, const Schedule& schedule, const Dialect& dialect,
                         Trigonometry trigonometry,
                         const std::function<std::string(int, const std::string&)>& set_angle);

/// The arithmetic of parameters alone: one statement `target(k) = ...;` for each of Schedule::derived().
std::string derivation_of(const Trace& trace, const Schedule& schedule, const Dialect& dialect);

/// The shortest decimal that reads back as the same number, always with a point or an exponent.
std::string decimal(double value);
std::string decimal(float value);

}  // namespace verne::codegen
