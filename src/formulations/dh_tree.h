/// A tree of links in the terms of Barman and Nasser: classic Denavit-Hartenberg frames [B20] chapter 2, [Nasser]
/// appendix.
///
/// Frame j is fixed at the far end of link j; joint j turns about or slides along z of the frame of its parent, and
/// frame j lies in that at Rot(z, theta) Tran(z, d) Tran(x, a) Rot(x, alpha), where the joint variable adds to theta or
/// to d. A link that carries several others has its frame on the axis of one of them; the others follow after a frozen,
/// massless link, as does a first joint that is not about z of the base.
#pragma once

#include <vector>

#include "formulations/expressed.h"
#include "verne/model/model.h"
#include "verne/spatial/dh.h"

namespace verne::formulations {

enum class DhJoint { revolute, prismatic, frozen };

struct DhLink {
  int parent = 0;  ///< less than its own index
  DhJoint joint = DhJoint::frozen;
  DhParameters dh;    ///< at joint variable zero
  int variable = -1;  ///< index into q; -1 when frozen
  double mass = 0;
  Vec3<double> com{0, 0, 0};               ///< in frame j
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< about the centre of mass, axes of frame j
  double rotor_inertia = 0;
  int body = -1;                                           ///< of the model's tree; -1 for a helper
  Transform<double> X_LB = Transform<double>::identity();  ///< frame of that body in frame j
};

struct DhTree {
  std::vector<DhLink> links{DhLink{}};  ///< [0] is the base, whose frame is the world
  Vec3<double> gravity{0, 0, 0};
  int variables = 0;
};

/// For models of revolute and prismatic joints, and what is made of them, on a fixed base.
Expressed<DhTree> dh_tree_of(const Model& model);

}  // namespace verne::formulations
