#include "motion/guess/guess_estimate.h"

#include <algorithm>
#include <cmath>

#include "motion/program/program.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/values/announce.h"
#include "motion/verify/limit_check.h"

namespace verne {

namespace {

constexpr int kTimes = 33;                         // at which a guess is looked at, evenly
constexpr double kExcessPrice = 10;                // of an excess of 1, in costs
constexpr double kLeastCost = 1e-12;               // so that an excess counts where nothing costs
constexpr double kFastest = 1e-3, kSlowest = 100;  // s: durations that are tried
constexpr int kHalvings = 14;                      // of their range: the duration is found to 0.1 %

std::vector<Place> even_times(const SplineBasis& basis, const Eigen::VectorXd& lengths, int times) {
  return even_nodes({basis, lengths, Eigen::MatrixXd::Zero(basis.control_points(), 1)},
                    std::vector<int>(basis.spans(), 0), times);
}

}  // namespace

// (17b)
double GuessEstimate::Estimate::score() const {
  return (cost + kLeastCost) * (1 + kExcessPrice * excess);
}

GuessEstimate::GuessEstimate(const Task& task, const SplineBasis& basis)
    : GuessEstimate(task, basis, Eigen::VectorXd::Ones(basis.spans()), kTimes) {}

GuessEstimate::GuessEstimate(const Task& task, const SplineBasis& basis, const Eigen::VectorXd& lengths, int times)
    : task_(task),
      channels_(channels_of(task, {0, basis.spans()}, Eigen::VectorXd::Ones(basis.spans()))),
      limits_(path_limits(task, channels_)),
      costs_(integral_costs(task, channels_)),
      nodes_(CurveVariables::with_duration(basis, task.model.nv(), lengths), even_times(basis, lengths, times)),
      values_(task.model, channels_, nodes_.count()),
      x_(nodes_.curve().size()) {
  values_.place(nodes_.places());
}

void GuessEstimate::evaluate(double duration) {
  x_.tail(1)[0] = duration;
  nodes_.evaluate({x_.data(), static_cast<std::size_t>(x_.size())}, SplineBasis::Want::values);
  values_.set_duration(duration);
  values_.evaluate(nodes_.z());
  announce_all(limits_, values_.y(), values_.y().cols());
  announce_all(costs_.terms, values_.y(), values_.y().cols());
}

double GuessEstimate::value_of_limit(std::size_t term, int node) {
  const std::vector<int>& inputs = limits_[term]->inputs();
  inputs_.resize(inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs_[k] = values_.y()(inputs[k], node);
  return limits_[term]->measured(inputs_.data());
}

double GuessEstimate::haste(double duration) {
  evaluate(duration);
  double largest = -kInfinity;
  for (std::size_t t = 0; t < limits_.size(); ++t) {
    if (limits_[t]->name().known_as->of_posture) continue;
    for (int n = 0; n < nodes_.count(); ++n) {
      largest = std::max(largest, excess_of(value_of_limit(t, n), limits_[t]->measured_bounds()));
    }
  }
  return largest;
}

double GuessEstimate::duration() {
  const Interval& bounds = task_.duration.bounds;
  if (task_.duration.guess) return std::clamp(*task_.duration.guess, bounds.lower, bounds.upper);
  if (bounds.fixed()) return bounds.lower;
  double low = std::max(bounds.lower, kFastest), high = std::min(bounds.upper, kSlowest);
  if (haste(high) > 0) return std::clamp(1.0, bounds.lower, bounds.upper);  // too weak even when slow
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = std::sqrt(low * high);
    (haste(middle) > 0 ? low : high) = middle;
  }
  return high;
}

double GuessEstimate::cost(double duration) {
  double sum = 0;
  int peak = 0;
  for (const CostSpec& cost : task_.costs) {
    const CostType::Value value = type_of(cost).value;
    if (value == CostType::Value::duration) sum += cost.weight * duration;
    if (value == CostType::Value::peak) sum += cost.weight * largest_effort(peak++);
  }
  for (std::size_t t = 0; t < costs_.terms.size(); ++t) {
    const std::vector<int>& inputs = costs_.terms[t]->inputs();
    inputs_.resize(inputs.size());
    const int intervals = nodes_.count() - 1;
    double integral = 0;  // by the trapezoidal rule; of rates, by slopes between times
    double value = 0, before = 0;
    for (int n = 0; n <= intervals; ++n, before = value) {
      for (std::size_t k = 0; k < inputs.size(); ++k) inputs_[k] = values_.y()(inputs[k], n);
      costs_.terms[t]->value(inputs_.data(), &value);
      if (!costs_.terms[t]->of_rate()) {
        integral += value * (n == 0 || n == intervals ? 0.5 : 1);
      } else if (n > 0) {
        const double slope = (value - before) * intervals / duration;
        integral += slope * slope;
      }
    }
    sum += costs_.weights[t] * integral * (task_.mean_cost ? 1 : duration) / intervals;
  }
  return sum;
}

double GuessEstimate::largest_effort(int peak) {
  double largest = 0;
  for (std::size_t t = 0; t < limits_.size(); ++t) {
    if (limits_[t]->part_of_peak().peak != peak) continue;
    for (int n = 0; n < nodes_.count(); ++n) {
      largest = std::max(largest, limits_[t]->rate() * std::abs(value_of_limit(t, n)));
    }
  }
  return largest;
}

double GuessEstimate::excess() {
  double sum = 0;
  for (std::size_t t = 0; t < limits_.size(); ++t) {
    double worst = 0;
    for (int n = 0; n < nodes_.count(); ++n) {
      worst = std::max(worst, excess_of(value_of_limit(t, n), limits_[t]->measured_bounds()));
    }
    sum += worst;
  }
  return sum;
}

GuessEstimate::Estimate GuessEstimate::of(const Eigen::MatrixXd& control_points) {
  const CurveVariables& curve = nodes_.curve();
  for (int c = 0; c < control_points.rows(); ++c) {
    for (int i = 0; i < curve.dofs; ++i) x_[curve.control_point(c, i)] = control_points(c, i);
  }
  Estimate estimate;
  estimate.duration = duration();
  evaluate(estimate.duration);
  estimate.cost = cost(estimate.duration);
  estimate.excess = excess();
  return estimate;
}

}  // namespace verne
