/// What the terms of all obstacles have in common, whatever their shape: keep_out.h, keep_out_of_box.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// Something keeps away from something else by `reach`: at some points of either, a smooth function of their distance,
/// one at `reach`, is at least one. The points are joined by a smooth minimum, never above the least of them;
/// `measured` is the true distance. docs/theory/motion.md, (11).
///
/// A Shape has kInputs; kPower, that of the distance over `reach` which its function is near to; kSharpness, that of
/// the minimum; points(), reach(); value(u, k) at point k, and derivatives(u, k, gradient, hessian); and distance(u),
/// the true one.
template <class Shape>
class Clearance : public LimitTerm {
 public:
  Clearance(LimitName name, std::vector<int> inputs, Shape shape)
      : LimitTerm(std::move(name), std::move(inputs)), shape_(std::move(shape)) {}

  void value(const double* u, double* rows) const override { rows[0] = minimum(u); }
  void jacobian(const double* u, double* J) const override {
    std::fill_n(J, kInputs, 0.0);
    for_each_weight(u, [&](int point, double weight) {
      Gradient gradient;
      Hessian hessian;
      shape_.derivatives(u, point, gradient.data(), hessian.data());
      for (int i = 0; i < kInputs; ++i) J[i] += weight * gradient[i];
    });
  }
  // With weights p: ∇²m = Σ p_k (∇²f_k − β ∇f_k ∇f_kᵀ) + β ∇m ∇mᵀ
  void hessian(const double* u, const double* multipliers, double* H) const override {
    Gradient mean{};
    Hessian sum{};
    for_each_weight(u, [&](int point, double weight) {
      Gradient gradient;
      Hessian hessian;
      shape_.derivatives(u, point, gradient.data(), hessian.data());
      for (int i = 0; i < kInputs; ++i) {
        mean[i] += weight * gradient[i];
        for (int k = 0; k < kInputs; ++k) {
          sum[kInputs * i + k] += weight * (hessian[kInputs * i + k] - kSharpness * gradient[i] * gradient[k]);
        }
      }
    });
    for (int i = 0; i < kInputs; ++i) {
      for (int k = 0; k < kInputs; ++k) {
        H[kInputs * i + k] += multipliers[0] * (sum[kInputs * i + k] + kSharpness * mean[i] * mean[k]);
      }
    }
  }
  Interval bounds(int) const override { return {1, kInfinity}; }
  double measured(const double* u) const override { return shape_.distance(u); }
  Interval measured_bounds() const override { return {shape_.reach(), kInfinity}; }
  double rate() const override { return Shape::kPower / shape_.reach(); }

 private:
  static constexpr int kInputs = Shape::kInputs;
  static constexpr double kSharpness = Shape::kSharpness;
  static constexpr double kLeastWeight = 1e-20;  // that matters
  using Gradient = std::array<double, kInputs>;
  using Hessian = std::array<double, kInputs * kInputs>;

  /// The smooth minimum over all points.
  double minimum(const double* u) const {
    double least = shape_.value(u, 0), sum = 1;  // of exp(−β (value − least)), least so far
    for (int k = 1; k < shape_.points(); ++k) {
      const double value = shape_.value(u, k);
      sum = value < least ? 1 + sum * std::exp(-kSharpness * (least - value))
                          : sum + std::exp(-kSharpness * (value - least));
      least = std::min(least, value);
    }
    return least - std::log(sum) / kSharpness;
  }
  /// Calls visit(point, weight) with the points that matter.
  template <class Visit>
  void for_each_weight(const double* u, Visit&& visit) const {
    if (shape_.points() == 1) return visit(0, 1.0);
    const double least = minimum(u);
    for (int k = 0; k < shape_.points(); ++k) {
      const double weight = std::exp(-kSharpness * (shape_.value(u, k) - least));
      if (weight > kLeastWeight) visit(k, weight);
    }
  }

  Shape shape_;
};

/// How many points of a segment stand for it, no farther apart than `spacing`.
inline int points_along(double length, double spacing) {
  return 1 + static_cast<int>(std::ceil(length / spacing));
}

}  // namespace verne
