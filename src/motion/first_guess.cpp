#include "motion/first_guess.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "motion/inverse_kinematics.h"
#include "motion/limit_check.h"
#include "motion/phases.h"

namespace verne {

namespace {

constexpr std::size_t kBegins = 8;  // postures to begin with that are tried
constexpr int kPathPostures = 4;  // parts of the motion between which a frame that is held all the way is put in place

/// A value inside an interval, near `wish`.
double inside(const Interval& bounds, double wish) {
  return std::clamp(wish, bounds.lower, bounds.upper);
}

/// Where a freedom would rest if nothing said where: zero, or the middle of its limits when zero is outside.
double resting(const Interval& limits) {
  if (limits.lower <= 0 && limits.upper >= 0) return 0;
  if (std::isfinite(limits.lower) && std::isfinite(limits.upper)) return (limits.lower + limits.upper) / 2;
  return inside(limits, 0);
}

/// Postures and the fractions of the duration at which they are taken.
struct Way {
  std::vector<double> at;
  std::vector<Eigen::VectorXd> postures;

  Eigen::VectorXd operator()(double fraction) const {
    std::size_t k = 1;
    while (k + 1 < at.size() && at[k] < fraction) ++k;
    const double u = (fraction - at[k - 1]) / (at[k] - at[k - 1]);
    return postures[k - 1] + (postures[k] - postures[k - 1]) * std::clamp(u, 0.0, 1.0);
  }
};

Interval common(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

/// Postures at a fraction of the duration near `wish`, the nearest first: as a state says and with every frame that has
/// a place there at it. Just one when there is no such frame, or no such posture.
std::vector<Eigen::VectorXd> postures_at(const Task& task, double fraction, Eigen::VectorXd wish) {
  std::vector<Interval> bounds = task.limits.position;
  const auto narrow = [&](const StateTask& state) {
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = common(bounds[i], state.position[i]);
  };
  if (fraction == 0) narrow(task.start);
  if (fraction == 1) narrow(task.end);
  for (const ViaTask& via : task.via) {
    if (via.at == fraction) narrow(via.state);
  }
  for (std::size_t i = 0; i < bounds.size(); ++i) wish[i] = inside(bounds[i], wish[i]);
  std::vector<const FrameTask*> frames;
  for (const FrameTask& frame : task.frames) {
    if (frame.of_posture() && (frame.when.path || frame.when.at == fraction)) frames.push_back(&frame);
  }
  std::vector<Eigen::VectorXd> postures;
  if (!frames.empty()) postures = postures_for(task, frames, bounds, wish);
  if (postures.empty()) postures.push_back(wish);
  return postures;
}

/// Fractions between 0 and 1 at which the task says something; evenly more where a frame is held all the way.
std::vector<double> fractions_between(const Task& task) {
  std::vector<double> all;
  for (const ViaTask& via : task.via) all.push_back(via.at);
  for (const FrameTask& frame : task.frames) {
    if (!frame.when.path) all.push_back(frame.when.at);
    for (int k = 1; frame.when.path && k < kPathPostures; ++k) all.push_back(double(k) / kPathPostures);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(std::remove_if(all.begin(), all.end(), [](double at) { return at <= 0 || at >= 1; }), all.end());
  return all;
}

/// Where a motion begins and ends: the shortest way where frames leave a choice; others with other starts.
std::pair<Eigen::VectorXd, Eigen::VectorXd> ends_of(const Task& task, std::size_t start) {
  Eigen::VectorXd wish(task.model.nv());
  for (int i = 0; i < wish.size(); ++i) {
    const Interval &from = task.start.position[i], &to = task.end.position[i];
    const double rest = resting(task.limits.position[i]);
    wish[i] = from.bounded() || !to.bounded() ? rest : inside(to, rest);
  }
  const std::vector<Eigen::VectorXd> begins = postures_at(task, 0, wish);
  if (start > 0) {
    const Eigen::VectorXd& begin = begins[start % begins.size()];
    const std::vector<Eigen::VectorXd> ends = postures_at(task, 1, begin);
    return {begin, ends[start % ends.size()]};
  }
  std::pair<Eigen::VectorXd, Eigen::VectorXd> best;
  double shortest = kInfinity;
  for (std::size_t k = 0; k < std::min(begins.size(), kBegins); ++k) {
    const Eigen::VectorXd end = postures_at(task, 1, begins[k]).front();
    if ((end - begins[k]).norm() >= shortest) continue;
    shortest = (end - begins[k]).norm();
    best = {begins[k], end};
  }
  return best;
}

Way way_through(const Task& task, const Eigen::VectorXd& start, const Eigen::VectorXd& end) {
  Way way;
  const Eigen::Map<const Eigen::MatrixXd> guess = task.guess->eigen();
  for (int k = 0; k < guess.cols(); ++k) {
    way.at.push_back(guess.cols() > 1 ? double(k) / (guess.cols() - 1) : 0);
    way.postures.push_back(guess.col(k));
  }
  if (guess.cols() == 1) {
    way = {{0, 0.5, 1}, {start, guess.col(0), end}};
  }
  way.postures.front() = postures_at(task, 0, way.postures.front()).front();
  way.postures.back() = postures_at(task, 1, way.postures.back()).front();
  return way;
}

Way way_of(const Task& task, int start) {
  const auto [begin, end] = ends_of(task, static_cast<std::size_t>(start));
  if (task.guess) return way_through(task, begin, end);
  const Way line{{0, 1}, {begin, end}};
  Way way{{0}, {begin}};
  for (const double at : fractions_between(task)) {
    way.at.push_back(at);
    way.postures.push_back(postures_at(task, at, line(at)).front());
  }
  way.at.push_back(1);
  way.postures.push_back(end);
  return way;
}

/// The task's curve with even knots, and the places that a motion is sampled at to fit it.
struct EvenCurve {
  explicit EvenCurve(const CurveTask& curve) : basis(curve.degree, curve.control_points - curve.degree) {
    const int gaps = 4 * curve.control_points;
    for (int k = 0; k < gaps; ++k) {
      at.push_back(double(k) / gaps);
      const int span = std::min(static_cast<int>(at[k] * basis.spans()), basis.spans() - 1);
      places.push_back({span, at[k] * basis.spans() - span});
    }
    at.push_back(1);
    places.push_back({basis.spans() - 1, 1.0});
  }
  /// The curve nearest to the values at all places.
  Trajectory through(const Eigen::MatrixXd& values, double duration) const {
    const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), duration / basis.spans());
    return {basis, lengths, fit_control_points(basis, lengths, places, values)};
  }

  SplineBasis basis;
  std::vector<double> at;  // fractions of the duration
  std::vector<Place> places;
};

/// Sines over the whole motion, smaller the faster they wave.
void bend(const Task& task, int start, const std::vector<double>& at, Eigen::MatrixXd& values) {
  std::mt19937_64 random(task.starts.seed * 1000003u + static_cast<unsigned>(start));
  // Not std::normal_distribution, whose numbers differ between standard libraries.
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  for (int i = 0; i < values.rows(); ++i) {
    const double distance = std::abs(values(i, values.cols() - 1) - values(i, 0));
    const double size = task.starts.spread * std::max(distance, 0.5);
    for (int wave = 1; wave <= 3; ++wave) {
      const double height = size * uniform() / wave;
      for (std::size_t k = 0; k < at.size(); ++k) values(i, k) += height * std::sin(wave * M_PI * at[k]);
    }
  }
}

/// Largest use of velocity, acceleration, jerk and effort limits when the motion takes `duration`.
double utilisation(const Task& task, const Trajectory& shape, double duration) {
  const Trajectory curve(shape.basis(), shape.lengths() * (duration / shape.duration()), shape.control_points());
  double largest = 0;
  for (const LimitReport& report : check_limits(task, curve, {}, kInfinity)) {
    if (report.name.kind == "position" || report.name.kind == "keep_out") continue;
    largest = std::max(largest, report.utilisation);
  }
  return largest;
}

double guessed_duration(const Task& task, const Trajectory& shape) {
  const Interval& bounds = task.duration.bounds;
  if (task.duration.guess) return inside(bounds, *task.duration.guess);
  if (bounds.fixed()) return bounds.lower;
  double low = std::max(bounds.lower, 1e-3), high = std::min(bounds.upper, 100.0);
  if (utilisation(task, shape, high) > 1) return inside(bounds, 1);  // too weak even when slow, or no such limits
  for (int step = 0; step < 20; ++step) {
    const double middle = std::sqrt(low * high);
    (utilisation(task, shape, middle) > 1 ? low : high) = middle;
  }
  return high;
}

/// When the phases of a motion end, if it has those of the task.
std::vector<double> ends_for(const Task& task, const KnownMotion& motion) {
  return motion.phase_ends.size() == task.phases.size() ? motion.phase_ends : std::vector<double>{};
}

/// A motion at all places of a curve.
Eigen::MatrixXd values_of(const Task& task, const KnownMotion& motion, const EvenCurve& curve) {
  const std::vector<double> ends = ends_for(task, motion);
  const double duration = motion.trajectory.duration();
  Eigen::MatrixXd values(motion.trajectory.coordinates(), curve.at.size());
  for (std::size_t k = 0; k < curve.at.size(); ++k) {
    const double at = curve.at[k];
    values.col(k) = motion.trajectory.at(ends.empty() ? at * duration : time_in_phases(task, at, ends));
  }
  return values;
}

}  // namespace

Trajectory first_guess(const Task& task, int start) {
  const Task flat = without_phases(task);
  const EvenCurve curve(flat.curve);
  if (task.guess_motion) {
    const std::vector<double> ends = ends_for(task, *task.guess_motion);
    Eigen::MatrixXd values = values_of(task, *task.guess_motion, curve);
    if (start > 0) bend(flat, start, curve.at, values);
    const double duration = task.guess_motion->trajectory.duration();
    return with_phases(task, curve.through(values, inside(flat.duration.bounds, duration)), ends);
  }
  const Way way = way_of(flat, start);
  Eigen::MatrixXd values(task.model.nv(), curve.at.size());
  for (std::size_t k = 0; k < curve.at.size(); ++k) {
    const double s = curve.at[k];
    values.col(k) = way(s * s * s * (10 + s * (6 * s - 15)));  // a quintic from rest to rest
  }
  if (start > 0) bend(flat, start, curve.at, values);
  const Trajectory shape = curve.through(values, 1);
  const double duration = guessed_duration(flat, shape);
  return with_phases(task, {shape.basis(), shape.lengths() * duration, shape.control_points()}, {});
}

Trajectory refitted(const Task& task, const Solution& motion) {
  KnownMotion known{motion.trajectory, {}};
  for (const PhaseResult& phase : motion.phases) known.phase_ends.push_back(phase.end);
  const EvenCurve curve(without_phases(task).curve);
  return with_phases(task, curve.through(values_of(task, known, curve), known.trajectory.duration()),
                     ends_for(task, known));
}

}  // namespace verne
