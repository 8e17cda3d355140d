#include "motion/refine/starts.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "motion/guess/first_guess.h"
#include "motion/program/smoothing.h"
#include "motion/refine/ended_early.h"
#include "motion/refine/one_start.h"
#include "motion/task/time_allowed.h"

namespace verne {
namespace {

constexpr int kMoreStarts = 2;            // that are tried where one leads nowhere, or refined beside the best
constexpr double kSameMotion = 1e-5;      // of the cost: solves that differ by less found the same
constexpr double kMayBecomeBest = 0.1;    // of it, above the least of coarse curves: more will not be the least
constexpr double kPriceOfWarning = 1e-3;  // of the cost: what exceeding limits by as much as is passed may save

/// Whoever watches a prediction, and the clock, for the rough solves before it.
GoOn asking(const PredictOptions& options, const TimeAllowed& time) {
  return [&](const nlp::Iteration& at) { return !time.is_up() && (!options.progress || options.progress({-1, at})); };
}

/// The first solves from all guesses. Threads take the next guess when they have done with one; what comes out does not
/// depend on their number.
class FirstSolves {
 public:
  FirstSolves(const Task& task, const PredictOptions& options, const TimeAllowed& time)
      : task_(task),
        options_(options),
        time_(time),
        guesses_(task_, asking(options_, time_)),
        power_(power_scale(task_, guesses_(0))) {
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
  /// That smoothing is a part of: the same for all, or they could not be compared.
  double power() const { return power_; }
  bool stopped() const { return stopped_; }

 private:
  void work() {
    PredictOptions watched;
    watched.progress = [this](const PredictProgress& progress) { return go_on(progress); };
    for (int k = next_++; k < task_.starts.count && !stopped_ && (k == 0 || !time_.is_up()); k = next_++) {
      try {
        solutions_[static_cast<std::size_t>(k)] = solve_from(time_.rest_of(task_), watched, guesses_(k), power_);
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
  const TimeAllowed& time_;
  const FirstGuesses guesses_;
  const double power_;
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
bool worth_another_start(nlp::Status status, const RefineSpec& refine) {
  return status == nlp::Status::not_found || status == nlp::Status::failed ||
         (status == nlp::Status::not_verified && refine.rounds > 0) || status == nlp::Status::iteration_limit;
}

StartResult result_of_start(int start, const Solution& solution) {
  return {start, solution.status, solution.cost, solution.trajectory.duration()};
}

/// From the most promising guess; from the next ones where that leads nowhere.
Solution predict_from_one(const Task& task, const PredictOptions& options, const TimeAllowed& time) {
  const FirstGuesses guesses(task, asking(options, time));
  Solution solution = task.guess_motion ? predict_from(time.rest_of(task), options, *task.guess_motion)
                                        : predict_from(time.rest_of(task), options, guesses(0));
  std::vector<StartResult> results{result_of_start(0, solution)};
  for (int k = 1; k <= kMoreStarts && !time.is_up() && worth_another_start(solution.status, task.refine); ++k) {
    Solution other = predict_from(time.rest_of(task), options, guesses(k));
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

/// The first start that leads somewhere, which is what one start alone would refine, and the cheapest few that differ:
/// on finer curves their order may be another one.
std::vector<std::size_t> worth_refining(const std::vector<std::optional<Solution>>& solutions) {
  std::vector<std::size_t> order = cheapest_first(solutions);
  if (order.empty()) return order;
  const double least = solutions[order[0]]->cost;
  const auto apart = [&](std::size_t k, double cost) { return std::abs(solutions[k]->cost - cost) / std::abs(least); };
  const auto first = std::min_element(order.begin(), order.end());
  std::rotate(order.begin(), first, first + 1);
  std::vector<std::size_t> chosen{order[0]};
  for (const std::size_t k : order) {
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](std::size_t other) { return apart(k, solutions[other]->cost) <= kSameMotion; });
    if (!known && apart(k, least) < kMayBecomeBest && chosen.size() <= kMoreStarts) chosen.push_back(k);
  }
  return chosen;
}

/// Whether a refined motion is to be preferred: verified ones, of these those that keep their limits, and cheaper ones.
bool is_better(const Solution& a, const Solution& b) {
  if (a.success() != b.success()) return a.success();
  const auto price = [](const Solution& s) {
    return s.cost + (s.status == nlp::Status::solved ? 0 : kPriceOfWarning * std::abs(s.cost));
  };
  return a.success() && price(a) < price(b);
}

/// From the guesses that led to the best of the first solves: the best that is verified.
Solution predict_from_best(const Task& task, const PredictOptions& options, const FirstSolves& solves,
                           const TimeAllowed& time) {
  const std::vector<std::size_t> order = worth_refining(solves.solutions());
  if (order.empty()) return predict_from(time.rest_of(task), options, solves.guesses()(0), solves.power());
  const Solution& cheapest = *solves.solutions()[cheapest_first(solves.solutions())[0]];
  if (solves.stopped()) return interrupted_with(task, cheapest);
  std::optional<Solution> best;
  for (const std::size_t k : order) {
    if (best && time.is_up()) break;
    Solution solution =
        predict_from(time.rest_of(task), options, solves.guesses()(static_cast<int>(k)), solves.power());
    if (solution.status == nlp::Status::interrupted) {
      if (best && best->success()) return interrupted_with(task, *best);
      return solution.rounds.size() < 2 ? interrupted_with(task, cheapest) : solution;
    }
    if (!best || is_better(solution, *best)) best = std::move(solution);
  }
  return std::move(*best);
}

Solution predict_from_several(const Task& task, const PredictOptions& options, const TimeAllowed& time) {
  const FirstSolves solves(task, options, time);
  Solution solution = predict_from_best(task, options, solves, time);
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
  const TimeAllowed time(task.solver.max_seconds);
  return task.starts.count > 1 ? predict_from_several(task, lasting, time) : predict_from_one(task, lasting, time);
}

}  // namespace verne
