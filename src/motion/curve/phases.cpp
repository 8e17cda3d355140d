#include "motion/curve/phases.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

/// Where each phase ends as a fraction of all spans.
std::vector<double> span_fractions(const std::vector<int>& phase_of_span) {
  std::vector<double> ends(phase_of_span.back() + 1);
  for (std::size_t s = 0; s < phase_of_span.size(); ++s) {
    ends[phase_of_span[s]] = static_cast<double>(s + 1) / static_cast<double>(phase_of_span.size());
  }
  return ends;
}

Stage stage_of(const Task& task, std::size_t k, SpanRange spans) {
  const PhaseSpec& phase = task.phases[k];
  const bool first = k == 0, last = k + 1 == task.phases.size();
  Stage stage{task, spans};
  Task& here = stage.task;
  here.phases.clear();
  here.model = phase.model;
  here.mechanism.reset();
  if (!phase.model.loops().empty()) here.mechanism.emplace(phase.model);
  here.contacts = phase.contacts;
  here.limits = phase.limits;
  here.via = phase.via;
  if (!last) here.via.push_back({1, phase.end});
  here.frames = phase.frames;
  for (const FrameGoalSpec& frame : task.frames) {
    if (frame.when.path || (first && frame.when.at == 0) || (last && frame.when.at == 1)) here.frames.push_back(frame);
  }
  here.keep_out.insert(here.keep_out.end(), phase.keep_out.begin(), phase.keep_out.end());
  here.loads.insert(here.loads.end(), phase.loads.begin(), phase.loads.end());
  here.ground = phase.ground;
  here.grips = phase.grips;
  std::erase_if(here.own_limits, [&](const OwnLimit& limit) {
    const LimitTermSpec& spec = limit.spec;
    if (!spec.phase.empty()) return spec.phase != phase.name;
    return (spec.when == When::start && !first) || (spec.when == When::end && !last);
  });
  for (CostSpec& cost : here.costs) {
    if (cost.by_joint) cost.scale = with_loops_of(phase.model, task.model, cost.scale, 0);
  }
  return stage;
}

/// A held contact as a frame that has its place all the way.
FrameGoalSpec frame_of(const LoopSpec& contact, const Model& model) {
  FrameGoalSpec frame;
  frame.site = model.link(contact.a.link);
  frame.point = contact.a.X_LF.p;
  frame.when.path = true;
  const Vec3<double>& p = contact.b.X_LF.p;
  frame.position = {{p.x, p.x}, {p.y, p.y}, {p.z, p.z}};
  if (contact.type == LoopType::rigid) frame.orientation = contact.b.X_LF.R * transpose(contact.a.X_LF.R);
  if (contact.type == LoopType::revolute) {
    frame.axis = AxisSpec{contact.a.X_LF.R.column(2), contact.b.X_LF.R.column(2)};
  }
  return frame;
}

/// Whether a phase holds what the motion holds.
bool holds_the_same(const Task& task, const PhaseSpec& phase) {
  const auto same = [](const HeldContactSpec& a, const HeldContactSpec& b) { return a.name == b.name; };
  return std::equal(task.contacts.begin(), task.contacts.end(), phase.contacts.begin(), phase.contacts.end(), same);
}

/// Frames of a phase and the contacts that it holds.
std::vector<FrameGoalSpec> frames_and_contacts(const PhaseSpec& phase) {
  std::vector<FrameGoalSpec> frames = phase.frames;
  for (const LoopSpec& loop : phase.model.loops()) {
    const auto held = [&](const HeldContactSpec& contact) { return contact.name == loop.name; };
    if (std::any_of(phase.contacts.begin(), phase.contacts.end(), held)) frames.push_back(frame_of(loop, phase.model));
  }
  return frames;
}

/// Where what a phase takes from something, or puts on it, is above that: a way that leaves it upwards comes nowhere
/// near. For guesses alone. `start`, `share`: of the phase, as fractions of the motion.
void add_lifts(const PhaseSpec& phase, double start, double share, std::vector<FrameGoalSpec>& frames) {
  constexpr double kLift = 0.05, kPartOfPhase = 0.15;  // m
  const Vec3<double>& g = phase.model.gravity();
  if (dot(g, g) == 0) return;
  const Vec3<double> up = g * (-kLift / std::sqrt(dot(g, g)));
  for (const FrameGoalSpec& goal : phase.frames) {
    const auto is_object = [&](const AttachSpec& held) { return phase.model.site(held.object) == goal.site; };
    const bool end = goal.when.at == 1, at_end = goal.when.at == 0 || end;
    if (goal.when.path || !at_end || goal.position.empty() || std::ranges::none_of(phase.attach, is_object)) continue;
    FrameGoalSpec above = goal;
    above.when.at = start + share * (end ? 1 - kPartOfPhase : kPartOfPhase);
    for (int i = 0; i < 3; ++i) {
      Interval& along = above.position[static_cast<std::size_t>(i)];
      along.lower += up[i], along.upper += up[i];
    }
    frames.push_back(std::move(above));
  }
}

/// What two hands hold in phases that end at these fractions, each as long as it lasts.
std::vector<GripSpec> grips_of_phases(const std::vector<PhaseSpec>& phases, const std::vector<double>& ends) {
  std::vector<GripSpec> all;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const double start = k == 0 ? 0 : ends[k - 1];
    for (GripSpec grip : phases[k].grips) {
      const auto goes_on = [&](const GripSpec& before) {
        return before.loop.name == grip.loop.name && before.during.upper == start;
      };
      const auto known = std::ranges::find_if(all, goes_on);
      grip.borne = false, grip.during = {start, ends[k]};
      if (known != all.end()) known->during.upper = ends[k];
      if (known == all.end()) all.push_back(std::move(grip));
    }
  }
  return all;
}

}  // namespace

Place SpanRange::place(const Trajectory& curve, double fraction) const {
  if (fraction <= 0) return {first, 0.0};
  if (fraction >= 1) return {end - 1, 1.0};
  const double from = curve.time({first, 0.0}), to = curve.time({end - 1, 1.0});
  Place place = curve.place(from + fraction * (to - from));
  place.span = std::clamp(place.span, first, end - 1);
  return place;
}

std::vector<double> with_loops_of(const Model& model, const Model& before, std::vector<double> values,
                                  double otherwise) {
  const std::vector<double> of_loops(values.begin() + static_cast<std::ptrdiff_t>(before.joints().size()),
                                     values.end());
  const auto& known = before.loops();
  values.resize(model.joints().size());
  for (const LoopSpec& loop : model.loops()) {
    const auto same = std::find_if(known.begin(), known.end(), [&](const LoopSpec& l) { return l.name == loop.name; });
    values.push_back(same == known.end() ? otherwise : of_loops[same - known.begin()]);
  }
  return values;
}

std::vector<Stage> stages(const Task& task, const std::vector<int>& phase_of_span) {
  const auto spans = static_cast<int>(phase_of_span.size());
  if (task.phases.empty()) return {{task, {0, spans}}};
  std::vector<Stage> all;
  int first = 0;
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    int end = first;
    while (end < spans && phase_of_span[end] == static_cast<int>(k)) ++end;
    all.push_back(stage_of(task, k, {first, end}));
    first = end;
  }
  return all;
}

void put_frames(Task& task, double duration) {
  const auto put = [&](std::vector<FrameGoalSpec>& frames) {
    for (FrameGoalSpec& frame : frames) {
      for (int i = 0; i < static_cast<int>(frame.position.size()); ++i) {
        frame.position[i].lower += frame.per_second[i] * duration;
        frame.position[i].upper += frame.per_second[i] * duration;
      }
      frame.per_second = {0, 0, 0};
    }
  };
  put(task.frames);
  for (PhaseSpec& phase : task.phases) put(phase.frames);
}

void put_frames(std::vector<PlacedStage>& stages, double duration) {
  for (PlacedStage& in : stages) put_frames(in.stage.task, duration);
}

void put_peaks(std::vector<PlacedStage>& stages, const std::vector<CostValue>& costs) {
  for (PlacedStage& in : stages) {
    for (std::size_t k = 0; k < costs.size(); ++k) {
      in.stage.task.costs[k].peak = costs[k].value;  // of what has one
    }
  }
}

void put_contact_forces(Stage& stage, const std::optional<Trajectory>& forces) {
  if (stage.task.ground) stage.task.ground->contact_forces = forces;
}

void put_contact_forces(std::vector<Stage>& stages, const ContactForces& forces) {
  for (std::size_t k = 0; k < std::min(stages.size(), forces.size()); ++k) put_contact_forces(stages[k], forces[k]);
}

void put_contact_forces(std::vector<PlacedStage>& stages, const ContactForces& forces) {
  for (std::size_t k = 0; k < std::min(stages.size(), forces.size()); ++k) {
    put_contact_forces(stages[k].stage, forces[k]);
  }
}

std::vector<int> phase_of_spans(const Task& task) {
  const int spans = task.curve.control_points - task.curve.degree;
  if (task.phases.empty()) return std::vector<int>(spans, 0);
  const auto phases = static_cast<int>(task.phases.size());
  std::vector<int> phase_of_span;
  for (int k = 0; k < phases; ++k) {
    const int share = spans * (k + 1) / phases - spans * k / phases;
    const int count = task.phases[k].spans > 0 ? task.phases[k].spans : std::max(share, 1);
    phase_of_span.insert(phase_of_span.end(), count, k);
  }
  return phase_of_span;
}

std::vector<int> phase_of_spans(const Solution& solution) {
  std::vector<int> phase_of_span(solution.trajectory.basis().spans(), 0);
  for (std::size_t k = 0; k < solution.phases.size(); ++k) {
    const PhaseResult& phase = solution.phases[k];
    std::fill(phase_of_span.begin() + phase.first_span, phase_of_span.begin() + phase.end_span, static_cast<int>(k));
  }
  return phase_of_span;
}

CurveVariables variables_of(const Task& task, const Trajectory& curve, const std::vector<int>& phase_of_span) {
  if (task.curve.free_knots) return CurveVariables::with_free_knots(curve.basis(), curve.coordinates());
  return CurveVariables::with_groups(curve.basis(), curve.coordinates(), curve.lengths(), phase_of_span);
}

Task without_phases(const Task& task) {
  Task flat = task;
  if (flat.ground) flat.ground->contact_variables = false;
  for (GripSpec& grip : flat.grips) grip.borne = false;
  if (task.phases.empty()) return flat;
  flat.phases.clear();
  flat.flattened = span_fractions(phase_of_spans(task));
  flat.grips = grips_of_phases(task.phases, flat.flattened);
  flat.ground.reset();
  // What terms from code read may not be there any more.
  flat.own_limits.clear();
  std::erase_if(flat.costs, [](const CostSpec& cost) { return cost.from_code(); });
  const bool switched = !std::all_of(task.phases.begin(), task.phases.end(),
                                     [&](const PhaseSpec& phase) { return holds_the_same(task, phase); });
  if (switched) flat.mechanism.reset();
  const std::vector<int> phase_of_span = phase_of_spans(task);
  const std::vector<double>& ends = flat.flattened;
  flat.curve.control_points = static_cast<int>(phase_of_span.size()) + task.curve.degree;
  flat.curve.nodes = std::max(task.curve.nodes, flat.curve.control_points);
  Interval together{0, 0};
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    const PhaseSpec& phase = task.phases[k];
    const double start = k == 0 ? 0 : ends[k - 1], share = ends[k] - start;
    together.lower += phase.duration.bounds.lower, together.upper += phase.duration.bounds.upper;
    for (const ViaSpec& via : phase.via) flat.via.push_back({start + via.at * share, via.state});
    if (k + 1 < task.phases.size()) flat.via.push_back({ends[k], phase.end});
    flat.keep_out.insert(flat.keep_out.end(), phase.keep_out.begin(), phase.keep_out.end());
    for (FrameGoalSpec frame : switched ? frames_and_contacts(phase) : phase.frames) {
      const bool path = frame.when.path;
      frame.when = {false, start + (path ? 1 : frame.when.at) * share};
      flat.frames.push_back(frame);
      if (path) frame.when.at = start, flat.frames.push_back(frame);
    }
    add_lifts(phase, start, share, flat.frames);
  }
  flat.duration.bounds.lower = std::max(task.duration.bounds.lower, together.lower);
  flat.duration.bounds.upper = std::min(task.duration.bounds.upper, together.upper);
  return flat;
}

double time_in_phases(const Task& task, double fraction, const std::vector<double>& ends) {
  const std::vector<double> fractions = span_fractions(phase_of_spans(task));
  std::size_t k = 0;
  while (k + 1 < ends.size() && fractions[k] < fraction) ++k;
  const double start = k == 0 ? 0 : ends[k - 1], from = k == 0 ? 0 : fractions[k - 1];
  return start + (ends[k] - start) * (fraction - from) / (fractions[k] - from);
}

Trajectory with_phases(const Task& task, const Trajectory& curve, const std::vector<double>& ends) {
  if (task.phases.empty()) return curve;
  const std::vector<int> phase_of_span = phase_of_spans(task);
  Eigen::VectorXd lengths(curve.basis().spans());
  for (std::size_t k = 0; k < task.phases.size(); ++k) {
    const DurationSpec& asked = task.phases[k].duration;
    const auto start = std::find(phase_of_span.begin(), phase_of_span.end(), static_cast<int>(k));
    const auto first = static_cast<int>(start - phase_of_span.begin());
    const auto count = static_cast<int>(std::count(start, phase_of_span.end(), static_cast<int>(k)));
    double duration = asked.guess.value_or(curve.lengths().segment(first, count).sum());
    if (!ends.empty()) duration = ends[k] - (k == 0 ? 0 : ends[k - 1]);
    duration = std::clamp(duration, asked.bounds.lower, asked.bounds.upper);
    lengths.segment(first, count).setConstant(duration / count);
  }
  Trajectory phased(curve.basis(), lengths, curve.control_points());
  for (std::size_t s = phase_of_span.size() - 1; s > 0; --s) {
    const int before = phase_of_span[s - 1];
    if (before == phase_of_span[s] || !task.phases[before].jump) continue;
    for (int more = 0; more < task.curve.degree - 2; ++more) phased = phased.with_knot({static_cast<int>(s), 0.0});
  }
  return phased;
}

}  // namespace verne
