/// Robots whose base moves freely [K10], section 7.
///
/// All of the base is in its own axes: V̇_0 = (acceleration of the origin; angular acceleration). Weight enters as the
/// paper's base acceleration does for a fixed base: the recursions find V̇_0 − g, to which g is added back
/// (docs/errata.md).
#pragma once

#include "formulations/khalil.h"

namespace verne::formulations {

template <class S>
struct KhalilMovingBase {
  Mat3<S> R_w0;   ///< of the base in the world
  Vec3<S> omega;  ///< ⁰ω_0
};

template <class S>
struct KhalilMovingBaseMotion {
  Vec6<S> base;                 ///< ⁰V̇_0
  std::vector<S> torque, qdd;   ///< one is given, the other found
  std::vector<Vec6<S>> wrench;  ///< f_j, from the recursions only
};

/// From joint accelerations: by the matrices (83)-(87), and by recursion (89)-(100).
template <class S>
KhalilMovingBaseMotion<S> khalil_moving_inverse_by_matrices(const MdhTree& tree, const KhalilState<S>& state,
                                                            const KhalilMovingBase<S>& base, std::span<const S> qdd);
template <class S>
KhalilMovingBaseMotion<S> khalil_moving_inverse(const MdhTree& tree, const KhalilState<S>& state,
                                                const KhalilMovingBase<S>& base, std::span<const S> qdd);

/// From joint torques: by the matrices (88), and by recursion (101)-(112).
template <class S>
KhalilMovingBaseMotion<S> khalil_moving_direct_by_matrices(const MdhTree& tree, const KhalilState<S>& state,
                                                           const KhalilMovingBase<S>& base, std::span<const S> torque);
template <class S>
KhalilMovingBaseMotion<S> khalil_moving_direct(const MdhTree& tree, const KhalilState<S>& state,
                                               const KhalilMovingBase<S>& base, std::span<const S> torque);

}  // namespace verne::formulations
