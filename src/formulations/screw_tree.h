/// A tree of links in the terms of the Lie algebra notes [L]: home poses of the centres of mass and screw axes.
///
/// Twists are (angular; linear). Screw axes are those at the home configuration, in the space frame.
#pragma once

#include <vector>

#include "formulations/expressed.h"
#include "formulations/screw.h"
#include "verne/model/model.h"

namespace verne::formulations {

struct ScrewLink {
  int parent = 0;  ///< less than its own index; 0 is the space frame
  Transform<double> M_0i =
      Transform<double>::identity();          ///< home pose of the body frame, whose origin is the centre of mass
  Vec6<double> screw = Vec6<double>::zero();  ///< S_i in the space frame: (z; −z × r + pitch z), or (0; direction)
  int variable = -1;                          ///< index into theta
  double mass = 0;
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< about the centre of mass, body axes
  int body = -1;                           ///< of the model's tree, whose axes the body frame has
  Vec3<double> com{0, 0, 0};               ///< in the frame of that body
};

struct ScrewTree {
  std::vector<ScrewLink> links{ScrewLink{}};  ///< [0] is the space frame
  Vec3<double> gravity{0, 0, 0};
  int variables = 0;
};

/// For models of revolute, prismatic and helical joints, and what is made of them, on a fixed base.
Expressed<ScrewTree> screw_tree_of(const Model& model);

}  // namespace verne::formulations
