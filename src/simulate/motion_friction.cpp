/// How Coulomb friction without width enters the equations of motion (docs/theory/simulation.md, "Coulomb friction").
#include <cmath>

#include "base/decompositions.h"
#include "simulate/motion_equations.h"
#include "verne/dynamics/dynamics.h"

namespace verne {

namespace {

/// Of the largest: coordinates that move by less, when all others may, cannot move.
constexpr double kImmobile = 1e-9;
/// Resting joints whose responses are this dependent of those of others stop with them.
constexpr double kStopsWithOthers = 1e-10;

Eigen::MatrixXd scaled_to_unit_diagonal(const Eigen::MatrixXd& W) {
  const Eigen::VectorXd scale = W.diagonal().unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0.0; });
  return scale.asDiagonal() * W * scale.asDiagonal();
}

}  // namespace

void MotionEquations::give_accelerations() {
  fixed_v_ = given_v_;
  fixed_v_.insert(fixed_v_.end(), dry_.held().begin(), dry_.held().end());
  given_ = GivenAccelerations::of_velocities(model_, fixed_v_);
}

void MotionEquations::put_friction_margins(double t, std::span<const double> y, std::span<double> margins) {
  if (!dry_.held().empty()) solve(t, y, false);
  dry_.put_margins(v(y), margins);
}

std::string MotionEquations::friction_names(std::span<const int> crossed) const {
  std::string names;
  for (int i = 0; i < dry_.count(); ++i) {
    if (crossed[static_cast<std::size_t>(i)] == 0) continue;
    names += (names.empty() ? "'" : ", '") + model_.dof_names()[static_cast<std::size_t>(dry_.velocity(i))] + "'";
  }
  return names;
}

/// Accelerations of these velocities by unit torques at them: R N (Nᵀ M N)⁻¹ Nᵀ Rᵀ, where N spans the motions that the
/// loops and what is prescribed allow.
Eigen::MatrixXd MotionEquations::responses(std::span<const double> y, const std::vector<int>& velocities) {
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(nv_, nv_);
  if (!model_.loops().empty()) N = closed_jacobian<double>(mechanism_, closed_data_, q(y));
  if (!given_v_.empty()) {
    const Eigen::MatrixXd told = N(given_v_, Eigen::all);
    const Eigen::Index free = N.cols() - told.rows();
    if (free <= 0) {
      const auto count = static_cast<Eigen::Index>(velocities.size());
      return Eigen::MatrixXd::Zero(count, count);
    }
    N = (N * orthonormal(told.transpose()).rightCols(free)).eval();
  }
  Eigen::MatrixXd rows = N(velocities, Eigen::all);
  const double largest = N.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    if (rows.row(k).cwiseAbs().maxCoeff() <= kImmobile * largest) rows.row(k).setZero();
  }
  const Eigen::MatrixXd M = N.transpose() * mass_matrix(model_, data_, q(y)) * N;
  const Eigen::MatrixXd W = rows * positive_solution(M, rows.transpose());
  return (W + W.transpose()) / 2;
}

/// Joints that are at rest but for rounding stop; so do, with loops, those that then have to.
void MotionEquations::stop_resting(double t, std::span<double> y) {
  while (dry_.find_resting(v(y))) {
    const std::vector<int> resting = dry_.resting();
    for (const int k : resting) y[static_cast<std::size_t>(nq_ + k)] = 0;
    if (!constrained()) continue;
    std::vector<int> stopped;
    for (const int k : independent_columns(scaled_to_unit_diagonal(responses(y, resting)), kStopsWithOthers)) {
      stopped.push_back(resting[static_cast<std::size_t>(k)]);
    }
    dry_.hold(std::move(stopped));
    give_accelerations();
    if (!project(t, y)) throw InputError("loops cannot be kept closed where joints come to rest");
  }
}

void MotionEquations::decide_friction(double t, std::span<double> y, std::span<const int> crossed) {
  if (!dry_.any()) return;
  y[static_cast<std::size_t>(nq_ + nv_)] = 0;
  dry_.release();
  give_accelerations();
  stop_resting(t, y);
  dry_.hold({});
  give_accelerations();
  solve(t, y, false);
  const std::vector<int> resting = dry_.resting();
  if (resting.empty()) return;
  dry_.decide(responses(y, resting), a(resting), crossed);
  give_accelerations();
  solve(t, y, false);
  dry_.settle();
}

}  // namespace verne
