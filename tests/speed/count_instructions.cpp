/// Runs in valgrind what instruction_counts.sh guards: single calls of the main algorithms, as `verne bench` times
/// them, and one iteration of two motion tasks. Each is counted by itself: a dump of callgrind with the row's name.
///   count_instructions calls        runs the single calls
///   count_instructions tasks        runs the iterations
///   count_instructions --built-by   says which compiler and C library the numbers depend on
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#define CALLGRIND_STOP_INSTRUMENTATION
#endif
#include <gnu/libc-version.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "bench/bench_cases.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"

namespace {

constexpr std::array kAlgorithms{"inverse_dynamics",
                                 "forward_dynamics",
                                 "mass_matrix",
                                 "inverse_dynamics_derivatives",
                                 "forward_dynamics_derivatives",
                                 "kinematics",
                                 "forward_dynamics_in_contact",
                                 "forward_dynamics_derivatives_in_contact",
                                 "forward_dynamics_and_wrench_derivatives_in_contact",
                                 "forward_dynamics_and_all_wrench_derivatives_in_contact"};
constexpr std::array kClosedAlgorithms{"closed_forward_dynamics",
                                       "closed_forward_dynamics_with_wrenches",
                                       "closed_forward_dynamics_derivatives",
                                       "closed_forward_dynamics_and_wrench_derivatives",
                                       "closed_forward_dynamics_and_all_wrench_derivatives",
                                       "closed_forward_dynamics_derivatives_of_tree",
                                       "closed_inverse_dynamics_derivatives"};
constexpr int kCalls = 64;     // instruction_counts.sh divides by it
constexpr int kIteration = 2;  // of a task: not the first, which may have more to set up

#if defined(__clang__)
constexpr const char* kCompiler = "clang++ " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

void begin_count() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void end_count(const std::string& row) {
  CALLGRIND_DUMP_STATS_AT(row.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}

template <class Names>
void count_calls(const std::string& folder, const std::string& name, const Names& algorithms) {
  const verne::Model model = verne::load_model(folder + "/models/" + name + ".yaml");
  for (const verne::cli::BenchCase& timed : verne::cli::bench_cases(model, {})) {
    const bool guarded = std::ranges::find(algorithms, timed.algorithm) != algorithms.end();
    if (!guarded || timed.batch || timed.library != "Verne") continue;
    const auto calls = timed.prepare();
    calls(1);  // the first one finds functions in libraries and fills tables
    begin_count();
    calls(kCalls);
    end_count(name + " " + timed.algorithm);
  }
}

/// Thrown where all is counted that is asked for.
struct Counted {};

void count_iteration(const std::string& folder, const std::string& name) {
  bool counts = false;
  verne::PredictOptions options;
  options.progress = [&](const verne::PredictProgress& at) {
    if (at.round != 0) return true;
    if (counts && at.iteration.iteration == kIteration + 1) {
      end_count(name + " iteration");
      throw Counted();
    }
    if (!counts && at.iteration.iteration == kIteration) {
      counts = true;
      begin_count();
    }
    return true;
  };
  try {
    predict(verne::load_task(folder + "/" + name + ".yaml"), options);
  } catch (const Counted&) {
    return;
  }
  throw std::runtime_error(name + " was solved before its iteration " + std::to_string(kIteration + 1));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string root = VERNE_SOURCE_DIR, what = argc > 1 ? argv[1] : "";
  if (what == "--built-by") {
    std::printf("%s, glibc %s\n", kCompiler, gnu_get_libc_version());
    return 0;
  }
  if (!RUNNING_ON_VALGRIND) {
    std::fputs("count_instructions: not in valgrind, or built without valgrind's header: see instruction_counts.sh\n",
               stderr);
    return 3;
  }
  if (what == "calls") {
    for (const char* const name : {"arm7", "humanoid"}) count_calls(root, name, kAlgorithms);
    for (const char* const name : {"gough_stewart", "delta"}) count_calls(root, name, kClosedAlgorithms);
  } else {
    count_iteration(root + "/tasks", "arm7_around_obstacle");
    count_iteration(root + "/benchmarks/tasks", "gait_02");
  }
}
