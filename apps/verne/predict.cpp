#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "interrupt.h"
#include "model_option.h"
#include "output.h"
#include "result_folder.h"
#include "result_report.h"
#include "verne/io/file.h"
#include "verne/motion/predict.h"
#include "verne/motion/stride.h"
#include "verne/motion/task_schema.h"
#include "verne/motion/write_solution.h"

namespace verne::cli {

namespace {

struct PredictArguments {
  std::string task, folder, sweep, compare;
  std::vector<std::string> set;
  int starts = 0, threads = 0;
  bool no_report = false, quiet = false, strict = false, schema = false;
  std::optional<MeasuredCurves> measured{};  // that `compare` holds
  MeshOptions meshes{};
};

double number_from(const std::string& text, const std::string& option) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) {
    throw InputError(fmt::format("{}: '{}' is not a number", option, text));
  }
  return value;
}

/// NAME=VALUE
std::map<std::string, double> read_settings(const std::vector<std::string>& settings) {
  std::map<std::string, double> values;
  for (const std::string& text : settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError(fmt::format("--set {}: expected NAME=VALUE, as in --set u=0.1", text));
    }
    values[text.substr(0, equals)] = number_from(text.substr(equals + 1), "--set " + text);
  }
  return values;
}

/// NAME=START:STOP:COUNT
SweepSpec read_sweep(const std::string& text) {
  const std::size_t equals = text.find('='), first = text.find(':'),
                    second = first == std::string::npos ? first : text.find(':', first + 1);
  if (equals == std::string::npos || equals == 0 || second == std::string::npos || first < equals) {
    throw InputError(fmt::format("--sweep {}: expected NAME=START:STOP:COUNT, as in --sweep u=0:0.5:11", text));
  }
  const std::string option = "--sweep " + text;
  const double count = number_from(text.substr(second + 1), option);
  if (count != static_cast<int>(count) || count < 2 || count > 1000) {
    throw InputError(fmt::format("{}: expected a count from 2 to 1000", option));
  }
  return {text.substr(0, equals), number_from(text.substr(equals + 1, first - equals - 1), option),
          number_from(text.substr(first + 1, second - first - 1), option), static_cast<int>(count)};
}

/// Iterations as one line of the terminal that is written over.
class ProgressLine {
 public:
  ProgressLine(std::string label, bool quiet) : label_(std::move(label)), on_(!quiet && ::isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (on_) show_progress("");
  }
  void show(const PredictProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    const std::string stage = progress.round < 0 ? "first guess" : fmt::format("round {}", progress.round);
    show_progress(fmt::format("{}  {}  iteration {}  cost {:.8g}  infeasibility {:.1e}  {:.1f} s", label_, stage,
                              progress.iteration.iteration, progress.iteration.cost, progress.iteration.infeasibility,
                              std::chrono::duration<double>(now - start_).count()));
  }

 private:
  std::string label_;
  bool on_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_{};
};

void apply_starts(const PredictArguments& arguments, Task& task) {
  if (arguments.starts > 0) task.starts.count = arguments.starts;
  if (arguments.threads > 0) task.starts.threads = arguments.threads;
}

/// The command that leads to the same result, for all who get to see the report.
std::string command_of(const PredictArguments& arguments, const std::map<std::string, double>& settings) {
  std::string command = "verne predict " + quoted(public_path(arguments.task));
  for (const auto& [name, value] : settings) command += fmt::format(" --set {}={}", quoted(name), value);
  if (arguments.starts > 0) command += fmt::format(" --starts {}", arguments.starts);
  return command + " -o " + quoted(public_path(arguments.folder));
}

Solution solve(const Task& task, const PredictArguments& arguments, const std::string& label,
               const Solution* warm_start) {
  ProgressLine line(label, arguments.quiet);
  PredictOptions options;
  options.warm_start = warm_start;
  options.progress = [&](const PredictProgress& progress) {
    line.show(progress);
    return !interrupt_requested();
  };
  return predict(task, options);
}

/// What was written: solution.json as pages take it, and what people read.
struct Written {
  SolutionFile file;
  std::string summary;
};

/// Writes all files of a solution.
Written write_solution(const Task& task, const Solution& solution, ResultFolder& folder, const std::string& command) {
  const SampledMotion motion = sample_motion(task, solution, task.samples);
  const std::optional<Stride> stride = solution.success() ? unfold_stride(task, solution) : std::nullopt;
  std::vector<ResultFile> files = solution_files(task, solution, motion, stride, "verne " VERNE_VERSION, command);
  for (const ResultFile& file : files) folder.write(file.name, file.text);
  const auto summary =
      std::find_if(files.begin(), files.end(), [](const ResultFile& file) { return file.name == "summary.txt"; });
  return {{label_of_folder(folder.path().string()), (folder.path() / files.front().name).string(),
           std::move(files.front().text)},
          std::move(summary->text)};
}

/// How like a solution is to what was measured.
void show_likeness(const PredictArguments& arguments, const Solution& solution, const SolutionFile& file) {
  if (!arguments.measured || !solution.success()) return;
  show(likeness_text(likeness(file, *arguments.measured), *arguments.measured));
}

[[noreturn]] void fail(const std::string& why) {
  throw NotAchieved{why};
}

Tone tone_of(nlp::Status status) {
  return status == nlp::Status::solved ? Tone::good : status == nlp::Status::acceptable ? Tone::fair : Tone::bad;
}

/// The first line begins with the task and what became of it.
void show_summary(const Task& task, const Solution& solution, const std::string& text) {
  const std::string head = task.name + ": ", status = to_string(solution.status);
  show(head);
  show(status, tone_of(solution.status));
  show(text.substr(head.size() + status.size()));
}

void run_one(const PredictArguments& arguments, const Task& asked, const std::map<std::string, double>& settings,
             ResultFolder& folder) {
  const Solution solution = solve(asked, arguments, asked.name, nullptr);
  const Task task = as_designed(asked, solution);
  Written written = write_solution(task, solution, folder, command_of(arguments, settings));
  ReportContents contents{{std::move(written.file)}, "", ""};
  SolutionFile& file = contents.solutions.front();
  file.meshes = write_meshes(folder, task.model, arguments.meshes);
  folder.finish();
  show_summary(task, solution, written.summary);
  show_likeness(arguments, solution, file);
  finish_results(folder, std::move(contents), !arguments.no_report, arguments.measured);
  check_interrupt();
  if (!solution.success()) fail(fmt::format("{}: {}", task.name, to_string(solution.status)));
}

/// A line of the table of a sweep.
void show_row(const std::string& label, const Solution& solution) {
  show(fmt::format("{:<34} ", label));
  show(fmt::format("{:<16}", to_string(solution.status)), tone_of(solution.status));
  show(fmt::format(" duration {:<12.8g} cost {:.8g}\n", solution.trajectory.duration(), solution.cost));
}

void run_sweep(const PredictArguments& arguments, const SweepSpec& sweep, std::map<std::string, double> settings,
               ResultFolder& folder) {
  const std::vector<double> values = sweep.values();
  folder.require_rows(values.size());
  std::vector<FrontRow> rows;
  ReportContents contents;
  std::string meshes;
  int failures = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    settings[sweep.parameter] = values[k];
    Task task = load_task(arguments.task, settings);
    apply_starts(arguments, task);
    const std::string label = fmt::format("{} = {:.6g} ({} of {})", sweep.parameter, values[k], k + 1, values.size());
    const Solution* const warm = rows.empty() || !rows.back().solution.success() ? nullptr : &rows.back().solution;
    Solution solution = solve(task, arguments, label, warm);
    if (warm && !solution.success() && !interrupt_requested()) solution = solve(task, arguments, label, nullptr);
    task = as_designed(task, solution);
    ResultFolder row = folder.row(k);
    PredictArguments one = arguments;
    one.folder = row.path().string();
    SolutionFile file = write_solution(task, solution, row, command_of(one, settings)).file;
    row.finish();
    row.remove_stale();
    failures += solution.success() ? 0 : 1;
    rows.push_back({values[k], row.path().filename().string(), std::move(solution)});
    // At every row, so that the table never speaks of other rows than those that are there.
    if (rows.size() == 1) meshes = write_meshes(folder, task.model, arguments.meshes);
    file.meshes = meshes;
    contents.front = front_json(sweep.parameter, rows);
    folder.write("front.json", contents.front);
    folder.write("front.csv", front_csv(sweep.parameter, rows));
    folder.finish();
    show_row(label, rows.back().solution);
    show_likeness(arguments, rows.back().solution, file);
    contents.solutions.push_back(std::move(file));
    if (interrupt_requested()) break;
  }
  finish_results(folder, std::move(contents), !arguments.no_report, arguments.measured);
  check_interrupt();
  if (failures > 0) fail(fmt::format("{} of {} values were not solved", failures, rows.size()));
}

void run_predict(PredictArguments arguments) {
  const std::map<std::string, double> settings = read_settings(arguments.set);
  std::optional<SweepSpec> sweep;
  if (!arguments.sweep.empty()) sweep = read_sweep(arguments.sweep);
  std::map<std::string, double> first = settings;
  if (sweep) first[sweep->parameter] = sweep->start;
  Task task = load_task(arguments.task, first);
  const std::vector<PlausibilityWarning> implausible = implausible_data(task);
  if (arguments.strict) require_none(implausible);
  warn_of_implausible_data(implausible, task.model.spec().file);
  const std::vector<Diagnostic> warnings = task_warnings(task);
  if (arguments.strict && !warnings.empty()) throw InputError(warnings);
  for (const Diagnostic& warning : warnings) complain(line_about(warning, "warning"));
  if (task.mechanism) warn_of_loops(*task.mechanism, arguments.strict);
  apply_starts(arguments, task);
  if (!arguments.compare.empty()) {
    const std::vector<std::string> curves = stride_curve_names(task);
    if (curves.empty()) {
      throw InputError(
          "--compare: the task has no gait cycle: no motion that ends as it began, or mirrored, farther on");
    }
    arguments.measured = read_measured(arguments.compare);
    require_some_of(curves, *arguments.measured);
  }
  if (!sweep) sweep = task.sweep;
  if (arguments.folder.empty()) arguments.folder = (std::filesystem::path("out") / file_name_for(task.name)).string();
  ResultFolder folder(arguments.folder);
  if (sweep) return run_sweep(arguments, *sweep, settings, folder);
  run_one(arguments, task, settings, folder);
}

}  // namespace

void add_predict_command(CLI::App& program) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& command = *program.add_subcommand("predict", "Find the best motion for a task and verify it");
  command.add_option("TASK", arguments->task, "task file (docs/tasks.md)")->type_name("");
  command.add_option("-o,--output", arguments->folder, "folder for the results (default: out/ and the task's name)")
      ->type_name("DIR")
      ->check(not_empty());
  command.add_option("--set", arguments->set, "change a parameter of the task")->type_name("NAME=VALUE")->take_all();
  command.add_option("--sweep", arguments->sweep, "solve for a row of values of a parameter")
      ->type_name("NAME=START:STOP:COUNT");
  command.add_option("--starts", arguments->starts, "first guesses to start from")->check(CLI::Range(1, 10000));
  command.add_option("--threads", arguments->threads, "that solve from them, or evaluate costs and limits")
      ->check(CLI::Range(1, 256));
  command.add_option("--compare", arguments->compare, "measured curves over the gait cycle (CSV, docs/gait.md)")
      ->type_name("FILE")
      ->check(not_empty());
  add_strict_option(command, arguments->strict);
  add_mesh_options(command, arguments->meshes);
  command.add_flag("--no-report", arguments->no_report, "do not write report.html");
  command.add_flag("--quiet", arguments->quiet, "no progress on the terminal");
  command.add_flag("--schema", arguments->schema, "print the task format as JSON Schema, for editors, and end");
  command.footer(
      "Examples:\n  verne predict tasks/two_link_min_time.yaml\n"
      "  verne predict tasks/prismatic_revolute.yaml --set u=0.1 -o out/slow\n"
      "  verne predict tasks/prismatic_revolute.yaml --sweep u=0:0.5:11\n\n"
      "Exit status: 0 solved, 1 not solved (the files then hold the best motion\n"
      "found), 2 bad input, 3 environment error (disk full, folder not writable), 130\n"
      "interrupted. Ctrl-C stops after the iteration and keeps the best motion; a\n"
      "second Ctrl-C ends the program at once, and nothing is written.");
  command.callback([arguments] {
    if (arguments->schema) return show(task_json_schema());
    if (arguments->task.empty()) throw CLI::RequiredError("TASK");
    run_predict(*arguments);
  });
}

}  // namespace verne::cli
