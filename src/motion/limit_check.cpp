#include "motion/limit_check.h"

#include <algorithm>
#include <cmath>

#include "motion/node_values.h"
#include "motion/nodes.h"
#include "motion/task_terms.h"

namespace verne {

namespace {

constexpr int kPointsPerInterval = 20;
constexpr int kZoomPoints = 9, kZoomRounds = 4;
constexpr double kActive = 1e-3;
constexpr double kLeast = 1e-6;  // of a bound: a distance that is smaller counts as that

/// Terms evaluated wherever one likes on a curve.
class Measuring {
 public:
  Measuring(const Task& task, const Trajectory& trajectory, LimitTerms (*make_terms)(const Task&, Channels&))
      : task_(task),
        channels_(task.model),
        terms_(make_terms(task, channels_)),
        curve_(CurveVariables::with_duration(trajectory.basis(), trajectory.coordinates(), trajectory.lengths())),
        x_(curve_.variables(trajectory)) {}

  const LimitTerms& terms() const { return terms_; }

  /// One column per place, one row per term.
  Eigen::MatrixXd at(const std::vector<Place>& places) const {
    Nodes nodes(curve_, places);
    nodes.evaluate({x_.data(), static_cast<std::size_t>(x_.size())}, SplineBasis::Want::values);
    NodeValues values(task_.model, channels_, nodes.count());
    values.evaluate(nodes.z());
    Eigen::MatrixXd measured(terms_.size(), places.size());
    std::vector<double> u;
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const std::vector<int>& inputs = terms_[t]->inputs();
      u.resize(inputs.size());
      for (std::size_t n = 0; n < places.size(); ++n) {
        for (std::size_t k = 0; k < inputs.size(); ++k) u[k] = values.y()(inputs[k], n);
        measured(t, n) = terms_[t]->measured(u.data());
      }
    }
    return measured;
  }

 private:
  const Task& task_;
  Channels channels_;
  LimitTerms terms_;
  CurveVariables curve_;
  Eigen::VectorXd x_;
};

/// Points between all neighbouring nodes and breakpoints; both ends of each span are among them.
std::vector<Place> dense_places(const Trajectory& trajectory, const std::vector<Place>& nodes) {
  std::vector<std::vector<double>> marks(trajectory.basis().spans(), {0.0, 1.0});
  for (const Place& node : nodes) marks[node.span].push_back(node.fraction);
  std::vector<Place> places;
  for (int span = 0; span < trajectory.basis().spans(); ++span) {
    std::vector<double>& m = marks[span];
    std::sort(m.begin(), m.end());
    m.erase(std::unique(m.begin(), m.end()), m.end());
    for (std::size_t k = 0; k + 1 < m.size(); ++k) {
      for (int i = 0; i < kPointsPerInterval; ++i) {
        places.push_back({span, m[k] + (m[k + 1] - m[k]) * i / kPointsPerInterval});
      }
    }
    places.push_back({span, 1.0});
  }
  return places;
}

double excess_of(double value, const Interval& bounds) {
  double excess = -kInfinity;
  if (bounds.upper < kInfinity) excess = std::max(excess, (value - bounds.upper) / scale_of(bounds.upper, bounds));
  if (bounds.lower > -kInfinity) excess = std::max(excess, (bounds.lower - value) / scale_of(bounds.lower, bounds));
  return excess;
}

/// How much of an upper bound a value uses, 1 at the bound: their ratio, the other way round where both are negative.
double use_of(double value, double upper) {
  if (upper >= 0) return upper > 0 ? value / upper : 0;
  return upper / std::min(value, kLeast * upper);
}

double utilisation_of(double value, const Interval& bounds) {
  if (bounds.upper < kInfinity && bounds.lower > -kInfinity) {
    const double middle = (bounds.upper + bounds.lower) / 2;
    return std::abs(value - middle) / (bounds.upper - middle);
  }
  return bounds.upper < kInfinity ? use_of(value, bounds.upper) : use_of(-value, -bounds.lower);
}

/// A stretch of a span around a sampled maximum of one term's excess.
struct Stretch {
  int term, span;
  double low, high, best, excess, value;
};

/// Samples every stretch and narrows it down to the neighbours of its largest point, several times.
void zoom(const Measuring& measuring, std::vector<Stretch>& stretches) {
  for (int round = 0; round < kZoomRounds && !stretches.empty(); ++round) {
    std::vector<Place> places;
    for (const Stretch& s : stretches) {
      for (int i = 0; i < kZoomPoints; ++i) {
        places.push_back({s.span, s.low + (s.high - s.low) * i / (kZoomPoints - 1)});
      }
    }
    const Eigen::MatrixXd measured = measuring.at(places);
    for (std::size_t k = 0; k < stretches.size(); ++k) {
      Stretch& s = stretches[k];
      const Interval bounds = measuring.terms()[s.term]->measured_bounds();
      const double step = (s.high - s.low) / (kZoomPoints - 1);
      for (int i = 0; i < kZoomPoints; ++i) {
        const double value = measured(s.term, k * kZoomPoints + i), excess = excess_of(value, bounds);
        if (excess > s.excess) s.excess = excess, s.value = value, s.best = places[k * kZoomPoints + i].fraction;
      }
      s.low = std::max(0.0, s.best - step), s.high = std::min(1.0, s.best + step);
    }
  }
}

std::vector<Stretch> maxima(const std::vector<Place>& places, const Eigen::MatrixXd& measured, int term,
                            const Interval& bounds) {
  std::vector<Stretch> found;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const double value = measured(term, n), excess = excess_of(value, bounds);
    if (excess < -kActive) continue;
    const bool first = n == 0 || places[n - 1].span != places[n].span;
    const bool last = n + 1 == places.size() || places[n + 1].span != places[n].span;
    if (!first && excess_of(measured(term, n - 1), bounds) > excess) continue;
    if (!last && excess_of(measured(term, n + 1), bounds) > excess) continue;
    found.push_back({term, places[n].span, first ? places[n].fraction : places[n - 1].fraction,
                     last ? places[n].fraction : places[n + 1].fraction, places[n].fraction, excess, value});
  }
  return found;
}

}  // namespace

std::vector<LimitReport> check_limits(const Task& task, const Trajectory& trajectory, const std::vector<Place>& nodes,
                                      double tolerance) {
  const Measuring measuring(task, trajectory, path_limits);
  if (measuring.terms().empty()) return {};
  const std::vector<Place> places = dense_places(trajectory, nodes);
  const Eigen::MatrixXd measured = measuring.at(places);
  std::vector<LimitReport> reports;
  std::vector<Stretch> stretches;
  for (int t = 0; t < measured.rows(); ++t) {
    const LimitTerm& term = *measuring.terms()[t];
    LimitReport report;
    report.name = term.name();
    report.bounds = term.measured_bounds();
    bool was_active = false;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const double value = measured(t, n), excess = excess_of(value, report.bounds), time = trajectory.time(places[n]);
      report.utilisation = std::max(report.utilisation, utilisation_of(value, report.bounds));
      if (excess > report.excess) report.excess = excess, report.worst_time = time, report.worst_value = value;
      const bool active = excess > -kActive;
      if (active && !was_active) report.active.push_back({time, time});
      if (active) report.active.back().second = time;
      was_active = active;
    }
    const std::vector<Stretch> more = maxima(places, measured, t, report.bounds);
    stretches.insert(stretches.end(), more.begin(), more.end());
    reports.push_back(std::move(report));
  }
  zoom(measuring, stretches);
  for (const Stretch& s : stretches) {
    LimitReport& report = reports[s.term];
    if (s.excess > report.excess) {
      report.excess = s.excess, report.worst_value = s.value;
      report.worst_time = trajectory.time({s.span, s.best});
    }
    if (s.excess > tolerance) report.peaks.push_back({s.span, s.best});
  }
  return reports;
}

double check_equations(const Task& task, const Trajectory& trajectory, const std::vector<Place>& nodes) {
  const Measuring measuring(task, trajectory, path_equations);
  if (measuring.terms().empty()) return 0;
  const Eigen::MatrixXd measured = measuring.at(dense_places(trajectory, nodes));
  double largest = 0;
  for (int t = 0; t < measured.rows(); ++t) {
    const double bound = measuring.terms()[t]->measured_bounds().upper;
    largest = std::max(largest, (measured.row(t).array() - bound).abs().maxCoeff());
  }
  return largest;
}

std::optional<bool> certify(const Trajectory& trajectory, int order, const std::vector<Interval>& bounds,
                            double tolerance) {
  std::optional<bool> proven;
  for (int i = 0; i < static_cast<int>(bounds.size()); ++i) {
    if (!bounds[i].bounded()) continue;
    const double scale = std::max(std::isfinite(bounds[i].lower) ? std::abs(bounds[i].lower) : 0,
                                  std::isfinite(bounds[i].upper) ? std::abs(bounds[i].upper) : 0);
    const double slack = tolerance * (scale > 0 ? scale : 1);
    const auto [low, high] = trajectory.range(order, i, slack / 2);
    proven = proven.value_or(true) && low >= bounds[i].lower - slack && high <= bounds[i].upper + slack;
  }
  return proven;
}

}  // namespace verne
