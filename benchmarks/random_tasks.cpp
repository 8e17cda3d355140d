/// How far predictions can be trusted: random tasks of every class, solved with default settings, and what became of
/// them.
///   random_tasks [--seed 1] [--count 10] [--class "pose, time"] [--starts 5] [--refinement] [--list] [--write FOLDER]
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "random_task.h"
#include "verne/base/error.h"
#include "verne/motion/predict.h"

namespace verne::bench {
namespace {

struct Settings {
  unsigned seed = 1;
  int count = 10, starts = 1;
  bool refinement = false, list = false;
  std::vector<std::string> classes;
  std::string folder;  ///< where tasks are written that did not go well, or all with --write
};

struct Tally {
  int tasks = 0, solved = 0, acceptable = 0, failed = 0, wrong = 0, compared = 0, near_best = 0, iterations = 0;
  double seconds = 0, guess_seconds = 0, worst_gap = 0;
  std::vector<double> gaps, times;  ///< to finer curves, of the cost; solving, in those of the first solve
};

std::string file_name(const std::string& task_class, int k) {
  std::string name = task_class + "_" + std::to_string(k) + ".yaml";
  for (char& c : name) c = c == ' ' || c == ',' ? '_' : c;
  return name;
}

/// The best cost of several starts, where one succeeds.
std::optional<double> best_of_starts(Task task, int starts) {
  task.starts.count = starts;
  const Solution best = predict(task);
  return best.success() ? std::optional(best.cost) : std::nullopt;
}

/// The least of a few, as others disturb.
double solve_seconds(const Task& task) {
  double least = predict(task).solve_seconds;
  for (int k = 0; k < 2; ++k) least = std::min(least, predict(task).solve_seconds);
  return least;
}

/// How near the limit of refinement a solution is, and what it took to get there.
void compare_with_finer_curves(Task task, const Solution& solution, bool list, Tally& tally) {
  const double seconds = solve_seconds(task);
  task.refine = RefineSpec::off();
  const double first = solve_seconds(task);
  task.refine = {};
  task.refine.gap = 2e-4;
  const Solution finer = predict(task);
  if (!finer.success()) return;
  tally.gaps.push_back((solution.cost - finer.cost) / std::abs(finer.cost));
  tally.times.push_back(seconds / first);
  if (!list) return;
  fmt::print("    {:.2f} % above finer curves, in {:.1f} times the first solve\n", 100 * tally.gaps.back(),
             tally.times.back());
}

constexpr double kNearEnough = 5e-3, kFastEnough = 5;  // of refinement: gap, times of the first solve

/// How many are as near and as fast as they should be.
std::string text_of_refinement(Tally t) {
  if (t.gaps.empty()) return "";
  const auto at_most = [](const std::vector<double>& values, double most) {
    return std::count_if(values.begin(), values.end(), [&](double value) { return value <= most; });
  };
  int both = 0;
  for (std::size_t k = 0; k < t.gaps.size(); ++k) both += t.gaps[k] <= kNearEnough && t.times[k] <= kFastEnough;
  std::sort(t.gaps.begin(), t.gaps.end());
  std::sort(t.times.begin(), t.times.end());
  const std::size_t middle = t.gaps.size() / 2;
  return fmt::format(
      "within {} %: {} of {}, median {:.2f} %, worst {:.1f} %; in {} times: {}, median {:.1f}, worst {:.1f}; both: {}",
      100 * kNearEnough, at_most(t.gaps, kNearEnough), t.gaps.size(), 100 * t.gaps[middle], 100 * t.gaps.back(),
      kFastEnough, at_most(t.times, kFastEnough), t.times[middle], t.times.back(), both);
}

Tally try_class(const std::string& task_class, const Settings& settings) {
  constexpr double kNear = 0.01;
  const auto& all = task_classes();
  const auto number = static_cast<unsigned>(std::find(all.begin(), all.end(), task_class) - all.begin());
  Tally tally;
  for (int k = 0; k < settings.count; ++k) {
    std::seed_seq seed{settings.seed, number, static_cast<unsigned>(k)};
    std::mt19937_64 rng(seed);
    const auto random = random_task(task_class, VERNE_SOURCE_DIR "/models", rng);
    if (!random) continue;
    const std::string file = file_name(task_class, k);
    if (!settings.folder.empty()) std::ofstream(std::filesystem::path(settings.folder) / file) << random->text;
    const Task task = read_task(random->text, file, VERNE_SOURCE_DIR "/models");
    const Solution solution = predict(task);
    if (settings.list) {
      fmt::print("  {} ({}): {}, cost {:.8g}\n", file, random->model, to_string(solution.status), solution.cost);
    }
    ++tally.tasks;
    tally.seconds += solution.solve_seconds;
    tally.guess_seconds += solution.guess_seconds;
    tally.iterations += solution.iterations;
    if (!solution.success()) {
      ++tally.failed;
      fmt::print("  {} ({}): {}\n", file, random->model, solution.message);
      continue;
    }
    ++(solution.status == nlp::Status::solved ? tally.solved : tally.acceptable);
    if (const std::string fault = fault_of(task, solution.trajectory); !fault.empty()) {
      ++tally.wrong;
      fmt::print("  {} ({}): WRONG: {}\n", file, random->model, fault);
    }
    if (settings.refinement) compare_with_finer_curves(task, solution, settings.list, tally);
    if (settings.starts < 2) continue;
    if (const auto best = best_of_starts(task, settings.starts)) {
      if (settings.list) fmt::print("    best of {} starts: cost {:.8g}\n", settings.starts, *best);
      const double gap = (solution.cost - *best) / std::max(std::abs(*best), 1e-12);
      ++tally.compared;
      tally.near_best += gap <= kNear;
      tally.worst_gap = std::max(tally.worst_gap, gap);
    }
  }
  return tally;
}

int run(const Settings& settings) {
  std::vector<std::pair<std::string, Tally>> rows;
  for (const std::string& one : settings.classes.empty() ? task_classes() : settings.classes) {
    fmt::print("{} …\n", one);
    rows.emplace_back(one, try_class(one, settings));
  }
  fmt::print("\n{:23} {:>5} {:>6} {:>10} {:>6} {:>5} {:>10} {:>9} {:>11}  {}\n", "class", "tasks", "solved",
             "acceptable", "failed", "wrong", "iterations", "s a task", "s to choose", "within 1 % of the best start");
  Tally sum;
  for (const auto& [name, t] : rows) {
    const int n = std::max(t.tasks, 1);
    const std::string near =
        t.compared == 0 ? "" : fmt::format("{} of {}, worst {:+.1f} %", t.near_best, t.compared, 100 * t.worst_gap);
    fmt::print("{:23} {:5} {:6} {:10} {:6} {:5} {:10} {:9.3f} {:11.3f}  {}\n", name, t.tasks, t.solved, t.acceptable,
               t.failed, t.wrong, t.iterations / n, t.seconds / n, t.guess_seconds / n, near);
    sum.gaps.insert(sum.gaps.end(), t.gaps.begin(), t.gaps.end());
    sum.times.insert(sum.times.end(), t.times.begin(), t.times.end());
    sum.tasks += t.tasks, sum.solved += t.solved, sum.acceptable += t.acceptable, sum.wrong += t.wrong;
  }
  fmt::print("{} of {} solved ({:.1f} %), {} acceptable, {} wrong\n", sum.solved, sum.tasks,
             100.0 * sum.solved / std::max(sum.tasks, 1), sum.acceptable, sum.wrong);
  if (settings.refinement) {
    fmt::print("\nabove the cost on finer curves (gap: 2e-4), and time of solving in times of the first solve\n");
    for (const auto& [name, t] : rows) fmt::print("{:23} {}\n", name, text_of_refinement(t));
    fmt::print("{:23} {}\n", "all", text_of_refinement(sum));
  }
  return sum.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace verne::bench

int main(int argc, char** argv) {
  verne::bench::Settings settings;
  CLI::App app{"Solves random tasks with default settings and tells what became of them."};
  app.add_option("--seed", settings.seed, "other tasks")->capture_default_str();
  app.add_option("--count", settings.count, "of each class")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--class", settings.classes, "only these; all when missing")
      ->check(CLI::IsMember(verne::bench::task_classes()));
  app.add_option("--starts", settings.starts, "compare with the best of so many starts")->capture_default_str();
  app.add_flag("--refinement", settings.refinement, "compare with much finer curves, and with the first solve");
  app.add_flag("--list", settings.list, "print a line for each task");
  app.add_option("--write", settings.folder, "write the task files here")->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  try {
    return verne::bench::run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
