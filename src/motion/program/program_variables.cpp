#include "motion/program/program_variables.h"

#include <algorithm>

#include "motion/program/contact_start.h"
#include "motion/program/duration_function.h"
#include "motion/program/phase_parts.h"
#include "motion/program/program_costs.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

void add_control_points(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const CurveVariables& curve = program.curve;
  const int size = curve.timing(0), last = curve.basis.control_points() - 1;
  nlp::VariableBlock points{"control points", x.head(size), Eigen::VectorXd::Constant(size, -kInfinity),
                            Eigen::VectorXd::Constant(size, kInfinity)};
  for (int i = 0; i < curve.dofs; ++i) {  // the curve begins in its first and ends in its last control point
    for (const auto& [state, c] : {std::pair(&task.start, 0), std::pair(&task.end, last)}) {
      const int k = curve.control_point(c, i);
      points.lower[k] = state->position[i].lower;
      points.upper[k] = state->position[i].upper;
      points.initial[k] = std::clamp(points.initial[k], points.lower[k], points.upper[k]);
    }
  }
  for (int i = 0; i < curve.dofs && !task.held.empty(); ++i) {
    if (!task.held[i]) continue;
    for (int c = 0; c <= last; ++c) {
      const int k = curve.control_point(c, i);
      points.initial[k] = points.lower[k] = points.upper[k] = *task.held[i];
    }
  }
  program.problem.add_variables(std::move(points));
}

void add_whole_duration(Program& program, const Interval& bounds) {
  program.problem.add_constraint({"duration", std::make_unique<DurationFunction>(program.curve),
                                  Eigen::VectorXd::Constant(1, bounds.lower),
                                  Eigen::VectorXd::Constant(1, bounds.upper)});
}

void add_phase_durations(Program& program, const Task& task, nlp::VariableBlock timing) {
  timing.name = "durations of phases";
  timing.lower.resize(timing.initial.size()), timing.upper.resize(timing.initial.size());
  Interval together{0, 0};
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    const Interval& bounds = task.phases[k].duration.bounds;
    timing.lower[k] = bounds.lower, timing.upper[k] = bounds.upper;
    timing.initial[k] = std::clamp(timing.initial[k], bounds.lower, bounds.upper);
    together.lower += bounds.lower, together.upper += bounds.upper;
  }
  program.problem.add_variables(std::move(timing));
  const Interval& all = task.duration.bounds;
  if (together.lower < all.lower || together.upper > all.upper) add_whole_duration(program, all);
  auto parts = std::make_unique<PhaseParts>(program.curve, task.phases);
  if (const int rows = parts->rows(); rows > 0) {
    program.problem.add_constraint({"parts of the duration", std::move(parts), Eigen::VectorXd::Zero(rows),
                                    Eigen::VectorXd::Constant(rows, kInfinity)});
  }
}

void add_timing(Program& program, const Task& task, const Eigen::VectorXd& x) {
  const CurveVariables& curve = program.curve;
  const Interval& duration = task.duration.bounds;
  nlp::VariableBlock timing{"span lengths", x.tail(curve.groups), {}, {}};
  if (curve.groups == 1) {
    timing.name = "duration";
    timing.lower = Eigen::VectorXd::Constant(1, duration.lower);
    timing.upper = Eigen::VectorXd::Constant(1, duration.upper);
    timing.initial[0] = std::clamp(timing.initial[0], duration.lower, duration.upper);
    program.problem.add_variables(std::move(timing));
    return;
  }
  if (!task.phases.empty()) {
    add_phase_durations(program, task, std::move(timing));
    return;
  }
  // Spans of a group share its variable; none may shrink below a fraction of the even spacing.
  const double even = x.tail(curve.groups).dot(Eigen::VectorXd::Ones(curve.groups));
  Eigen::VectorXd whole = Eigen::VectorXd::Zero(curve.groups);
  for (int s = 0; s < curve.basis.spans(); ++s) whole[curve.group[s]] += curve.fraction[s];
  timing.lower.resize(curve.groups);
  timing.upper = Eigen::VectorXd::Constant(curve.groups, duration.upper);
  for (int s = 0; s < curve.basis.spans(); ++s) {
    const double shortest = task.curve.min_spacing * std::min(even, duration.upper) / curve.basis.spans();
    timing.lower[curve.group[s]] = shortest / curve.fraction[s];
  }
  timing.initial = timing.initial.eigen().cwiseMax(timing.lower.eigen()).cwiseMin(timing.upper.eigen());
  program.problem.add_variables(std::move(timing));
  add_whole_duration(program, duration);
}

/// Peaks that cost something, as large as the guess has them at the nodes; they stand behind the curve.
void add_peaks(Program& program, const Task& task, const Grid& grid, const Trajectory& guess) {
  const auto count = std::count_if(task.costs.begin(), task.costs.end(), is_peak);
  if (count == 0) return;
  Eigen::VectorXd peaks = Eigen::VectorXd::Zero(count);
  for (const PlacedStage& in : program.stages) {
    Measuring measuring(in.stage.task, guess, in.stage.spans,
                        [&](ChannelLayout& channels) { return peak_limits(in.stage.task, channels); });
    std::vector<Place> nodes;
    std::copy_if(grid.nodes.begin(), grid.nodes.end(), std::back_inserter(nodes),
                 [&](const Place& node) { return in.stage.spans.holds(node); });
    const Eigen::MatrixXd efforts = measuring.at(nodes);
    for (std::size_t t = 0; t < measuring.terms().size(); ++t) {
      double& peak = peaks[measuring.terms()[t]->part_of_peak().peak];
      const double scale = measuring.terms()[t]->rate();
      peak = std::max(peak, scale * efforts.row(static_cast<Eigen::Index>(t)).lpNorm<Eigen::Infinity>());
    }
  }
  const double largest = peaks.maxCoeff();
  program.problem.add_variables({"peaks", peaks, Eigen::VectorXd::Zero(count),
                                 Eigen::VectorXd::Constant(count, kInfinity), largest > 0 ? largest : 1});
}

void add_contact_forces(Program& program, const ContactForces& known, const Trajectory& guess) {
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    Stage& stage = program.stages[k].stage;
    stage.first_contact = program.problem.variables();
    const ContactCurve contacts = channels_on(stage, program.curve).ground().contacts();
    if (contacts.size() == 0) continue;
    const bool is_known = k < known.size() && known[k] && known[k]->coordinates() == contacts.components();
    Eigen::VectorXd initial =
        is_known ? contacts.variables(*known[k]) : contacts.variables(components_by_rule(stage, guess, contacts));
    Eigen::VectorXd least(contacts.size()), most(contacts.size());
    for (int v = 0; v < contacts.size(); ++v) {
      const int component = v % contacts.components();
      const Interval bounds = contacts.bounds(component);
      least[v] = bounds.lower, most[v] = bounds.upper;
      if (!contacts.borne(v / contacts.components(), component)) initial[v] = most[v] = 0;
    }
    program.problem.add_variables({"contact forces", std::move(initial), std::move(least), std::move(most)});
  }
}

}  // namespace

Eigen::VectorXd add_variables(Program& program, const Task& task, const Grid& grid, const Trajectory& guess) {
  Eigen::VectorXd x = grid.curve.variables(guess);
  add_control_points(program, task, x);
  add_timing(program, task, x);
  add_peaks(program, task, grid, guess);
  add_contact_forces(program, grid.forces, guess);
  const Eigen::Index more = program.problem.variables() - x.size();
  x.conservativeResize(program.problem.variables());
  x.tail(more) = program.problem.initial().eigen().tail(more);
  return x;
}

}  // namespace verne
