#include "motion/program/program.h"

#include <algorithm>
#include <cmath>

#include "motion/curve/quadrature.h"
#include "motion/program/corridor_limits.h"
#include "motion/program/fatigue_rows.h"
#include "motion/program/implied_limits.h"
#include "motion/program/periodicity.h"
#include "motion/program/program_costs.h"
#include "motion/program/program_variables.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/own_terms.h"
#include "motion/values/measuring.h"

namespace verne {

namespace {

NodeLimits* add_limits(nlp::Problem& problem, const std::string& name, const Stage& stage,
                       const ChannelLayout& channels, const CurveVariables& curve, std::vector<Place> places,
                       LimitTerms terms, std::span<const double> tightening = {},
                       const std::vector<TermAtNode>& implied = {}) {
  if (terms.empty() || places.empty()) return nullptr;
  auto limits =
      std::make_unique<NodeLimits>(stage.task.model, channels, curve, std::move(places), std::move(terms), stage.spans);
  for (const auto& [term, node] : implied) limits->leave_out(term, node);
  NodeLimits* const kept = limits.get();
  NodeLimits::Bounds bounds = limits->bounds(tightening);
  problem.add_constraint({name, std::move(limits), std::move(bounds.lower), std::move(bounds.upper)});
  return kept;
}

void add_periodicity(Program& program, const Task& task) {
  const auto& names = task.model.dof_names();
  auto periodicity = std::make_unique<Periodicity>(program.curve, *task.periodic,
                                                   std::vector<std::string>(names.begin(), names.end()));
  const Eigen::VectorXd difference = periodicity->differences();
  program.problem.add_constraint({"periodicity", std::move(periodicity), difference, difference});
}

/// Those of a phase. Where the acceleration does not jump, the place between two phases is left to the earlier one, if
/// it has equations at all.
std::vector<Place> equation_nodes(const std::vector<Place>& all, const SpanRange& spans, bool also_first) {
  const int last = all.back().span;
  std::vector<Place> nodes;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Place& node = all[k];
    const bool breakpoint = node.fraction == 0;
    const bool shared = breakpoint && k > 0 && all[k - 1].fraction < 1;  // one for both sides
    if (breakpoint && shared && node.span == spans.end && spans.end <= last) nodes.push_back({spans.end - 1, 1.0});
    if (!spans.holds(node)) continue;
    if (shared && node.span == spans.first && !also_first) continue;
    nodes.push_back(node);
  }
  return nodes;
}

/// Where a curve of these spans alone would have its equations.
std::vector<Place> equation_nodes(const Trajectory& curve, const SpanRange& spans) {
  const std::vector<int>& all = curve.basis().multiplicities();
  const SplineBasis basis(curve.basis().degree(), {all.begin() + spans.first, all.begin() + spans.end - 1});
  std::vector<Place> nodes =
      equation_nodes(Trajectory(basis, curve.lengths().segment(spans.first, spans.end - spans.first),
                                Eigen::MatrixXd::Zero(basis.control_points(), 1)));
  for (Place& node : nodes) node.span += spans.first;
  return nodes;
}

/// The same for equations of positions alone. Where accelerations jump, equations hold on both sides; positions do not
/// jump, so that the place before is in the middle of its span instead: else a freedom of the curve would be left.
std::vector<Place> closure_nodes(std::vector<Place> nodes) {
  for (std::size_t k = 1; k < nodes.size(); ++k) {
    const bool same_time =
        nodes[k].fraction == 0 && nodes[k - 1].fraction == 1 && nodes[k - 1].span + 1 == nodes[k].span;
    if (same_time) nodes[k - 1].fraction = 0.5;
  }
  return nodes;
}

/// Stages first … last, one after the other.
struct StageRange {
  std::size_t first, last;
  bool operator==(const StageRange&) const = default;
};

/// The stages about stage k in which a loop stays closed.
StageRange stages_of_loop(const std::vector<PlacedStage>& stages, std::size_t k, const std::string& name) {
  const auto has = [&](std::size_t stage) {
    const Task& task = stages[stage].stage.task;
    const auto& loops = task.model.loops();
    const auto is_it = [&](const LoopSpec& loop) { return loop.name == name; };
    return std::any_of(loops.begin(), loops.end(), is_it) ||
           std::any_of(task.grips.begin(), task.grips.end(), [&](const GripSpec& grip) { return is_it(grip.loop); });
  };
  StageRange range{k, k};
  while (range.first > 0 && has(range.first - 1)) --range.first;
  while (range.last + 1 < stages.size() && has(range.last + 1)) ++range.last;
  return range;
}

/// Boundary states, states and frames at a time, periodicity, equations along the way.
void add_equations(Program& program, const Task& task, const Trajectory& curve) {
  const auto add = [&](const std::string& name, const Stage& stage, std::vector<Place> places, auto&& make_terms) {
    ChannelLayout channels = channels_on(stage, program.curve);
    LimitTerms terms = make_terms(channels);
    const bool any = !terms.empty();
    add_limits(program.problem, name, stage, channels, program.curve, std::move(places), std::move(terms));
    return any;
  };
  const Stage &first = program.stages.front().stage, &last = program.stages.back().stage;
  add("start", first, {first.spans.place(curve, 0)},
      [&](ChannelLayout& c) { return state_limits(first.task, task.start, false, c); });
  add("end", last, {last.spans.place(curve, 1)},
      [&](ChannelLayout& c) { return state_limits(last.task, task.end, false, c); });
  for (PlacedStage& in : program.stages) {
    const Task& here = in.stage.task;
    for (const bool equations : {true, false}) {
      add("start", in.stage, {in.stage.spans.place(curve, 0)},
          [&](ChannelLayout& c) { return own_limits(here, c, When::start, equations); });
      add("end", in.stage, {in.stage.spans.place(curve, 1)},
          [&](ChannelLayout& c) { return own_limits(here, c, When::end, equations); });
    }
    for (const ViaSpec& via : here.via) {
      in.via.push_back(in.stage.spans.place(curve, via.at));
      add("via", in.stage, {in.via.back()}, [&](ChannelLayout& c) { return state_limits(here, via.state, true, c); });
    }
    for (const FrameGoalSpec& frame : here.frames) {
      in.frames.push_back(in.stage.spans.place(curve, frame.when.at));
      if (frame.when.path) continue;
      add("frame", in.stage, {in.frames.back()}, [&](ChannelLayout& c) { return frame_limits(here, frame, c); });
    }
  }
  if (task.periodic) add_periodicity(program, task);
  const std::vector<Place> all = equation_nodes(curve), all_closures = closure_nodes(all);
  bool before = false, closed_before = false;  // whether the phase before has equations
  const StageRange whole{0, program.stages.size() - 1};
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    const PlacedStage& in = program.stages[k];
    std::vector<StageRange> parts;  // of the motion, in which contacts are held, or something by two hands
    const auto held_in = [&](const StageRange& part) -> LoopChoice {
      return [&program, k, part](const std::string& name) { return stages_of_loop(program.stages, k, name) == part; };
    };
    const auto add_part = [&](const LoopSpec& loop) {
      const StageRange part = stages_of_loop(program.stages, k, loop.name);
      if (part != whole && std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    };
    for (const LoopSpec& loop : in.stage.task.model.loops()) add_part(loop);
    for (const GripSpec& grip : in.stage.task.grips) add_part(grip.loop);
    before = add("equations", in.stage, equation_nodes(all, in.stage.spans, !before),
                 [&](ChannelLayout& c) { return path_equations(in.stage.task, c, no_loop); });
    closed_before = add("loops", in.stage, equation_nodes(all_closures, in.stage.spans, !closed_before),
                        [&](ChannelLayout& c) { return closure_terms(in.stage.task, c, held_in(whole)); });
    // docs/theory/loop-motion.md, (20)
    for (const StageRange& part : parts) {
      const SpanRange held{program.stages[part.first].stage.spans.first, program.stages[part.last].stage.spans.end};
      const std::vector<Place> places = closure_nodes(equation_nodes(curve, held));
      add("contacts", in.stage, equation_nodes(places, in.stage.spans, k == part.first),
          [&](ChannelLayout& c) { return closure_terms(in.stage.task, c, held_in(part)); });
      const auto rest = [&](const Place& place) {
        add("contacts", in.stage, {place},
            [&](ChannelLayout& c) { return closure_rates(in.stage.task, c, held_in(part)); });
      };
      if (k == part.first && k != whole.first) rest({in.stage.spans.first, 0.0});
      if (k == part.last && k != whole.last) rest({in.stage.spans.end - 1, 1.0});
    }
    const ContactCurve contacts = channels_on(in.stage, program.curve).ground().contacts();
    if (contacts.contacts() == 0) continue;
    add("balance", in.stage, contacts.places(), [&](ChannelLayout& c) { return balance_equations(in.stage.task, c); });
  }
}

double largest(std::span<const double> tightening) {
  return tightening.empty() ? 0 : *std::max_element(tightening.begin(), tightening.end());
}

/// What bounds of a phase's limits at nodes are tightened by on each span, one after the other; empty: not. Terms that
/// do it by themselves have none.
std::vector<double> tightening_of_bounds(const Grid& grid, const LimitTerms& terms, const LimitNumbers& numbers,
                                         std::size_t phase) {
  std::vector<double> all;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const std::span<const double> tightening = grid.tightening_of(numbers.of(phase, LimitPlace::node, t));
    all.insert(all.end(), tightening.begin(), tightening.end());
    if (terms[t]->tightens_as_a_whole()) std::fill(all.end() - std::ssize(tightening), all.end(), 0.0);
  }
  return all;
}

LimitNumbers numbers_of(const Program& program) {
  LimitNumbers numbers;
  for (const PlacedStage& in : program.stages) {
    const Task& task = in.stage.task;
    ChannelLayout channels = channels_on(in.stage, program.curve);
    numbers.add_phase({path_limits(task, channels).size(), mean_limits(task).size(), rate_limits(task).size()});
  }
  return numbers;
}

void add_path_limits(Program& program, const Task& task, const Grid& grid) {
  const LimitNumbers& numbers = program.limit_numbers;
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    PlacedStage& in = program.stages[k];
    ChannelLayout channels = channels_on(in.stage, grid.curve);
    LimitTerms terms = path_limits(in.stage.task, channels);
    StageFunctions& functions = program.functions[k];
    const std::vector<double> tightening = tightening_of_bounds(grid, terms, numbers, k);
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const std::size_t number = numbers.of(k, LimitPlace::node, t);
      if (terms[t]->tightens_as_a_whole()) program.tightened_as_a_whole.push_back(number);
      terms[t]->tighten(largest(grid.tightening_of(number)));
    }
    for (const Place& node : grid.nodes) {
      if (in.stage.spans.holds(node)) in.nodes.push_back(node);
    }
    functions.limits_first_row = program.problem.constraints();
    functions.limits_block = program.problem.constraint_blocks().size();
    const std::vector<TermAtNode> implied = implied_by_states(task, program, in.nodes, terms, channels.nv());
    functions.limits = add_limits(program.problem, "limits", in.stage, channels, grid.curve, in.nodes, std::move(terms),
                                  tightening, implied);
  }
}

/// Limits of means over a phase.
void add_means(Program& program) {
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    const Stage& stage = program.stages[k].stage;
    program.functions[k].means_first_row = program.problem.constraints();
    ChannelLayout channels = channels_on(stage, program.curve);
    IntegralTerms excesses = mean_excesses(stage.task, channels);
    if (excesses.terms.empty()) continue;
    const int rows = excesses.integrals;
    auto means = std::make_unique<Integrals>(stage.task.model, channels, program.curve,
                                             torque_quadrature(program.curve, stage.spans), std::move(excesses),
                                             Integrals::Rows::each);
    program.problem.add_constraint(
        {"means", std::move(means), Eigen::VectorXd::Constant(rows, -kInfinity), Eigen::VectorXd::Zero(rows)});
  }
}

/// Limits of rates, at the nodes of the others.
void add_rates(Program& program, const Grid& grid, const Trajectory& guess) {
  for (std::size_t k = 0; k < program.stages.size(); ++k) {
    const Stage& stage = program.stages[k].stage;
    std::vector<EffortLimit> limits = rate_limits(stage.task);
    for (std::size_t r = 0; r < limits.size(); ++r) {
      const std::size_t number = program.limit_numbers.of(k, LimitPlace::rate, r);
      program.tightened_as_a_whole.push_back(number);
      limits[r].limit *= 1 - largest(grid.tightening_of(number));
    }
    program.functions[k].rates_first_row = program.problem.constraints();
    if (limits.empty()) continue;
    std::vector<Place> nodes;
    std::copy_if(grid.nodes.begin(), grid.nodes.end(), std::back_inserter(nodes),
                 [&](const Place& node) { return stage.spans.holds(node); });
    ChannelLayout efforts = channels_on(stage, program.curve);
    auto rates =
        std::make_unique<RateLimits>(stage.task, efforts, program.curve, nodes, std::move(limits), guess.lengths());
    program.functions[k].rates = rates.get();
    const int rows = rates->rows();
    program.problem.add_constraint(
        {"rates", std::move(rates), Eigen::VectorXd::Constant(rows, -kInfinity), Eigen::VectorXd::Zero(rows)});
  }
}

}  // namespace

std::span<const double> Grid::tightening_of(std::size_t limit) const {
  const auto spans = static_cast<std::size_t>(curve.basis.spans());
  if (tightening.size() < (limit + 1) * spans) return {};
  return std::span(tightening).subspan(limit * spans, spans);
}

std::vector<Place> even_nodes(const Trajectory& curve, const std::vector<int>& phase_of_span, int count) {
  std::vector<Place> nodes;
  const auto spans = static_cast<int>(phase_of_span.size());
  for (SpanRange range{0, 0}; range.first < spans; range.first = range.end) {
    while (range.end < spans && phase_of_span[range.end] == phase_of_span[range.first]) ++range.end;
    const int here = std::max(2, (count * (range.end - range.first) + spans - 1) / spans);
    for (int k = 0; k < here; ++k) nodes.push_back(range.place(curve, k / (here - 1.0)));
  }
  return nodes;
}

std::vector<Place> equation_nodes(const Trajectory& curve) {
  const std::vector<double> knots = curve.basis().knots(curve.lengths());
  const int order = std::min(2, curve.basis().degree() - 1);  // a derivative lacks a knot at either end
  const int degree = curve.basis().degree() - order;
  std::vector<Place> nodes;
  for (int k = 0; k + order < curve.basis().control_points(); ++k) {
    const double first = knots[k + order + 1], last = knots[k + order + degree];
    double sum = 0;
    for (int i = 1; i <= degree; ++i) sum += knots[k + order + i];
    const double time = first == last ? first : sum / degree;
    nodes.push_back(time >= curve.duration() ? Place{curve.basis().spans() - 1, 1.0} : curve.place(time));
    if (k == 0 || first != last) continue;
    Place& before = nodes[nodes.size() - 2];
    const bool twice = before.span == nodes.back().span && before.fraction == 0 && nodes.back().fraction == 0;
    if (twice) before = {before.span - 1, 1.0};
  }
  return nodes;
}

ContactForces Program::contact_forces(std::span<const double> x) const {
  ContactForces forces(stages.size());
  bool any = false;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const ContactCurve contacts = channels_on(stages[k].stage, curve).ground().contacts();
    if (contacts.size() == 0) continue;
    forces[k] = contacts.trajectory(x.data() + contacts.first_variable());
    any = true;
  }
  return any ? forces : ContactForces{};
}

Program make_program(const Task& task, const Grid& grid, const Trajectory& guess) {
  Program program{grid.curve, {}, {}, {}, {}, {}, {}, {}, guess};
  if (task.starts.count == 1) program.problem.use_threads(task.starts.threads);  // else starts share them
  for (Stage& stage : stages(task, grid.curve.group)) program.stages.push_back({std::move(stage), {}, {}, {}});
  program.functions.resize(program.stages.size());
  program.limit_numbers = numbers_of(program);
  Eigen::VectorXd x = add_variables(program, task, grid, guess);
  add_fatigue(program, task, x);
  add_costs(program, task, guess);
  program.own_costs = program.problem.costs().size();
  add_tie_breakers(program, task, x, grid.idle);
  add_even_forces(program, task, x);
  add_equations(program, task, guess);
  add_corridor(program, task, guess);
  add_means(program);
  add_rates(program, grid, guess);
  add_fatigue_limits(program, task, grid);
  add_path_limits(program, task, grid);
  return program;
}

bool tighten_bounds(Program& program, const Grid& from, const Grid& to) {
  const auto same = [&](std::size_t limit) {
    return largest(from.tightening_of(limit)) == largest(to.tightening_of(limit));
  };
  if (to.nodes.size() != from.nodes.size()) return false;
  if (!std::all_of(program.tightened_as_a_whole.begin(), program.tightened_as_a_whole.end(), same)) return false;
  for (std::size_t k = 0; k < program.functions.size(); ++k) {
    const StageFunctions& of = program.functions[k];
    if (!of.limits) continue;
    NodeLimits::Bounds bounds =
        of.limits->bounds(tightening_of_bounds(to, of.limits->terms(), program.limit_numbers, k));
    program.problem.move_bounds(of.limits_block, std::move(bounds.lower), std::move(bounds.upper));
  }
  return true;
}

}  // namespace verne
