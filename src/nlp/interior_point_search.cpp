#include <algorithm>
#include <cmath>
#include <limits>

#include "nlp/interior_point.h"

namespace verne::nlp {
namespace {

// [WB06] section 2.3 and 2.4, with the values of its implementation.
constexpr double kThetaPower = 1.1, kPhiPower = 2.3, kSwitch = 1, kArmijo = 1e-8;
constexpr double kShort = 0.1;
constexpr int kPatience = 3;  // short steps before they are damped
constexpr double kFirstDamping = 1e-4, kMoreDamping = 10;
constexpr double kSmallPart = 0.2;  // of the longest step that bounds allow: a damped one goes farther
constexpr int kDampings = 3;        // of a step
constexpr double kShorterByThat = 0.5;
constexpr double kShorter = 0.5, kShortest = 0.05;
constexpr int kCorrections = 4;
constexpr double kCorrectionGain = 0.99;

}  // namespace

/// Nothing but rounding.
bool InteriorPoint::tiny_step() const {
  for (int i = 0; i < program_.size(); ++i) {
    if (std::abs(dv_[i]) > 10 * std::numeric_limits<double>::epsilon() * (1 + std::abs(v_[i]))) return false;
  }
  return values_.theta < 1e-4;
}

void InteriorPoint::take(double alpha) {
  const double dual = longest_dual(tau_);
  short_steps_ = alpha < kShort ? short_steps_ + 1 : 0;
  if (short_steps_ >= kPatience) damping_ = std::max(kFirstDamping, kMoreDamping * damping_);
  if (short_steps_ == 0) damping_ = damping_ > kFirstDamping ? damping_ / kMoreDamping : 0;
  v_ += alpha * dv_;
  y_ += alpha * dy_;
  z_lower_ += dual * dz_lower_;
  z_upper_ += dual * dz_upper_;
}

/// Whether the trial with these values is a step forward from the current point; tells the filter.
bool InteriorPoint::accept(double alpha, double theta, double phi, double slope) {
  if (!filter_.accepts(theta, phi)) return false;
  const double phi_0 = phi_, theta_0 = values_.theta;
  const bool descent = slope < 0 && alpha * std::pow(-slope, kPhiPower) > kSwitch * std::pow(theta_0, kThetaPower);
  if (descent && theta_0 <= least_theta_) return Filter::not_above(phi - kArmijo * alpha * slope, phi_0);
  const bool better = Filter::not_above(theta, (1 - Filter::kThetaMargin) * theta_0) ||
                      Filter::not_above(phi, phi_0 - Filter::kPhiMargin * theta_0);
  if (better) filter_.add(theta_0, phi_0);
  return better;
}

/// Goes so far along the step if that is accepted. Where functions have no values, the trial's theta is infinite.
bool InteriorPoint::try_step(double length, double alpha, double slope) {
  trial_ = v_ + length * dv_;
  if (!program_.evaluate(trial_, trial_values_)) {
    trial_values_.theta = std::numeric_limits<double>::infinity();
    return false;
  }
  const double phi = program_.barrier_function(trial_, trial_values_.F, mu_);
  if (!accept(alpha, trial_values_.theta, phi, slope)) return false;
  take(length);
  std::swap(values_, trial_values_);
  return true;
}

/// Looks for a point that the filter accepts, and goes there: along the step or, where only a small part of that would
/// do, because the curvature says little in directions that matter little, along steps that are damped. Returns false
/// when there is none.
bool InteriorPoint::search() {
  for (int k = 0; k < kDampings && warm_; ++k) {
    const Search found = search_along(kSmallPart);
    if (found != Search::too_far) return found == Search::accepted;
    if (!damp_step()) break;
  }
  return search_along(0) == Search::accepted;
}

/// Keeps the damping only if the step became shorter; else restores. Returns whether it did.
bool InteriorPoint::damp_step() {
  const double length = dx_.norm(), damping = damping_;
  const bool foreseen = foreseen_;
  const Vector product_lower = product_lower_, product_upper = product_upper_;
  damping_ = std::max(kFirstDamping, kMoreDamping * damping_);
  forget_products();
  if (factor() && find_step(values_.residual) && dx_.norm() < kShorterByThat * length) return true;
  damping_ = damping;
  foreseen_ = foreseen, product_lower_ = product_lower, product_upper_ = product_upper;
  factor();
  find_step(values_.residual);
  return false;
}

/// No less than such a part of the longest step.
InteriorPoint::Search InteriorPoint::search_along(double least_part) {
  barrier_ = gradient_;
  add_barrier_gradient(barrier_);
  const double slope = barrier_.dot(dv_), theta = values_.theta;
  phi_ = program_.barrier_function(v_, values_.F, mu_);
  double shortest = Filter::kThetaMargin;
  if (slope < 0) {
    shortest = std::min(shortest, -Filter::kPhiMargin * theta / slope);
    if (theta <= least_theta_) {
      shortest = std::min(shortest, kSwitch * std::pow(theta, kThetaPower) / std::pow(-slope, kPhiPower));
    }
  }
  shortest = std::max(kShortest * shortest, std::numeric_limits<double>::epsilon());
  const double longest = longest_primal(tau_);
  for (double alpha = longest; alpha >= shortest || alpha == longest; alpha *= kShorter) {
    if (monitor_.out_of_time()) return Search::none;
    if (alpha < least_part * longest) return Search::too_far;
    if (try_step(alpha, alpha, slope)) return Search::accepted;
    const bool worse = trial_values_.theta >= theta && std::isfinite(trial_values_.theta);
    if (alpha == longest && worse && correct(longest, alpha, slope)) return Search::accepted;
  }
  return Search::none;
}

/// Second-order corrections: steps that remove what the rows' curvature left at the trial point.
bool InteriorPoint::correct(double longest, double alpha, double slope) {
  kept_v_ = dv_, kept_y_ = dy_;
  kept_residual_ = longest * values_.residual + trial_values_.residual;
  double before = values_.theta;
  for (int k = 0; k < kCorrections; ++k) {
    if (k > 0 && trial_values_.theta > kCorrectionGain * before) break;
    before = trial_values_.theta;
    if (!find_step(kept_residual_)) break;
    const double length = longest_primal(tau_);
    if (try_step(length, alpha, slope)) return true;
    if (!std::isfinite(trial_values_.theta)) break;
    kept_residual_ = length * kept_residual_ + trial_values_.residual;
  }
  dv_ = kept_v_, dy_ = kept_y_;
  step_of_multipliers();
  return false;
}

}  // namespace verne::nlp
