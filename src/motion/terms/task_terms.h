/// The terms that a task asks for.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "motion/terms/channels.h"
#include "motion/terms/node_term.h"
#include "verne/base/export.h"

namespace verne {

/// That loops are closed, that a second hand holds what the first one does, and what contacts leave over: equations
/// that have tolerances of their own.
inline constexpr LimitKind kLoop{.name = "loop"}, kGrip{.name = "grip"}, kGroundBalance{.name = "ground_balance"};

using LimitTerms = std::vector<std::unique_ptr<LimitTerm>>;

/// For terms of a task on some spans of a curve with these lengths. `first_contact`: where what contacts bear is among
/// the variables, if it is.
ChannelLayout channels_of(const Task& task, const SpanRange& spans, const Eigen::VectorXd& lengths,
                          int first_contact = 0);

/// What messages call it: the contact, or the link or frame.
std::string label_of(const Model& model, const FrameGoalSpec& frame);

/// Inequalities along the whole motion.
LimitTerms path_limits(const Task& task, ChannelLayout& channels);
/// Which loops are meant, by their names.
using LoopChoice = std::function<bool(const std::string&)>;
inline bool every_loop(const std::string&) {
  return true;
}
inline bool no_loop(const std::string&) {
  return false;
}
/// Equations along the whole motion: passive joints, frames that are held, loops.
LimitTerms path_equations(const Task& task, ChannelLayout& channels, const LoopChoice& loops = every_loop);
/// That contacts leave nothing over: docs/theory/gait.md, (18).
LimitTerms balance_equations(const Task& task, ChannelLayout& channels);
/// That loops are closed: their independent equations, docs/theory/loop-motion.md, (1). Second hands hold what they do.
LimitTerms closure_terms(const Task& task, ChannelLayout& channels, const LoopChoice& loops = every_loop);
/// The same for a posture at a fraction of a first guess: what is held there, too.
LimitTerms closure_terms_at(const Task& task, ChannelLayout& channels, double fraction);
bool is_held_at(const GripSpec& grip, double fraction);
/// That contacts do not move where they begin or end to be held. docs/theory/loop-motion.md, (20).
LimitTerms closure_rates(const Task& task, ChannelLayout& channels, const LoopChoice& loops);
/// What a state fixes or bounds. Positions are left out when the curve's end control points take them.
LimitTerms state_limits(const Task& task, const StateSpec& state, bool with_positions, ChannelLayout& channels);
/// Which of the terms of a frame.
enum class FrameRows { all, equations, inequalities };
/// What a frame has to do where it has to do it.
LimitTerms frame_limits(const Task& task, const FrameGoalSpec& frame, ChannelLayout& channels,
                        FrameRows rows = FrameRows::all);
/// Its place and how it is turned, without velocities.
LimitTerms frame_posture_limits(const Task& task, const FrameGoalSpec& frame, ChannelLayout& channels,
                                FrameRows rows = FrameRows::all);

// The parts of both:
/// Limits of one quantity of freedoms.
const LimitKind& kind_of(NodeQuantity quantity);
/// Bounds of one quantity of freedoms, those that are equations or the others.
void add_bounds(const Model& model, NodeQuantity quantity, const std::vector<Interval>& bounds, ChannelLayout& channels,
                bool equations, LimitTerms& terms);
void add_keep_out(const Task& task, ChannelLayout& channels, LimitTerms& terms);
void add_swings(const Task& task, ChannelLayout& channels, LimitTerms& terms);
void add_ground(const Task& task, ChannelLayout& channels, LimitTerms& terms);
void add_contacts(const Task& task, ChannelLayout& channels, LimitTerms& terms);
void add_grips(const Task& task, ChannelLayout& channels, LimitTerms& terms);
/// Those of efforts whose peak costs something.
LimitTerms peak_limits(const Task& task, ChannelLayout& channels);
/// The limit of an effort, or its peak where that is known and less.
Interval effort_range(const Task& task, int dof);

/// Integrals over time: sums of terms with weights.
struct IntegralTerms {
  std::vector<std::unique_ptr<NodeTerm>> terms;
  std::vector<double> weights;
  std::vector<int> integral;  ///< which one a term is part of
  int integrals = 0;
  std::vector<std::string> names{};  ///< of integrals, for messages; tie-breakers have none
};
/// Costs, in the order of the task.
IntegralTerms integral_costs(const Task& task, ChannelLayout& channels);
/// What is not positive where a mean square is within its limit: docs/theory/motion.md, (16a). One for each of
/// mean_limits().
IntegralTerms mean_excesses(const Task& task, ChannelLayout& channels);

/// A limit of something about the effort of one freedom.
struct EffortLimit {
  LimitName name;
  int dof;
  double limit;
};
/// Of the root of the mean square over the motion; of the size of the derivative by time.
std::vector<EffortLimit> mean_limits(const Task& task);
std::vector<EffortLimit> rate_limits(const Task& task);
/// Whether rates of efforts are limited or cost something.
bool has_effort_rates(const Task& task);
/// The efforts themselves, one for each limit.
LimitTerms effort_terms(const std::vector<EffortLimit>& limits, ChannelLayout& channels);

/// The name of an entry of joint_force: a joint of the tree, or one that closes a loop.
const std::string& bearing_name(const Model& model, std::size_t index);
/// Of its kind, or its own.
VERNE_API std::string name_of(const CostSpec& cost);
/// "rad" or "m", and "N·m" or "N", of a freedom.
const char* position_unit(const Model& model, int dof);
const char* effort_unit(const Model& model, int dof);

}  // namespace verne
