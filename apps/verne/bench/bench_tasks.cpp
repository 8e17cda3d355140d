#include "bench_tasks.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "interrupt.h"
#include "motion/guess/first_guess.h"
#include "motion/refine/one_start.h"
#include "nlp/methods.h"
#include "table.h"
#include "verne/io/json_writer.h"
#include "verne/motion/predict.h"

namespace verne::cli {

namespace {

constexpr double kGoalShift = 0.02;  // m

constexpr nlp::Method kMethods[] = {nlp::Method::verne, nlp::Method::ipopt};

bool among(const std::vector<std::string>& wanted, const std::string& name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

/// Beside the place where one works, or where the program was installed.
std::vector<std::string> shipped_tasks() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (const fs::path& folder : {fs::path("tasks"), program.parent_path().parent_path() / "share/verne/tasks"}) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    if (!files.empty()) return files;
  }
  throw InputError("bench: --tasks: there is no folder 'tasks' here: name the task files");
}

std::vector<Task> load_all(const std::vector<std::string>& files) {
  std::vector<Task> tasks;
  std::vector<Diagnostic> problems;
  for (const std::string& file : files) {
    try {
      tasks.push_back(load_task(file));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return tasks;
}

/// The task with every place that a frame has to reach in the end 2 cm further; nothing when there is none.
std::optional<Task> with_moved_goal(Task task) {
  bool moved = false;
  for (FrameGoalSpec& frame : task.frames) {
    if (frame.when.path || frame.when.at < 1) continue;
    const auto given = [](const Interval& bounds) { return bounds.bounded(); };
    const auto coordinates = std::count_if(frame.position.begin(), frame.position.end(), given);
    for (Interval& bounds : frame.position) {
      const double shift = kGoalShift / std::sqrt(static_cast<double>(coordinates));
      if (!given(bounds)) continue;
      bounds.lower += shift, bounds.upper += shift;
      moved = true;
    }
  }
  if (!moved) return std::nullopt;
  return task;
}

PredictOptions interruptible() {
  PredictOptions options;
  options.progress = [](const PredictProgress&) { return !interrupt_requested(); };
  return options;
}

/// The fastest of as many runs as fit into the time, at least one.
template <class Solve>
Solution fastest(double seconds, const Solve& solve) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Solution best = solve();
  while (check_interrupt(), passed() < seconds) {
    Solution again = solve();
    if (again.solve_seconds < best.solve_seconds) best = std::move(again);
  }
  return best;
}

/// A variant of a task, unless the task does not have it.
std::optional<Solution> solve_variant(const Task& task, const std::string& variant, double seconds) {
  const PredictOptions options = interruptible();
  if (variant == "refined") return fastest(seconds, [&] { return predict(task, options); });
  const FirstGuesses guesses(task);
  const Trajectory guess = guesses(0);
  if (variant == "first") {
    Solution solution = fastest(seconds, [&] { return solve_from(task, options, guess); });
    solution.guess_seconds = guesses.seconds();
    return solution;
  }
  const std::optional<Task> moved = with_moved_goal(task);
  if (!moved) return std::nullopt;
  const KnownMotion solved = known_motion(solve_from(task, options, guess));
  return fastest(seconds, [&] { return solve_from(*moved, options, solved); });
}

}  // namespace

std::vector<TaskBenchRow> bench_tasks(const TaskBenchOptions& options) {
  std::vector<TaskBenchRow> rows;
  for (Task& task : load_all(options.files.empty() ? shipped_tasks() : options.files)) {
    if (options.threads > 1) task.starts.threads = options.threads;
    for (const std::string variant : kTaskVariants) {
      if (!among(options.variants, variant)) continue;
      for (const nlp::Method method : kMethods) {
        if (!among(options.solvers, to_string(method))) continue;
        if (options.solvers.empty() && method == nlp::Method::ipopt && !nlp::has_ipopt()) continue;
        task.solver.method = method;
        const std::optional<Solution> s = solve_variant(task, variant, options.seconds);
        if (!s) continue;
        rows.push_back({task.name, variant, to_string(method), s->guess_seconds, s->solve_seconds, s->function_seconds,
                        s->iterations, s->cost, nlp::to_string(s->status)});
      }
    }
  }
  return rows;
}

std::string task_bench_json(const std::vector<TaskBenchRow>& rows) {
  std::string text = "[";
  JsonWriter json;
  for (const TaskBenchRow& row : rows) {
    json.clear();
    json.begin_object().key("task").value(row.task).key("variant").value(row.variant).key("solver").value(row.solver);
    json.key("guess_seconds").value(row.guess_seconds);
    json.key("solve_seconds").value(row.solve_seconds).key("function_seconds").value(row.function_seconds);
    json.key("iterations").value(row.iterations).key("cost").value(row.cost).key("status").value(row.status);
    json.end_object();
    text += (text.size() > 1 ? ",\n " : "") + json.text();
  }
  return text + "]\n";
}

std::string task_bench_table(const std::vector<TaskBenchRow>& rows) {
  const auto right = Table::Align::right;
  Table table({{"task"},
               {"variant"},
               {"solver"},
               {"guess ms", right},
               {"solve ms", right},
               {"functions ms", right},
               {"iterations", right},
               {"functions ms/iteration", right},
               {"cost", right},
               {"status"}});
  for (const TaskBenchRow& row : rows) {
    table.add_row({row.task, row.variant, row.solver, fmt::format("{:.2f}", 1e3 * row.guess_seconds),
                   fmt::format("{:.2f}", 1e3 * row.solve_seconds), fmt::format("{:.2f}", 1e3 * row.function_seconds),
                   std::to_string(row.iterations),
                   fmt::format("{:.3f}", 1e3 * row.function_seconds / std::max(row.iterations, 1)),
                   fmt::format("{:.8g}", row.cost), row.status});
  }
  return table.text("");
}

}  // namespace verne::cli
