#include "structures/closing.h"

#include <algorithm>
#include <cmath>

#include "base/decompositions.h"
#include "model/subject.h"
#include "verne/dynamics/configuration.h"

namespace verne {

namespace {

constexpr int kMostSteps = 200;
/// Of equations in units of length: what rounding leaves of a closed loop, and what counts as closed.
constexpr double kRounded = 1e-14, kClosed = 1e-11;
/// Radians, or lengths: longer steps leave the branch.
constexpr double kLongestStep = 0.4;
constexpr double kLeastDamping = 1e-3, kMostDamping = 1e12;

/// The step that minimizes |φ + J x|² + damping |x|², in scaled units.
Eigen::VectorXd damped_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& phi, double damping) {
  const Eigen::Index m = J.rows(), n = J.cols();
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(m + n, n);
  stacked.topRows(m) = J;
  stacked.bottomRows(n).diagonal().setConstant(std::sqrt(damping));
  Eigen::VectorXd right = Eigen::VectorXd::Zero(m + n);
  right.head(m) = -phi;
  Eigen::VectorXd step = least_squares(stacked, right);
  const double longest = step.size() == 0 ? 0 : step.cwiseAbs().maxCoeff();
  if (longest > kLongestStep) step *= kLongestStep / longest;
  return step;
}

}  // namespace

std::optional<Gap> close_loops(const Mechanism::Contents& mechanism, Data<double>& data, LoopSystem<double>& system,
                               std::span<const int> free, Eigen::Ref<Eigen::VectorXd> q) {
  const Model& model = mechanism.model;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const auto scaled_phi = [&]() -> Eigen::VectorXd { return mechanism.row_scale.cwiseProduct(system.phi); };
  const auto evaluate = [&](const Eigen::VectorXd& at) { system.evaluate(model, data, at, zero); };
  Eigen::MatrixXd J(system.phi.size(), static_cast<Eigen::Index>(free.size()));
  evaluate(q);
  Eigen::VectorXd phi = scaled_phi();
  double damping = 1;
  for (int k = 0; k < kMostSteps && phi.lpNorm<Eigen::Infinity>() > kRounded && damping < kMostDamping; ++k) {
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      const int column = free[static_cast<std::size_t>(j)];
      J.col(j) = mechanism.row_scale.cwiseProduct(system.J.col(column)) * mechanism.column_scale[column];
    }
    // Damping that vanishes as |φ|² keeps quadratic convergence also where equations are redundant.
    const double size = phi.squaredNorm();
    const Eigen::VectorXd step = damped_step(J, phi, damping * size);
    Eigen::VectorXd whole = zero;
    for (Eigen::Index j = 0; j < J.cols(); ++j) {
      const int column = free[static_cast<std::size_t>(j)];
      whole[column] = step[j] * mechanism.column_scale[column];
    }
    const Eigen::VectorXd trial = integrate(model, data, q, whole);
    evaluate(trial);
    const Eigen::VectorXd trial_phi = scaled_phi();
    if (trial_phi.squaredNorm() < size) {
      q = trial, phi = trial_phi;
      damping = std::max(damping / 4, kLeastDamping);
    } else {
      evaluate(q);
      damping *= 8;
    }
  }
  return widest_gap(mechanism.layout, system, kClosed * std::max(1.0, mechanism.length));
}

std::optional<Gap> widest_gap(const LoopLayout& layout, const LoopSystem<double>& system, double tolerance) {
  Eigen::Index widest = 0;
  const double size = system.phi.size() == 0 ? 0 : system.phi.cwiseAbs().maxCoeff(&widest);
  if (!(size <= tolerance)) return Gap{static_cast<int>(widest), size};
  for (std::size_t k = 0; k < layout.loops.size(); ++k) {
    for (const LoopPart part : layout.loops[k].directions) {
      if (system.states[k][part][part - kX] < 0) return Gap{layout.loops[k].first, 0, true};
    }
  }
  return std::nullopt;
}

std::string gap_text(const Mechanism::Contents& mechanism, const Gap& gap) {
  const int loop = mechanism.layout.loop_of(gap.equation);
  const LoopSpec& spec = mechanism.model.loops()[static_cast<std::size_t>(loop)];
  const LoopEquation& equation = mechanism.layout.equation(gap.equation);
  const std::string name = "loop '" + spec.name + "' ";
  if (gap.mirrored) return name + "closes only with the axes of a and b in opposite directions";
  return name + "stays open by " + rounded_text(gap.size) + (equation.length ? " m (" : " rad (") + equation.name + ")";
}

}  // namespace verne
