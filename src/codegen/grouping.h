/// Which inertial parameters of a tree have no effect on its torques, and which act together, by closed-form rules
/// (docs/codegen.md, section 2): Khalil's and Gautier's for revolute and prismatic joints, extended to every joint
/// kind.
///
/// A part of a body may be moved to the body before it when its motion does not depend on the joint between them:
///   revolute   a thin rod along the axis: M, MZ and YY (with as much of XX)
///   prismatic  all six moments of inertia, which know of turning only
///   helical    YY (with as much of XX)
///   spherical  M
/// What reaches the world has no effect. Bodies that can turn about one direction only have one moment of inertia.
#pragma once

#include <vector>

#include "model/tree.h"
#include "verne/spatial/inertia.h"

namespace verne::codegen {

/// What torques depend on linearly, besides friction.
struct TreeParameters {
  std::vector<RigidInertia<double>> bodies;  ///< about the origins of the bodies, in their axes
  std::vector<double> rotors;                ///< for every velocity of the tree
};

TreeParameters parameters_of(const Tree& tree);

enum class MassOf { every_body, links_only };

/// Moves all that can be moved, tips first: a linear map that the geometry alone determines. `links_only` moves nothing
/// into the massless bodies between the primitives of one joint, which no model file can describe.
void group(const Tree& tree, MassOf holders, TreeParameters& parameters);

}  // namespace verne::codegen
