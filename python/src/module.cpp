// import verne: models and errors.
#include <pybind11/stl.h>

#include <random>

#include "arrays.h"
#include "bindings.h"
#include "verne/base/error.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/regressor.h"
#include "verne/io/model_io.h"

namespace verne::python {

namespace {

py::array vector(const Eigen::VectorXd& x) {
  py::array_t<double> out(x.size());
  Eigen::Map<Eigen::VectorXd>(out.mutable_data(), x.size()) = x;
  return out;
}

PythonModel load(const py::object& path, bool floating_base, bool strict) {
  return PythonModel(load_model(path_of(path, "path"), {.floating_base = floating_base, .strict = strict}));
}

PythonModel read(const std::string& text, bool strict) {
  return PythonModel(build_model(read_spec(text, ""), nullptr, {.strict = strict}));
}

std::vector<std::string> plausibility_warnings(const PythonModel& self) {
  std::vector<std::string> lines;
  for (const PlausibilityWarning& warning : self.model.plausibility_warnings()) lines.push_back(warning.problem.text);
  return lines;
}

/// A joint with one position for each velocity calls them alike; others have a place, a quaternion, or both.
std::vector<std::string> position_names(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints()) {
    const std::size_t count = static_cast<std::size_t>(joint.nq), first = static_cast<std::size_t>(joint.v);
    static const std::vector<std::string> kPose{".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"};
    for (std::size_t k = 0; k < count; ++k) {
      names.push_back(joint.nq == joint.nv ? model.dof_names()[first + k]
                                           : joint.spec.name + kPose[kPose.size() - count + k]);
    }
  }
  return names;
}

PyObject* no_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "%s objects come from verne's functions: they cannot be made or copied otherwise",
               type->tp_name);
  return nullptr;
}

void bind_errors(py::module_& module) {
  // Registered last, asked first: the most particular one comes at the end.
  static py::exception<Error> error(module, "Error");
  static py::exception<EnvironmentError> environment(module, "EnvironmentError", error.ptr());
  static py::exception<InputError> input(module, "InputError", py::make_tuple(error, py::handle(PyExc_ValueError)));
  error.attr("__doc__") = "Anything that verne raises, except TypeError and IndexError.";
  environment.attr("__doc__") =
      "The machine failed: a full disk, a folder that cannot be written, a part that was not built.";
  input.attr("__doc__") = "A model, task, state or array is wrong: every problem of it, with file, line and key.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& e) {
      input(e.what());
    } catch (const EnvironmentError& e) {
      environment(e.what());
    } catch (const Error& e) {
      error(e.what());
    } catch (const std::invalid_argument& e) {  // a caller's mistake
      input(e.what());
    }
  });
}

py::class_<PythonModel> bind_model(py::module_& module) {
  py::class_<PythonModel> model(module, "Model", "A tree of rigid bodies. Never changes; threads may share it.");
  const auto names = [](const auto& all, auto&& name) {
    std::vector<std::string> out;
    for (const auto& one : all) out.push_back(name(one));
    return out;
  };
  model
      .def_property_readonly(
          "name", [](const PythonModel& m) { return m.model.name(); }, "The name in its file.")
      .def_property_readonly(
          "nq", [](const PythonModel& m) { return m.model.nq(); }, "Number of positions.")
      .def_property_readonly(
          "nv", [](const PythonModel& m) { return m.model.nv(); }, "Number of velocities.")
      .def_property_readonly(
          "mass", [](const PythonModel& m) { return m.model.mass(); }, "Of all links, kg.")
      .def_property_readonly(
          "joint_names",
          [names](const PythonModel& m) { return names(m.model.joints(), [](const Joint& j) { return j.spec.name; }); },
          "All joints, fixed ones too: the columns of wrenches.")
      .def_property_readonly(
          "link_names",
          [names](const PythonModel& m) { return names(m.model.links(), [](const Link& l) { return l.name; }); },
          "All links, in the order of link numbers.")
      .def_property_readonly(
          "frame_names",
          [names](const PythonModel& m) { return names(m.model.frames(), [](const FrameSpec& f) { return f.name; }); },
          "Named frames, which stand wherever a link may.")
      .def_property_readonly(
          "dof_names",
          [](const PythonModel& m) {
            return std::vector<std::string>(m.model.dof_names().begin(), m.model.dof_names().end());
          },
          "A name for each velocity.")
      .def_property_readonly(
          "position_names", [](const PythonModel& m) { return position_names(m.model); }, "A name for each position.")
      .def_property_readonly(
          "loop_names",
          [names](const PythonModel& m) { return names(m.model.loops(), [](const LoopSpec& l) { return l.name; }); },
          "Joints that close loops; functions of dynamics refuse models that have them.")
      .def_property_readonly("plausibility_warnings", &plausibility_warnings,
                             "Implausible data that are used as given.")
      .def_property_readonly("doubts", &plausibility_warnings, "The old name of plausibility_warnings.")
      .def_property_readonly(
          "parameters", [](const PythonModel& m) { return vector(parameters(m.model)); },
          "What torques depend on linearly (see regressor): ten numbers a link, then friction and rotors.")
      .def(
          "neutral", [](const PythonModel& m) { return vector(neutral_configuration(m.model)); },
          "Zeros and unit quaternions.")
      .def(
          "random",
          [](const PythonModel& m, unsigned seed) {
            std::mt19937_64 generator(seed);
            return vector(random_configuration(m.model, generator));
          },
          py::arg("seed"), "A configuration within the limits.")
      .def(
          "to_yaml", [](const PythonModel& m) { return write_yaml(m.model.spec()); }, "The model as YAML.")
      .def(
          "to_urdf", [](const PythonModel& m) { return write_urdf(m.model.spec()); }, "The model as URDF.")
      .def(
          "to_mjcf", [](const PythonModel& m) { return write_mjcf(m.model.spec()); }, "The model as MJCF.")
      .def("__reduce__",
           [](const PythonModel& m) {
             return py::make_tuple(py::module_::import("verne").attr("_unpickled"),
                                   py::make_tuple(write_yaml(m.model.spec())));
           })
      .def("__copy__", [](const PythonModel& m) { return m; })
      .def("__deepcopy__", [](const PythonModel& m, const py::dict&) { return m; })
      .def("__repr__", [](const PythonModel& m) {
        const std::size_t loops = m.model.loops().size();
        return "<verne.Model '" + m.model.name() + "': " + std::to_string(m.model.nv()) + " velocities" +
               (loops == 0 ? "" : " of a tree, " + std::to_string(loops) + (loops == 1 ? " loop" : " loops")) + ">";
      });
  refuse_new(model);
  return model;
}

}  // namespace

std::string path_of(const py::object& path, const char* name) {
  const py::object bytes = py::module_::import("os").attr("fsencode")(path);
  const auto text = bytes.cast<std::string>();
  if (text.find('\0') == std::string::npos) return text;
  throw InputError(std::string(name) + ": a path cannot hold a zero byte");
}

void refuse_new(const py::handle& type) {
  reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = &no_new;
}

PYBIND11_MODULE(_verne, module) {
  bind_errors(module);
  py::class_<PythonModel> model = bind_model(module);
  bind_dynamics(model);
  bind_evaluate(module, model);
  bind_system(module);
  bind_simulate(module);
  bind_ik(model);
  module.def("load", &load, py::arg("path"), py::arg("floating_base") = false, py::arg("strict") = false,
             "Reads a model file (URDF, SDF, MJCF, YAML or PAR).");
  module.def("read", &read, py::arg("text"), py::arg("strict") = false, "Reads a model from the text of a file.");
  module.attr("__version__") = VERNE_VERSION;
  bind_motion(module);
#ifdef VERNE_HAVE_STUDY
  bind_study(module);
#endif
}

}  // namespace verne::python
