#include "motion/guess/ways.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "motion/guess/inverse_kinematics.h"
#include "motion/terms/node_term.h"
#include "structures/collision_shapes.h"

namespace verne {

namespace {

constexpr std::size_t kStarts = 8, kWays = 24;  // postures to begin with, and ways in all, that are tried
constexpr int kLoops = 5;
constexpr double kLoopWidth = 0.3, kLeastRange = 0.5;  // of what a freedom moves, which is at least so much
constexpr double kSamePlace = 1e-6;
constexpr int kClosedPostures = 8;  // parts of the motion between which loops are closed
constexpr int kPathPostures =
    4;  // parts of the motion, or a phase, between which a frame that is held all the way is put in place

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

Interval common(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

std::vector<Interval> bounds_at(const Task& task, double fraction) {
  std::vector<Interval> bounds = task.limits.position;
  const auto narrow = [&](const StateSpec& state) {
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = common(bounds[i], state.position[i]);
  };
  for (std::size_t i = 0; i < task.held.size(); ++i) {
    if (task.held[i]) bounds[i] = {*task.held[i], *task.held[i]};
  }
  if (fraction == 0) narrow(task.start);
  if (fraction == 1) narrow(task.end);
  for (const ViaSpec& via : task.via) {
    if (via.at == fraction) narrow(via.state);
  }
  return bounds;
}

/// Unless all do: then others say so.
void leave_touching_out(const Task& task, double fraction, std::vector<Eigen::VectorXd>& postures) {
  Collisions collisions = task.shapes->collisions;
  const auto touches = [&](const Eigen::VectorXd& q) {
    return std::ranges::any_of(phases_at(task, fraction), [&](int phase) {
      collisions.enter(phase);
      return collisions.touch(q).has_value();
    });
  };
  if (!std::ranges::all_of(postures, touches)) std::erase_if(postures, touches);
}

/// Postures at a fraction of the duration near `wish`, the nearest first: as a state says and with every frame that has
/// a place there at it. Just one when there is no such frame, or no such posture.
std::vector<Eigen::VectorXd> postures_at(const Task& task, double fraction, Eigen::VectorXd wish) {
  const std::vector<Interval> bounds = bounds_at(task, fraction);
  for (std::size_t i = 0; i < bounds.size(); ++i) wish[i] = inside(bounds[i], wish[i]);
  std::vector<const FrameGoalSpec*> frames;
  for (const FrameGoalSpec& frame : task.frames) {
    if (frame.of_posture() && (frame.when.path || frame.when.at == fraction)) frames.push_back(&frame);
  }
  std::vector<Eigen::VectorXd> postures;
  if (!frames.empty() || task.mechanism) postures = postures_for(task, fraction, frames, bounds, wish);
  if (task.shapes && !postures.empty()) leave_touching_out(task, fraction, postures);
  if (postures.empty()) postures.push_back(wish);
  return postures;
}

/// Fractions at which the task says something.
std::vector<double> fractions_said(const Task& task) {
  std::vector<double> all;
  for (const ViaSpec& via : task.via) all.push_back(via.at);
  for (const FrameGoalSpec& frame : task.frames) {
    if (!frame.when.path) all.push_back(frame.when.at);
  }
  return all;
}

/// Evenly many where a frame is held all the way, or loops are closed.
std::vector<double> fractions_all_the_way(const Task& task) {
  std::vector<double> all;
  const auto add = [&](int parts) {
    for (int k = 1; k < parts; ++k) all.push_back(double(k) / parts);
  };
  if (std::ranges::any_of(task.frames, [](const FrameGoalSpec& frame) { return frame.when.path; })) {
    add(kPathPostures * std::max(1, static_cast<int>(task.flattened.size())));
  }
  if (task.mechanism) add(kClosedPostures);
  return all;
}

/// Puts postures on a way, near it as it is.
void add_postures(const Task& task, std::vector<double> fractions, Way& way) {
  const Way line = way;
  std::ranges::sort(fractions);
  for (const double at : fractions) {
    const auto after = std::ranges::lower_bound(way.at, at);
    if (after == way.at.end() || *after == at || after == way.at.begin()) continue;
    const auto k = after - way.at.begin();
    way.at.insert(after, at);
    way.postures.insert(way.postures.begin() + k, postures_at(task, at, line(at)).front());
  }
}

/// The posture that a mechanism ends in: what the end says of its joints is approached step by step, so that it stays
/// assembled as it was.
Eigen::VectorXd followed(const Task& task, Eigen::VectorXd posture) {
  const std::vector<Interval> end = bounds_at(task, 1);
  for (int left = kClosedPostures; left > 1; --left) {
    std::vector<Interval> bounds = task.limits.position;
    for (std::size_t i = 0; i < end.size(); ++i) {
      if (!end[i].fixed()) continue;
      posture[i] += (end[i].lower - posture[i]) / left;
      bounds[i] = {posture[i], posture[i]};
    }
    const std::vector<Eigen::VectorXd> closed = postures_for(task, 1, {}, bounds, posture);
    if (!closed.empty()) posture = closed.front();
  }
  return posture;
}

/// Pairs of postures to begin and to end with, the nearest ones first.
std::vector<Way> lines(const Task& task) {
  Eigen::VectorXd wish(task.model.nv());
  for (int i = 0; i < wish.size(); ++i) {
    const Interval &from = task.start.position[i], &to = task.end.position[i];
    const double rest = resting(task.limits.position[i]);
    wish[i] = from.bounded() || !to.bounded() ? rest : inside(to, rest);
  }
  if (task.mechanism) wish = task.mechanism->home().eigen();
  const std::vector<Eigen::VectorXd> starts = postures_at(task, 0, wish);
  std::vector<Way> all;
  for (std::size_t k = 0; k < std::min(starts.size(), kStarts); ++k) {
    const Eigen::VectorXd near_end = task.mechanism ? followed(task, starts[k]) : starts[k];
    for (const Eigen::VectorXd& end : postures_at(task, 1, near_end)) all.push_back({{0, 1}, {starts[k], end}});
  }
  std::stable_sort(all.begin(), all.end(), [](const Way& a, const Way& b) { return a.length() < b.length(); });
  if (all.size() > kWays) all.resize(kWays);
  return all;
}

/// As the task's own guess says.
Way through_guess(const Task& task) {
  Way way;
  const Eigen::Map<const Eigen::MatrixXd> guess = task.guess->eigen();
  for (int k = 0; k < guess.cols(); ++k) {
    way.at.push_back(guess.cols() > 1 ? double(k) / (guess.cols() - 1) : 0);
    way.postures.push_back(guess.col(k));
  }
  if (guess.cols() == 1) {
    const Way line = lines(task).front();
    way = {{0, 0.5, 1}, {line.postures.front(), guess.col(0), line.postures.back()}};
  }
  way.postures.front() = postures_at(task, 0, way.postures.front()).front();
  way.postures.back() = postures_at(task, 1, way.postures.back()).front();
  return way;
}

}  // namespace

Eigen::VectorXd Way::operator()(double fraction) const {
  std::size_t k = 1;
  while (k + 1 < at.size() && at[k] < fraction) ++k;
  const double h = at[k] - at[k - 1], u = std::clamp((fraction - at[k - 1]) / h, 0.0, 1.0);
  // The harmonic mean of the slopes on both sides, none where they differ in sign: no freedom swings farther than that.
  const auto slope = [&](std::size_t n, Eigen::Index i) {
    if (n == 0 || n + 1 == at.size()) return 0.0;
    const double before = (postures[n][i] - postures[n - 1][i]) / (at[n] - at[n - 1]);
    const double after = (postures[n + 1][i] - postures[n][i]) / (at[n + 1] - at[n]);
    return before * after > 0 ? 2 * before * after / (before + after) : 0.0;
  };
  const double u3 = u * u * u, end = u3 * (10 + u * (6 * u - 15));
  const double speed_0 = u - u3 * (6 + u * (3 * u - 8)), speed_1 = u3 * (u * (7 - 3 * u) - 4);
  Eigen::VectorXd q(postures[k].size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    q[i] = postures[k - 1][i] + (postures[k][i] - postures[k - 1][i]) * end +
           h * (slope(k - 1, i) * speed_0 + slope(k, i) * speed_1);
  }
  return q;
}

std::vector<int> phases_at(const Task& task, double fraction) {
  constexpr double kRounding = 1e-9;
  std::vector<int> all;
  double begins = 0;
  for (std::size_t k = 0; k < task.flattened.size(); ++k) {
    const double ends = task.flattened[k];
    if (fraction > begins - kRounding && fraction < ends + kRounding) all.push_back(static_cast<int>(k));
    begins = ends;
  }
  return all.empty() ? std::vector<int>{0} : all;
}

double Way::length() const {
  double sum = 0;
  for (std::size_t k = 1; k < postures.size(); ++k) sum += (postures[k] - postures[k - 1]).norm();
  return sum;
}

std::vector<Way> ways_of(const Task& task) {
  if (task.guess) return {through_guess(task)};
  std::vector<Way> all = lines(task);
  for (Way& way : all) {
    add_postures(task, fractions_said(task), way);
    add_postures(task, fractions_all_the_way(task), way);  // between what is said, not beside it
    Way unwound = way;  // what is nearest to the line may be a turn away from the one before
    for (std::size_t k = 1; k < way.at.size(); ++k) {
      unwind(task.model, bounds_at(task, way.at[k]), unwound.postures[k - 1], unwound.postures[k]);
    }
    if (unwound.length() < way.length()) way = std::move(unwound);
  }
  return all;
}

std::vector<Way> loops(const Task& task, const Way& way) {
  if (way.postures.size() < 3 || (way.postures.back() - way.postures.front()).norm() > kSamePlace) return {};
  Eigen::VectorXd low = way.postures.front(), high = low;
  for (const Eigen::VectorXd& q : way.postures) low = low.cwiseMin(q), high = high.cwiseMax(q);
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 * 2 - 1; };
  std::vector<Way> all;
  for (int k = 0; k < kLoops; ++k) {
    Eigen::VectorXd aside(low.size());
    for (Eigen::Index i = 0; i < aside.size(); ++i) {
      aside[i] = kLoopWidth * std::max(high[i] - low[i], kLeastRange) * uniform();
    }
    Way loop{{0}, {way.postures.front()}};
    for (std::size_t n = 1; n < way.at.size(); ++n) {
      const double middle = (way.at[n - 1] + way.at[n]) / 2;
      Eigen::VectorXd q = way(middle) + (middle < 0.5 ? aside : -aside);
      for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = inside(task.limits.position[i], q[i]);
      loop.at.insert(loop.at.end(), {middle, way.at[n]});
      loop.postures.insert(loop.postures.end(), {q, way.postures[n]});
    }
    all.push_back(std::move(loop));
  }
  return all;
}

}  // namespace verne
