// A velocity v with v(0) ≤ a, v(T) ≤ b, v ≤ c and −d ≤ v' ≤ g is at most min(c, a + g t, b + d (T − t)) at every time
// t. The integral S(T) of that is how far one gets at most. S is convex, since dS/dT is the largest value of the
// minimum, which never falls with T: where S(T₁) and S(T₂) do not suffice, nothing between T₁ and T₂ does.
#include "motion/guess/too_short.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/task/part_names.h"

namespace verne {

namespace {

constexpr double kToleratedOfLimit = 1e-3;                // of a limit: verification passes so much
constexpr double kShortestLeg = 1e-9, kLongestLeg = 1e9;  // s
constexpr int kBisections = 60;
constexpr double kNoRoom = 1e-9;  // relative: differences of times that are none

/// A state that is given, at a part of a stretch of time.
struct Given {
  const StateSpec* state;
  std::string name;
  double at;
};

/// From one given state to a later one.
struct Leg {
  Given from, to;
  Interval time;
  std::string of_time;  ///< the part of the task that gives the time
};

double on_line(double value, double slope, double t) {
  return value + slope * t;
}

Interval negative(const Interval& x) {
  return {-x.upper, -x.lower};
}

/// Limits of velocity and acceleration, with what is tolerated beyond them.
struct Bounds {
  Interval velocity, acceleration;
  Bounds downwards() const { return {negative(velocity), negative(acceleration)}; }
};

Interval with_tolerance(const Interval& x) {
  return {x.lower - kToleratedOfLimit * std::abs(x.lower), x.upper + kToleratedOfLimit * std::abs(x.upper)};
}

/// What there is between two states of a freedom, upwards.
struct Course {
  Interval from, to, velocity_from, velocity_to;
  Course downwards() const { return {negative(from), negative(to), negative(velocity_from), negative(velocity_to)}; }
  Rise within(const Bounds& bounds) const {
    const double fastest = bounds.velocity.upper;
    return {to.lower - from.upper,
            std::min(velocity_from.upper, fastest),
            std::min(velocity_to.upper, fastest),
            fastest,
            bounds.acceleration.upper,
            -bounds.acceleration.lower};
  }
  /// That the velocity has to grow by.
  double faster() const { return velocity_to.lower - velocity_from.upper; }
};

/// Whether no time within these bounds suffices.
bool never_suffices(const Rise& rise, const Interval& time) {
  if (!(rise.way > -kInfinity) || rise.gain < 0 || rise.loss < 0) return false;
  return farthest(rise, time.lower) < rise.way && farthest(rise, time.upper) < rise.way;
}

/// What a freedom lacks between two states.
struct Lack {
  double time = 0, least = 0;
  bool of_velocity = false, of_acceleration = false;
};

/// `exact`: without what is tolerated.
Lack lack_of(const Course& course, const Bounds& exact, const Bounds& bounds, const Interval& time) {
  const double gain = bounds.acceleration.upper;
  if (gain > 0 && course.faster() > gain * time.upper) {
    const double least = course.faster() / exact.acceleration.upper;
    return {least - time.upper, least, false, true};
  }
  if (!never_suffices(course.within(bounds), time)) return {};
  Lack lack;
  lack.least = least_time_above(course.within(exact), time.upper);
  lack.time = lack.least - time.upper;
  // A limit that is not needed for the conflict is no part of it.
  lack.of_acceleration = !never_suffices(course.within({bounds.velocity, {}}), time);
  const Interval acceleration = lack.of_acceleration ? bounds.acceleration : Interval{};
  lack.of_velocity = !never_suffices(course.within({{}, acceleration}), time);
  return lack;
}

class Legs {
 public:
  explicit Legs(const Task& task) : task_(task) {}

  std::optional<Conflict> worst() && {
    const std::vector<Stage> all = stages(task_, phase_of_spans(task_));
    std::string before = "start";
    const StateSpec* start = &task_.start;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool last = k + 1 == all.size();
      const std::string phase = task_.phases.empty() ? "" : task_.phases[k].name;
      const std::string after = last ? "end" : "end of " + phase;
      look_at_stage(all[k].task, {start, before, 0}, {last ? &task_.end : &task_.phases[k].end, after, 1},
                    phase.empty() ? task_.duration.bounds : task_.phases[k].duration.bounds, phase);
      if (!last) start = &task_.phases[k].end;
      before = after;
    }
    if (!task_.phases.empty()) {
      look({{&task_.start, "start", 0}, {&task_.end, "end", 1}, task_.duration.bounds, "duration"}, loosest_limits());
    }
    return std::move(worst_);
  }

 private:
  void look_at_stage(const Task& here, const Given& start, const Given& end, const Interval& duration,
                     const std::string& phase) {
    const std::string where = phase.empty() ? "" : " in " + phase;
    std::vector<Given> given{start};
    // Free knots take via points with them: nobody knows when these are passed.
    for (const ViaSpec& via : here.via) {
      if (via.at > 0 && via.at < 1 && !task_.curve.free_knots)
        given.push_back({&via.state, part_of_via(via) + where, via.at});
    }
    given.push_back(end);
    const std::string of_time = phase.empty() ? "duration" : "duration of " + phase;
    for (std::size_t b = 1; b < given.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        const double part = given[b].at - given[a].at;
        if (!(part > 0)) continue;
        look({given[a], given[b], {part * duration.lower, part * duration.upper}, of_time}, here.limits);
      }
    }
  }

  /// Those of all phases together.
  LimitsSpec loosest_limits() const {
    LimitsSpec loosest = task_.phases.front().limits;
    const auto loosen = [](std::vector<Interval>& all, const std::vector<Interval>& more) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = {std::min(all[i].lower, more[i].lower), std::max(all[i].upper, more[i].upper)};
      }
    };
    for (const PhaseSpec& phase : task_.phases) {
      loosen(loosest.velocity, phase.limits.velocity);
      loosen(loosest.acceleration, phase.limits.acceleration);
    }
    return loosest;
  }

  void look(const Leg& leg, const LimitsSpec& limits) {
    if (!(leg.time.upper < kInfinity)) return;
    for (std::size_t i = 0; i < limits.velocity.size(); ++i) {
      if (i < task_.held.size() && task_.held[i]) continue;
      const StateSpec &from = *leg.from.state, &to = *leg.to.state;
      const Course up{from.position[i], to.position[i], from.velocity[i], to.velocity[i]};
      const Bounds exact{limits.velocity[i], limits.acceleration[i]};
      const Bounds wide{with_tolerance(exact.velocity), with_tolerance(exact.acceleration)};
      const Lack rising = lack_of(up, exact, wide, leg.time);
      const Lack falling = lack_of(up.downwards(), exact.downwards(), wide.downwards(), leg.time);
      keep(leg, i, rising.time > falling.time ? rising : falling);
    }
  }

  void keep(const Leg& leg, std::size_t dof, const Lack& lack) {
    if (!(lack.time > (worst_ ? worst_->amount : kNoRoom * leg.time.upper))) return;
    const std::string name(task_.model.dof_names()[dof]);
    Conflict conflict;
    conflict.parts = {leg.from.name, leg.to.name, leg.of_time};
    if (lack.of_velocity) conflict.parts.push_back("velocity of " + name);
    if (lack.of_acceleration) conflict.parts.push_back("acceleration of " + name);
    conflict.missed = leg.of_time;
    conflict.unit = "s";
    conflict.amount = lack.time;
    conflict.reason =
        lack.least < kInfinity
            ? fmt::format("{} takes at least {:.4g} s from {} to {}", name, lack.least, leg.from.name, leg.to.name)
            : fmt::format("{} never gets from {} to {}", name, leg.from.name, leg.to.name);
    worst_ = std::move(conflict);
  }

  const Task& task_;
  std::optional<Conflict> worst_;
};

}  // namespace

double farthest(const Rise& rise, double time) {
  const auto most = [&](double t) {
    return std::min({rise.fastest, on_line(rise.first, rise.gain, t), on_line(rise.last, rise.loss, time - t)});
  };
  const auto crossing = [](double rest, double slope) { return slope > 0 && slope < kInfinity ? rest / slope : 0.0; };
  // Pieces of a minimum of three lines: linear between their crossings, so that the middle tells all of each.
  std::array<double, 5> ends{0, crossing(rise.fastest - rise.first, rise.gain),
                             time - crossing(rise.fastest - rise.last, rise.loss),
                             crossing(rise.last - rise.first + rise.loss * time, rise.gain + rise.loss), time};
  for (double& end : ends) end = std::isfinite(end) ? std::clamp(end, 0.0, time) : 0;
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const double length = ends[k] - ends[k - 1];
    if (length > 0) sum += length * most((ends[k] + ends[k - 1]) / 2);
  }
  return sum;
}

double least_time_above(const Rise& rise, double time) {
  double low = time, high = time > 0 ? 2 * time : kShortestLeg;
  while (farthest(rise, high) < rise.way) {
    if (high > kLongestLeg) return kInfinity;
    low = high, high *= 2;
  }
  for (int k = 0; k < kBisections; ++k) {
    const double middle = (low + high) / 2;
    (farthest(rise, middle) < rise.way ? low : high) = middle;
  }
  return high;
}

std::optional<Conflict> too_short(const Task& task) {
  return Legs(task).worst();
}

}  // namespace verne
