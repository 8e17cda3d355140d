/// What each solver tells of its iterations, and the limits that end it early.
#pragma once

#include <chrono>

#include "nlp/scaled_program.h"

namespace verne::nlp {

/// Records iterations and says when to stop before the end.
class ProgressMonitor {
 public:
  ProgressMonitor(const Options& options, ScaledProgram& program) : options_(options), program_(program) {}

  /// Returns false to stop. `g` and `cost` at x, scaled.
  bool record(const Eigen::VectorXd& x, const Eigen::VectorXd& g, double cost, double optimality) {
    const Values& unscaled = program_.unscaled(x);
    const Iteration now{static_cast<int>(history_.size()), cost / program_.scaling().cost, program_.violation(g),
                        optimality, seconds()};
    history_.push_back(now);
    if (out_of_time()) return false;
    if (!options_.progress || options_.progress(now, unscaled)) return true;
    reason_ = Status::interrupted;
    return false;
  }
  /// Whether there is a further iteration to do. To be asked when it is known that there is need for one.
  bool may_go_on() {
    if (static_cast<int>(history_.size()) <= options_.max_iterations) return true;
    reason_ = Status::iteration_limit;
    return false;
  }
  bool out_of_time() {
    if (seconds() < options_.max_seconds) return false;
    reason_ = Status::time_limit;
    return true;
  }

  Status reason() const { return reason_; }
  const std::vector<Iteration>& history() const { return history_; }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const Options& options_;
  ScaledProgram& program_;
  std::vector<Iteration> history_;
  Status reason_ = Status::failed;
};

}  // namespace verne::nlp
