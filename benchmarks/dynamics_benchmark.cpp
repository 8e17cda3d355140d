/// Every algorithm on an arm, a humanoid and chains of 2 to 64 joints: MODEL/ALGORITHM/LIBRARY/MODE.
/// Times are per call; `items_per_second` counts states.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/bench_cases.h"
#include "bench/synthetic_models.h"
#include "verne/io/model_io.h"

namespace {

using verne::Model;
using verne::cli::BenchCase;

void register_cases(const Model& model) {
  for (const BenchCase& timed : verne::cli::bench_cases(model, {})) {
    const std::string mode = timed.batch ? "batch_" + timed.instruction_set : "single";
    const std::string name = model.name() + "/" + timed.algorithm + "/" + timed.library + "/" + mode;
    benchmark::RegisterBenchmark(name.c_str(), [timed](benchmark::State& state) {
      const auto calls = timed.prepare();
      for (auto _ : state) calls(1);
      state.SetItemsProcessed(state.iterations() * timed.states_per_call);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* name : {"arm7", "humanoid"}) {
    register_cases(verne::load_model(std::string(VERNE_SOURCE_DIR) + "/models/" + name + ".yaml"));
  }
  for (const int joints : {2, 4, 8, 16, 32, 64}) {
    register_cases(verne::build_model(verne::cli::revolute_chain(joints)));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
