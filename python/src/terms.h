/// Tasks with costs and limits that are functions of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verne/motion/task.h"

namespace verne::python {

namespace py = pybind11;

/// A function of the user's, with its derivatives where they are given, and the channels that it reads. Programs of
/// several threads share it: whoever touches it holds the interpreter's lock.
struct PythonFunction {
  struct ChannelName {
    std::string name;
    Vec3<double> at{0, 0, 0};
  };

  std::string term;  // its name
  std::vector<ChannelName> channels;
  py::object value, gradient;
  std::exception_ptr thrown;  // by it, first
};

/// A task and the functions of Python that its terms call.
struct PythonTask {
  Task task;
  std::vector<std::shared_ptr<PythonFunction>> functions{};
};

/// Runs what calls functions of the task without the interpreter's lock. What one of them threw is raised as the cause
/// of the InputError that names it; Ctrl-C is raised as it is.
void run_with_functions(const PythonTask& task, const std::function<void()>& call);

void bind_task(py::module_& module);

}  // namespace verne::python
