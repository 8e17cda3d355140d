#include "motion/terms/task_terms.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "motion/terms/channel_limit.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/costs/peak_effort.h"
#include "motion/terms/limits/joint_limit.h"
#include "motion/terms/own_terms.h"
#include "motion/terms/task_loads.h"
#include "motion/terms/weighted_square.h"

namespace verne {

namespace {

/// Whether a freedom slides.
bool slides(const Model& model, int dof) {
  for (const Joint& joint : model.joints()) {
    if (joint.coupled() || dof < joint.v || dof >= joint.v + joint.nv) continue;
    return is_linear(joint.spec.type, dof - joint.v);
  }
  return false;
}

void add_frames(LimitTerms& terms, const Task& task, ChannelLayout& channels, FrameRows rows) {
  for (const FrameGoalSpec& frame : task.frames) {
    if (!frame.when.path) continue;
    for (auto& term : frame_limits(task, frame, channels, rows)) terms.push_back(std::move(term));
  }
}

}  // namespace

ChannelLayout channels_of(const Task& task, const SpanRange& spans, const Eigen::VectorXd& lengths, int first_contact) {
  std::vector<int> held;
  for (std::size_t i = 0; i < task.held.size(); ++i) {
    if (task.held[i]) held.push_back(static_cast<int>(i));
  }
  Ground ground;
  if (task.ground) {
    std::vector<GripSpec> grips;
    std::copy_if(task.grips.begin(), task.grips.end(), std::back_inserter(grips),
                 [](const GripSpec& grip) { return grip.borne; });
    ContactCurve contacts(task.model, *task.ground, task.curve.degree, spans, lengths, first_contact, std::move(grips));
    ground = Ground(*task.ground, spans, lengths, std::move(contacts));
  }
  return ChannelLayout(task.model, loads_of(task), std::move(ground), held, task.mechanism, task.effort_weights);
}

const std::string& bearing_name(const Model& model, std::size_t index) {
  const std::size_t joints = model.joints().size();
  return index < joints ? model.joints()[index].spec.name : model.loops()[index - joints].name;
}

const char* position_unit(const Model& model, int dof) {
  return slides(model, dof) ? "m" : "rad";
}

const char* effort_unit(const Model& model, int dof) {
  return slides(model, dof) ? "N" : "N·m";
}

std::string name_of(const CostSpec& cost) {
  return cost.name.empty() ? type_of(cost).name : cost.name;
}

LimitTerms path_limits(const Task& task, ChannelLayout& channels) {
  LimitTerms terms;
  for (const JointLimit* limit : joint_limits()) limit->add(task, channels, false, terms);
  add_keep_out(task, channels, terms);
  add_swings(task, channels, terms);
  add_frames(terms, task, channels, FrameRows::inequalities);
  for (auto& term : peak_limits(task, channels)) terms.push_back(std::move(term));
  add_ground(task, channels, terms);
  add_contacts(task, channels, terms);
  add_grips(task, channels, terms);
  for (auto& term : own_limits(task, channels, When::path, false)) terms.push_back(std::move(term));
  return terms;
}

LimitTerms path_equations(const Task& task, ChannelLayout& channels, const LoopChoice& loops) {
  LimitTerms terms;
  for (const JointLimit* limit : joint_limits()) limit->add(task, channels, true, terms);
  add_frames(terms, task, channels, FrameRows::equations);
  for (auto& term : closure_terms(task, channels, loops)) terms.push_back(std::move(term));
  for (auto& term : own_limits(task, channels, When::path, true)) terms.push_back(std::move(term));
  return terms;
}

LimitTerms state_limits(const Task& task, const StateSpec& state, bool with_positions, ChannelLayout& channels) {
  LimitTerms terms;
  for (const bool equations : {true, false}) {
    if (with_positions) add_bounds(task.model, NodeQuantity::position, state.position, channels, equations, terms);
    add_bounds(task.model, NodeQuantity::velocity, state.velocity, channels, equations, terms);
    add_bounds(task.model, NodeQuantity::acceleration, state.acceleration, channels, equations, terms);
  }
  return terms;
}

IntegralTerms integral_costs(const Task& task, ChannelLayout& channels) {
  IntegralTerms out;
  for (const CostSpec& cost : task.costs) {
    const CostType& type = type_of(cost);
    if (type.value != CostType::Value::integral) continue;
    type.add(task, cost, channels, out.terms);
    out.weights.resize(out.terms.size(), cost.weight);
    out.integral.resize(out.terms.size(), out.integrals++);
    out.names.push_back(is_own(cost) ? cost.name : type.name);
  }
  return out;
}

IntegralTerms mean_excesses(const Task& task, ChannelLayout& channels) {
  IntegralTerms out;
  for (const EffortLimit& mean : mean_limits(task)) {
    out.terms.push_back(
        std::make_unique<WeightedSquare>(channels.tau(mean.dof), 1 / (mean.limit * mean.limit), 0.0, 1.0));
    out.weights.push_back(1);
    out.integral.push_back(out.integrals++);
    out.names.push_back(mean.name.kind + " of " + mean.name.of);
  }
  return out;
}

bool has_effort_rates(const Task& task) {
  const auto of_rates = [](const CostSpec& cost) { return type_of(cost).of_effort_rates; };
  return !rate_limits(task).empty() || has_cost(task, of_rates);
}

LimitTerms effort_terms(const std::vector<EffortLimit>& limits, ChannelLayout& channels) {
  LimitTerms terms;
  for (const EffortLimit& limit : limits) {
    terms.push_back(std::make_unique<ChannelLimit>(limit.name, channels.tau(limit.dof), Interval{}));
  }
  return terms;
}

}  // namespace verne
