/// Scores of a predicted motion as a piece of somebody's work: NIOSH's lifting index, RULA, REBA, time in zones of
/// posture. docs/work.md says how each is found.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "ergonomics/lifting.h"
#include "motion/verify/fatigue_course.h"
#include "verne/io/json_writer.h"
#include "verne/motion/solution.h"

namespace verne {

struct WorkScores {
  struct Score {
    std::string name, unit;
    double most = 0, time = 0;  ///< its largest value, and when
    double mean = 0;            ///< over time
    std::string meaning;
  };
  /// The part of the time in which an angle is between two values, degrees.
  struct Zone {
    std::string of;
    double from = 0, to = 0, share = 0;
  };
  /// What a joint bears with its muscles, at each instant, N.
  struct Load {
    std::string name;  ///< l5s1, …
    Eigen::VectorXd compression, shear;
    double total = 0;  ///< compression summed up over time, N s
  };
  struct LiftEnd {
    double time = 0;
    LiftPlace place;
    RecommendedWeight weight;
    double index = 0;  ///< load / recommended weight; infinite where nothing may be lifted
  };
  struct Lift {
    double load = 0, distance = 0;  ///< kg, m
    LiftEnd origin, destination;
  };

  std::vector<Score> scores;
  std::vector<Zone> zones;
  std::vector<Load> loads;
  std::optional<Lift> lift;  ///< where something is lifted
  /// The motion that somebody who has tired makes, and what its back bears.
  struct Adapted {
    int from = 0;
    bool found = false;
    double cost = 0, compression = 0, trunk_flexion = 0;  ///< N and degrees, at most
  };
  std::optional<FatigueCourse> fatigue;  ///< of a motion that is repeated
  std::vector<Adapted> adapted;
  std::vector<std::string> assumed;
};

/// Nothing where the model is no person or the motion was not found.
std::optional<WorkScores> work_scores(const Task& task, const Solution& solution, const SampledMotion& motion);

/// `work` of solution.json.
void append_work(JsonWriter& json, const Task& task, const Solution& solution, const WorkScores& work);
/// For people.
std::string work_text(const WorkScores& work);

}  // namespace verne
