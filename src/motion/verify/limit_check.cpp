#include "motion/verify/limit_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "motion/curve/quadrature.h"
#include "motion/program/rate_limits.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

constexpr int kZoomPoints = 9, kZoomRounds = 4;
constexpr double kActive = 1e-3;
constexpr double kLeastDistance = 1e-6;  // of a bound: a distance that is smaller counts as that
constexpr double kProof = 0.01;          // of the tolerance: bounds of the curve are found to that

/// How much of an upper bound a value uses, 1 at the bound: their ratio, the other way round where both are negative.
double use_of(double value, double upper) {
  if (upper >= 0) return upper > 0 ? value / upper : 0;
  return upper / std::min(value, kLeastDistance * upper);
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

/// What is measured along a motion, and what it stays within.
struct Watched {
  struct Limit {
    LimitName name;
    Interval bounds;
  };
  std::vector<Limit> limits;
  std::function<Eigen::MatrixXd(const std::vector<Place>&)> at;  ///< a row for each, a column for each place
};

/// Samples every stretch and narrows it down to the neighbours of its largest point, several times.
void zoom(const Watched& watched, std::vector<Stretch>& stretches) {
  for (int round = 0; round < kZoomRounds && !stretches.empty(); ++round) {
    std::vector<Place> places;
    for (const Stretch& s : stretches) {
      for (int i = 0; i < kZoomPoints; ++i) {
        places.push_back({s.span, s.low + (s.high - s.low) * i / (kZoomPoints - 1)});
      }
    }
    const Eigen::MatrixXd measured = watched.at(places);
    for (std::size_t k = 0; k < stretches.size(); ++k) {
      Stretch& s = stretches[k];
      const Interval& bounds = watched.limits[static_cast<std::size_t>(s.term)].bounds;
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

std::vector<LimitReport> check_along(const Watched& watched, const Trajectory& trajectory,
                                     const std::vector<Place>& places, double tolerance) {
  if (watched.limits.empty()) return {};
  const Eigen::MatrixXd measured = watched.at(places);
  std::vector<double> times;
  for (const Place& place : places) times.push_back(trajectory.time(place));
  std::vector<LimitReport> reports;
  std::vector<Stretch> stretches;
  for (int t = 0; t < measured.rows(); ++t) {
    LimitReport report;
    report.name = watched.limits[static_cast<std::size_t>(t)].name;
    report.bounds = watched.limits[static_cast<std::size_t>(t)].bounds;
    bool was_active = false;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const double value = measured(t, n), excess = excess_of(value, report.bounds), time = times[n];
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
  zoom(watched, stretches);
  for (const Stretch& s : stretches) {
    LimitReport& report = reports[s.term];
    if (s.excess > report.excess) {
      report.excess = s.excess, report.worst_value = s.value;
      report.worst_time = trajectory.time({s.span, s.best});
    }
    if (s.excess > tolerance) report.peaks.push_back({{s.span, s.best}, s.excess});
  }
  return reports;
}

Watched watched_path_limits(const Task& task, const Trajectory& trajectory, const SpanRange& spans) {
  const auto measuring = std::make_shared<Measuring>(
      task, trajectory, spans, [&](ChannelLayout& channels) { return path_limits(task, channels); });
  Watched watched{{}, [measuring](const std::vector<Place>& places) { return measuring->at(places); }};
  for (const auto& term : measuring->terms()) watched.limits.push_back({term->name(), term->measured_bounds()});
  return watched;
}

/// Slopes of efforts between close points.
Watched watched_rates(const Task& task, const Trajectory& trajectory, const SpanRange& spans) {
  const std::vector<EffortLimit> limits = rate_limits(task);
  const auto measuring = std::make_shared<Measuring>(
      task, trajectory, spans, [&](ChannelLayout& channels) { return effort_terms(limits, channels); });
  const auto rates = [measuring, lengths = Eigen::VectorXd(trajectory.lengths())](const std::vector<Place>& places) {
    const Eigen::MatrixXd efforts = measuring->at(rate_pairs(places));
    Eigen::MatrixXd slopes(efforts.rows(), static_cast<Eigen::Index>(places.size()));
    for (Eigen::Index n = 0; n < slopes.cols(); ++n) {
      const double between = kRateStep * lengths[places[static_cast<std::size_t>(n)].span];
      slopes.col(n) = (efforts.col(2 * n + 1) - efforts.col(2 * n)) / between;
    }
    return slopes;
  };
  Watched watched{{}, rates};
  for (const EffortLimit& limit : limits) watched.limits.push_back({limit.name, {-limit.limit, limit.limit}});
  return watched;
}

/// The root of an effort's mean square, by a finer quadrature than that of the program.
LimitReport mean_report(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                        const EffortLimit& mean) {
  Measuring measuring(task, trajectory, spans, [&](ChannelLayout& channels) { return effort_terms({mean}, channels); });
  const Quadrature fine = gauss_quadrature(spans, 2 * trajectory.basis().degree() + 2);
  const Eigen::MatrixXd efforts = measuring.at(fine.places);
  double integral = 0;
  for (std::size_t k = 0; k < fine.places.size(); ++k) {
    integral += fine.weights[k] * trajectory.lengths()[fine.places[k].span] * efforts(0, k) * efforts(0, k);
  }
  LimitReport report;
  report.name = mean.name;
  report.bounds = {-kInfinity, mean.limit};
  const double start = trajectory.time({spans.first, 0.0}), end = trajectory.time({spans.end - 1, 1.0});
  report.worst_time = end;
  report.worst_value = std::sqrt(integral / (end - start));
  report.utilisation = utilisation_of(report.worst_value, report.bounds);
  report.excess = excess_of(report.worst_value, report.bounds);
  if (report.excess > -kActive) report.active.push_back({start, end});
  return report;
}

}  // namespace

double excess_of(double value, const Interval& bounds) {
  if (std::isnan(value)) return kInfinity;
  double excess = -kInfinity;
  if (bounds.upper < kInfinity) excess = std::max(excess, (value - bounds.upper) / scale_of(bounds.upper, bounds));
  if (bounds.lower > -kInfinity) excess = std::max(excess, (bounds.lower - value) / scale_of(bounds.lower, bounds));
  return excess;
}

double nearer_bound(double value, const Interval& bounds) {
  const bool low = value < bounds.lower || std::abs(value - bounds.lower) < std::abs(value - bounds.upper);
  return low ? bounds.lower : bounds.upper;
}

std::vector<LimitReport> check_limits(const Task& task, const Trajectory& trajectory, const std::vector<Place>& nodes,
                                      double tolerance) {
  return check_limits(task, trajectory, {0, trajectory.basis().spans()}, nodes, tolerance);
}

std::vector<LimitReport> check_limits(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                                      const std::vector<Place>& nodes, double tolerance) {
  const std::vector<Place> places = dense_places(spans, nodes);
  std::vector<LimitReport> reports =
      check_along(watched_path_limits(task, trajectory, spans), trajectory, places, tolerance);
  for (const EffortLimit& mean : mean_limits(task)) reports.push_back(mean_report(task, trajectory, spans, mean));
  for (LimitReport& rate : check_along(watched_rates(task, trajectory, spans), trajectory, places, tolerance)) {
    reports.push_back(std::move(rate));
  }
  return reports;
}

std::vector<EquationReport> check_equations(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                                            const std::vector<Place>& nodes) {
  Measuring measuring(task, trajectory, spans, [&](ChannelLayout& channels) {
    LimitTerms terms = path_equations(task, channels);
    for (auto& term : balance_equations(task, channels)) terms.push_back(std::move(term));
    return terms;
  });
  const std::vector<Place> places = dense_places(spans, nodes);
  const Eigen::MatrixXd measured = measuring.at(places);
  std::vector<EquationReport> reports;
  for (int t = 0; t < measured.rows(); ++t) {
    const LimitTerm& term = *measuring.terms()[t];
    const double asked = term.measured_bounds().upper;
    Eigen::Index worst = 0;
    (measured.row(t).array() - asked).abs().maxCoeff(&worst);
    reports.push_back({term.name(), asked, measured(t, worst), trajectory.time(places[worst])});
  }
  return reports;
}

std::optional<bool> certify(const Trajectory& trajectory, const SpanRange& spans, int order,
                            const std::vector<Interval>& bounds, double tolerance) {
  std::optional<bool> proven;
  const Trajectory piece = trajectory.piece(spans.first, spans.end);
  for (int i = 0; i < static_cast<int>(bounds.size()); ++i) {
    if (!bounds[i].bounded()) continue;
    const double scale = std::max(std::isfinite(bounds[i].lower) ? std::abs(bounds[i].lower) : 0,
                                  std::isfinite(bounds[i].upper) ? std::abs(bounds[i].upper) : 0);
    const double slack = tolerance * (scale > 0 ? scale : 1);
    const auto [low, high] = piece.range(order, i, kProof * slack);
    proven = proven.value_or(true) && low >= bounds[i].lower - slack && high <= bounds[i].upper + slack;
  }
  return proven;
}

}  // namespace verne
