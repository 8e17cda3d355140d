/// Whether every joint has something to move.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/findings.h"
#include "model/tree.h"
#include "verne/model/model.h"

namespace verne {

/// Warns of each joint that could be accelerated without any effort, as then the mass matrix is singular: nothing
/// beyond it has mass, or has inertia about its axis, and it has no rotor. Judged in one configuration without
/// symmetries. Returns these joints, and without a warning those which loops hold: their accelerations are known, as a
/// rule (structures/mechanism.h), though not in the tree alone.
std::vector<int> check_carried_inertia(const Tree& tree, std::span<const Joint> joints, const ModelSpec& spec,
                                       Findings& findings);

/// The joints that nothing resists when the accelerations of some velocities of the model are given: of these it does
/// not matter, and joints before them feel all that they carry.
std::vector<int> joints_without_inertia(const Tree& tree, std::span<const Joint> joints,
                                        const std::function<bool(int velocity)>& is_given);

}  // namespace verne
