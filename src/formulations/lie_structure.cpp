/// Sections 9 and 11 of [L]: the terms of τ and the matrices M, C, g, all from the recursion itself.

#include "formulations/instances.h"
#include "formulations/lie.h"

namespace verne::formulations {

namespace {

template <class S>
DenseVector<S> zero_vector(const ScrewTree& tree) {
  return DenseVector<S>::Constant(tree.variables, S(0));
}

template <class S>
std::span<const S> span_of(const DenseVector<S>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

template <class S>
DenseVector<S> torques(const ScrewTree& tree, const LieState<S>& state) {
  const LieDynamics<S> out = lie_dynamics(tree, state);
  return Eigen::Map<const DenseVector<S>>(out.tau.data(), static_cast<Eigen::Index>(out.tau.size()));
}

ScrewTree weightless(ScrewTree tree) {
  tree.gravity = {0, 0, 0};
  return tree;
}

/// The part of τ that is quadratic in θ̇.
template <class S>
DenseVector<S> velocity_part(const ScrewTree& weightless_tree, std::span<const S> theta, const DenseVector<S>& rate) {
  const DenseVector<S> zero = zero_vector<S>(weightless_tree);
  return torques<S>(weightless_tree, {theta, span_of(rate), span_of(zero)});
}

}  // namespace

template <class S>
LieTerms<S> lie_terms(const ScrewTree& tree, const LieState<S>& state) {
  const DenseVector<S> zero = zero_vector<S>(tree);
  const ScrewTree light = weightless(tree);
  return {torques<S>(light, {state.theta, span_of(zero), state.acceleration}),
          torques<S>(light, {state.theta, state.rate, span_of(zero)}), lie_gravity(tree, state.theta)};
}

template <class S>
DenseMatrix<S> lie_mass_matrix(const ScrewTree& tree, std::span<const S> theta) {
  const DenseVector<S> zero = zero_vector<S>(tree);
  const ScrewTree light = weightless(tree);
  DenseMatrix<S> M(tree.variables, tree.variables);
  for (int j = 0; j < tree.variables; ++j) {
    const DenseVector<S> unit = DenseVector<S>::Unit(tree.variables, j);
    M.col(j) = torques<S>(light, {theta, span_of(zero), span_of(unit)});
  }
  return M;
}

template <class S>
DenseVector<S> lie_gravity(const ScrewTree& tree, std::span<const S> theta) {
  const DenseVector<S> zero = zero_vector<S>(tree);
  return torques<S>(tree, {theta, span_of(zero), span_of(zero)});
}

template <class S>
DenseMatrix<S> lie_coriolis_matrix(const ScrewTree& tree, std::span<const S> theta, std::span<const S> rate) {
  const ScrewTree light = weightless(tree);
  const DenseVector<S> v = Eigen::Map<const DenseVector<S>>(rate.data(), tree.variables);
  const DenseVector<S> at_v = velocity_part(light, theta, v);
  DenseMatrix<S> C(tree.variables, tree.variables);
  for (int j = 0; j < tree.variables; ++j) {
    const DenseVector<S> unit = DenseVector<S>::Unit(tree.variables, j);
    const DenseVector<S> sum = v + unit;
    // b(θ̇, e_j) = ½ (b(θ̇ + e_j) − b(θ̇) − b(e_j))
    C.col(j) = (velocity_part(light, theta, sum) - at_v - velocity_part(light, theta, unit)) * S(0.5);
  }
  return C;
}

#define VERNE_INSTANTIATE(S)                                                        \
  template LieTerms<S> lie_terms<S>(const ScrewTree&, const LieState<S>&);          \
  template DenseMatrix<S> lie_mass_matrix<S>(const ScrewTree&, std::span<const S>); \
  template DenseVector<S> lie_gravity<S>(const ScrewTree&, std::span<const S>);     \
  template DenseMatrix<S> lie_coriolis_matrix<S>(const ScrewTree&, std::span<const S>, std::span<const S>);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
