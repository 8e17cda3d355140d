/// Implausible data of a model, used as given: no real body has them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/export.h"

namespace verne {

/// What is implausible.
enum class PlausibilityKind {
  negative_moment,       ///< a principal moment of a link's inertia is below zero
  triangle_inequality,   ///< one exceeds the sum of the other two
  inertia_without_mass,  ///< of a link
  nothing_to_move,       ///< a joint moves but carries no inertia: the mass matrix is singular
  empty_limits,          ///< of a joint: nothing can meet them
  negative_friction,     ///< of a joint: it drives
};

/// One implausible datum of a model.
struct PlausibilityWarning {
  PlausibilityKind kind;  ///< what is implausible
  std::string name;       ///< of the link or joint
  Diagnostic problem;     ///< where it is written, and with which numbers
};

/// "triangle_inequality" and so on, for programs to read.
VERNE_API const char* to_string(PlausibilityKind kind);
/// One line for each kind, as in `inertia without mass: 2 links ('a', 'b')`; of more names than wanted, how many.
VERNE_API std::vector<std::string> grouped(std::span<const PlausibilityWarning> plausibility_warnings,
                                           std::size_t names = 5);
/// Throws InputError with each of them, if there are any.
VERNE_API void require_none(std::span<const PlausibilityWarning> plausibility_warnings);

}  // namespace verne
