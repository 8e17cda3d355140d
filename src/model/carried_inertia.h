/// Whether every joint has something to move.
#pragma once

#include <span>
#include <vector>

#include "model/findings.h"
#include "model/tree.h"
#include "verne/model/model.h"

namespace verne {

/// Doubts each joint that could be accelerated without any effort, as then the mass matrix is singular: nothing beyond
/// it has mass, or has inertia about its axis, and it has no rotor. Judged in one configuration without symmetries.
/// Returns these joints.
std::vector<int> check_carried_inertia(const Tree& tree, std::span<const Joint> joints, const ModelSpec& spec,
                                       Findings& findings);

}  // namespace verne
