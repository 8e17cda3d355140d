#include "motion/program/mean_over_time.h"

#include <algorithm>

namespace verne {

namespace {

int width_of(const std::vector<nlp::Entry>& pattern) {
  int width = 0;
  for (const nlp::Entry& entry : pattern) width = std::max(width, entry.column + 1);
  return width;
}

}  // namespace

MeanOverTime::MeanOverTime(const CurveVariables& curve, std::unique_ptr<nlp::Function> whole)
    : curve_(curve),
      whole_(std::move(whole)),
      gradient_pattern_(whole_->jacobian_pattern()),
      hessian_size_(whole_->hessian_pattern().size()),
      entries_(gradient_pattern_.size()),
      gradient_(width_of(gradient_pattern_)),
      by_(Eigen::VectorXd::Zero(gradient_.size())) {
  for (int g = 0; g < curve.groups; ++g) by_[curve.timing(g)] = curve.duration_by_timing(g);
  for (int row = curve.timing(0); row < curve.size(); ++row) {
    for (int column = 0; column <= row; ++column) with_timing_.push_back({row, column});
  }
  for (const nlp::Entry& beyond : gradient_pattern_) {  // what contacts bear comes behind the timing
    if (beyond.column < curve.size()) continue;
    for (int g = 0; g < curve.groups; ++g) with_timing_.push_back({beyond.column, curve.timing(g)});
  }
}

std::vector<nlp::Entry> MeanOverTime::jacobian_pattern() const {
  std::vector<nlp::Entry> pattern = gradient_pattern_;
  for (int g = 0; g < curve_.groups; ++g) pattern.push_back({0, curve_.timing(g)});
  return pattern;
}

std::vector<nlp::Entry> MeanOverTime::hessian_pattern() const {
  std::vector<nlp::Entry> pattern = whole_->hessian_pattern();
  pattern.insert(pattern.end(), with_timing_.begin(), with_timing_.end());
  return pattern;
}

void MeanOverTime::evaluate(std::span<const double> x, std::span<double> values) {
  whole_->evaluate(x, values);
  values[0] /= curve_.duration(x);
}

void MeanOverTime::jacobian(std::span<const double> x, std::span<double> entries) {
  const double duration = curve_.duration(x);
  double value = 0;
  whole_->evaluate(x, {&value, 1});
  whole_->jacobian(x, entries.first(entries_.size()));
  for (std::size_t k = 0; k < entries_.size(); ++k) entries[k] /= duration;
  for (int g = 0; g < curve_.groups; ++g) {
    entries[entries_.size() + g] = -value / (duration * duration) * by_[curve_.timing(g)];
  }
}

// J/T: (∂²J - (∂J ∂Tᵀ + ∂T ∂Jᵀ)/T + 2 J/T² ∂T ∂Tᵀ)/T, as T is linear
void MeanOverTime::hessian(std::span<const double> x, std::span<const double> multipliers, std::span<double> entries) {
  const double duration = curve_.duration(x), multiplier = multipliers[0] / duration;
  double value = 0;
  whole_->evaluate(x, {&value, 1});
  whole_->jacobian(x, entries_);
  whole_->hessian(x, {&multiplier, 1}, entries.first(hessian_size_));
  gradient_.setZero();
  for (std::size_t k = 0; k < entries_.size(); ++k) gradient_[gradient_pattern_[k].column] += entries_[k];
  gradient_ -= value / duration * by_;
  std::size_t at = hessian_size_;
  for (const auto& [row, column] : with_timing_) {
    entries[at++] = -multiplier / duration * (gradient_[row] * by_[column] + by_[row] * gradient_[column]);
  }
}

}  // namespace verne
