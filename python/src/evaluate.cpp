// Quantities by their names, code for one model, and what is compiled of it.
#include <pybind11/stl.h>

#include "bindings.h"
#include "call.h"
#include "system.h"
#include "verne/base/error.h"
#include "verne/codegen/compile.h"
#include "verne/codegen/generate.h"

namespace verne::python {

namespace {

py::object evaluate(const PythonModel& self, const py::object& want, const py::object& q, const py::object& v,
                    const py::object& a, const py::object& tau, const py::object& loads) {
  return self.system().evaluate(want, {q, v, a, tau, py::none(), py::none()}, loads);
}

py::list list_of_quantities() {
  py::list out;
  for (const QuantityInfo& info : quantities()) {
    py::dict one;
    one["name"] = info.name, one["shape"] = info.shape, one["unit"] = info.unit;
    one["inputs"] = info.inputs, one["meaning"] = info.meaning, one["of_frame"] = info.of_frame;
    py::list known;
    constexpr std::pair<unsigned, const char*> kWords[] = {
        {kKnownTrees, "trees"},       {kKnownLoops, "loops"},   {kKnownContacts, "contacts"}, {kKnownArrays, "arrays"},
        {kKnownCompiled, "compiled"}, {kKnownDevice, "device"}, {kKnownCode, "code"}};
    for (const auto& [bit, word] : kWords) {
      if (info.is_known(bit)) known.append(word);
    }
    one["known"] = known;
    out.append(one);
  }
  return out;
}

CodeTarget target_from(const std::string& word) {
  if (word == "c") return CodeTarget::c;
  if (word == "lanes") return CodeTarget::lanes;
  if (word == "cuda") return CodeTarget::cuda;
  throw InputError("target: expected c, lanes or cuda, found '" + word + "'");
}

py::dict codegen(const PythonModel& self, const py::object& want, const std::string& target, bool symbolic,
                 bool single_precision, const std::string& name) {
  CodeOptions options;
  options.want = words_of(want);
  options.target = target_from(target);
  options.symbolic = symbolic, options.single_precision = single_precision, options.name = name;
  std::optional<GeneratedCode> code;
  {
    const py::gil_scoped_release release;
    code = generate_code(self.model, options);
  }
  py::dict files;
  for (const GeneratedFile& file : code->files) files[py::str(file.name)] = file.text;
  return files;
}

/// Compiled code, and the model whose memory its calls use.
struct PythonCompiled {
  PythonModel model;
  CompiledModel code;
  std::vector<std::string> want;
};

PythonCompiled compile_model(const PythonModel& self, const py::object& want) {
  CompileOptions options;
  options.want = words_of(want);
  const py::gil_scoped_release release;
  return {self, compile(self.model, options), options.want};
}

template <LaneArray Batch::*rows>
py::array run_compiled(const PythonCompiled& self, const Call& call, std::vector<py::ssize_t> shape,
                       void (CompiledModel::*function)(Batch&) const) {
  return call.run([&](const Model&, Worker& worker) { (self.code.*function)(worker.batch); },
                  {of_batch<rows>, std::move(shape)});
}

py::dict derivatives_of(const PythonCompiled& self, const Call& call, const char* last,
                        void (CompiledModel::*function)(Batch&, BatchDerivatives&) const) {
  const std::vector<py::ssize_t> square{self.model.model.nv(), self.model.model.nv()};
  const auto slopes =
      call.run([&](const Model&, Worker& worker) { (self.code.*function)(worker.batch, worker.derivatives); },
               {{of_derivatives<&BatchDerivatives::dq>, square},
                {of_derivatives<&BatchDerivatives::dv>, square},
                {of_derivatives<&BatchDerivatives::dx>, square}});
  py::dict out;
  out["dq"] = slopes[0], out["dv"] = slopes[1], out[last] = slopes[2];
  return out;
}

using Differentiated = void (CompiledModel::*)(Batch&, BatchDerivatives&) const;

py::dict compiled_torque_derivatives(const PythonCompiled& c, const py::object& q, const py::object& v,
                                     const py::object& a) {
  Call call(c.model, q);
  call.v(v).a(a);
  return derivatives_of(c, call, "da", static_cast<Differentiated>(&CompiledModel::inverse_dynamics_derivatives));
}

py::dict compiled_acceleration_derivatives(const PythonCompiled& c, const py::object& q, const py::object& v,
                                           const py::object& tau) {
  Call call(c.model, q);
  call.v(v).tau(tau);
  return derivatives_of(c, call, "dtau", static_cast<Differentiated>(&CompiledModel::forward_dynamics_derivatives));
}

void bind_compiled(py::module_& module) {
  using py::arg;
  using Batched = void (CompiledModel::*)(Batch&) const;
  py::class_<PythonCompiled> compiled(module, "CompiledModel",
                                      "Functions of one model as code that was compiled for it.");
  compiled
      .def_property_readonly(
          "model", [](const PythonCompiled& c) { return c.model; }, "The model that the code is for.")
      .def_property_readonly(
          "want", [](const PythonCompiled& c) { return c.want; }, "Names of the quantities that it has.")
      .def(
          "inverse_dynamics",
          [](const PythonCompiled& c, const py::object& q, const py::object& v, const py::object& a) {
            Call call(c.model, q);
            call.v(v).a(a);
            return run_compiled<&Batch::tau>(c, call, {c.model.model.nv()},
                                             static_cast<Batched>(&CompiledModel::inverse_dynamics));
          },
          arg("q"), arg("v"), arg("a"), "Torques of a motion (tau).")
      .def(
          "forward_dynamics",
          [](const PythonCompiled& c, const py::object& q, const py::object& v, const py::object& tau) {
            Call call(c.model, q);
            call.v(v).tau(tau);
            return run_compiled<&Batch::a>(c, call, {c.model.model.nv()},
                                           static_cast<Batched>(&CompiledModel::forward_dynamics));
          },
          arg("q"), arg("v"), arg("tau"), "Accelerations under torques (acceleration).")
      .def(
          "bias_torques",
          [](const PythonCompiled& c, const py::object& q, const py::object& v) {
            Call call(c.model, q);
            call.v(v);
            return run_compiled<&Batch::bias>(c, call, {c.model.model.nv()},
                                              static_cast<Batched>(&CompiledModel::bias_torques));
          },
          arg("q"), arg("v"), "Torques at zero acceleration (bias).")
      .def(
          "gravity_torques",
          [](const PythonCompiled& c, const py::object& q) {
            return run_compiled<&Batch::gravity>(c, Call(c.model, q), {c.model.model.nv()},
                                                 static_cast<Batched>(&CompiledModel::gravity_torques));
          },
          arg("q"), "Torques that hold the model at rest (gravity).")
      .def(
          "mass_matrix",
          [](const PythonCompiled& c, const py::object& q) {
            return run_compiled<&Batch::mass_matrix>(c, Call(c.model, q), {c.model.model.nv(), c.model.model.nv()},
                                                     static_cast<Batched>(&CompiledModel::mass_matrix));
          },
          arg("q"), "The mass matrix, (nv, nv) (mass_matrix).")
      .def("inverse_dynamics_derivatives", &compiled_torque_derivatives, arg("q"), arg("v"), arg("a"),
           "Derivatives of the torques: a dict of dq, dv and da (d_tau).")
      .def("forward_dynamics_derivatives", &compiled_acceleration_derivatives, arg("q"), arg("v"), arg("tau"),
           "Derivatives of the accelerations: a dict of dq, dv and dtau (d_acceleration).")
      .def("__repr__", [](const PythonCompiled& c) { return "<verne.CompiledModel '" + c.model.model.name() + "'>"; });
  refuse_new(compiled);
}

}  // namespace

void bind_evaluate(py::module_& module, py::class_<PythonModel>& model) {
  using py::arg;
  bind_compiled(module);
  const auto none = [](const char* name) { return arg(name) = py::none(); };
  model
      .def("evaluate", &evaluate, arg("want"), none("q"), none("v"), none("a"), none("tau"), none("loads"),
           "Any of verne.quantities() by its name: an array, or a dict of arrays where it has several; of a list of "
           "names a dict of these. Quantities of a frame are written NAME:FRAME.")
      .def("codegen", &codegen, arg("want") = "tau", arg("target") = "c", arg("symbolic") = false,
           arg("single_precision") = false, arg("name") = "",
           "Source code for this model alone, as verne codegen writes it: texts by names of files.")
      .def("compile", &compile_model, arg("want") = "tau",
           "Code for this model alone, compiled by the system's C compiler and kept: a CompiledModel.");
  module.def("quantities", &list_of_quantities,
             "What can be computed of states: names, shapes, units, inputs, meanings, and where each is known.");
}

}  // namespace verne::python
