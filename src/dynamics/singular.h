/// Calls that need the inverse of the mass matrix.
#pragma once

#include "verne/model/model.h"

namespace verne {

[[noreturn]] void refuse_singular(const char* function, const Model& model);

/// Throws InputError, naming the joints, when the model's mass matrix is singular everywhere. One that is so in single
/// configurations only gives results that are not finite.
inline void require_invertible(const char* function, const Model& model) {
  if (!model.joints_without_inertia().empty()) [[unlikely]]
    refuse_singular(function, model);
}

}  // namespace verne
