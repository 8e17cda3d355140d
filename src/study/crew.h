/// Who computes points: processes on this machine, or the ranks of a cluster.
#pragma once

#include <optional>
#include <string>

#include "verne/study/study.h"

namespace verne {

/// What became of a point that a worker was given.
struct CrewAnswer {
  int worker = 0, point = 0;
  bool computed = false;  ///< `result` is what the work returned; else it says what the worker died of
  PointResult result;
  double seconds = 0;  ///< that it took
};

/// Workers answer in the order in which they are given points.
class VERNE_API Crew {
 public:
  virtual ~Crew();
  virtual int workers() const = 0;
  /// Whether it can be given something: a rank that has gone silent cannot.
  virtual bool alive(int worker) const { return worker >= 0; }
  /// Hands over a packed PointOrder.
  virtual void give(int worker, int point, std::string order) = 0;
  /// The next answer, or nothing when none came in time.
  virtual std::optional<CrewAnswer> next(double seconds) = 0;
};

}  // namespace verne
