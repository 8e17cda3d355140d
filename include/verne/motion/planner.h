/// One cell, many motions: a model, what stands around and what a motion has to keep are read once, and motions follow
/// each other.
///
///   Planner planner(load_task("cell.yaml"));
///   Solution there = planner.plan(home, shelf);
///   Solution back = planner.replan(shelf, table);           // begins with what is known
///   std::optional<Solution> halt = planner.stop(back, 0.4);  // from 0.4 s of that motion
#pragma once

#include <optional>

#include "verne/base/export.h"
#include "verne/motion/predict.h"

namespace verne {

/// Where a stop may go: only along the way of the motion, slower and slower, or also off it, all joints braking
/// together, which is sooner at rest where the way bends or something stands on it now.
enum class StopWay { along, any };

/// With room for one thread. What it finds depends on the task and on earlier calls, and on the clock where there is a
/// deadline.
class VERNE_API Planner {
 public:
  /// Starts and ends of the task are those of the calls. `watch`: PredictOptions::progress of all of them. Throws
  /// InputError where the task has phases.
  explicit Planner(Task task, std::function<bool(const PredictProgress&)> watch = {});

  /// From rest to rest. `deadline`: seconds, after which the best motion so far is the answer: verified, or a status
  /// that is no success where there is none. A first motion is looked for for some milliseconds even so. Throws
  /// std::invalid_argument for postures of another length, and InputError for those that are beyond limits or touch
  /// something.
  Solution plan(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                double deadline = kInfinity);
  /// The same, from the latest motion: moved to these ends, around what it touches, in a time that keeps to the limits,
  /// and certified, in milliseconds. That is the answer where the deadline leaves no time for a solve; else it is what
  /// the solve begins with, and no way is looked for.
  Solution replan(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                  double deadline = kInfinity);
  /// Other things stand around from now on: those of this task, whose model is the same.
  void change_scene(const Task& task);
  /// Moves an object of the scene from where it is along the world's axes, m, and turns it about its first shape's
  /// place, rad. Throws InputError where there is none of that name.
  void move_object(const std::string& object, const Vec3<double>& xyz, const Vec3<double>& rpy = {0, 0, 0});

  /// A motion to rest that begins with the state of `motion` at `time`: the first of ever longer ones that is certified
  /// to keep limits and to touch nothing, of what stands around now; else the rest of the motion. Nothing where that is
  /// not certified either. The message says whether it leaves the way. Throws std::invalid_argument for a time that is
  /// negative or no number.
  std::optional<Solution> stop(const Solution& motion, double time, StopWay way = StopWay::any);
  /// The task of the motion that was found last, with its start and its end.
  const Task& task() const { return asked_; }

 private:
  Solution solved(const Eigen::Ref<const Eigen::VectorXd>& start, const Eigen::Ref<const Eigen::VectorXd>& goal,
                  double deadline, bool from_latest);
  std::optional<Solution> shown_to_hold(const Trajectory& halt, const char* how);

  Task task_, asked_;
  std::function<bool(const PredictProgress&)> watch_;
  std::optional<Solution> latest_;
};

}  // namespace verne
