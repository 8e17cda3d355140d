/// Postures in which frames are where a task wants them: starts for the optimizer. docs/theory/motion.md, section 7.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "verne/motion/task.h"

namespace verne {

/// Postures at a fraction of a motion without phases, within `bounds` (one per freedom), in which all `frames` are as
/// the task wants them and hands hold what they do then, each once, the nearest to `wish` first: what several searches
/// find, the first from `wish` and the others from postures that are random, but the same every time. No freedom makes
/// more turns than it needs.
std::vector<Eigen::VectorXd> postures_for(const Task& task, double fraction,
                                          const std::vector<const FrameGoalSpec*>& frames,
                                          const std::vector<Interval>& bounds, const Eigen::VectorXd& wish);

/// Takes full turns off a posture that lead away from the wish, where the bounds let it.
void unwind(const Model& model, const std::vector<Interval>& bounds, const Eigen::VectorXd& wish, Eigen::VectorXd& q);

/// The posture that one search from `wish` finds for one frame.
std::optional<Eigen::VectorXd> posture_near(const Task& task, const FrameGoalSpec& frame,
                                            const std::vector<Interval>& bounds, const Eigen::VectorXd& wish);

}  // namespace verne
