/// Long functions as several: compilers take more than twice as long for a function of twice the length.
#pragma once

#include <string>
#include <vector>

namespace verne::codegen {

/// What all parts of a function are handed.
struct PartFrame {
  std::string name;                     ///< of the function; its parts are NAME_part1, NAME_part2, ...
  std::string scalar;                   ///< type of a number
  std::vector<std::string> parameters;  ///< "const double *restrict q"
};

struct Parts {
  std::string functions;  ///< the parts, to stand before the function; empty where it stays whole
  std::string body;       ///< its statements, or what comes before and calls of its parts
};

/// Splits statements of one line each, of the form `const SCALAR NAME = ...;` or `ARRAY[...] = ...;`; those of `before`
/// stay in the function. Numbers that later parts need go through an array.
Parts in_parts(const std::string& before, const std::string& statements, const PartFrame& frame);

}  // namespace verne::codegen
