/// A tree of links in Khalil's terms: modified Denavit-Hartenberg frames [K10] section 2, [KK86].
///
/// Link 0 is the base. z_j is the axis of joint j, and frame j lies in frame i = a(j) at
/// Rot(z, gamma) Tran(z, b) Rot(x, alpha) Tran(x, d) Rot(z, theta) Tran(z, r), where the joint variable adds to theta
/// (revolute, sigma = 0) or to r (prismatic, sigma = 1).
#pragma once

#include <vector>

#include "formulations/expressed.h"
#include "verne/model/model.h"
#include "verne/spatial/dh.h"

namespace verne::formulations {

struct MdhLink {
  int antecedent = 0;     ///< a(j); less than j
  int sigma = 2;          ///< 0 revolute, 1 prismatic, 2 fixed in frame a(j)
  MdhParameters frame{};  ///< at joint variable zero
  int variable = -1;      ///< index into q; -1 when fixed
  double mass = 0;
  Vec3<double> first_moment{0, 0, 0};      ///< MS_j = mass times centre of mass, in frame j
  Sym3<double> inertia{0, 0, 0, 0, 0, 0};  ///< J_j about the origin of frame j
  double rotor_inertia = 0;                ///< Ia_j
  double coulomb = 0, viscous = 0;         ///< F_sj, F_vj
  double friction_width = 0;               ///< coulomb friction is F_s tanh(v / width), F_s sign(v) for width 0
  int body = -1;                           ///< of the model's tree; frame j is its frame
};

struct MdhTree {
  std::vector<MdhLink> links{
      MdhLink{}};                 ///< [0] is the base; of its entries only the inertia matters, for a moving base
  Vec3<double> gravity{0, 0, 0};  ///< in the base frame of a fixed base, in the world of a moving one
  int variables = 0;
  bool moving_base = false;  ///< the model's root moves freely
};

/// For models of revolute and prismatic joints, and what is made of them (cylindrical, universal, planar), on a fixed
/// base or under one free joint.
Expressed<MdhTree> mdh_tree_of(const Model& model);

}  // namespace verne::formulations
