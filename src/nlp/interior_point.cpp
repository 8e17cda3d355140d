#include "nlp/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace verne::nlp {
namespace {

constexpr double kFirstDistance = 1e-2;  // from bounds, of one and of their distance
constexpr double kLargestFirstMultiplier = 1e3;
constexpr double kUsualMultiplier = 100;  // larger ones, on average, excuse errors
constexpr double kLargestWarmMu = 1e-4;
constexpr double kUsualShare = 0.1, kFarShare = 0.01;  // of the largest multiplier; where μ is given
constexpr double kMultiplierRange = 1e10;              // about mu / distance
constexpr double kAcceptable = 100;                    // times the tolerance
constexpr int kAcceptableIterations = 15;
constexpr int kShortSteps = 8, kRecenterings = 8;
constexpr double kMuRaise = 100, kLargestMu = 0.1;
constexpr double kUnbounded = 1e20;
constexpr double kFar = 1e200;
constexpr double kLargestThetaFactor = 1e4, kWarmThetaFactor = 10, kLeastThetaFactor = 1e-4;
// Unscaled, on top of the tolerance: gradient of the Lagrangian, violation (and kComplementarityUnscaled).
constexpr double kDualUnscaled = 1, kViolationUnscaled = 1e-4;

}  // namespace

InteriorPoint::InteriorPoint(BarrierProgram& program, KktSystem& system, ProgressMonitor& monitor, double tolerance,
                             bool adaptive_barrier)
    : program_(program), system_(system), monitor_(monitor), tolerance_(tolerance), adaptive_(adaptive_barrier) {
  const int size = program.size(), n = program.variables(), m = program.rows();
  for (Vector* vector :
       {&v_, &z_lower_, &z_upper_, &gradient_, &lagrangian_, &sigma_, &barrier_, &dv_, &dz_lower_, &dz_upper_, &trial_,
        &kept_v_, &product_lower_, &product_upper_, &above_, &below_, &inverse_above_, &inverse_below_}) {
    *vector = Vector::Zero(size);
  }
  for (Vector* vector : {&y_, &compliance_, &right_y_, &dy_, &kept_y_, &kept_residual_}) *vector = Vector::Zero(m);
  for (Vector* vector : {&x_, &diagonal_, &right_x_, &dx_}) *vector = Vector::Zero(n);
  values_.g = values_.residual = trial_values_.g = trial_values_.residual = Vector::Zero(m);
  jacobian_.resize(program.program().jacobian_pattern().index.size() + KktSystem::kRoom);
  hessian_.resize(program.program().hessian_pattern().size());
}

/// Moves v away from its bounds by `share` of their size and of their distance. Returns whether x moved.
bool InteriorPoint::push_inside(double share) {
  const int n = program_.variables();
  bool moved = false;
  for (int i = 0; i < n + program_.rows(); ++i) {
    const bool lower = program_.has_lower(i), upper = program_.has_upper(i);
    const double a = program_.lower()[i], b = program_.upper()[i], before = v_[i];
    const double room = lower && upper ? share * (b - a) : share * std::max(1.0, std::abs(lower ? a : b));
    if (lower) v_[i] = std::max(v_[i], a + std::min(room, share * std::max(1.0, std::abs(a))));
    if (upper) v_[i] = std::min(v_[i], b - std::min(room, share * std::max(1.0, std::abs(b))));
    moved |= i < n && v_[i] != before;
  }
  return moved;
}

void InteriorPoint::start_at(const Vector& x, double mu, bool near) {
  const int n = program_.variables();
  v_.head(n) = x;
  push_inside(kFirstDistance);
  if (!program_.evaluate(v_, values_)) throw NotFinite();
  for (int row = 0; row < program_.rows(); ++row) {
    const bool equation = program_.program().equation()[row];
    v_[program_.s(row)] = equation ? program_.program().g_lower()[row] : values_.g[row];
  }
  push_inside(kFirstDistance);
  program_.evaluate(v_, values_);
  set_mu(mu);
  for (int i = 0; i < program_.size(); ++i) {
    z_lower_[i] = !program_.has_lower(i) ? 0 : near ? mu / program_.above(v_, i) : 1;
    z_upper_[i] = !program_.has_upper(i) ? 0 : near ? mu / program_.below(v_, i) : 1;
  }
  evaluate_derivatives();
  estimate_multipliers();
  update_lagrangian();
}

/// As large as the errors of a warm start make sensible: a small change needs no wide detour.
double InteriorPoint::warm_mu() const {
  double error = 0, products = 0;
  int bounds = 0;
  const auto look = [&](double distance, double z) {
    error = std::max(error, -distance);
    products += z * std::max(distance, 0.0);
    ++bounds;
  };
  for (int i = 0; i < program_.size(); ++i) {
    error = std::max(error, std::abs(lagrangian_[i] - z_lower_[i] + z_upper_[i]));
    if (program_.has_lower(i)) look(v_[i] - program_.lower()[i], z_lower_[i]);
    if (program_.has_upper(i)) look(program_.upper()[i] - v_[i], z_upper_[i]);
  }
  for (int row = 0; row < program_.rows(); ++row) {
    if (!program_.program().equation()[row]) continue;
    error = std::max(error, std::abs(values_.g[row] - program_.program().g_lower()[row]));
  }
  const double mean = products / std::max(1, bounds);
  return std::clamp(std::max(mean, error * error), least_mu(), kLargestWarmMu);
}

/// Products of multipliers and distances become μ at least: what is active moves away from its bound by no more than
/// that, and what is not gets a multiplier.
void InteriorPoint::start_warm(const Vector& x, const Vector& y, const Vector& z_lower, const Vector& z_upper,
                               double mu) {
  const int n = program_.variables();
  warm_ = true;
  v_.head(n) = x;
  y_ = y;
  z_lower_.head(n) = z_lower, z_upper_.head(n) = z_upper;
  if (!program_.evaluate(v_, values_)) throw NotFinite();
  for (int row = 0; row < program_.rows(); ++row) {
    const int i = program_.s(row);
    v_[i] = program_.program().equation()[row] ? program_.program().g_lower()[row] : values_.g[row];
    z_lower_[i] = program_.has_lower(i) ? std::max(-y[row], 0.0) : 0;
    z_upper_[i] = program_.has_upper(i) ? std::max(y[row], 0.0) : 0;
  }
  evaluate_derivatives();
  update_lagrangian();
  // What a multiplier may become that is small now: of the size of others. Who gives μ comes from farther away, where
  // other bounds become active.
  const double share = mu > 0 ? kFarShare : kUsualShare;
  if (mu <= 0) mu = warm_mu();
  const double usual = std::max(std::sqrt(mu), share * (y_.size() > 0 ? y_.lpNorm<Eigen::Infinity>() : 0));
  x_ = v_.head(n);
  for (int i = 0; i < program_.size(); ++i) {
    const double a = program_.lower()[i], b = program_.upper()[i];
    const bool lower = program_.has_lower(i), upper = program_.has_upper(i);
    double below = lower ? mu / std::max(z_lower_[i], usual) : 0, above = upper ? mu / std::max(z_upper_[i], usual) : 0;
    if (lower && upper) {
      below = std::min(below, 0.1 * (b - a));
      above = std::min(above, 0.1 * (b - a));
    }
    if (lower) v_[i] = std::max(v_[i], a + below);
    if (upper) v_[i] = std::min(v_[i], b - above);
    if (lower) z_lower_[i] = std::max(z_lower_[i], mu / program_.above(v_, i));
    if (upper) z_upper_[i] = std::max(z_upper_[i], mu / program_.below(v_, i));
  }
  if (!program_.evaluate(v_, values_)) throw NotFinite();
  set_mu(mu);
  if (x_ == v_.head(n)) {
    measure_distances();
    return;
  }
  evaluate_derivatives();
  update_lagrangian();
}

/// They are needed many times, and divisions are dear. Where there is no bound, its multiplier is zero, and what is
/// computed with such a distance and such an inverse says nothing, without a look at what there is.
void InteriorPoint::measure_distances() {
  for (int i = 0; i < program_.size(); ++i) {
    const bool lower = program_.has_lower(i), upper = program_.has_upper(i);
    above_[i] = lower ? program_.above(v_, i) : kFar;
    below_[i] = upper ? program_.below(v_, i) : kFar;
    inverse_above_[i] = lower ? 1 / above_[i] : 0;
    inverse_below_[i] = upper ? 1 / below_[i] : 0;
  }
}

void InteriorPoint::evaluate_derivatives() {
  measure_distances();
  program_.gradient(v_, gradient_);
  x_ = v_.head(program_.variables());
  program_.program().jacobian(x_, jacobian_);
  system_.set_jacobian(jacobian_);
}

/// Multipliers of the rows that come nearest to a stationary Lagrangian; none where they would be large.
void InteriorPoint::estimate_multipliers() {
  const int n = program_.variables();
  std::fill(hessian_.begin(), hessian_.end(), 0.0);
  diagonal_.setOnes();
  for (int row = 0; row < program_.rows(); ++row) {
    const bool equation = program_.program().equation()[row];
    const int i = program_.s(row);
    compliance_[row] = equation ? 0 : 1;
    right_y_[row] = equation ? 0 : z_lower_[i] - z_upper_[i];
  }
  right_x_ = -gradient_.head(n) + z_lower_.head(n) - z_upper_.head(n);
  system_.set(hessian_, diagonal_, compliance_, kRegularization);
  system_.factor(0);
  const bool good = system_.solve(right_x_, right_y_, dx_, y_);
  if (!good || !y_.allFinite() || (y_.size() > 0 && y_.lpNorm<Eigen::Infinity>() > kLargestFirstMultiplier)) {
    y_.setZero();
  }
}

void InteriorPoint::update_lagrangian() {
  const int n = program_.variables(), m = program_.rows();
  lagrangian_ = gradient_;
  right_x_.setZero();
  system_.add_transposed_product(y_, right_x_);
  for (int row = 0; row < m; ++row) {
    if (!program_.program().equation()[row]) lagrangian_[program_.s(row)] -= y_[row];
    if (!program_.elastic()) continue;
    lagrangian_[program_.p(row)] -= y_[row];
    lagrangian_[program_.n(row)] += y_[row];
  }
  lagrangian_.head(n) += right_x_;
}

InteriorPoint::Errors InteriorPoint::errors(double mu) const {
  Errors now;
  const int bounds = program_.bounds();
  const double bound_multipliers = z_lower_.sum() + z_upper_.sum(), multipliers = y_.lpNorm<1>() + bound_multipliers;
  now.dual = (lagrangian_ - z_lower_ + z_upper_).lpNorm<Eigen::Infinity>();
  for (int i = 0; i < program_.size(); ++i) {
    if (program_.has_lower(i)) {
      now.complementarity = std::max(now.complementarity, std::abs(z_lower_[i] * above_[i] - mu));
    }
    if (program_.has_upper(i)) {
      now.complementarity = std::max(now.complementarity, std::abs(z_upper_[i] * below_[i] - mu));
    }
  }
  now.primal = values_.residual.size() > 0 ? values_.residual.lpNorm<Eigen::Infinity>() : 0;
  const auto scale = [](double sum, double count) {
    return count == 0 ? 1 : std::max(kUsualMultiplier, sum / count) / kUsualMultiplier;
  };
  now.dual_scale = scale(multipliers, static_cast<double>(y_.size()) + bounds);
  now.complementarity_scale = scale(bound_multipliers, bounds);
  if (program_.elastic()) now.dual_scale = std::max(now.dual_scale, program_.row_price());
  return now;
}

bool InteriorPoint::converged(const Errors& now, double factor) const {
  if (!(now.all() <= factor * tolerance_)) return false;
  if (program_.elastic()) return true;
  const Scaling& scaling = program_.program().scaling();
  return now.dual <= factor * kDualUnscaled * scaling.cost &&
         program_.program().violation(values_.g) <= factor * kViolationUnscaled &&
         now.complementarity <= factor * kComplementarityUnscaled * scaling.cost;
}

void InteriorPoint::keep_multipliers_near_mu() {
  const double least = mu_ / kMultiplierRange, most = mu_ * kMultiplierRange;
  z_lower_ = z_lower_.cwiseMax(least * inverse_above_).cwiseMin(most * inverse_above_);
  z_upper_ = z_upper_.cwiseMax(least * inverse_below_).cwiseMin(most * inverse_below_);
}

/// Where step after step is cut short by bounds that were met too early: away from them, with multipliers that suit μ.
void InteriorPoint::recenter() {
  short_steps_ = 0;
  const double mu = std::max(mu_, std::min(kLargestMu, kMuRaise * mu_));
  push_inside(std::min(kFirstDistance, std::sqrt(mu)));
  program_.evaluate(v_, values_);
  set_mu(mu);
  for (int i = 0; i < program_.size(); ++i) {
    z_lower_[i] = program_.has_lower(i) ? mu_ / program_.above(v_, i) : 0;
    z_upper_[i] = program_.has_upper(i) ? mu_ / program_.below(v_, i) : 0;
  }
  evaluate_derivatives();
  estimate_multipliers();
  update_lagrangian();
}

InteriorPoint::End InteriorPoint::run() {
  const double theta = std::max(1.0, values_.theta);
  filter_.clear();
  filter_.set_largest_theta((warm_ ? kWarmThetaFactor : kLargestThetaFactor) * theta);
  least_theta_ = kLeastThetaFactor * theta;
  acceptable_for_ = small_steps_ = short_steps_ = recentered_ = 0;
  damping_ = 0;
  lately_.fill(std::numeric_limits<double>::infinity());
  for (;;) {
    const Errors now = errors(0);
    x_ = v_.head(program_.variables());
    if (!monitor_.record(x_, values_.g, values_.cost, now.dual)) return End::stopped;
    if (customer_ && customer_->good_for(v_, values_)) return End::restored;
    if (converged(now, 1)) return End::solved;
    const bool acceptable = converged(now, kAcceptable);
    acceptable_for_ = acceptable ? acceptable_for_ + 1 : 0;
    if (acceptable_for_ >= kAcceptableIterations) return End::acceptable;
    if (!monitor_.may_go_on()) return End::stopped;
    if (x_.lpNorm<Eigen::Infinity>() > kUnbounded) return End::unbounded;
    choose_mode(now.all());
    if (!free_) lower_mu_as_solved();
    program_.hessian(v_, y_, hessian_);
    const bool factored = factor();
    forget_products();
    if (factored && free_) choose_mu(now.all());
    if (!factored || !find_step(values_.residual)) return acceptable ? End::acceptable : End::no_step;
    if (tiny_step()) {
      if (small_steps_++ > 1) return acceptable ? End::acceptable : End::small_steps;
      take(longest_primal(tau_));
      if (!program_.evaluate(v_, values_)) return End::not_finite;
      if (small_steps_ > 1) lower_mu();
    } else if (search() || (foreseen_ && search_plainly()) || (free_ && search_with_mu_held())) {
      small_steps_ = 0;
      if (short_steps_ >= kShortSteps && !program_.elastic()) {
        if (recentered_++ >= kRecenterings) return acceptable ? End::acceptable : End::small_steps;
        recenter();
        continue;
      }
    } else {
      if (monitor_.out_of_time()) return End::stopped;
      if (acceptable) return End::acceptable;
      const End end = restore();
      if (end != End::restored) return end;
      continue;
    }
    evaluate_derivatives();
    keep_multipliers_near_mu();
    update_lagrangian();
  }
}

}  // namespace verne::nlp
