/// The parts of the module.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "model.h"

namespace verne::python {

namespace py = pybind11;

/// A path (str, bytes or os.PathLike) as the file system takes it; throws TypeError or InputError that names it.
std::string path_of(const py::object& path, const char* name);

/// What is made by functions of the module alone: `Type.__new__(Type)` would have nothing in it.
void refuse_new(const py::handle& type);

void bind_dynamics(py::class_<PythonModel>& model);
/// Quantities by name, generated and compiled code.
void bind_evaluate(py::module_& module, py::class_<PythonModel>& model);
/// Loops, held contacts, given accelerations.
void bind_system(py::module_& module);
/// Direct dynamics in time.
void bind_simulate(py::module_& module);
/// Inverse kinematics.
void bind_ik(py::class_<PythonModel>& model);
void bind_motion(py::module_& module);
/// Where the libraries have studies.
void bind_study(py::module_& module);

}  // namespace verne::python
