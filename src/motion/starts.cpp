#include "motion/starts.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "motion/first_guess.h"
#include "motion/smoothing.h"

namespace verne {
namespace {

constexpr int kMoreStarts = 2;  // that are tried where one leads nowhere

/// Whoever watches a prediction, for the rough solves before it.
GoOn asking(const PredictOptions& options) {
  if (!options.progress) return {};
  return [&](const nlp::Iteration& at) { return options.progress({-1, at}); };
}

/// The first solves from all guesses. Threads take the next guess when they have done with one; what comes out does not
/// depend on their number.
class FirstSolves {
 public:
  FirstSolves(const Task& task, const PredictOptions& options)
      : task_(task), options_(options), guesses_(task_, asking(options_)) {
    task_.costs = smoothing_steps(task, guesses_(0)).back();  // the same for all, or they could not be compared
    solutions_.resize(static_cast<std::size_t>(task.starts.count));
    const int threads = std::min(task.starts.threads, task.starts.count);
    std::vector<std::jthread> others;
    for (int k = 1; k < threads; ++k) others.emplace_back([this] { work(); });
    work();
    others.clear();  // waits
    if (thrown_) std::rethrow_exception(thrown_);
  }

  /// In the order of the starts; those after an interruption are missing.
  const std::vector<std::optional<Solution>>& solutions() const { return solutions_; }
  const FirstGuesses& guesses() const { return guesses_; }
  /// With the costs that all were solved for.
  const Task& task() const { return task_; }
  bool stopped() const { return stopped_; }

 private:
  void work() {
    PredictOptions watched;
    watched.progress = [this](const PredictProgress& progress) { return go_on(progress); };
    for (int k = next_++; k < task_.starts.count && !stopped_; k = next_++) {
      try {
        solutions_[static_cast<std::size_t>(k)] = solve_from(task_, watched, guesses_(k));
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        thrown_ = std::current_exception();
        stopped_ = true;
      }
    }
  }

  /// One thread at a time asks whoever watches.
  bool go_on(const PredictProgress& progress) {
    const std::scoped_lock lock(mutex_);
    if (!stopped_ && options_.progress && !options_.progress(progress)) stopped_ = true;
    return !stopped_;
  }

  Task task_;
  const PredictOptions& options_;
  const FirstGuesses guesses_;
  std::vector<std::optional<Solution>> solutions_;
  std::atomic<int> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

/// Who ended a choice is not asked again.
PredictOptions once_stopped(const PredictOptions& options) {
  if (!options.progress) return options;
  PredictOptions lasting = options;
  lasting.progress = [ask = options.progress, stopped = false](const PredictProgress& progress) mutable {
    stopped = stopped || !ask(progress);
    return !stopped;
  };
  return lasting;
}

/// Whether a start may have been at fault; not that of limits between nodes, where nobody refines.
bool worth_another_start(nlp::Status status, const RefineTask& refine) {
  return status == nlp::Status::not_found || status == nlp::Status::failed ||
         (status == nlp::Status::not_verified && refine.rounds > 0) || status == nlp::Status::iteration_limit;
}

StartResult result_of_start(int start, const Solution& solution) {
  return {start, solution.status, solution.cost, solution.trajectory.duration()};
}

/// From the most promising guess; from the next ones where that leads nowhere.
Solution predict_from_one(Task task, const PredictOptions& options) {
  const FirstGuesses guesses(task, asking(options));
  Solution solution =
      task.guess_motion ? predict_from(task, options, *task.guess_motion) : predict_from(task, options, guesses(0));
  std::vector<StartResult> results{result_of_start(0, solution)};
  double seconds = solution.solve_seconds;
  for (int k = 1; k <= kMoreStarts && worth_another_start(solution.status, task.refine); ++k) {
    task.solver.max_seconds -= seconds;
    Solution other = predict_from(task, options, guesses(k));
    seconds = other.solve_seconds;
    results.push_back(result_of_start(k, other));
    if (other.success() || other.status == nlp::Status::interrupted) solution = std::move(other);
  }
  if (results.size() > 1) solution.starts = std::move(results);
  solution.guess_seconds = guesses.seconds();
  return solution;
}

/// Of first solves that led somewhere, by their numbers, cheapest first.
std::vector<std::size_t> cheapest_first(const std::vector<std::optional<Solution>>& solutions) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    if (solutions[k] && solutions[k]->success()) found.push_back(k);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](std::size_t a, std::size_t b) { return solutions[a]->cost < solutions[b]->cost; });
  return found;
}

/// From the guess that led to the best of the first solves; from the next ones where that leads nowhere.
Solution predict_from_best(Task task, const PredictOptions& options, const FirstSolves& solves) {
  std::vector<std::size_t> order = cheapest_first(solves.solutions());
  if (order.empty()) return predict_from(task, options, solves.guesses()(0));
  const Solution& best = *solves.solutions()[order[0]];
  if (solves.stopped()) return interrupted_with(task, best);
  order.resize(std::min<std::size_t>(order.size(), 1 + kMoreStarts));
  std::optional<Solution> first;
  for (const std::size_t k : order) {
    Solution solution = predict_from(task, options, solves.guesses()(static_cast<int>(k)));
    if (solution.status == nlp::Status::interrupted && solution.rounds.size() < 2) return interrupted_with(task, best);
    if (!worth_another_start(solution.status, task.refine)) return solution;
    task.solver.max_seconds -= solution.solve_seconds;
    if (!first) first = std::move(solution);
  }
  return std::move(*first);
}

Solution predict_from_several(const Task& task, const PredictOptions& options) {
  const FirstSolves solves(task, options);
  Solution solution = predict_from_best(solves.task(), options, solves);
  for (std::size_t k = 0; k < solves.solutions().size(); ++k) {
    const std::optional<Solution>& from = solves.solutions()[k];
    if (from) solution.starts.push_back(result_of_start(static_cast<int>(k), *from));
  }
  solution.guess_seconds = solves.guesses().seconds();
  return solution;
}

}  // namespace

Solution predict_from_starts(const Task& task, const PredictOptions& options) {
  const PredictOptions lasting = once_stopped(options);
  return task.starts.count > 1 ? predict_from_several(task, lasting) : predict_from_one(task, lasting);
}

}  // namespace verne
