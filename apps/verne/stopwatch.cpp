#include "stopwatch.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "interrupt.h"

namespace verne::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSlowdown = 1.05;
constexpr std::size_t kEnoughChunks = 7;
/// Times `seconds` after which slow chunks are better than none.
constexpr double kTimesAllowed = 5;
constexpr double kChunkNs = 2e5;
constexpr int kLatencyCalls = 500;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

/// Keeps several floating-point chains busy, so that it notices both a lower clock rate and a neighbour on the same
/// core.
void calibration_loop() {
  constexpr int kChains = 8, kRounds = 2500;
  double chains[kChains] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < kRounds; ++i) {
    for (double& x : chains) x = x * 0.999 + 0.001;
  }
  for (double& x : chains) asm volatile("" : "+m"(x));
}

/// What reading the clock costs by itself.
double clock_ns() {
  double best = 1e300;
  for (int i = 0; i < 1000; ++i) best = std::min(best, ns_since(Clock::now()));
  return best;
}

double quantile(std::vector<double> values, double fraction) {
  const auto index = static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// A loop without work that takes about so long.
Calls empty_loop(double ns) {
  const auto spin = [](long rounds) {
    for (long i = 0; i < rounds; ++i) asm volatile("");
  };
  constexpr long kRounds = 100000;
  const auto start = Clock::now();
  spin(kRounds);
  const auto rounds = static_cast<long>(ns / ns_since(start) * kRounds);
  return [spin, rounds](int) { spin(rounds); };
}

/// So many calls that a chunk is long beside the clock's own cost.
int calls_per_chunk(const Calls& calls) {
  calls(1);  // memory and caches
  for (int count = 1;; count *= 2) {
    const auto start = Clock::now();
    calls(count);
    if (ns_since(start) > kChunkNs / 2 || count > 1 << 24) return count;
  }
}

}  // namespace

double Stopwatch::calibrate() {
  const auto start = Clock::now();
  calibration_loop();
  const double ns = ns_since(start);
  fastest_ns_ = std::min(fastest_ns_, ns);
  return ns;
}

bool Stopwatch::counts(const Chunk& chunk) const {
  return chunk.calibration_ns <= kSlowdown * fastest_ns_;
}

std::vector<double> Stopwatch::collect(const std::function<std::vector<double>()>& time_chunk, double seconds) {
  std::vector<Chunk> chunks;
  const auto start = Clock::now();
  double before = calibrate();
  while (true) {
    check_interrupt();
    std::vector<double> call_ns = time_chunk();
    const double after = calibrate();
    chunks.push_back({std::max(before, after), std::move(call_ns)});
    before = after;
    const double elapsed = ns_since(start) / 1e9;
    if (elapsed < seconds) continue;
    const auto good = std::count_if(chunks.begin(), chunks.end(), [this](const Chunk& c) { return counts(c); });
    if (static_cast<std::size_t>(good) >= kEnoughChunks || elapsed > kTimesAllowed * seconds) break;
  }
  // Those that count come first; when they are too few, the best of the others help out.
  std::sort(chunks.begin(), chunks.end(),
            [](const Chunk& a, const Chunk& b) { return a.calibration_ns < b.calibration_ns; });
  std::vector<double> times;
  for (std::size_t i = 0; i < chunks.size() && (i < kEnoughChunks || counts(chunks[i])); ++i) {
    times.insert(times.end(), chunks[i].call_ns.begin(), chunks[i].call_ns.end());
  }
  return times;
}

double Stopwatch::median_ns(const Calls& calls, double seconds) {
  const int count = calls_per_chunk(calls);
  const auto time_chunk = [&] {
    const auto start = Clock::now();
    calls(count);
    return std::vector<double>{ns_since(start) / count};
  };
  return quantile(collect(time_chunk, seconds), 0.5);
}

Latency Stopwatch::latency(const Calls& calls, double seconds) {
  const double overhead = clock_ns();
  const auto time_each = [&](const Calls& timed) {
    std::vector<double> times(kLatencyCalls);
    for (double& time : times) {
      const auto start = Clock::now();
      timed(1);
      time = std::max(0.0, ns_since(start) - overhead);
    }
    return times;
  };
  const Calls empty = empty_loop(quantile(time_each(calls), 0.5));
  const auto time_chunk = [&] {  // calls, then as many empty loops
    std::vector<double> times = time_each(calls), of_loops = time_each(empty);
    times.insert(times.end(), of_loops.begin(), of_loops.end());
    return times;
  };
  std::vector<double> times[2];
  std::size_t k = 0;
  for (const double time : collect(time_chunk, seconds)) times[k++ / kLatencyCalls % 2].push_back(time);
  const double p999 = quantile(times[0], 0.999);
  return {p999, std::max(0.0, p999 - quantile(times[1], 0.999))};  // what chance takes off is not the call's own
}

}  // namespace verne::cli
