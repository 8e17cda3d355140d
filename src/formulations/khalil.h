/// Recursive Newton-Euler models of tree structures in modified Denavit-Hartenberg frames [K10], sections 2 and 3.
///
/// Screws and wrenches are (linear; angular) and (force; moment), at the origin and in the axes of frame j. Wrenches
/// f_e are those of the links *on the environment*, the paper's sign. Coulomb friction follows the link's width, so
/// that it can be smooth; of width zero it is the paper's F_s sign(q̇), with sign(0) = 0. Corrections of printed
/// equations: docs/errata.md. Wrong sizes throw std::invalid_argument; a joint that has no inertia to accelerate throws
/// InputError.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "formulations/mdh_tree.h"
#include "formulations/screw.h"

namespace verne::formulations {

/// Positions and velocities of the joints, and loads: one wrench a link, base included, or none at all.
template <class S>
struct KhalilState {
  std::span<const S> q, qd;
  std::span<const Vec6<S>> f_e = {};
};

/// Motion of the base in its own axes; at rest, V_dot is −g.
template <class S>
struct KhalilBaseMotion {
  Vec3<S> omega, omega_dot, V_dot;
};
template <class S>
KhalilBaseMotion<S> resting_base(const MdhTree& tree);

template <class S>
struct KhalilInverse {
  std::vector<S> torque;              ///< Γ, by variable
  std::vector<Vec6<S>> wrench;        ///< f_j of link a(j) on link j; [0]: what holds a moving base
  std::vector<Vec6<S>> acceleration;  ///< V̇_j
};

/// The inverse model (18)-(31), carried on to a moving base as section 7.1 asks.
template <class S>
KhalilInverse<S> khalil_inverse(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> qdd,
                                const KhalilBaseMotion<S>& base);
template <class S>
KhalilInverse<S> khalil_inverse(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> qdd) {
  return khalil_inverse(tree, state, qdd, resting_base<S>(tree));
}

template <class S>
struct KhalilDirect {
  std::vector<S> qdd;                 ///< by variable
  std::vector<Vec6<S>> wrench;        ///< f_j
  std::vector<Vec6<S>> acceleration;  ///< V̇_j
};

/// The recursive direct model (34)-(44).
template <class S>
KhalilDirect<S> khalil_direct(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> torque);

/// A and H of (7), column by column from the inverse model, and the accelerations (8) of section 3.3.1.
template <class S>
struct KhalilMatrices {
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> A;
  Eigen::Matrix<S, Eigen::Dynamic, 1> H;
};
template <class S>
KhalilMatrices<S> khalil_matrices(const MdhTree& tree, const KhalilState<S>& state);
template <class S>
std::vector<S> khalil_direct_by_columns(const MdhTree& tree, const KhalilState<S>& state, std::span<const S> torque);

/// Poses of all frames in that of the base, by (1).
template <class S>
std::vector<Transform<S>> khalil_poses(const MdhTree& tree, std::span<const S> q);
/// Screws (V; ω) of all frames in their own axes, over a base at rest, by (13).
template <class S>
std::vector<Vec6<S>> khalil_velocities(const MdhTree& tree, std::span<const S> q, std::span<const S> qd);

}  // namespace verne::formulations
