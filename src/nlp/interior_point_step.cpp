#include <algorithm>
#include <cmath>

#include "nlp/interior_point.h"

namespace verne::nlp {
namespace {

// What is added to the Hessian where the pivots say that it is not convex enough: [WB06] section 3.1.
constexpr double kFirstShift = 1e-4, kLeastShift = 1e-20, kLargestShift = 1e40;
constexpr double kShiftDown = 1.0 / 3, kShiftUp = 8, kFirstShiftUp = 100;
constexpr double kRepairShift = 1e-8;
constexpr int kRepairs = 6;

}  // namespace

bool InteriorPoint::factor() {
  const int n = program_.variables();
  sigma_ = z_lower_.cwiseProduct(inverse_above_) + z_upper_.cwiseProduct(inverse_below_);
  diagonal_ = sigma_.head(n);
  for (int row = 0; row < program_.rows(); ++row) {
    const bool equation = program_.program().equation()[row];
    compliance_[row] = equation ? 0 : 1 / sigma_[program_.s(row)];
    if (program_.elastic()) compliance_[row] += 1 / sigma_[program_.p(row)] + 1 / sigma_[program_.n(row)];
  }
  if (program_.elastic()) {
    for (int i = 0; i < n; ++i) diagonal_[i] += program_.nearness() * program_.weight(i) * program_.weight(i);
  }
  system_.set(hessian_, diagonal_, compliance_, kRegularization);
  shift_ = damping_;
  if (system_.factor(shift_)) return true;
  const double usual = last_shift_ == 0 ? kFirstShift : std::max(kLeastShift, last_shift_ * kShiftDown);
  shift_ = std::max(usual, damping_ * kShiftUp);
  while (shift_ <= kLargestShift) {
    if (system_.factor(shift_)) {
      last_shift_ = shift_;
      return true;
    }
    shift_ *= last_shift_ == 0 ? kFirstShiftUp : kShiftUp;
  }
  return false;
}

/// Of the barrier's terms at v_.
void InteriorPoint::add_barrier_gradient(Vector& out) const {
  out += mu_ * (inverse_below_ - inverse_above_ + program_.drift());
}

/// Of the step that removes `residual` of the rows and makes products of multipliers and distances μ, to first order or
/// with the products that are foreseen.
void InteriorPoint::set_right_side(const Vector& residual) {
  barrier_ = lagrangian_;
  add_barrier_gradient(barrier_);
  if (foreseen_) {
    barrier_ += product_lower_.cwiseProduct(inverse_above_) - product_upper_.cwiseProduct(inverse_below_);
  }
  right_x_ = -barrier_.head(program_.variables());
  for (int row = 0; row < program_.rows(); ++row) {
    double q = residual[row];
    if (!program_.program().equation()[row]) q += barrier_[program_.s(row)] / sigma_[program_.s(row)];
    if (program_.elastic()) {
      q += barrier_[program_.p(row)] / sigma_[program_.p(row)] - barrier_[program_.n(row)] / sigma_[program_.n(row)];
    }
    right_y_[row] = -q;
  }
}

/// The step that removes `residual` of the rows, with the factors at hand.
bool InteriorPoint::find_step(const Vector& residual) {
  set_right_side(residual);
  bool accurate = system_.solve(right_x_, right_y_, dx_, dy_);
  // Equations that nearly repeat each other, or a pivot that happened to be small: a little more of both. A step that
  // stays inaccurate may still do: the search will see.
  for (int k = 0; k < kRepairs && !accurate; ++k) {
    shift_ = shift_ == 0 ? kRepairShift : shift_ * kShiftUp;
    if (!system_.factor(shift_)) continue;
    accurate = system_.solve(right_x_, right_y_, dx_, dy_);
  }
  if (!dx_.allFinite() || !dy_.allFinite()) return false;
  complete_step(residual);
  return dv_.allFinite();
}

/// What was eliminated, from dx and dy.
void InteriorPoint::complete_step(const Vector& residual) {
  dv_.head(program_.variables()) = dx_;
  const Vector& along = system_.along();
  for (int row = 0; row < program_.rows(); ++row) {
    double ds = along[row] + residual[row];
    if (program_.elastic()) {
      const int p = program_.p(row), q = program_.n(row);
      dv_[p] = (dy_[row] - barrier_[p]) / sigma_[p];
      dv_[q] = (-dy_[row] - barrier_[q]) / sigma_[q];
      ds += dv_[q] - dv_[p];
    }
    dv_[program_.s(row)] = program_.program().equation()[row] ? 0 : ds;
  }
  step_of_multipliers();
}

void InteriorPoint::step_of_multipliers() {
  dz_lower_.array() = (mu_ - product_lower_.array() - z_lower_.array() * dv_.array()) * inverse_above_.array();
  dz_upper_.array() = (mu_ - product_upper_.array() + z_upper_.array() * dv_.array()) * inverse_below_.array();
  dz_lower_ -= z_lower_;
  dz_upper_ -= z_upper_;
  // Near a bound of a row, what this says is the rounding of the row's step over a tiny distance. There the multiplier
  // of the row itself, y = z_upper − z_lower, is known better.
  for (int row = 0; row < program_.rows(); ++row) {
    if (program_.program().equation()[row]) continue;
    const int i = program_.s(row);
    const double difference = lagrangian_[i] - dy_[row] - z_lower_[i] + z_upper_[i];  // of dz_lower and dz_upper
    const bool lower = above_[i] < below_[i];  // which is the nearer one changes from row to row: no jumps
    const double of_lower = difference + dz_upper_[i], of_upper = dz_lower_[i] - difference;
    dz_lower_[i] = lower ? of_lower : dz_lower_[i];
    dz_upper_[i] = lower ? dz_upper_[i] : of_upper;
  }
}

/// How far a step may go so that no distance to a bound shrinks below 1 − tau of itself.
double InteriorPoint::longest_primal(double tau) const {
  double alpha = 1;
  for (int i = 0; i < program_.size(); ++i) {
    if (-alpha * dv_[i] > tau * above_[i]) alpha = -tau * above_[i] / dv_[i];
    if (alpha * dv_[i] > tau * below_[i]) alpha = tau * below_[i] / dv_[i];
  }
  return alpha;
}

double InteriorPoint::longest_dual(double tau) const {
  double alpha = 1;
  for (int i = 0; i < program_.size(); ++i) {
    if (-alpha * dz_lower_[i] > tau * z_lower_[i]) alpha = -tau * z_lower_[i] / dz_lower_[i];
    if (-alpha * dz_upper_[i] > tau * z_upper_[i]) alpha = -tau * z_upper_[i] / dz_upper_[i];
  }
  return alpha;
}

}  // namespace verne::nlp
