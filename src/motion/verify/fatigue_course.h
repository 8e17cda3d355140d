/// How a person tires who repeats a motion: docs/work.md.
#pragma once

#include <string>
#include <vector>

#include "ergonomics/fatigue.h"
#include "verne/motion/solution.h"

namespace verne {

/// Muscles that turn a freedom one way.
struct TiringMuscles {
  std::string joint;  ///< the freedom
  bool positive = true;
  const FatigueRates* rates = nullptr;
  std::vector<double> capacity;  ///< part of the strength that is left after each repetition
};

struct FatigueCourse {
  int times = 0;
  double period = 0;  ///< s, from one begin to the next
  std::vector<TiringMuscles> muscles;
  int endured = 0;      ///< repetitions before the first that asks for more than somebody has left
  std::string weakest;  ///< whose muscles fail then; empty: none do
};

/// Somebody who does a task again and again. Muscles are those of freedoms with limits of effort, one group for either
/// direction; the limits are the strength of somebody who is rested.
class TiringPerson {
 public:
  explicit TiringPerson(const Task& task);

  /// Does a motion so often, with the rest or in the period of the task.
  void repeat(const SampledMotion& motion, int times);
  int done() const { return done_; }
  /// The part of the strength that is left; 1 where there are no such muscles.
  double capacity(int dof, bool positive) const;
  /// Of all that was done, without muscles that nothing was ever asked of.
  FatigueCourse course() const;

 private:
  struct Group {
    int dof = 0;
    double strength = 0;
    bool used = false;
    MuscleState state;
    TiringMuscles muscles;
  };
  void repeat(const std::vector<double>& loads, const SampledMotion& motion, int times, double rest, Group& group);

  RepeatSpec repeat_;
  std::vector<Group> groups_;
  int done_ = 0, endured_ = 0;
  double period_ = 0;
  std::string weakest_;
};

/// Of a motion, and of those that take its place as the person tires.
FatigueCourse fatigue_course(const Task& task, const SampledMotion& motion, const Solution& solution);

/// The task for somebody who has tired: strength is what is left of it.
Task tired_task(const Task& task, const TiringPerson& person);

/// Groups whose rates are recalled, or lacking in the table, in words.
std::vector<std::string> unsure_rates(const FatigueCourse& course);

}  // namespace verne
