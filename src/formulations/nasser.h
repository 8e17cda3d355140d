/// Direct dynamics by 6x6 link equations L_i U_i = F_i, inbound then outbound [Nasser].
///
/// The base (the paper's link 1, here link 0) moves as prescribed; gravity enters as its acceleration. Every other link
/// has six unknowns U_i: five reaction loads and the joint's acceleration. For trees, actuator inertia, rotational and
/// translational joints. Corrections of printed equations: docs/errata.md. Wrong sizes throw std::invalid_argument;
/// a singular L_i throws InputError.
#pragma once

#include <span>
#include <vector>

#include "formulations/dh_tree.h"
#include "formulations/screw.h"

namespace verne::formulations {

/// Motion of the base in its own axes.
template <class S>
struct NasserBaseMotion {
  Vec3<S> omega, omega_dot, v_dot;  ///< v_dot less the acceleration of gravity
};

template <class S>
struct NasserState {
  std::span<const S> q, qd;
  std::span<const S> control;              ///< torque or force of the actuator of each variable
  std::span<const Vec6<S>> external = {};  ///< (F^E; N^E) on each link at its centre of mass, its own axes; or none
};

template <class S>
struct NasserDynamics {
  std::vector<S> acceleration;    ///< by variable
  std::vector<Vec6<S>> reaction;  ///< U^R_{i-1,i}: of the link before on link i, without the actuator's part
  std::vector<Vec6<S>> wrench;    ///< the same with it; both about the origin and in the axes of the frame before
};

template <class S>
NasserDynamics<S> nasser_dynamics(const DhTree& tree, const NasserState<S>& state, const NasserBaseMotion<S>& base);
/// On a base at rest.
template <class S>
NasserDynamics<S> nasser_dynamics(const DhTree& tree, const NasserState<S>& state) {
  return nasser_dynamics(tree, state, {Vec3<S>::zero(), Vec3<S>::zero(), cast<S>(-tree.gravity)});
}

}  // namespace verne::formulations
