#include "motion/starts.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "motion/first_guess.h"

namespace verne {
namespace {

/// The first solves from all guesses. Threads take the next guess when they have done with one; what comes out does not
/// depend on their number.
class FirstSolves {
 public:
  FirstSolves(const Task& task, const PredictOptions& options) : task_(task), options_(options) {
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

 private:
  void work() {
    PredictOptions watched;
    watched.progress = [this](const PredictProgress& progress) { return go_on(progress); };
    for (int k = next_++; k < task_.starts.count && !stopped_; k = next_++) {
      try {
        solutions_[static_cast<std::size_t>(k)] = solve_from(task_, watched, first_guess(task_, k));
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

  const Task& task_;
  const PredictOptions& options_;
  std::vector<std::optional<Solution>> solutions_;
  std::atomic<int> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace

Solution predict_from_starts(const Task& task, const PredictOptions& options) {
  const FirstSolves solves(task, options);
  std::vector<StartResult> results;
  const Solution* best = nullptr;
  for (std::size_t k = 0; k < solves.solutions().size(); ++k) {
    const std::optional<Solution>& solution = solves.solutions()[k];
    if (!solution) continue;
    results.push_back({static_cast<int>(k), solution->status, solution->cost, solution->trajectory.duration()});
    if (solution->success() && (!best || solution->cost < best->cost)) best = &*solution;
  }
  Solution solution = best ? predict_from(task, options, best->trajectory, Guess::near)
                           : predict_from(task, options, first_guess(task), Guess::naive);
  solution.starts = std::move(results);
  return solution;
}

}  // namespace verne
