/// Recursive Newton-Euler dynamics by Lie groups, after the notes [L]: product of exponentials, twists and wrenches.
///
/// Section numbers are the notes'. Where they err, the corrected equation is used (docs/errata.md).
/// Twists are (ω; v), wrenches (n; f), in body frames at the centres of mass.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "formulations/screw_tree.h"

namespace verne::formulations {

/// exp([A] θ) for a screw axis A (section 4): a rotation about it, or a translation along it.
template <class S>
Transform<S> screw_exponential(const Vec6<double>& A, const S& theta);
/// [Ad_T], section 3.1.
template <class S>
Mat6<S> adjoint(const Transform<S>& T);
/// [ad_V], section 3.2.
template <class S>
Mat6<S> lie_bracket(const Vec6<S>& V);

template <class S>
struct LieState {
  std::span<const S> theta, rate, acceleration;
};

template <class S>
struct LieDynamics {
  std::vector<Transform<S>> T;    ///< T_{i,i-1}: frame i-1 (the parent's) in frame i
  std::vector<Vec6<S>> V, V_dot;  ///< twist and its rate; those of [0] are the base's: (0; −g)
  std::vector<Vec6<S>> F;         ///< wrench of the parent on link i
  std::vector<S> tau;             ///< by variable
};

/// Section 4: the compact form.
template <class S>
LieDynamics<S> lie_dynamics(const ScrewTree& tree, const LieState<S>& state);
/// Sections 5-7: the same by components.
template <class S>
LieDynamics<S> lie_dynamics_expanded(const ScrewTree& tree, const LieState<S>& state);

template <class S>
using DenseMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using DenseVector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// Section 9: τ = inertia + velocity + gravity, the parts of order θ̈, θ̇² and 1.
template <class S>
struct LieTerms {
  DenseVector<S> inertia, velocity, gravity;
};
template <class S>
LieTerms<S> lie_terms(const ScrewTree& tree, const LieState<S>& state);

/// M(θ), g(θ), and the C(θ, θ̇) of Christoffel's symbols, so that Ṁ − 2C is skew (section 11): the velocity part of τ
/// is a quadratic form b(θ̇, θ̇), and the columns of C are b(θ̇, e_j) by polarization.
template <class S>
DenseMatrix<S> lie_mass_matrix(const ScrewTree& tree, std::span<const S> theta);
template <class S>
DenseVector<S> lie_gravity(const ScrewTree& tree, std::span<const S> theta);
template <class S>
DenseMatrix<S> lie_coriolis_matrix(const ScrewTree& tree, std::span<const S> theta, std::span<const S> rate);

}  // namespace verne::formulations
