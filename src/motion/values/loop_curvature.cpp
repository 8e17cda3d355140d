// Second derivatives of what loops bear and motors share.
#include "motion/values/loop_reactions.h"
#include "motion/values/span_hessians.h"

namespace verne {

const Eigen::VectorXd& LoopReactions::tree_multipliers(int node, const Multipliers& multipliers) {
  State& state = states_[node];
  state.w = Eigen::Map<const Eigen::VectorXd>(multipliers.efforts, nv_);
  for (const int dof : passive_) state.w[dof] = 0;
  right_.setZero();
  right_.head(rank_).noalias() = -(state.J * state.w);
  for (std::size_t b = 0; b < bearings_.size(); ++b) {
    const Axis xi = twist(node, bearings_[b], multipliers.wrenches + kComponents * b);
    for (const Bearing::Part& part : bearings_[b].parts) {
      const Loop& loop = loops_[part.loop];
      look_at(node, loop);
      for (int i = 0; i < static_cast<int>(loop.equations.size()); ++i) {
        right_[loop.first + i] += part.sign * power(xi, joined(loop, unit_pull(loop, i), at_.y, true));
      }
    }
  }
  unknowns_.noalias() = state.inverse * right_;
  if (shared_) {
    state.eta = unknowns_.head(rank_);
    for (const int dof : drives_) state.w[dof] -= weights_[dof] * state.J.col(dof).dot(state.eta);
  }
  state.w(passive_) = unknowns_.tail(static_cast<Eigen::Index>(passive_.size()));
  return state.w;
}

// (11), (12): of −λᵀ J w at fixed λ and w
void LoopReactions::take_third_derivatives(const Loop& loop, const Eigen::VectorXd& lambda, const Eigen::VectorXd& w) {
  const int size = loop.size();
  find_slopes(loop, pull(loop, lambda.data()), true, slopes_);
  const auto third = [&](int k, int l, int m) {  // k ≤ l ≤ m
    return loop.sign(k) * power(at_.axes[k], slopes_.by_pair[l * size + m]);
  };
  for (int l = 0; l < size; ++l) {
    for (int m = l; m < size; ++m) {
      double sum = 0;
      for (int k = 0; k < size; ++k) {
        sum += w[loop.dofs[k]] * (k <= l ? third(k, l, m) : k <= m ? third(l, k, m) : third(l, m, k));
      }
      of_posture_(loop.dofs[l], loop.dofs[m]) -= sum;
      if (m > l) of_posture_(loop.dofs[m], loop.dofs[l]) -= sum;
    }
  }
}

void LoopReactions::add_bearing_curvature(int node, const Bearing& bearing, const double* multipliers) {
  const State& state = states_[node];
  const Axis xi = twist(node, bearing, multipliers);
  for (const Bearing::Part& part : bearing.parts) {
    const Loop& loop = loops_[part.loop];
    const int size = loop.size();
    look_at(node, loop);
    const auto moves = [&](int k) { return k >= part.first && k < part.end; };
    for (int i = 0; i < static_cast<int>(loop.equations.size()); ++i) {
      find_slopes(loop, unit_pull(loop, i), false, unit_slopes_);
      for (int l = 0; l < size; ++l) {
        double value = power(xi, unit_slopes_.by[l]);
        if (moves(l)) value += power(carried(l, xi), unit_slopes_.value);
        by_lambda_(loop.dofs[l], loop.first + i) += part.sign * value;
      }
    }
    find_slopes(loop, pull(loop, state.lambda.data()), true, slopes_);
    for (int l = 0; l < size; ++l) {
      for (int m = l; m < size; ++m) {
        double value = power(xi, slopes_.by_pair[l * size + m]);
        if (moves(l)) value += power(carried(l, xi), slopes_.by[m]);
        if (moves(m)) value += power(carried(m, xi), slopes_.by[l]);
        if (moves(l) && moves(m)) value += power(carried(l, carried(m, xi)), slopes_.value);
        of_posture_(loop.dofs[l], loop.dofs[m]) += part.sign * value;
        if (m > l) of_posture_(loop.dofs[m], loop.dofs[l]) += part.sign * value;
      }
    }
  }
}

void LoopReactions::add_curvature(int node, const Multipliers& multipliers, const DofPairs& pairs, double* curvature) {
  using C = NodeCurvature;
  const State& state = states_[node];
  by_lambda_.setZero(), of_posture_.setZero(), stiffness_.setZero();
  for (const Loop& loop : loops_) {
    look_at(node, loop);
    add_row_slopes(loop, state.w, by_lambda_);
    take_third_derivatives(loop, state.lambda, state.w);
    if (!shared_) continue;
    take_third_derivatives(loop, state.eta, state.y);
    add_stiffness(loop, state.eta, stiffness_);
  }
  by_lambda_ *= -1;
  for (std::size_t b = 0; b < bearings_.size(); ++b) {
    add_bearing_curvature(node, bearings_[b], multipliers.wrenches + kComponents * b);
  }
  cross_.noalias() = by_lambda_ * state.lambda_z;
  if (shared_) cross_.noalias() -= stiffness_ * state.y_z;
  const int curved = pairs.curved();
  for (int p = 0; p < curved; ++p) {
    const auto [i, k] = pairs[pairs.first_curved() + p];
    curvature[C::qq * curved + p] += of_posture_(i, k) + cross_(i, k) + cross_(k, i);
    for (const auto& [sum, order] : {std::pair(C::qv_sum, 1), std::pair(C::qa_sum, 2)}) {
      const double one = cross_(i, order * nv_ + k), mirrored = cross_(k, order * nv_ + i);
      curvature[sum * curved + p] += 0.5 * (one + mirrored);
      curvature[C::difference(sum) * curved + p] += 0.5 * (one - mirrored);
    }
  }
}

}  // namespace verne
