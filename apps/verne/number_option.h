/// Options that take a number.
#pragma once

#include <CLI/App.hpp>

namespace verne::cli {

/// A number within bounds, which `nan` is not: CLI::Range lets it pass, and prints small bounds as zero.
CLI::Validator number_between(double least, double most);

}  // namespace verne::cli
