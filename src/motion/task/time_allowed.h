/// The seconds that a task allows for all of a prediction.
#pragma once

#include <chrono>

#include "verne/motion/task.h"

namespace verne {

/// They count from when this is made.
class TimeAllowed {
 public:
  explicit TimeAllowed(double seconds) : seconds_(seconds) {}
  double passed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double left() const { return seconds_ - passed(); }
  bool is_up() const { return left() <= 0; }
  /// The task with what is left of them.
  Task rest_of(Task task) const {
    task.solver.max_seconds = left();
    return task;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
};

}  // namespace verne
