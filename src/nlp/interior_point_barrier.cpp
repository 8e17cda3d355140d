// The barrier parameter μ. It is lowered as its problem is solved or, who asks for it, chosen anew for each step, as
// small as the step will bear, as long as that makes progress: docs/theory/optimization.md, section 3.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nlp/interior_point.h"

namespace verne::nlp {
namespace {

constexpr double kMuLinear = 0.2, kMuPower = 1.5, kMuError = 30, kLeastMu = 1.0 / 31;  // the last: of the tolerance
constexpr double kLeastTau = 0.99;
constexpr double kLargestChosen = 0.1, kCentering = 2, kHeld = 0.8, kProgress = 0.9999;
constexpr double kLargestProduct = 100;  // times μ
constexpr double kFarAway = 50;          // error of the conditions: there, products say little

}  // namespace

void InteriorPoint::set_mu(double mu) {
  mu_ = mu;
  tau_ = std::max(kLeastTau, 1 - mu);
  filter_.clear();
  if (!program_.elastic()) return;
  program_.set_nearness(std::sqrt(mu));
  program_.evaluate(v_, values_);
}

/// Small enough for what converged() asks of complementarity, scaled and not.
double InteriorPoint::least_mu() const {
  const double unscaled = kComplementarityUnscaled * program_.program().scaling().cost;
  return kLeastMu * (program_.elastic() ? tolerance_ : std::min(tolerance_, unscaled));
}

bool InteriorPoint::lower_mu() {
  const double next = std::max(least_mu(), std::min(kMuLinear * mu_, std::pow(mu_, kMuPower)));
  if (next >= mu_) return false;
  set_mu(next);
  if (program_.elastic()) {
    program_.gradient(v_, gradient_);
    update_lagrangian();
  }
  return true;
}

/// While the problem with this μ is solved as well as needed.
void InteriorPoint::lower_mu_as_solved() {
  while (errors(mu_).all() <= kMuError * mu_ && lower_mu()) {
  }
}

/// Of multipliers of bounds and distances to them, after so much of the step.
double InteriorPoint::mean_product(double primal, double dual) const {
  if (program_.bounds() == 0) return 0;
  const double lower = (above_ + primal * dv_).dot(z_lower_ + dual * dz_lower_);
  const double upper = (below_ - primal * dv_).dot(z_upper_ + dual * dz_upper_);
  return (lower + upper) / program_.bounds();
}

/// μ is free as long as the error falls below the largest of the last few.
void InteriorPoint::choose_mode(double error) {
  if (!adaptive_) return;
  if (error <= kProgress * *std::max_element(lately_.begin(), lately_.end())) {
    lately_[oldest_] = error;
    oldest_ = (oldest_ + 1) % lately_.size();
    free_ = true;
  } else if (free_) {
    hold_mu();
  }
}

/// (5) and (5a), by how far a step with no barrier would go; not where the curvature had to be mended, as then it says
/// little. Who had to do that once has curved limits, obstacles for example: there, products mislead.
void InteriorPoint::choose_mu(double error) {
  if (shift_ > 0) return lower_mu_as_solved();
  const double mean = mean_product(0, 0), before = mu_;
  if (mean == 0) return;
  mu_ = 0;
  set_right_side(values_.residual);
  system_.solve_roughly(right_x_, right_y_, dx_, dy_);
  complete_step(values_.residual);
  mu_ = before;
  const double left = mean_product(longest_primal(1), longest_dual(1)) / mean;
  if (!std::isfinite(left)) return;
  set_mu(std::max(least_mu(), std::min(kLargestChosen, std::pow(left, kCentering) * mean)));
  if (mu_ > least_mu() && last_shift_ == 0 && error < kFarAway) foresee_products(kLargestProduct * mu_);
}

/// Those of the step at hand, as far as they are no larger than that: steps far beyond bounds say little.
void InteriorPoint::foresee_products(double largest) {
  foreseen_ = true;
  for (int i = 0; i < program_.size(); ++i) {
    product_lower_[i] = std::clamp(dv_[i] * dz_lower_[i], -largest, largest);
    product_upper_[i] = std::clamp(-dv_[i] * dz_upper_[i], -largest, largest);
  }
}

void InteriorPoint::forget_products() {
  if (!foreseen_) return;
  foreseen_ = false;
  product_lower_.setZero();
  product_upper_.setZero();
}

/// Large enough for what bounds are near.
void InteriorPoint::hold_mu() {
  free_ = false;
  set_mu(std::max(least_mu(), kHeld * mean_product(0, 0)));
}

/// Where a step with foreseen products leads nowhere, one of first order may.
bool InteriorPoint::search_plainly() {
  if (monitor_.out_of_time()) return false;
  forget_products();
  return find_step(values_.residual) && search();
}

/// Where the step of a free μ leads nowhere, one with more barrier may.
bool InteriorPoint::search_with_mu_held() {
  if (monitor_.out_of_time()) return false;
  hold_mu();
  return find_step(values_.residual) && search();
}

}  // namespace verne::nlp
