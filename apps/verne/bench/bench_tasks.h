/// Times predictions: each task in its variants, with each solver.
#pragma once

#include <string>
#include <vector>

namespace verne::cli {

/// What is timed of a task: the first solve; the whole sequence with its refinement, as `predict` does it; the first
/// solve again, from its own solution, after the goal has moved.
inline constexpr const char* kTaskVariants[] = {"first", "refined", "resolve"};
inline constexpr const char* kTaskSolvers[] = {"verne", "ipopt"};

struct TaskBenchOptions {
  std::vector<std::string> files;     ///< none: the tasks that come with the program
  std::vector<std::string> variants;  ///< none: all that a task has
  std::vector<std::string> solvers;   ///< none: all
  int threads = 1;                    ///< that evaluate costs and limits
  double seconds = 0.2;               ///< short solves are repeated for that long, and the fastest counts
};

struct TaskBenchRow {
  std::string task, variant, solver;
  double guess_seconds = 0, solve_seconds = 0, function_seconds = 0;
  int iterations = 0;
  double cost = 0;
  std::string status;
};

/// Throws InputError with the problems of all files.
std::vector<TaskBenchRow> bench_tasks(const TaskBenchOptions& options);

/// An array of rows, one a line.
std::string task_bench_json(const std::vector<TaskBenchRow>& rows);
std::string task_bench_table(const std::vector<TaskBenchRow>& rows);

}  // namespace verne::cli
