/// What one solve of a task found.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "motion/program/program.h"
#include "motion/verify/verdict.h"
#include "verne/nlp/solve.h"

namespace verne {

/// A motion, measured, with what the next solve needs to build on it.
struct Result {
  Solution motion;
  Grid grid;
  Measured measured;
  nlp::Point point;
  std::vector<PlacedStage> stages;
  std::vector<int> limit_rows;  ///< of each stage; the last rows of the program
  std::size_t round = 0;
  bool loose = false;        ///< not solved to the end
  double minimized = 0;      ///< the cost as the program has it, with the energy smoothed
  double cost_of_slack = 0;  ///< of minimum times: by how much the slack of limits between nodes raises the cost, (20a)
  std::optional<Trajectory> guess{};       ///< that the program was made from
  std::map<std::string, double> design{};  ///< what designed parameters are
  LimitNumbers limit_numbers{};            ///< by which `measured` has their reports

  double worst_excess() const;

  /// Whether it holds better what it should or, where both do, costs less. Finer curves cost more where equations along
  /// the way leave coarse ones room to cheat: there, the better they hold the better.
  bool better_than(const Result& other) const;
};

/// `task`: with the costs that were minimized; the stages of the program become the result's.
Result result_of(const Task& task, Program& program, Grid grid, nlp::Summary summary);

/// The point of a result for a program on the same curve that has nodes more: their rows are the last of their phase,
/// and have no multipliers yet.
nlp::Point with_more_nodes(const Result& found, const Grid& finer);

/// Completes the result's verification, and judges it. `go_on`: whether its simulation may.
void verify(const Task& task, Result& result, const std::function<bool()>& go_on = {});

}  // namespace verne
