// verne.study: a study on this machine.
#include "verne/study/study.h"

#include <pybind11/functional.h>

#include <exception>
#include <thread>

#include "bindings.h"
#include "verne/base/error.h"

namespace verne::python {

namespace {

/// Runs it; returns whether every point has a result.
bool run(const py::object& study_path, const py::object& folder_path, int threads,
         const std::function<bool(int, int)>& progress) {
  const std::string path = path_of(study_path, "study"), folder = path_of(folder_path, "folder");
  if (threads < 0) throw InputError("threads: expected 0 (one a processor) or more");
  StudyOptions options;
  options.workers = threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  options.program = "verne " VERNE_VERSION;
  std::exception_ptr thrown;  // by whoever watches, or by Ctrl-C; kept until what was computed is written
  options.progress = [&](const StudyProgress& at) {
    const py::gil_scoped_acquire acquire;
    if (thrown) return false;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      return !progress || progress(at.done, at.points);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  bool complete = false;
  {
    const py::gil_scoped_release release;
    complete = run_study(load_study(path), folder, options).complete;
  }
  if (thrown) std::rethrow_exception(thrown);
  return complete;
}

}  // namespace

void bind_study(py::module_& module) {
  module.def("_study", &run, py::arg("study"), py::arg("folder"), py::arg("threads"), py::arg("progress"));
}

}  // namespace verne::python
