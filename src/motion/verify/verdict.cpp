#include "motion/verify/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "motion/program/program.h"
#include "motion/values/measuring.h"
#include "motion/values/sample_stages.h"
#include "motion/verify/fatigue_check.h"
#include "motion/verify/pose_check.h"

namespace verne {

namespace {

// What is passed: of a limit; of the largest effort, velocity, … in the motion; and m or rad of a place or angle.
constexpr double kTolerated = 1e-3;
constexpr double kNoError =
    1e-6;  // an error of an equation that is none, in any unit: of motions that are nearly at rest
constexpr double kLoopTolerated = 1e-4;     // m or rad, that a loop is open between the places where it is closed
constexpr double kGripTolerated = 5e-4;     // the same of a second hand: skin gives way by more
constexpr double kBalanceTolerated = 0.01;  // of the weight, and of that times 1 m: what contacts leave over
constexpr std::size_t kNamed = 4;           // kinds of what a motion fails at, in its message
constexpr int kVerdictSamples = 400;        // for the largest values in the motion

/// Largest sizes in a motion, over all coordinates; found when they are asked for.
class Largest {
 public:
  Largest(const Trajectory& trajectory, const std::vector<PlacedStage>& stages)
      : trajectory_(trajectory), stages_(stages) {}

  /// The error of an equation that is passed.
  double tolerated(const LimitKind& kind) {
    const NodeQuantity quantity = kind.quantity.value_or(NodeQuantity::position);
    const double scale = quantity == NodeQuantity::position ? 1
                         : quantity == NodeQuantity::effort ? effort()
                                                            : derivative(static_cast<int>(quantity));
    return std::max(kTolerated * scale, kNoError);
  }

 private:
  double derivative(int order) {
    std::optional<double>& largest = derivatives_[static_cast<std::size_t>(order)];
    if (largest) return *largest;
    largest = 0;
    for (int n = 0; n < kVerdictSamples; ++n) {
      const double time = trajectory_.duration() * n / (kVerdictSamples - 1);
      largest = std::max(*largest, trajectory_.at(time, order).lpNorm<Eigen::Infinity>());
    }
    return *largest;
  }
  double effort() {
    if (effort_) return *effort_;
    std::vector<Stage> stages;
    for (const PlacedStage& in : stages_) stages.push_back(in.stage);
    effort_ = sample_stages(stages, trajectory_, kVerdictSamples).tau.eigen().cwiseAbs().maxCoeff();
    return *effort_;
  }

  const Trajectory& trajectory_;
  const std::vector<PlacedStage>& stages_;
  std::array<std::optional<double>, kSplineOrders> derivatives_;
  std::optional<double> effort_;
};

class Findings {
 public:
  Findings(const Task& task, const Trajectory& trajectory, const std::vector<PlacedStage>& stages)
      : task_(task), trajectory_(trajectory), largest_(trajectory, stages) {}

  void add_limit(const LimitName& name, double time, double value, const Interval& bounds) {
    if (excess_of(value, bounds) <= 0) return;
    const double bound = nearer_bound(value, bounds), scale = scale_of(bound, bounds);
    all_.push_back({name.kind + " of " + name.of, name.unit, time, value, bound, allowed(0) * scale,
                    allowed(kTolerated) * scale, true});
  }
  void add_equation(const LimitName& name, double time, double value, double bound) {
    if (value == bound) return;
    const bool loop = name.known_as == &kLoop;
    const double tolerated = loop                               ? kLoopTolerated
                             : name.known_as == &kGrip          ? kGripTolerated
                             : name.known_as == &kGroundBalance ? kBalanceTolerated * weight()
                                                                : largest_.tolerated(*name.known_as);
    all_.push_back(
        {name.kind + " of " + name.of, name.unit, time, value, bound, loop ? kNoError : tolerated, tolerated});
  }
  /// What a state fixes or bounds at a place.
  void add_state(const Place& place, const StateSpec& state) {
    Measuring measuring(task_, trajectory_, {0, trajectory_.basis().spans()},
                        [&](ChannelLayout& channels) { return state_limits(task_, state, true, channels); });
    const Eigen::MatrixXd measured = measuring.at({place});
    for (Eigen::Index t = 0; t < measured.rows(); ++t) {
      const LimitTerm& term = *measuring.terms()[t];
      const Interval bounds = term.measured_bounds();
      if (bounds.fixed()) {
        add_equation(term.name(), trajectory_.time(place), measured(t, 0), bounds.upper);
      } else {
        add_limit(term.name(), trajectory_.time(place), measured(t, 0), bounds);
      }
    }
  }
  /// Tolerances of a frame on the way are limits like others, and were added as such.
  void add_frame(const FrameGoalSpec& frame, const FrameError& error) {
    const auto add = [&](const char* what, const char* unit, const std::optional<double>& off, double tolerance) {
      const bool exact = tolerance == 0;
      if (!off || *off <= tolerance || (frame.when.path && !exact)) return;
      const double tolerated = exact ? kTolerated : std::max(allowed(kTolerated) * tolerance, kNoError);
      const double asked = exact ? tolerated : std::max(allowed(0) * tolerance, kNoError);
      all_.push_back({std::string(what) + error.frame, unit, error.time, *off, tolerance, asked, tolerated});
    };
    add("position error of ", "m", error.position, error.position_tolerance);
    add("orientation error of ", "rad", error.angle, error.angle_tolerance);
    add("velocity error of ", "m/s", error.velocity, 0);
  }
  void add_periodicity(const PeriodicSpec& periodic) {
    constexpr NodeQuantity kQuantities[] = {NodeQuantity::position, NodeQuantity::velocity, NodeQuantity::acceleration};
    constexpr const char* kPer[] = {"", "/s", "/s²"};
    for (int order = 0; order < (periodic.acceleration ? 3 : 2); ++order) {
      const Eigen::VectorXd start = trajectory_.at(0.0, order), end = trajectory_.at(trajectory_.duration(), order);
      for (std::size_t k = 0; k < periodic.dofs.size(); ++k) {
        const int dof = periodic.dofs[k];
        const double difference = periodic.difference[k] + periodic.speed[k] * trajectory_.duration();
        const LimitName name{kind_of(kQuantities[order]), std::string(task_.model.dof_names()[dof]) + " after a period",
                             std::string(position_unit(task_.model, dof)) + kPer[order]};
        add_equation(name, trajectory_.duration(), end[dof] - periodic.sign[k] * start[periodic.partner[k]],
                     order == 0 ? difference : 0);
      }
    }
  }

  std::vector<Finding> worst_first() && {
    std::stable_sort(all_.begin(), all_.end(), [](const Finding& a, const Finding& b) {
      return a.amount() * b.tolerated > b.amount() * a.tolerated;
    });
    return std::move(all_);
  }

 private:
  double weight() const {
    const Vec3<double> g = task_.model.gravity();
    return task_.model.mass() * std::sqrt(dot(g, g));
  }
  /// Relative to a limit: what the task asks for, at least.
  double allowed(double at_least) const { return std::max(task_.refine.tolerance, at_least); }

  const Task& task_;
  const Trajectory& trajectory_;
  Largest largest_;
  std::vector<Finding> all_;
};

std::string text_of(const Finding& f, double allowed) {
  return fmt::format("{} at {:.4g} s is {:.6g} {}, asked for {:.6g}: off by {:.2g} {}, allowed {:.2g}", f.name, f.time,
                     f.value, f.unit, f.bound, f.amount(), f.unit, allowed);
}

/// What a motion that is no success fails at: the worst of each kind, worst first.
std::string unmet(const std::vector<Finding>& findings) {
  std::vector<std::string> named;
  std::string text;
  for (const Finding& f : findings) {
    if (f.amount() <= f.tolerated || named.size() == kNamed) break;
    if (std::find(named.begin(), named.end(), f.name) != named.end()) continue;
    named.push_back(f.name);
    text += fmt::format("{}{} (off by {:.2g} {} at {:.4g} s)", text.empty() ? "" : ", ", f.name, f.amount(), f.unit,
                        f.time);
  }
  return text;
}

/// What is not even tolerated, worst first.
void list_violations(const std::vector<Finding>& findings, Solution& solution) {
  solution.violations.clear();
  for (const Finding& f : findings) {
    if (f.amount() <= f.tolerated) break;
    solution.violations.push_back(
        {fmt::format("{} at {:.4g} s", f.name, f.time), f.value, f.bound, f.amount(), f.unit});
  }
}

}  // namespace

double Finding::amount() const {
  return std::isnan(value) ? kInfinity : std::abs(value - bound);
}

double Measured::misfit() const {
  double largest = 0;
  for (const Finding& f : findings) largest = std::max(largest, f.amount() / f.asked);
  return largest;
}

double Measured::misfit_of_equations() const {
  double largest = 0;
  for (const Finding& f : findings) largest = std::max(largest, f.of_limit ? 0 : f.amount() / f.asked);
  return largest;
}

Measured measure(const Task& task, const Trajectory& trajectory, const std::vector<PlacedStage>& stages) {
  Measured out;
  Findings findings(task, trajectory, stages);
  const std::vector<Place> imposed = equation_nodes(trajectory);
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const PlacedStage& in = stages[k];
    const Task& here = in.stage.task;
    const SpanRange& spans = in.stage.spans;
    for (LimitReport& r : check_limits(here, trajectory, spans, in.nodes, task.refine.tolerance)) {
      findings.add_limit(r.name, r.worst_time, r.worst_value, r.bounds);
      r.stage = k;
      out.limits.push_back(std::move(r));
    }
    for (EquationReport& r : check_equations(here, trajectory, spans, imposed)) {
      const bool of_frame = r.name.known_as->part_of_frame;
      if (!of_frame) findings.add_equation(r.name, r.time, r.value, r.asked);  // frames: by other means
      out.equations.push_back(std::move(r));
    }
    const std::vector<FrameError> frames = check_frames(here, trajectory, in.frames, dense_places(spans, in.nodes));
    for (std::size_t f = 0; f < frames.size(); ++f) findings.add_frame(here.frames[f], frames[f]);
    out.frames.insert(out.frames.end(), frames.begin(), frames.end());
    for (std::size_t v = 0; v < here.via.size(); ++v) findings.add_state(in.via[v], here.via[v].state);
  }
  for (LimitReport& r : check_fatigue(task, trajectory, stages)) {  // behind all that have LimitNumbers
    findings.add_limit(r.name, r.worst_time, r.worst_value, r.bounds);
    out.limits.push_back(std::move(r));
  }
  findings.add_state({0, 0.0}, task.start);
  findings.add_state({trajectory.basis().spans() - 1, 1.0}, task.end);
  if (task.periodic) findings.add_periodicity(*task.periodic);
  out.findings = std::move(findings).worst_first();
  return out;
}

void judge(const Measured& measured, Solution& solution) {
  if (!solution.success() && solution.status != nlp::Status::interrupted) {
    const std::string fails = unmet(measured.findings);
    const bool rows_fail = solution.status == nlp::Status::infeasible || solution.status == nlp::Status::not_found;
    if (!fails.empty()) {
      solution.message += "; not met: " + fails;
    } else if (!rows_fail) {
      solution.message += "; all that was asked for is met";
    }
    // Quantities as people know them instead of the program's rows, unless rows know better why there is no solution
    if (!fails.empty() || !rows_fail) list_violations(measured.findings, solution);
  }
  if (!solution.success() || measured.findings.empty()) return;
  const Finding& worst = measured.findings.front();
  if (worst.amount() <= worst.tolerated) {
    for (const Finding& f : measured.findings) {
      if (f.amount() <= f.asked) continue;
      solution.status = nlp::Status::acceptable;
      solution.message = "warning: " + text_of(f, f.asked);
      return;
    }
    return;
  }
  solution.status = nlp::Status::not_verified;
  solution.message = text_of(worst, worst.tolerated);
  list_violations(measured.findings, solution);
}

}  // namespace verne
