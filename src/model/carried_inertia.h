/// Whether every joint has something to move.
#pragma once

#include <span>

#include "model/tree.h"
#include "verne/base/error.h"
#include "verne/model/model.h"

namespace verne {

/// Reports each joint that could be accelerated without any effort, as then the mass matrix is singular: nothing beyond
/// it has mass, or has inertia about its axis, and it has no rotor. Judged in one configuration without symmetries.
void check_carried_inertia(const Tree& tree, std::span<const Joint> joints, const ModelSpec& spec,
                           Diagnostics& diagnostics);

}  // namespace verne
