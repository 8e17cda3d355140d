#include "motion/refine/record.h"

#include <utility>

namespace verne {

void Record::add(const nlp::Summary& solve) {
  solve_seconds_ += solve.seconds;
  function_seconds_ += solve.function_seconds;
  iterations_ += solve.iterations;
  history_.insert(history_.end(), solve.history.begin(), solve.history.end());
}

void Record::add_round(const Result& result, const char* what, int iterations) {
  const Grid& grid = result.grid;
  rounds_.push_back({static_cast<int>(result.round), grid.curve.basis.control_points(),
                     static_cast<int>(grid.nodes.size()), iterations, result.motion.trajectory.duration(),
                     result.motion.cost, result.worst_excess(), what});
}

void Record::move_into(Solution& motion) {
  motion.iterations = iterations_;
  motion.solve_seconds = solve_seconds_;
  motion.function_seconds = function_seconds_;
  motion.history = std::move(history_);
  motion.rounds = std::move(rounds_);
}

}  // namespace verne
