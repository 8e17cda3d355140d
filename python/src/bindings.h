/// The parts of the module.
#pragma once

#include <pybind11/pybind11.h>

#include "model.h"

namespace verne::python {

namespace py = pybind11;

void bind_dynamics(py::class_<PythonModel>& model);
void bind_motion(py::module_& module);

}  // namespace verne::python
