/// Times short calls on a machine that is not always equally fast.
///
/// Clock rates change for seconds at a time and neighbours use the same core. Each chunk of calls therefore stands
/// between two runs of a fixed calibration loop. Only chunks whose calibrations both took at most 5 % longer than the
/// fastest ever seen count, and the median of those is the result.
#pragma once

#include <functional>
#include <vector>

namespace verne::cli {

/// Makes so many calls.
using Calls = std::function<void(int)>;

/// 99.9th percentile of the nanoseconds of single calls, and by how much it exceeds that of an empty loop which takes
/// as long as a usual call, zero where it does not: interrupts and neighbours meet any code of that length, and only
/// the rest is the call's own.
struct Latency {
  double p999_ns = 0, excess_ns = 0;
};

class Stopwatch {
 public:
  /// Nanoseconds a call. Takes `seconds`, or longer while too few chunks count.
  double median_ns(const Calls& calls, double seconds);
  /// Latency of single calls.
  Latency latency(const Calls& calls, double seconds);

 private:
  struct Chunk {
    double calibration_ns;  ///< the slower of the two
    std::vector<double> call_ns;
  };

  double calibrate();
  /// Runs chunks until enough of them count; `time_chunk` gives the times of its calls.
  std::vector<double> collect(const std::function<std::vector<double>()>& time_chunk, double seconds);
  bool counts(const Chunk& chunk) const;

  double fastest_ns_ = 1e300;
};

}  // namespace verne::cli
