#include "motion/switches.h"

#include <algorithm>
#include <cmath>

#include "motion/task_loads.h"
#include "verne/dynamics/batch.h"

namespace verne {

namespace {

constexpr int kSamplesPerSpan = 40;
constexpr double kNearLimit = 0.02;  // of the range between the limits
constexpr double kShortest = 0.01;   // of the duration: switches closer than that are one
constexpr int kLeastSpans = 2;       // in a piece

/// Efforts in the middle of even cells of the spans: no cell contains a breakpoint, where efforts may jump.
struct Sampled {
  std::vector<double> time, width;
  Eigen::MatrixXd tau;
};

Sampled sample_efforts(const Task& task, const Trajectory& trajectory) {
  Sampled out;
  std::vector<Place> places;
  for (int s = 0; s < trajectory.basis().spans(); ++s) {
    for (int k = 0; k < kSamplesPerSpan; ++k) places.push_back({s, (k + 0.5) / kSamplesPerSpan});
  }
  Batch batch(task.model, static_cast<int>(places.size()));
  batch.set_loads(loads_of(task));
  for (std::size_t n = 0; n < places.size(); ++n) {
    batch.q.set(n, trajectory.at(places[n], 0));
    batch.v.set(n, trajectory.at(places[n], 1));
    batch.a.set(n, trajectory.at(places[n], 2));
    out.time.push_back(trajectory.time(places[n]));
    out.width.push_back(trajectory.lengths()[places[n].span] / kSamplesPerSpan);
  }
  inverse_dynamics(task.model, batch);
  out.tau = batch.tau.matrix();
  return out;
}

/// When an effort would have to jump from one limit to the other to give the same impulse between two samples as it
/// does.
double jump_between(const Sampled& sampled, int dof, std::size_t first, std::size_t last, double from, double to) {
  double impulse = 0;
  for (std::size_t k = first; k <= last; ++k) impulse += sampled.tau(dof, k) * sampled.width[k];
  const double begin = sampled.time[first] - sampled.width[first] / 2,
               end = sampled.time[last] + sampled.width[last] / 2;
  return std::clamp((impulse + from * begin - to * end) / (from - to), begin, end);
}

/// Where one effort goes from a limit to the other.
void add_switches(const Sampled& sampled, int dof, const Interval& limit, std::vector<double>& times) {
  const double near = kNearLimit * (limit.upper - limit.lower);
  int touched = 0;  // the limit that was touched last, and when
  std::size_t touched_at = 0, begin = 0;
  for (std::size_t n = 0; n < sampled.time.size(); ++n) {
    const double tau = sampled.tau(dof, n);
    const int touches = tau > limit.upper - near ? 1 : tau < limit.lower + near ? -1 : 0;
    if (touches == 0) continue;
    if (touched != 0 && touches != touched) {
      const double from = touched > 0 ? limit.upper : limit.lower, to = touched > 0 ? limit.lower : limit.upper;
      // A span more on both sides: near a knot that is not quite in the right place, the effort is not quite at its
      // limit.
      const std::size_t first = std::max(begin, touched_at - std::min<std::size_t>(touched_at, kSamplesPerSpan));
      const std::size_t last = std::min(n + kSamplesPerSpan, sampled.time.size() - 1);
      times.push_back(jump_between(sampled, dof, first, last, from, to));
      begin = n;
    }
    touched = touches, touched_at = n;
  }
}

}  // namespace

std::vector<double> switch_times(const Task& task, const Trajectory& trajectory) {
  const Sampled sampled = sample_efforts(task, trajectory);
  std::vector<double> times;
  for (int i = 0; i < task.model.nv(); ++i) {
    const Interval& limit = task.limits.effort[i];
    const double range = limit.upper - limit.lower;
    if (std::isfinite(range) && range > 0) add_switches(sampled, i, limit, times);
  }
  std::sort(times.begin(), times.end());
  const double shortest = kShortest * trajectory.duration();
  std::vector<double> apart;
  for (const double time : times) {
    if (time < shortest || time > trajectory.duration() - shortest) continue;
    if (apart.empty() || time - apart.back() > shortest) apart.push_back(time);
  }
  return apart;
}

std::optional<std::pair<Grid, Trajectory>> grid_between_switches(const Task& task, const Trajectory& trajectory,
                                                                 int spans, int nodes_per_span) {
  std::vector<double> ends = switch_times(task, trajectory);
  if (ends.empty()) return std::nullopt;
  ends.push_back(trajectory.duration());
  const int degree = trajectory.basis().degree();
  std::vector<int> multiplicities;
  std::vector<double> lengths;
  double begin = 0;
  for (const double end : ends) {
    const double length = end - begin;
    const int count = std::max(kLeastSpans, static_cast<int>(std::lround(spans * length / trajectory.duration())));
    for (int k = 0; k < count; ++k) {
      if (!lengths.empty()) multiplicities.push_back(k == 0 ? degree - 1 : 1);
      lengths.push_back(length / count);
    }
    begin = end;
  }
  const SplineBasis basis(degree, multiplicities);
  const Eigen::VectorXd new_lengths = Eigen::Map<Eigen::VectorXd>(lengths.data(), lengths.size());
  Grid grid{CurveVariables::with_duration(basis, trajectory.coordinates(), new_lengths), {}, {}};
  std::vector<Place> places;
  std::vector<double> times;
  double time = 0;
  for (int s = 0; s < basis.spans(); ++s) {
    for (int k = 0; k < 2 * degree; ++k) {
      places.push_back({s, k / (2.0 * degree)});
      times.push_back(time + new_lengths[s] * places.back().fraction);
    }
    for (int k = 0; k < nodes_per_span; ++k) grid.nodes.push_back({s, k / (nodes_per_span - 1.0)});
    time += new_lengths[s];
  }
  places.push_back({basis.spans() - 1, 1.0});
  times.push_back(trajectory.duration());
  Eigen::MatrixXd values(trajectory.coordinates(), places.size());
  for (std::size_t n = 0; n < places.size(); ++n) values.col(n) = trajectory.at(times[n]);
  const Eigen::MatrixXd points = fit_control_points(basis, new_lengths, places, values);
  return std::pair(std::move(grid), Trajectory(basis, new_lengths, points));
}

}  // namespace verne
