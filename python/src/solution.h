/// Motions that were found, for the parts of the module that find them.
#pragma once

#include <exception>
#include <functional>

#include "bindings.h"
#include "terms.h"
#include "verne/motion/predict.h"

namespace verne::python {

/// A solution with its task and the motion at even times.
struct PythonSolution {
  PythonTask asked;  // with the functions that its terms call
  const Task& task() const { return asked.task; }
  Solution solution;
  SampledMotion motion;
};

/// Watches a prediction for a function of Python, and for Ctrl-C: what either raises is kept until the solver has come
/// to its end.
class Watch {
 public:
  using Progress = std::function<bool(int, double)>;  ///< of the iteration and the cost; false to stop

  explicit Watch(Progress progress = {}) : progress_(std::move(progress)) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  PredictOptions options();
  /// Raises what was kept.
  void raise();

 private:
  bool go_on(const PredictProgress& at);

  Progress progress_;
  std::exception_ptr thrown_;
};

/// verne.Planner
void bind_planner(py::module_& module);

}  // namespace verne::python
