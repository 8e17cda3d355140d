/// What to say where a solve ends at a number that is none: by which function of the problem.
#pragma once

#include <string>

#include "verne/nlp/problem.h"

namespace verne::nlp {

/// "distance: row 0 is not a finite number", "a derivative of …" of the first function that is so at x, for a message.
std::string not_finite_message(Problem& problem, std::span<const double> x);

}  // namespace verne::nlp
