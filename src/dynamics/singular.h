/// Calls that need the inverse of the mass matrix.
#pragma once

#include "verne/dynamics/given_accelerations.h"

namespace verne {

[[noreturn]] void refuse_singular(const char* function, const Model& model, std::span<const int> joints);

/// Throws InputError, naming the joints, when the model's mass matrix is singular everywhere. One that is so in single
/// configurations only gives results that are not finite.
inline void require_invertible(const char* function, const Model& model) {
  if (!model.joints_without_inertia().empty()) [[unlikely]]
    refuse_singular(function, model, model.joints_without_inertia());
}

/// The same where the accelerations of some joints are given.
inline void require_invertible(const char* function, const Model& model, const GivenAccelerations& given) {
  if (!given.joints_without_inertia().empty()) [[unlikely]]
    refuse_singular(function, model, given.joints_without_inertia());
}

}  // namespace verne
