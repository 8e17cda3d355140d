/// What the converters from a model have in common.
#pragma once

#include <string>
#include <vector>

#include "model/tree.h"
#include "verne/model/model.h"
#include "verne/spatial/inertia.h"

namespace verne::formulations {

inline Transform<double> placement_of(const TreeBody& body) {
  Transform<double> X;
  for (int k = 0; k < 9; ++k) X.R.m[k] = body.R[k];
  X.p = Vec3<double>::load(body.p);
  return X;
}

/// A link or named frame in the frame of its body, or in the world when it is fixed there.
inline Transform<double> pose_in_body(const TreeSite& site) {
  Transform<double> X;
  for (int k = 0; k < 9; ++k) X.R.m[k] = site.R[k];
  X.p = Vec3<double>::load(site.p);
  return X;
}

inline RigidInertia<double> inertia_of(const TreeBody& body) {
  return {body.mass, Vec3<double>::load(body.mc), {body.I[0], body.I[1], body.I[2], body.I[3], body.I[4], body.I[5]}};
}

/// Centre of mass and inertia about it; those of a massless body are the origin and what it has.
struct CentralInertia {
  Vec3<double> com;
  Sym3<double> inertia;
};
CentralInertia central(const RigidInertia<double>& about_origin);

/// Name of the joint that carries a body of the tree.
std::string joint_name(const Model& model, int body);

/// Why the joints of a model are beyond a formulation, or "". `reach` says which motions it takes; a single free root
/// is taken when `free_root`.
struct Reach {
  const char* rule;  ///< what a joint must have: "a Denavit-Hartenberg row has one angle or one distance"
  bool helical = false, free_root = false;
};
std::string beyond_reach(const Model& model, const Reach& reach);

/// DH and modified DH: two axes that are neither parallel nor clearly askew would put frames kilometres away.
std::string badly_placed(const Model& model);

}  // namespace verne::formulations
