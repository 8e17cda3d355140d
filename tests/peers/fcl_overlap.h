/// Motions looked at by the Flexible Collision Library: does anything overlap?
#pragma once

#include <string>

#include "peers/fcl_distance.h"
#include "shapes/mesh.h"
#include "verne/motion/task.h"
#include "verne/trajectory/trajectory.h"

namespace verne::test {

inline constexpr double kFclTolerance = 2e-5;  // m: where its method stops

peers::FclPose fcl_pose(const Transform<double>& X);
peers::FclShape fcl_mesh(const Mesh& mesh);

/// What comes nearer than it may, of all pairs that a task without phases keeps apart and of those that it takes for
/// unable to touch, at so many times of a motion; "": nothing does. Links are where forward kinematics has them, meshes
/// of links as thick as the task takes them for.
std::string overlap_by_fcl(const Task& task, const Trajectory& motion, int times);

}  // namespace verne::test
