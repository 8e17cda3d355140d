#include "motion/guess/first_guess.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

#include "motion/curve/phases.h"
#include "motion/guess/guess_estimate.h"
#include "motion/guess/paths_around_obstacles.h"
#include "motion/terms/costs/cost_type.h"

namespace verne {

namespace {

constexpr int kDetours = 3;  // times that the best way so far is sent around what it runs into
constexpr std::size_t kSketches = 6, kSketchesForTime = 3;  // ways that are solved roughly, at most
constexpr double kWorthIt = 16,
                 kWorthItForTime = 2;  // those that seem to cost so many times as much as the best are not
constexpr int kCoarsePoints = 5, kFinerPoints = 9;
constexpr double kOffTheLine = 0.05;  // of the longest way of a joint: how far those that stay are moved
constexpr double kKept = 1e-3;        // relative: limits are exceeded by less
constexpr double kSameCost = 1e-3;    // relative: two ways led to the same motion
constexpr int kEnough = 3;            // ways that led to the best one: others hardly lead elsewhere

/// A task's curve with even knots, and the places that a motion is sampled at to fit it.
struct EvenCurve {
  explicit EvenCurve(const CurveSpec& curve) : basis(curve.degree, curve.control_points - curve.degree) {
    const int gaps = 4 * curve.control_points;
    for (int k = 0; k < gaps; ++k) {
      at.push_back(double(k) / gaps);
      const int span = std::min(static_cast<int>(at[k] * basis.spans()), basis.spans() - 1);
      places.push_back({span, at[k] * basis.spans() - span});
    }
    at.push_back(1);
    places.push_back({basis.spans() - 1, 1.0});
  }
  Eigen::MatrixXd values(const std::function<Eigen::VectorXd(double)>& posture) const {
    Eigen::MatrixXd all(posture(0).size(), at.size());
    for (std::size_t k = 0; k < at.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = posture(at[k]);
    return all;
  }
  /// The curve nearest to the values at all places.
  Trajectory through(const Eigen::MatrixXd& values, double duration) const {
    const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), duration / basis.spans());
    return {basis, lengths, fit_control_points(basis, lengths, places, values)};
  }
  Trajectory along(const Way& way) const { return through(values(way), 1); }

  SplineBasis basis;
  std::vector<double> at;  // fractions of the duration
  std::vector<Place> places;
};

Trajectory lasting(const Trajectory& shape, double duration) {
  return {shape.basis(), shape.lengths() * (duration / shape.duration()), shape.control_points()};
}

/// A motion on the curve of a task that has no phases.
Trajectory resampled(const Task& flat, const Trajectory& motion) {
  const EvenCurve curve(flat.curve);
  return curve.through(curve.values([&](double at) { return motion.at(at * motion.duration()); }), motion.duration());
}

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

/// An arm that turns with its elbow stretched is faster with the elbow bent, to either side: the stretched one is a
/// stationary point, which no descent leaves. So in the shortest time, joints that stay where they are while others go
/// from rest to rest begin a little off.
void leave_the_line(const Task& task, const std::vector<double>& at, Eigen::MatrixXd& values) {
  const bool plain = task.via.empty() && task.frames.empty() && task.keep_out.empty() && !task.mechanism;
  if (!plain || !std::all_of(task.costs.begin(), task.costs.end(), is_time)) return;
  const Eigen::VectorXd ways = values.rowwise().maxCoeff() - values.rowwise().minCoeff();
  const double size = kOffTheLine * ways.maxCoeff();
  for (int i = 0; i < values.rows(); ++i) {
    const bool held = !task.held.empty() && task.held[i].has_value();
    if (ways[i] > 0 || held || task.limits.effort[i].fixed()) continue;
    const Interval& range = task.limits.position[i];
    const double above = range.upper - values(i, 0), below = values(i, 0) - range.lower;
    const double height = above >= below ? std::min(size, above / 2) : -std::min(size, below / 2);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double s = std::sin(M_PI * at[k]);
      values(i, static_cast<Eigen::Index>(k)) += height * s * s;
    }
  }
}

/// Ways by what they would cost.
class Ranking {
 public:
  explicit Ranking(const Task& task) : task_(task), curve_(task.curve), estimate_(task, curve_.basis) {}

  void add(const std::vector<Way>& ways) {
    for (const Way& way : ways) all_.push_back({way, estimate_.of(curve_.along(way).control_points()).score()});
  }
  /// Adds ways around what the best ones run into.
  void add_detours() {
    for (int k = 0; k < kDetours && !task_.keep_out.empty(); ++k) {
      const auto best = std::min_element(all_.begin(), all_.end(), better);
      if (best->sent_around) return;
      best->sent_around = true;
      add(detours(task_, best->way));
    }
  }
  void sort() { std::stable_sort(all_.begin(), all_.end(), better); }
  /// How many of the sorted ways are worth a closer look. Time grows slowly with the way, the other costs with its
  /// square, and their estimates are far from what becomes of them.
  std::size_t promising() const {
    const bool time = std::all_of(task_.costs.begin(), task_.costs.end(), is_time);
    const std::size_t most = std::min(all_.size(), time ? kSketchesForTime : kSketches);
    const double worst = (time ? kWorthItForTime : kWorthIt) * all_[0].score;
    std::size_t count = 0;
    while (count < most && all_[count].score <= worst) ++count;
    return count;
  }
  void put_first(std::size_t k) { std::rotate(all_.begin(), all_.begin() + k, all_.begin() + k + 1); }
  const Way& operator[](std::size_t k) const { return all_[k].way; }
  std::vector<Way> ways() const {
    std::vector<Way> sorted;
    for (const Ranked& one : all_) sorted.push_back(one.way);
    return sorted;
  }

 private:
  struct Ranked {
    Way way;
    double score;
    bool sent_around = false;
  };
  static bool better(const Ranked& a, const Ranked& b) { return a.score < b.score; }

  const Task& task_;
  EvenCurve curve_;
  GuessEstimate estimate_;
  std::vector<Ranked> all_;
};

struct SketchedWay {
  std::size_t way;
  Sketch sketch;
  bool operator<(const SketchedWay& other) const { return sketch.better_than(other.sketch); }
};

bool same_cost(double best, double other) {
  return std::abs(other - best) <= kSameCost * std::abs(best);
}

/// Whether enough ways led to the best motion.
bool is_settled(const std::vector<SketchedWay>& all) {
  if (all.empty()) return false;
  const Sketch& best = std::min_element(all.begin(), all.end())->sketch;
  const auto is_it = [&](const SketchedWay& one) {
    return one.sketch.keeps_limits() && same_cost(best.cost, one.sketch.cost);
  };
  return std::count_if(all.begin(), all.end(), is_it) >= kEnough;
}

/// Solves the most promising ways roughly, the best of them again less roughly, and puts the best one first. Returns
/// its motion.
Trajectory sketch_promising(const Task& task, Ranking& ranking, const Trajectory& guess, const GoOn& go_on) {
  const Task coarse = sketched(task, guess, kCoarsePoints);
  const EvenCurve curve(coarse.curve);
  GuessEstimate estimate(coarse, curve.basis);
  std::vector<SketchedWay> all;
  bool stopped = false;
  for (std::size_t k = 0; k < ranking.promising() && !stopped && !is_settled(all); ++k) {
    const Trajectory shape = curve.along(ranking[k]);
    const GuessEstimate::Estimate expected = estimate.of(shape.control_points());
    const Trajectory way = lasting(shape, expected.duration);
    Sketch rough = sketch(coarse, way, go_on);
    stopped = rough.stopped;
    if (expected.excess < kKept && rough.cost > expected.cost) rough = {way, expected.cost, 0};  // it was led astray
    all.push_back({k, std::move(rough)});
  }
  std::stable_sort(all.begin(), all.end());
  const Task finer = sketched(task, guess, kFinerPoints);
  if (!stopped && finer.curve.control_points > coarse.curve.control_points &&
      !same_cost(all[0].sketch.cost, all[1].sketch.cost)) {
    all.erase(all.begin() + 2, all.end());
    for (SketchedWay& one : all) {
      Sketch better = sketch(finer, resampled(finer, one.sketch.motion), go_on);
      if (better.better_than(one.sketch)) one.sketch = std::move(better);
    }
    std::stable_sort(all.begin(), all.end());
  }
  ranking.put_first(all.front().way);
  return resampled(task, all.front().sketch.motion);
}

/// When the phases of a motion end, if it has those of the task.
std::vector<double> ends_for(const Task& task, const KnownMotion& motion) {
  return motion.phase_ends.size() == task.phases.size() ? motion.phase_ends : std::vector<double>{};
}

/// A motion at all places of a curve, phase by phase.
Eigen::MatrixXd values_of(const Task& task, const KnownMotion& motion, const EvenCurve& curve) {
  const std::vector<double> ends = ends_for(task, motion);
  const double duration = motion.trajectory.duration();
  return curve.values(
      [&](double at) { return motion.trajectory.at(ends.empty() ? at * duration : time_in_phases(task, at, ends)); });
}

/// A curve through these values that lasts as long as a known motion and its phases, where the task allows it.
Trajectory in_phases(const Task& task, const Task& flat, const EvenCurve& curve, const Eigen::MatrixXd& values,
                     const KnownMotion& motion) {
  const double known = motion.trajectory.duration();
  const double duration = std::clamp(known, flat.duration.bounds.lower, flat.duration.bounds.upper);
  std::vector<double> ends = ends_for(task, motion);
  for (double& end : ends) end *= duration / known;
  return with_phases(task, curve.through(values, duration), ends);
}

}  // namespace

FirstGuesses::FirstGuesses(const Task& task, const GoOn& go_on) : task_(task), flat_(without_phases(task)) {
  const Interval& duration = flat_.duration.bounds;
  put_frames(flat_, flat_.duration.guess.value_or((duration.lower + duration.upper) / 2));
  if (task.guess_motion) return;
  const auto start = std::chrono::steady_clock::now();
  ways_ = ways_of(flat_);
  if (!task.guess) choose(go_on);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void FirstGuesses::choose(const GoOn& go_on) {
  Ranking ranking(flat_);
  ranking.add(ways_);
  ranking.add(loops(flat_, ways_.front()));
  ranking.add_detours();
  ranking.sort();
  ways_ = ranking.ways();
  if (ranking.promising() < 2) return;
  first_ = sketch_promising(flat_, ranking, along(0), go_on);
  ways_ = ranking.ways();
}

Trajectory FirstGuesses::along(int start) const {
  const EvenCurve curve(flat_.curve);
  Eigen::MatrixXd values = curve.values(ways_[static_cast<std::size_t>(start) % ways_.size()]);
  if (start > 0) bend(flat_, start, curve.at, values);
  if (start == 0) leave_the_line(flat_, curve.at, values);
  const Trajectory shape = curve.through(values, 1);
  return lasting(shape, GuessEstimate(flat_, curve.basis).of(shape.control_points()).duration);
}

Trajectory FirstGuesses::operator()(int start) const {
  if (!task_.guess_motion) return with_phases(task_, start == 0 && first_ ? *first_ : along(start), {});
  if (start == 0) return refitted(task_, *task_.guess_motion);
  const EvenCurve curve(flat_.curve);
  Eigen::MatrixXd values = values_of(task_, *task_.guess_motion, curve);
  bend(flat_, start, curve.at, values);
  return in_phases(task_, flat_, curve, values, *task_.guess_motion);
}

Trajectory refitted(const Task& task, const KnownMotion& motion) {
  const Task flat = without_phases(task);
  const EvenCurve curve(flat.curve);
  Trajectory fitted = in_phases(task, flat, curve, values_of(task, motion, curve), motion);
  return same_basis(fitted, motion.trajectory)
             ? Trajectory(fitted.basis(), fitted.lengths(), motion.trajectory.control_points())
             : fitted;
}

KnownMotion known_motion(const Solution& solution) {
  KnownMotion known{solution.trajectory, {}, solution.state, solution.contact_forces};
  for (const PhaseResult& phase : solution.phases) known.phase_ends.push_back(phase.end);
  return known;
}

bool same_basis(const Trajectory& a, const Trajectory& b) {
  return a.basis().degree() == b.basis().degree() && a.basis().multiplicities() == b.basis().multiplicities();
}

}  // namespace verne
