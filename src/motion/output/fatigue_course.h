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

/// Of a motion that is repeated as it is, with rest or in the period of the task, whose muscles are those of joints
/// with limits of effort; these are the strength of somebody who is rested.
FatigueCourse fatigue_course(const Task& task, const SampledMotion& motion);

/// Groups whose rates are recalled, or lacking in the table, in words.
std::vector<std::string> unsure_rates(const FatigueCourse& course);

}  // namespace verne
