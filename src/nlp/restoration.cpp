// Where no step is acceptable: the nearest point that is feasible enough, by the same method with elastic rows ([WB06]
// section 3.3). If the least violation is not zero, the problem is infeasible there.
#include <algorithm>
#include <cmath>

#include "nlp/interior_point.h"

namespace verne::nlp {
namespace {

constexpr double kLessTheta = 0.9, kLessEachTime = 0.3;
constexpr double kFeasible = 1e2;                // times the tolerance
constexpr double kLargestBoundMultiplier = 1e3;  // after restoration

}  // namespace

/// p and n that are best for the x and s at hand, and the multipliers that go with them.
bool InteriorPoint::balance_elastic() {
  const double price = program_.row_price();
  const Vector before = v_;
  for (int row = 0; row < program_.rows(); ++row) {
    const double c = values_.g[row] - v_[program_.s(row)], half = (mu_ - price * c) / (2 * price);
    const double n = half + std::sqrt(half * half + mu_ * c / (2 * price)), p = c + n;
    const double tiny = 1e-12 * (1 + std::abs(c));
    v_[program_.n(row)] = std::max(n, tiny), v_[program_.p(row)] = std::max(p, tiny);
    z_lower_[program_.n(row)] = mu_ / v_[program_.n(row)], z_lower_[program_.p(row)] = mu_ / v_[program_.p(row)];
    y_[row] = price - z_lower_[program_.p(row)];
  }
  program_.evaluate(v_, values_);
  return (v_ - before).lpNorm<Eigen::Infinity>() > 1e-8 * (1 + v_.lpNorm<Eigen::Infinity>());
}

void InteriorPoint::start_restoration(const Vector& v, const Vector& z_lower, const Vector& z_upper, double mu) {
  const auto shared = static_cast<Eigen::Index>(program_.variables()) + program_.rows();
  program_.set_reference(v.head(program_.variables()));
  v_.head(shared) = v;
  const double price = program_.row_price();
  z_lower_.head(shared) = z_lower.cwiseMin(price), z_upper_.head(shared) = z_upper.cwiseMin(price);
  set_mu(mu);
  balance_elastic();
  last_shift_ = 0;
  evaluate_derivatives();
  update_lagrangian();
}

/// Whether a point of the restoration would be acceptable here.
bool InteriorPoint::good_for(const Vector& v, const BarrierProgram::Values& values) const {
  const auto shared = static_cast<Eigen::Index>(program_.size());
  const double theta = (values.g - v.segment(program_.variables(), program_.rows())).lpNorm<1>();
  if (theta > asked_theta_) return false;
  const double phi = program_.barrier_function(v.head(shared), values.cost, mu_);
  if (!filter_.accepts(theta, phi)) return false;
  const double phi_0 = program_.barrier_function(v_, values_.F, mu_);
  return Filter::not_above(theta, (1 - Filter::kThetaMargin) * values_.theta) ||
         Filter::not_above(phi, phi_0 - Filter::kPhiMargin * values_.theta);
}

InteriorPoint::End InteriorPoint::restore() {
  if (program_.elastic()) {  // of itself: the rows' freedom may not suit x any more
    const bool moved = balance_elastic();
    if (!moved || small_steps_++ > 5) return End::small_steps;
    filter_.clear();
    evaluate_derivatives();
    update_lagrangian();
    return End::restored;
  }
  filter_.add(values_.theta, program_.barrier_function(v_, values_.F, mu_));
  if (!elastic_) {
    elastic_ = std::make_unique<BarrierProgram>(program_.program(), BarrierProgram::Aim::feasibility);
    restoration_ = std::make_unique<InteriorPoint>(*elastic_, system_, monitor_, tolerance_);
    restoration_->customer_ = this;
  }
  InteriorPoint& inner = *restoration_;
  const double residual = values_.residual.size() > 0 ? values_.residual.lpNorm<Eigen::Infinity>() : 0;
  if (residual < tolerance_) return End::small_steps;
  // Where it is needed again and again, more is asked of it.
  asked_theta_ = kLessTheta * std::pow(kLessEachTime, restorations_++) * values_.theta;
  inner.start_restoration(v_, z_lower_, z_upper_, std::max(mu_, residual));
  const End end = inner.run();
  const bool least = end == End::solved || end == End::acceptable;
  v_ = inner.v_.head(program_.size());
  if (!program_.evaluate(v_, values_)) return End::not_finite;
  if (least && values_.residual.lpNorm<Eigen::Infinity>() > kFeasible * tolerance_) {
    y_ = inner.y_;
    return End::infeasible;
  }
  if (end != End::restored && !least) return end;
  if (least) filter_.clear();
  for (int i = 0; i < program_.size(); ++i) {
    const auto multiplier = [&](double distance) {
      return mu_ / distance > kLargestBoundMultiplier ? 1.0 : mu_ / distance;
    };
    z_lower_[i] = program_.has_lower(i) ? multiplier(program_.above(v_, i)) : 0;
    z_upper_[i] = program_.has_upper(i) ? multiplier(program_.below(v_, i)) : 0;
  }
  evaluate_derivatives();
  estimate_multipliers();
  update_lagrangian();
  return End::restored;
}

}  // namespace verne::nlp
