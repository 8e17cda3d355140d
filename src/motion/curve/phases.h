/// Phases on a curve: docs/theory/motion.md, section 7.
#pragma once

#include <vector>

#include "motion/curve/curve_variables.h"
#include "verne/motion/solution.h"

namespace verne {

/// Spans first … end − 1 of a curve.
struct SpanRange {
  int first = 0, end = 0;
  bool holds(const Place& place) const { return place.span >= first && place.span < end; }
  /// The place at a fraction of the time that the spans take; at 0 and 1, their outermost places.
  Place place(const Trajectory& curve, double fraction) const;
};

/// A phase and where it is on a curve.
struct Stage {
  Task task;  ///< as it reads in this phase: its limits, via points, frames, obstacles and model, and no phases
  SpanRange spans;
  int first_contact = 0;  ///< of the variables of a program, where what contacts bear is some of them
};

/// A phase and where its parts hold.
struct PlacedStage {
  Stage stage;
  std::vector<Place> nodes;        ///< where limits are imposed
  std::vector<Place> via, frames;  ///< of each via point and frame; of no use for frames on a path
};

/// The phases of a task in turn, on a curve whose spans belong to them as given; a task without any is one stage.
std::vector<Stage> stages(const Task& task, const std::vector<int>& phase_of_span);

/// Values of joints, then of loops, for a model with other loops: those of the same name; `otherwise` for others.
std::vector<double> with_loops_of(const Model& model, const Model& before, std::vector<double> values,
                                  double otherwise);

/// Frames where they have to be in a motion of this duration, whatever `per_second` says.
void put_frames(Task& task, double duration);
void put_frames(std::vector<PlacedStage>& stages, double duration);
/// Gives the stages the peaks that were found: the values of the motion's costs, in the order of the task.
void put_peaks(std::vector<PlacedStage>& stages, const std::vector<CostValue>& costs);

/// Contacts bear what was found.
void put_contact_forces(Stage& stage, const std::optional<Trajectory>& forces);
void put_contact_forces(std::vector<Stage>& stages, const ContactForces& forces);
void put_contact_forces(std::vector<PlacedStage>& stages, const ContactForces& forces);

/// Which phase each span belongs to, of the curve that the task asks for or of a solution; 0 where there are no phases.
std::vector<int> phase_of_spans(const Task& task);
std::vector<int> phase_of_spans(const Solution& solution);
/// The variables of a curve whose spans belong to these phases.
CurveVariables variables_of(const Task& task, const Trajectory& curve, const std::vector<int>& phase_of_span);

/// The task as one phase, for first guesses: states and frames of phases at fractions of all spans. Supports share what
/// the ground gives by the rule.
Task without_phases(const Task& task);
/// The time at a fraction of all spans of that task's curve, in a motion whose phases end at these times.
double time_in_phases(const Task& task, double fraction, const std::vector<double>& ends);
/// A curve with as many spans as the task asks for, each phase in its own time, with jumps where they may be.
/// `ends`: when phases end; empty: the curve's own proportions where durations allow it.
Trajectory with_phases(const Task& task, const Trajectory& curve, const std::vector<double>& ends);

}  // namespace verne
