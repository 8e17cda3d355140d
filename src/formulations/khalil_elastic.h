/// Robots with elastic joints [K10], section 6.
///
/// Some joints are springs, Γ_j = −K_j (q_j − q_0j) (69): their accelerations follow. The inverse model takes the
/// accelerations of the others and gives their torques and the accelerations of the elastic ones.
#pragma once

#include <optional>
#include <vector>

#include "formulations/khalil.h"

namespace verne::formulations {

struct KhalilSpring {
  double stiffness = 0, rest_position = 0;
};

/// A tree with a spring, or none, for each variable.
struct KhalilElasticTree {
  MdhTree tree;
  std::vector<std::optional<KhalilSpring>> springs;
};

template <class S>
struct KhalilElasticInverse {
  std::vector<S> torque;        ///< of rigid joints; the spring's force of elastic ones
  std::vector<S> qdd;           ///< given for rigid, found for elastic joints
  std::vector<Vec6<S>> wrench;  ///< f_j, from the recursive algorithm only
};

/// By the matrices (67)-(71). Entries of `qdd` at elastic joints are not read.
template <class S>
KhalilElasticInverse<S> khalil_elastic_by_matrices(const KhalilElasticTree& robot, const KhalilState<S>& state,
                                                   std::span<const S> qdd);
/// By recursion (72)-(82).
template <class S>
KhalilElasticInverse<S> khalil_elastic(const KhalilElasticTree& robot, const KhalilState<S>& state,
                                       std::span<const S> qdd);

}  // namespace verne::formulations
