/// Many states of a platform on legs at once, leg by leg (docs/theory/loops.md, section 8): the same results as those
/// of the general functions of mechanism_batch.h, without wrenches, in about half of their time.
///
///   MechanismBatch batch(mechanism, 1000);
///   const auto robot = ParallelRobot::recognise(mechanism);
///   if (robot) inverse_dynamics(*robot, batch);       // tree.q, tree.v, tree.a and its loads → tau
///
/// A state in which the order of elimination would lose accuracy is computed by the general method, and with the same
/// errors, which name the state.
#pragma once

#include "structures/mechanism_batch.h"
#include "structures/parallel_robot.h"

namespace verne {

/// tau of the motors for closed motions of the tree (19). The batch is one of the robot's own mechanism.
VERNE_API void inverse_dynamics(const ParallelRobot& robot, MechanismBatch& batch);
/// tree.a under tau (20)
VERNE_API void forward_dynamics(const ParallelRobot& robot, MechanismBatch& batch);

}  // namespace verne
