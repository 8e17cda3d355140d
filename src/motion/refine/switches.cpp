#include "motion/refine/switches.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "motion/refine/sampled_cells.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/costs/peak_effort.h"
#include "motion/verify/limit_uses.h"

namespace verne {

namespace {

constexpr double kNearControl = 0.02, kNearState = 1e-3;  // a limit, of the range between two
constexpr double kLeastJump = 0.05;                       // of the range of the control
constexpr double kShortest = 1e-3;                        // of the duration: switches closer than that are one
constexpr double kOneWay = 0.5;                           // of an acceleration's size that changes the velocity
constexpr double kMuchShorter = 0.2;                      // pulses, where others follow, that get knots as well
constexpr double kHardDriven = 0.5;                       // of its limit: an effort that costs energy will use it all
constexpr double kAtBorder = 1e-3;                        // of that: a switch is not next to an end but there

bool has_range(const Interval& limit) {
  return std::isfinite(limit.upper - limit.lower) && limit.upper > limit.lower;
}

/// 1 and −1 near the upper and lower bound, else 0.
int side_of(double value, const Interval& limit, double share) {
  if (!has_range(limit)) return 0;
  const double near = share * (limit.upper - limit.lower);
  return value > limit.upper - near ? 1 : value < limit.lower + near ? -1 : 0;
}

/// Whether the power of a coordinate costs something: then its effort is at its limit or zero, most of the time.
bool costs_energy(const Task& task, int dof) {
  return std::any_of(task.costs.begin(), task.costs.end(),
                     [&](const CostSpec& cost) { return is_smoothed(cost) && cost.weight > 0 && cost.scale[dof] > 0; });
}

enum class ArcKind { none, end, control, velocity, acceleration, coast };
/// Samples between which a coordinate is at a limit, or coasts: without an effort, where energy costs something; or an
/// end of the stage.
struct Arc {
  ArcKind kind = ArcKind::none;
  int side = 0;  // 1 at the upper, −1 at the lower limit
  int first = 0, last = 0;
};

/// What coordinates that wait do while another one is driven hard.
enum class Others { keep, follow };

/// The switches of one coordinate. What drives it, its *control*, is the jerk where that has limits, else the effort,
/// else the acceleration. Where another quantity is at a limit, the control follows from that.
class CoordinateSwitches {
 public:
  CoordinateSwitches(const Task& task, const SampledCells& sampled, const std::vector<int>& idle, int dof)
      : limits_(task.limits), sampled_(sampled), idle_(idle), dof_(dof) {
    if (has_range(limits_.jerk[dof])) {
      control_ = &sampled.jerk, limit_ = limits_.jerk[dof], order_ = 3;
    } else if (const Interval effort = effort_range(task, dof); has_range(effort)) {
      control_ = &sampled.effort, limit_ = effort, coasts_ = costs_energy(task, dof);
    } else if (has_range(limits_.acceleration[dof])) {
      control_ = &sampled.acceleration, limit_ = limits_.acceleration[dof];
    }
  }

  /// Limits of this coordinate that are worth something.
  void count(const LimitKind& kind) {
    const bool peak = &kind == &kPeakEffortLimit && control_ == &sampled_.effort;
    if (kind.quantity == control_quantity() || peak) {
      pays_[static_cast<std::size_t>(ArcKind::control)] = true;
      pays_[static_cast<std::size_t>(ArcKind::coast)] = coasts_;
    }
    if (kind.quantity == NodeQuantity::velocity) pays_[static_cast<std::size_t>(ArcKind::velocity)] = true;
    if (kind.quantity == NodeQuantity::acceleration) pays_[static_cast<std::size_t>(ArcKind::acceleration)] = true;
  }

  std::vector<Switch> find() {
    if (!control_) return {};
    const std::vector<Arc> all = arcs();
    add_at_ends(all);
    for (std::size_t first = 0; first + 1 < all.size();) {
      std::size_t last = first + 1;
      while (all[last].kind == ArcKind::control) ++last;
      add_between(std::span(all).subspan(first, last - first + 1));
      first = last;
    }
    return std::move(found_);
  }

 private:
  NodeQuantity control_quantity() const {
    return order_ == 3                    ? NodeQuantity::jerk
           : control_ == &sampled_.effort ? NodeQuantity::effort
                                          : NodeQuantity::acceleration;
  }
  double control(int n) const { return (*control_)(dof_, n); }
  double range() const { return limit_.upper - limit_.lower; }
  double start(int n) const { return sampled_.time[n] - sampled_.width[n] / 2; }
  double end(int n) const { return sampled_.time[n] + sampled_.width[n] / 2; }
  bool pays(const Arc& arc) const { return pays_[static_cast<std::size_t>(arc.kind)]; }

  Arc arc_at(int n) const {
    if (const int side = side_of(control(n), limit_, kNearControl)) return {ArcKind::control, side, n, n};
    if (const int side = side_of(sampled_.velocity(dof_, n), limits_.velocity[dof_], kNearState)) {
      return {ArcKind::velocity, side, n, n};
    }
    if (const int side = side_of(sampled_.acceleration(dof_, n), limits_.acceleration[dof_], kNearState)) {
      return {ArcKind::acceleration, side, n, n};
    }
    if (coasts_ && std::abs(control(n)) < kNearControl * range()) return {ArcKind::coast, 0, n, n};
    return {};
  }

  /// All arcs of the motion, from end to end.
  std::vector<Arc> arcs() const {
    std::vector<Arc> arcs{{ArcKind::end, 0, 0, 0}};
    for (int n = 0; n < sampled_.count(); ++n) {
      const Arc arc = arc_at(n);
      if (arc.kind == ArcKind::none) continue;
      const bool same = arc.kind == arcs.back().kind && arc.side == arcs.back().side;
      if (same && (arc.kind != ArcKind::coast || arcs.back().last + 1 == n)) {
        arcs.back().last = n;
      } else {
        arcs.push_back(arc);
      }
    }
    arcs.push_back({ArcKind::end, 0, sampled_.count() - 1, sampled_.count() - 1});
    // An effort that changes its sign is near zero for a moment.
    std::erase_if(
        arcs, [](const Arc& arc) { return arc.kind == ArcKind::coast && arc.last - arc.first < kCellsPerSpan / 2; });
    for (std::size_t k = 1; k < arcs.size();) {
      const bool both = arcs[k - 1].kind == ArcKind::coast && arcs[k].kind == ArcKind::coast;
      if (both) arcs[k - 1].last = arcs[k].last, arcs.erase(arcs.begin() + static_cast<std::ptrdiff_t>(k));
      if (!both) ++k;
    }
    return arcs;
  }

  /// Where the next stage wants another control, a smooth curve leaves its limit too early and gets there too late.
  void add_at_ends(const std::vector<Arc>& arcs) {
    const Arc &first = arcs[1], &last = arcs[arcs.size() - 2];
    if (first.kind == ArcKind::control && first.first > 0 && pays(first)) found_.push_back({start(0), order_});
    const int end_sample = sampled_.count() - 1;
    if (last.kind == ArcKind::control && last.last < end_sample && pays(last)) {
      found_.push_back({end(end_sample), order_});
    }
  }

  /// Between arcs of which only the first and the last are not of the control. To change the velocity takes one pulse
  /// of acceleration, or two of the jerk; if it has fewer arcs, the control is not at its limits yet.
  void add_between(std::span<const Arc> arcs) {
    const int controls = static_cast<int>(arcs.size()) - 2;
    if (controls < order_ - 1) return add_pulses(arcs.front(), arcs.back());
    for (std::size_t k = 0; k + 1 < arcs.size(); ++k) {
      if (arcs[k].kind != ArcKind::end && arcs[k + 1].kind != ArcKind::end) add_jump(arcs[k], arcs[k + 1]);
    }
  }

  /// Samples from arc to arc, with some of the arcs themselves: near a knot that is not quite in the right place, the
  /// control is not quite where it should be; at a limit for a whole span.
  static std::pair<int, int> window(const Arc& before, const Arc& after) {
    const bool limits = before.kind == ArcKind::control && after.kind == ArcKind::control;
    const int beside = limits ? kCellsPerSpan : kCellsPerSpan / 2;
    return {std::max(before.first, before.last - beside), std::min(after.last, after.first + beside)};
  }

  /// What the control would be at a sample, were the coordinate on the arc there: at its limit, or what keeps velocity
  /// or acceleration at theirs.
  double level(const Arc& arc, int n, Others others = Others::keep) const {
    if (arc.kind == ArcKind::control) return bound(arc.side);
    if (arc.kind == ArcKind::coast || order_ == 3) return 0;
    const Interval& limit = limits_.acceleration[dof_];
    const double kept = arc.kind != ArcKind::acceleration ? 0 : arc.side > 0 ? limit.upper : limit.lower;
    if (control_ == &sampled_.acceleration) return kept;
    if (sampled_.mass.size() == 0) return control(std::clamp(n, arc.first, arc.last));
    return control(n) - inertia(n, others) * (sampled_.acceleration(dof_, n) - kept);
  }

  /// What a control of this coordinate feels of the mass matrix: (19d) where others follow.
  double inertia(int n, Others others) const {
    const auto nv = sampled_.velocity.rows();
    const auto mass = sampled_.mass.col(n).reshaped(nv, nv);
    if (others == Others::keep) return mass(dof_, dof_);
    const Eigen::LLT<Eigen::MatrixXd> of_idle(mass(idle_, idle_));
    const Eigen::VectorXd pull = mass(idle_, dof_);
    return mass(dof_, dof_) - of_idle.matrixL().solve(pull).squaredNorm();
  }

  /// What the control gives in a window beyond the level of an arc.
  double impulse_beyond(const Arc& arc, int first, int last, Others others = Others::keep) const {
    double sum = 0;
    for (int n = first; n <= last; ++n) sum += (control(n) - level(arc, n, others)) * sampled_.width[n];
    return sum;
  }

  /// How long a control of such a height takes to give an impulse, from one sample towards another; no longer than to
  /// there.
  template <class Height>
  double time_for(double impulse, int from, int to, Height&& height) const {
    const int step = from <= to ? 1 : -1;
    double time = 0, share = 1;
    for (int n = from; n != to + step && share == 1; n += step) {
      const double most = height(n) * sampled_.width[n];
      if (most * impulse <= 0) break;
      share = std::min(1.0, impulse / most);
      time += share * sampled_.width[n];
      impulse -= share * most;
    }
    return time;
  }

  /// (19)
  void add_jump(const Arc& before, const Arc& after) {
    if (!pays(before) && !pays(after)) return;
    const auto [first, last] = window(before, after);
    if (std::abs(level(after, last) - level(before, first)) < kLeastJump * range()) return;
    const double time = time_for(impulse_beyond(before, first, last), last, first,
                                 [&](int n) { return level(after, n) - level(before, n); });
    found_.push_back({end(last) - time, order_});
  }

  /// (19a), (19b): the same change of velocity with the control at its limits, as early as possible at the start, as
  /// late as possible at the end. Others may follow or not: where that makes much of a difference, both have knots.
  void add_pulses(const Arc& before, const Arc& after) {
    if (!pays(before) && !pays(after)) return;
    const double length = pulse_length(before, after, Others::keep);
    place_pulses(before, after, length);
    if (control_ != &sampled_.effort || sampled_.mass.size() == 0 || idle_.empty()) return;
    const double shorter = pulse_length(before, after, Others::follow);
    if (shorter < kMuchShorter * length) place_pulses(before, after, shorter);
  }
  void place_pulses(const Arc& before, const Arc& after, double longest) {
    const int pulses = order_ - 1;
    const auto [first, last] = window(before, after);
    const double t0 = start(first), t1 = end(last);
    const double length = std::min(longest, (t1 - t0) / pulses);
    const double latest = t1 - pulses * length;
    const double start = before.kind == ArcKind::end ? t0
                         : after.kind == ArcKind::end
                             ? latest
                             : std::clamp(centre(first, last) - pulses * length / 2, t0, latest);
    for (int k = 0; k <= pulses; ++k) found_.push_back({start + k * length, order_});
  }

  /// (19c): pulses around it lead as far as what changes the velocity in a window does; half-way where that goes to and
  /// fro.
  double centre(int first, int last) const {
    double change = 0, size = 0, moment = 0;
    for (int n = first; n <= last; ++n) {
      const double here = sampled_.acceleration(dof_, n) * sampled_.width[n];
      change += here, size += std::abs(here), moment += here * sampled_.time[n];
    }
    return std::abs(change) > kOneWay * size ? moment / change : (start(first) + end(last)) / 2;
  }
  int sample_at(double time, int first, int last) const {
    while (first < last && end(first) < time) ++first;
    return first;
  }

  double pulse_length(const Arc& before, const Arc& after, Others others) const {
    const auto [first, last] = window(before, after);
    if (order_ == 3) {
      const double change = sampled_.velocity(dof_, last) - sampled_.velocity(dof_, first);
      return std::sqrt(std::abs(change) / std::min(std::abs(limit_.upper), std::abs(limit_.lower)));
    }
    const Arc& rest = before.kind == ArcKind::end ? after : before;
    const double impulse = impulse_beyond(rest, first, last, others), limit = bound(impulse > 0 ? 1 : -1);
    const auto height = [&](int n) { return limit - level(rest, n, others); };
    const int middle = sample_at(centre(first, last), first, last);
    const int from = before.kind == ArcKind::end ? first : after.kind == ArcKind::end ? last : middle;
    if (std::abs(height(from)) < kLeastJump * range()) return kInfinity;
    if (from == middle) return 2 * time_for(impulse / 2, middle, last, height);
    return time_for(impulse, from, first + last - from, height);
  }

  double bound(int side) const { return side > 0 ? limit_.upper : limit_.lower; }

  const LimitsSpec& limits_;
  const SampledCells& sampled_;
  const std::vector<int>& idle_;
  int dof_;
  const Eigen::MatrixXd* control_ = nullptr;
  Interval limit_;
  int order_ = 2;
  bool coasts_ = false;
  std::array<bool, 6> pays_{};  // by kind of arc
  std::vector<Switch> found_;
};

/// Of one stage, those of each coordinate one after the other.
std::vector<Switch> switches_in(const Stage& stage, const Trajectory& trajectory,
                                const std::vector<const LimitReport*>& that_pay, const std::vector<int>& idle) {
  if (that_pay.empty()) return {};
  const SampledCells sampled = sample_cells(stage, trajectory);
  std::vector<Switch> found;
  for (int i = 0; i < stage.task.model.nv(); ++i) {
    CoordinateSwitches coordinate(stage.task, sampled, idle, i);
    for (const LimitReport* limit : that_pay) {
      if (limit->name.of == stage.task.model.dof_names()[i]) coordinate.count(*limit->name.known_as);
    }
    const std::vector<Switch> more = coordinate.find();
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

/// Moves a switch that is close to an end of a stage: jerks may jump there, accelerations next to it if not there.
/// Returns whether the switch is worth a knot: what may jump needs none.
bool keep_off(Switch& s, double border, int multiplicity, int degree, double shortest, double inwards) {
  const double apart = std::abs(s.time - border);
  if (apart > shortest) return true;
  s.time = s.order > 2 ? border : border + inwards * shortest;
  return multiplicity < degree + 1 - s.order || (s.order == 2 && apart > kAtBorder * shortest);
}

/// In order, and of those that are close to each other the one that lets more jump.
void sort_and_merge(std::vector<Switch>& switches, double shortest) {
  std::sort(switches.begin(), switches.end(), [](const Switch& a, const Switch& b) { return a.time < b.time; });
  std::vector<Switch> kept;
  for (const Switch& s : switches) {
    if (kept.empty() || s.time - kept.back().time > shortest) {
      kept.push_back(s);
    } else if (s.order < kept.back().order) {
      kept.back() = s;
    }
  }
  switches = std::move(kept);
}

/// The less a curve can bend, the less it uses a limit of effort where short pulses take the least energy.
bool will_pay(const Task& task, const LimitReport& limit) {
  if (limit.name.known_as->quantity != NodeQuantity::effort || limit.utilisation < kHardDriven) return false;
  const auto& names = task.model.dof_names();
  for (int i = 0; i < task.model.nv(); ++i) {
    if (names[i] == limit.name.of) return costs_energy(task, i);
  }
  return false;
}

}  // namespace

std::vector<Switch> find_switches(const std::vector<PlacedStage>& stages, const Trajectory& trajectory,
                                  const std::vector<LimitReport>& limits, double cost, double least_worth,
                                  const std::vector<int>& idle) {
  const double shortest = kShortest * trajectory.duration();
  const int degree = trajectory.basis().degree();
  const auto at_start = [&](int span) {  // of the motion's ends, where anything may jump, too
    const bool inside = span > 0 && span < trajectory.basis().spans();
    return inside ? trajectory.basis().multiplicities()[span - 1] : degree;
  };
  std::vector<Switch> found;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    std::vector<const LimitReport*> that_pay;
    for (const LimitReport& limit : limits) {
      const bool pays = worth(limit, cost) > least_worth || will_pay(stages[k].stage.task, limit);
      if (limit.stage == k && pays) that_pay.push_back(&limit);
    }
    const auto& [first, end] = stages[k].stage.spans;
    const bool ramps = has_effort_rates(stages[k].stage.task);  // no effort may jump
    for (Switch s : switches_in(stages[k].stage, trajectory, that_pay, idle)) {
      if (ramps) s.order = std::max(s.order, 3);
      if (keep_off(s, trajectory.time({first, 0.0}), at_start(first), degree, shortest, 1) &&
          keep_off(s, trajectory.time({end - 1, 1.0}), at_start(end), degree, shortest, -1)) {
        found.push_back(s);
      }
    }
  }
  sort_and_merge(found, shortest);
  return found;
}

}  // namespace verne
