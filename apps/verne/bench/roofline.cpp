#include "roofline.h"

#include <fmt/core.h>

#include <algorithm>

#include "kernel_work.h"
#include "table.h"
#include "verne/dynamics/batch.h"
#include "verne/io/json_writer.h"

namespace verne::cli {

namespace {

/// More than caches hold, of small models, too.
constexpr double kLargeBytes = 256e6;
constexpr int kMostInLargeBatch = 1 << 20;
/// From here on a part is what limits.
constexpr double kLimitingShare = 0.5;

double ns_of(const std::vector<BenchCase>& cases, const std::string& algorithm, bool batch, const std::string& isa,
             Stopwatch& stopwatch, double seconds) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const BenchCase& timed) {
    return timed.algorithm == algorithm && timed.library == "Verne" && timed.batch == batch &&
           (!batch || timed.instruction_set == isa);
  });
  if (found == cases.end()) return 0;
  return stopwatch.median_ns(found->prepare(), seconds) / found->states_per_call;
}

/// Of the time that a state of a large batch takes, what its bytes need at least.
double memory_share(const RooflineRow& row, const Peaks& peaks) {
  return row.bytes / peaks.bytes_per_ns / row.large_batch_ns;
}
double arithmetic_share(const RooflineRow& row, const Peaks& peaks) {
  return row.operations / peaks.operations_per_ns / row.batch_ns;
}
double single_share(const RooflineRow& row, const Peaks& peaks) {
  return row.operations / peaks.scalar_operations_per_ns / row.single_ns;
}

/// In caches; then, where that is another thing, beyond them.
std::string limit_of(const RooflineRow& row, const Peaks& peaks) {
  const bool arithmetic = arithmetic_share(row, peaks) > kLimitingShare,
             memory = memory_share(row, peaks) > kLimitingShare;
  const std::string inside = arithmetic ? "arithmetic" : "loads, stores, waiting";
  return memory ? inside + "; memory" : inside;
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

}  // namespace

Roofline measure_roofline(const Model& model, BenchSetup setup, double seconds) {
  Stopwatch stopwatch;
  Roofline all;
  all.instruction_set = instruction_sets().back();
  all.batch_states = setup.batch_states;
  all.peaks = measure_peaks(all.instruction_set, stopwatch, seconds);
  const std::vector<KernelWork> work = kernel_work(model);
  double least = 1e300;
  for (const KernelWork& of : work) least = std::min(least, of.bytes_read + of.bytes_written);
  all.large_batch_states = std::clamp(static_cast<int>(kLargeBytes / least), setup.batch_states, kMostInLargeBatch);
  BenchSetup large = setup;
  for (const KernelWork& of : work) {
    if (!setup.takes(of.algorithm)) continue;
    RooflineRow row{of.algorithm, of.operations, of.bytes_read + of.bytes_written, 0, 0, 0};
    // Large results take fewer states to fill as much memory.
    large.batch_states =
        std::clamp(static_cast<int>(kLargeBytes / row.bytes), setup.batch_states, all.large_batch_states);
    const auto ns = [&](const BenchSetup& in, bool batch) {
      return ns_of(bench_cases(model, in), of.algorithm, batch, all.instruction_set, stopwatch, seconds);
    };
    row.single_ns = ns(setup, false), row.batch_ns = ns(setup, true), row.large_batch_ns = ns(large, true);
    all.rows.push_back(row);
  }
  return all;
}

std::string roofline_table(const Roofline& roofline) {
  const auto right = Table::Align::right;
  const Peaks& peaks = roofline.peaks;
  Table table({{""},
               {"operations", right},
               {"bytes", right},
               {"single ns", right},
               {"of its peak", right},
               {"batch ns", right},
               {"of peak", right},
               {"large batch ns", right},
               {"of bandwidth", right},
               {"limit"}});
  for (const RooflineRow& row : roofline.rows) {
    std::string name = row.algorithm;
    std::replace(name.begin(), name.end(), '_', ' ');
    table.add_row({name, fmt::format("{:.0f}", row.operations), fmt::format("{:.0f}", row.bytes),
                   fmt::format("{:.0f}", row.single_ns), percent(single_share(row, peaks)),
                   fmt::format("{:.1f}", row.batch_ns), percent(arithmetic_share(row, peaks)),
                   fmt::format("{:.1f}", row.large_batch_ns), percent(memory_share(row, peaks)), limit_of(row, peaks)});
  }
  return fmt::format(
             "{}, one core: {:.1f} operations a ns at most in lanes, {:.1f} one by one, {:.1f} bytes a ns of "
             "memory\n\n",
             roofline.instruction_set, peaks.operations_per_ns, peaks.scalar_operations_per_ns, peaks.bytes_per_ns) +
         table.text("");
}

std::string roofline_json(const Roofline& roofline) {
  const Peaks& peaks = roofline.peaks;
  JsonWriter json;
  json.begin_object().key("instruction_set").value(roofline.instruction_set);
  json.key("operations_per_ns").value(peaks.operations_per_ns);
  json.key("scalar_operations_per_ns").value(peaks.scalar_operations_per_ns);
  json.key("bytes_per_ns").value(peaks.bytes_per_ns).key("rows").begin_array();
  for (const RooflineRow& row : roofline.rows) {
    json.begin_object().key("algorithm").value(row.algorithm).key("operations").value(row.operations);
    json.key("bytes").value(row.bytes).key("single_ns").value(row.single_ns).key("batch_ns").value(row.batch_ns);
    json.key("large_batch_ns").value(row.large_batch_ns).key("limit").value(limit_of(row, peaks)).end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace verne::cli
