#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include "bench_cases.h"
#include "bench_report.h"
#include "bench_tasks.h"
#include "commands.h"
#include "model_option.h"
#include "number_option.h"
#include "output.h"
#include "page_bench.h"
#include "roofline.h"
#include "stopwatch.h"
#include "synthetic_models.h"
#include "verne/dynamics/batch.h"

namespace verne::cli {

namespace {

struct BenchOptions {
  ModelOption model;
  std::vector<int> chain, four_bars;
  bool of_tasks = false, of_page = false, roofline = false;
  TaskBenchOptions tasks;
  bool json = false;
  double seconds = 0.2;
  BenchSetup setup;
};

/// Part of the time of a single call's row that goes to its latency.
constexpr double kLatencyShare = 0.5;

/// Says on a terminal what is being timed, once it takes long.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), shown_(::isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (visible_) show_progress("");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step(const std::string& what) {
    ++done_;
    if (!shown_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(2)) return;
    visible_ = true;
    show_progress(fmt::format("{}/{} {}", done_, total_, what));
  }

 private:
  std::size_t total_, done_ = 0;
  bool shown_, visible_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

BenchRow measure(const BenchCase& timed, double seconds, Stopwatch& stopwatch) {
  const Calls calls = timed.prepare();
  BenchRow row{timed.algorithm, timed.library, timed.batch, timed.instruction_set, 0, {}, 0};
  row.ns_per_state = stopwatch.median_ns(calls, seconds) / timed.states_per_call;
  if (!timed.batch) row.latency = stopwatch.latency(calls, seconds * kLatencyShare);
  return row;
}

std::vector<BenchRow> bench_model(const Model& model, const BenchOptions& options) {
  const std::vector<BenchCase> cases = bench_cases(model, options.setup);
  if (cases.empty()) throw InputError("bench: --rows: no row of this model has such a name; --json shows their names");
  Progress progress(cases.size());
  Stopwatch stopwatch;
  std::vector<BenchRow> rows;
  for (const BenchCase& timed : cases) {
    progress.step(timed.algorithm + ", " + timed.library);
    rows.push_back(measure(timed, options.seconds, stopwatch));
  }
  return rows;
}

/// Dense matrices grow with the square of the joints: beyond this a batch of them would fill the memory.
constexpr int kMostJointsForMatrices = 256;

/// The growth is shown for the main algorithms and their dense matrices, one state and the widest lanes.
bool is_shown_for_chains(const BenchCase& timed, int joints) {
  static constexpr std::array kMain{"inverse_dynamics", "mass_matrix", "forward_dynamics", "kinematics"};
  static constexpr std::array kMatrices{"inverse_dynamics_derivatives", "forward_dynamics_derivatives",
                                        "second_derivatives", "inverse_mass_matrix"};
  const auto is_one_of = [&](const auto& names) {
    return std::find(names.begin(), names.end(), timed.algorithm) != names.end();
  };
  const bool shown = is_one_of(kMain) || (is_one_of(kMatrices) && joints <= kMostJointsForMatrices);
  return shown && timed.library == "Verne" && (!timed.batch || timed.instruction_set == instruction_sets().back());
}

std::vector<BenchRow> bench_chains(const BenchOptions& options) {
  Progress progress(options.chain.size());
  Stopwatch stopwatch;
  std::vector<BenchRow> rows;
  for (const int joints : options.chain) {
    progress.step(fmt::format("{} joints", joints));
    for (const BenchCase& timed : bench_cases(build_model(revolute_chain(joints)), options.setup)) {
      if (!is_shown_for_chains(timed, joints)) continue;
      rows.push_back(measure(timed, options.seconds, stopwatch));
      rows.back().joints = joints;
    }
  }
  return rows;
}

/// Mechanisms with local loops, by how many.
std::vector<BenchRow> bench_four_bars(const BenchOptions& options) {
  Progress progress(options.four_bars.size());
  Stopwatch stopwatch;
  std::vector<BenchRow> rows;
  for (const int four_bars : options.four_bars) {
    progress.step(fmt::format("{} four-bars", four_bars));
    for (const BenchCase& timed : closed_bench_cases(build_model(four_bar_chain(four_bars)), options.setup)) {
      rows.push_back(measure(timed, options.seconds, stopwatch));
      rows.back().joints = four_bars;
    }
  }
  return rows;
}

void run_bench(const BenchOptions& options) {
  if (options.of_page) {
    if (options.model.path.empty()) throw InputError("bench: --page needs a folder or a MODEL");
    return bench_page(options.model, options.json);
  }
  if (!options.model.path.empty() + !options.chain.empty() + !options.four_bars.empty() + options.of_tasks != 1) {
    throw InputError(
        "bench: give either a MODEL, --chain with numbers of joints, --four-bars with how many, or --tasks");
  }
#ifdef VERNE_HAVE_MOTION
  if (options.of_tasks) {
    TaskBenchOptions tasks = options.tasks;
    tasks.seconds = options.seconds, tasks.threads = options.setup.threads;
    const auto rows = bench_tasks(tasks);
    return options.json ? print(task_bench_json(rows)) : show(task_bench_table(rows));
  }
  if (!options.tasks.variants.empty()) throw InputError("bench: --variants is for --tasks");
  if (!options.tasks.solvers.empty()) throw InputError("bench: --solvers is for --tasks");
#endif
  if (!options.chain.empty()) {
    const auto rows = bench_chains(options);
    return print(options.json ? bench_json(rows) : chain_table(rows, "joint"));
  }
  if (!options.four_bars.empty()) {
    const auto rows = bench_four_bars(options);
    return print(options.json ? bench_json(rows) : chain_table(rows, "four-bar"));
  }
  const Model model = load(options.model);
  if (options.roofline) {
    const Roofline roofline = measure_roofline(model, options.setup, options.seconds);
    if (roofline.rows.empty()) throw InputError("bench: --rows: none of these is counted for --roofline");
    return options.json ? print(roofline_json(roofline)) : show(roofline_table(roofline));
  }
  const auto rows = bench_model(model, options);
  if (options.json) return print(bench_json(rows));
  show(fmt::format("{}: {} velocities, batches of {} states on {} thread{}\n\n", title_of(model), model.nv(),
                   options.setup.batch_states, options.setup.threads, options.setup.threads == 1 ? "" : "s") +
       model_table(rows));
}

}  // namespace

void add_bench_command(CLI::App& program) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App& command =
      *program.add_subcommand("bench", "Time every algorithm, one state and batches, beside other libraries");
  add_model_option(command, options->model);
  command.add_option("--chain", options->chain, "time synthetic arms with so many revolute joints instead: N1,N2,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1000))
      ->type_name("LIST");
  command
      .add_option("--four-bars", options->four_bars, "time mechanisms of so many four-bars in a row instead: N1,N2,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 64))
      ->type_name("LIST");
#ifdef VERNE_HAVE_MOTION
  CLI::Option* const tasks =
      command.add_option("--tasks", options->tasks.files, "time predictions instead (default: of all shipped tasks)")
          ->expected(0, -1)
          ->type_name("FILE...");
  command.add_option("--variants", options->tasks.variants, "of the tasks: first,refined,resolve (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kTaskVariants), std::end(kTaskVariants))))
      ->type_name("LIST");
  command.add_option("--solvers", options->tasks.solvers, "of the tasks: verne,ipopt (default: all there are)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kTaskSolvers), std::end(kTaskSolvers))))
      ->type_name("LIST");
#else
  const CLI::Option* const tasks = nullptr;
#endif
  command.add_flag("--compiled", options->setup.compiled, "also time code that is compiled for the model");
  command.add_flag("--gpu", options->setup.gpu, "also time kernels that are compiled for the model, on a GPU");
  command.add_flag("--roofline", options->roofline,
                   "how near main algorithms come to the processor's peak and to the bandwidth of memory, instead");
  command.add_flag("--page", options->of_page,
                   "time the page of MODEL, or of a folder that `verne predict` wrote, instead: needs Chromium");
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--seconds", options->seconds, "time for each number (default 0.2)")
      ->check(number_between(0.001, 60))
      ->type_name("S");
  command.add_option("--states", options->setup.batch_states, "states in a batch (default 256)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command.add_option("--rows", options->setup.rows, "only these rows, a star for any letters: inverse_dynamics,*_gpu")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command
      .add_option("--threads", options->setup.threads,
                  "threads for batches, or that evaluate costs and limits of tasks (default 1)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command.footer(
      "Examples:\n  verne bench models/arm7.yaml\n  verne bench --chain 2,4,8,16,32,64 --json\n"
      "  verne bench --four-bars 4,16,64\n"
      "  verne bench models/arm7.yaml --rows inverse_dynamics,forward_dynamics --states 65536 --threads 16\n"
      "  verne bench models/arm7.yaml --roofline\n"
      "  verne bench --page out\n  verne bench --tasks\n  verne bench --tasks tasks/arm7_reach.yaml --variants resolve "
      "--json");
  command.callback([options, tasks] {
    options->of_tasks = tasks && tasks->count() > 0;
    std::erase(options->tasks.files, "");  // what the parser makes of no file
    run_bench(*options);
  });
}

}  // namespace verne::cli
