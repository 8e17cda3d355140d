/// First-order conditions of a problem, evaluated without a solver.
#pragma once

#include "verne/nlp/problem.h"
#include "verne/nlp/solve.h"

namespace verne::nlp {

/// The bounds of all blocks, one after the other.
struct Bounds {
  explicit Bounds(const Problem& problem);
  Eigen::VectorXd x_lower, x_upper, g_lower, g_upper;
  bool fixed(int variable) const { return x_lower[variable] == x_upper[variable]; }
};

Eigen::VectorXd constraint_values(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x);
/// ∇cost + Jᵀ multipliers
Eigen::VectorXd lagrangian_gradient(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                                    const Eigen::Ref<const Eigen::VectorXd>& multipliers);
/// The largest violation of constraints and bounds.
double constraint_violation(Problem& problem, const Eigen::Ref<const Eigen::VectorXd>& x);
/// What kkt_residual() is, with a gradient of the Lagrangian that is known already.
double kkt_residual_with(Problem& problem, const Point& point, const Eigen::VectorXd& lagrangian);

}  // namespace verne::nlp
