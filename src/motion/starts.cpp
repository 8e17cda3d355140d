#include "motion/starts.h"

#include "motion/first_guess.h"

namespace verne {

Solution predict_from_starts(const Task& task, const PredictOptions& options) {
  std::vector<StartResult> results;
  std::optional<Trajectory> best;
  double best_cost = kInfinity;
  bool stopped = false;
  PredictOptions watched;
  watched.progress = [&](const PredictProgress& progress) {
    stopped = options.progress && !options.progress(progress);
    return !stopped;
  };
  for (int k = 0; k < task.starts.count && !stopped; ++k) {
    const Solution solution = solve_from(task, watched, first_guess(task, k));
    results.push_back({k, solution.status, solution.cost, solution.trajectory.duration()});
    if (solution.success() && solution.cost < best_cost) {
      best_cost = solution.cost;
      best = solution.trajectory;
    }
  }
  Solution solution = predict_from(task, options, best ? *best : first_guess(task), best ? Guess::near : Guess::naive);
  solution.starts = std::move(results);
  return solution;
}

}  // namespace verne
