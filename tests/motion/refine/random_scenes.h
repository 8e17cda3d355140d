/// Scenes of the kinds that arms work in, made from seeds: a bookshelf, a box, a cage, a table, clutter; an arm, and
/// two postures of its tool among the things.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "verne/model/model.h"
#include "verne/motion/task.h"

namespace verne::test {

/// An arm that is tried in scenes.
struct SceneArm {
  std::string name;
  Model model;
  std::string tool;  ///< link or frame; its z axis points to what is grasped
  std::string head;  ///< lines of a task about it: what is held, payloads
  std::vector<std::string> joints;
  std::vector<double> acceleration, jerk;  ///< limits of these
  std::string srdf{};                      ///< which of its links may touch; "": there is no such file
  double reach = 0.8;                      ///< m, of where tools are put
  Vec3<double> base{0, 0, 0};              ///< what is around stands as if the arm began here
};

/// The library's own and, where the folder of real robots is there, Panda, iiwa, UR5 and TIAGo's arm.
std::vector<SceneArm> scene_arms();

inline const char* const kSceneKinds[] = {"bookshelf", "box", "cage", "table", "clutter"};

/// A minimum-time task from one free posture to another; nothing where none was found among the things.
std::optional<Task> random_scene_task(const SceneArm& arm, const std::string& kind, unsigned seed);

/// How deep shapes of links overlap things of the scene at a posture, by points on the links alone: 0 where they do
/// not.
double overlap_by_points(const Task& task, const Eigen::VectorXd& q);

}  // namespace verne::test
