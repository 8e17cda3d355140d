// Functions of a state, for one and for many.
#include <algorithm>

#include "bindings.h"
#include "call.h"
#include "model.h"
#include "site.h"
#include "verne/base/error.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/regressor.h"

namespace verne::python {

std::unique_ptr<Worker> WorkerPool::take(int count) {
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = free_.rbegin(); it != free_.rend(); ++it) {
      if ((*it)->batch.count() != count) continue;
      std::unique_ptr<Worker> found = std::move(*it);
      free_.erase(std::next(it).base());
      return found;
    }
  }
  return std::make_unique<Worker>(model_, count);
}

void WorkerPool::give_back(std::unique_ptr<Worker> worker) {
  constexpr std::size_t kKept = 8;
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(worker));
  if (free_.size() > kKept) free_.erase(free_.begin());
}

namespace {

/// Functions of the tree alone would answer for another mechanism than the file's.
const Model& without_loops(const Model& model, const char* function) {
  if (model.loops().empty()) return model;
  std::string names;
  for (const LoopSpec& loop : model.loops()) names += (names.empty() ? "'" : ", '") + loop.name + "'";
  throw InputError({{model.spec().file, 0,
                     std::string(function) + ": the model has closed loops (" + names +
                         "), which this function does not know: ask its verne.System"}});
}

Vector3<double> three(const py::object& x, const std::string& name) {
  const Array values = numbers(x, name);
  if (values.ndim() != 1 || values.size() != 3) throw InputError(name + ": expected three numbers");
  return {values.data()[0], values.data()[1], values.data()[2]};
}

}  // namespace

int site_of(const Model& model, const py::object& frame) {
  if (py::isinstance<py::str>(frame)) return model.site(frame.cast<std::string>());
  if (!PyIndex_Check(frame.ptr()) || py::isinstance<py::bool_>(frame)) {
    throw py::type_error("frame: expected a name or an index");
  }
  const Py_ssize_t site = PyNumber_AsSsize_t(frame.ptr(), PyExc_IndexError);
  if (PyErr_Occurred()) throw py::error_already_set();
  if (site < 0 || site >= model.site_count()) throw py::index_error("frame " + std::to_string(site));
  return static_cast<int>(site);
}

Loads<double> loads_of(const Model& model, const py::object& given) {
  Loads<double> loads;
  if (given.is_none()) return loads;
  for (const py::handle item : given) {
    if (!py::isinstance<py::dict>(item)) throw py::type_error("loads: expected a list of dicts");
    const auto map = py::reinterpret_borrow<py::dict>(item);
    Load<double> load;
    if (map.contains("frame") && map.contains("link")) throw InputError("loads: give either frame or link, not both");
    if (!map.contains("frame") && !map.contains("link")) throw InputError("loads: frame is missing");
    for (const auto& [key, value] : map) {
      if (!py::isinstance<py::str>(key)) throw py::type_error("loads: expected keys that are words");
      const auto name = key.cast<std::string>();
      const auto object = py::reinterpret_borrow<py::object>(value);
      if (name == "frame" || name == "link") {  // which earlier versions of the program said
        load.frame = site_of(model, object);
      } else if (name == "force") {
        load.force = three(object, "loads: force");
      } else if (name == "moment") {
        load.moment = three(object, "loads: moment");
      } else if (name == "point") {
        load.point = three(object, "loads: point");
      } else if (name == "at") {
        if (!py::isinstance<py::str>(object)) throw py::type_error("loads: at: expected 'frame' or 'world'");
        const auto at = object.cast<std::string>();
        if (at != "frame" && at != "link" && at != "world") {
          throw InputError("loads: at: expected 'frame' or 'world', found '" + at + "'");
        }
        load.at = at == "world" ? At::world : At::link;
      } else {
        throw InputError("loads: unknown key '" + name + "': expected frame, force, moment, point, at");
      }
    }
    loads.add(load);
  }
  return loads;
}

namespace {

py::ssize_t joints_of(const PythonModel& self) {
  return static_cast<py::ssize_t>(self.model.joints().size());
}

/// Torques or accelerations, with the wrenches when wanted.
template <LaneArray Batch::*rows, class Compute>
py::object with_wrenches(const PythonModel& self, const Call& call, bool wrenches, Compute compute) {
  const Output result{of_batch<rows>, {self.model.nv()}};
  if (!wrenches) return call.run(compute, result);
  const auto both = call.run(compute, {result, {of_batch<&Batch::joint_wrenches>, {6, joints_of(self)}}});
  return py::make_tuple(both[0], both[1]);
}

py::object inverse_dynamics(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a,
                            const py::object& loads, bool wrenches) {
  without_loops(self.model, "inverse_dynamics");
  Call call(self, q);
  call.v(v).a(a).loads(loads_of(self.model, loads));
  return with_wrenches<&Batch::tau>(self, call, wrenches,
                                    [=](const Model& m, Worker& w) { inverse_dynamics(m, w.batch, wrenches); });
}

py::object forward_dynamics(const PythonModel& self, const py::object& q, const py::object& v, const py::object& tau,
                            const py::object& loads, bool wrenches) {
  without_loops(self.model, "forward_dynamics");
  Call call(self, q);
  call.v(v).tau(tau).loads(loads_of(self.model, loads));
  return with_wrenches<&Batch::a>(self, call, wrenches,
                                  [=](const Model& m, Worker& w) { forward_dynamics(m, w.batch, wrenches); });
}

py::array bias_torques(const PythonModel& self, const py::object& q, const py::object& v) {
  without_loops(self.model, "bias_torques");
  return Call(self, q).v(v).run([](const Model& m, Worker& w) { bias_torques(m, w.batch); },
                                {of_batch<&Batch::bias>, {self.model.nv()}});
}

py::array gravity_torques(const PythonModel& self, const py::object& q) {
  without_loops(self.model, "gravity_torques");
  return Call(self, q).run([](const Model& m, Worker& w) { gravity_torques(m, w.batch); },
                           {of_batch<&Batch::gravity>, {self.model.nv()}});
}

/// A matrix of the configuration.
template <LaneArray Batch::*rows, class Compute>
py::array matrix(const PythonModel& self, const char* name, const py::object& q, py::ssize_t height, Compute compute) {
  without_loops(self.model, name);
  return Call(self, q).run([=](const Model& m, Worker& w) { compute(m, w.batch); },
                           {of_batch<rows>, {height, self.model.nv()}});
}

py::array coriolis_matrix(const PythonModel& self, const py::object& q, const py::object& v) {
  without_loops(self.model, "coriolis_matrix");
  return Call(self, q).v(v).run([](const Model& m, Worker& w) { coriolis_matrix(m, w.batch); },
                                {of_batch<&Batch::coriolis_matrix>, {self.model.nv(), self.model.nv()}});
}

/// Position and rotation of a frame.
py::object pose(const PythonModel& self, const py::object& q, const py::object& frame) {
  const int first = kPoseRows * site_of(self.model, frame);
  const auto both = Call(self, q).run([](const Model& m, Worker& w) { forward_kinematics(m, w.batch, false); },
                                      {{of_batch<&Batch::poses>, {3}, first + kPosePosition},
                                       {of_batch<&Batch::poses>, {3, 3}, first + kPoseRotation, true}});
  return py::make_tuple(both[0], both[1]);
}

py::array jacobian(const PythonModel& self, const py::object& q, const py::object& frame) {
  const int site = site_of(self.model, frame);
  return Call(self, q).run([=](const Model& m, Worker& w) { jacobian(m, w.batch, site, false); },
                           {of_batch<&Batch::jacobian>, {6, self.model.nv()}});
}

py::array jacobian_rate(const PythonModel& self, const py::object& q, const py::object& v, const py::object& frame) {
  const int site = site_of(self.model, frame);
  return Call(self, q).v(v).run([=](const Model& m, Worker& w) { jacobian(m, w.batch, site, true); },
                                {of_batch<&Batch::jacobian_rate>, {6, self.model.nv()}});
}

py::dict whole_body_state(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a) {
  const auto part = [](int first, std::vector<py::ssize_t> shape) {
    return Output{of_batch<&Batch::whole_body>, std::move(shape), first};
  };
  const auto parts = Call(self, q).v(v).a(a).run(
      [](const Model& m, Worker& w) { whole_body_state(m, w.batch); },
      {part(kKineticEnergy, {}), part(kPotentialEnergy, {}), part(kMomentum, {3}), part(kAngularMomentum, {3}),
       part(kCom, {3}), part(kComVelocity, {3}), part(kComAcceleration, {3})});
  py::dict out;
  out["kinetic_energy"] = parts[0], out["potential_energy"] = parts[1];
  out["momentum"] = parts[2], out["angular_momentum"] = parts[3];
  out["com"] = parts[4], out["com_velocity"] = parts[5], out["com_acceleration"] = parts[6];
  return out;
}

py::dict inverse_dynamics_derivatives(const PythonModel& self, const py::object& q, const py::object& v,
                                      const py::object& a, const py::object& loads) {
  without_loops(self.model, "inverse_dynamics_derivatives");
  const std::vector<py::ssize_t> square{self.model.nv(), self.model.nv()};
  const auto slopes =
      Call(self, q)
          .v(v)
          .a(a)
          .loads(loads_of(self.model, loads))
          .run([](const Model& m, Worker& w) { inverse_dynamics_derivatives(m, w.batch, w.derivatives); },
               {{of_derivatives<&BatchDerivatives::dq>, square},
                {of_derivatives<&BatchDerivatives::dv>, square},
                {of_derivatives<&BatchDerivatives::dx>, square}});
  py::dict out;
  out["dq"] = slopes[0], out["dv"] = slopes[1], out["da"] = slopes[2];
  return out;
}

py::dict forward_dynamics_derivatives(const PythonModel& self, const py::object& q, const py::object& v,
                                      const py::object& tau, const py::object& loads) {
  without_loops(self.model, "forward_dynamics_derivatives");
  const std::vector<py::ssize_t> square{self.model.nv(), self.model.nv()};
  const auto slopes =
      Call(self, q)
          .v(v)
          .tau(tau)
          .loads(loads_of(self.model, loads))
          .run([](const Model& m, Worker& w) { forward_dynamics_derivatives(m, w.batch, w.derivatives); },
               {{of_batch<&Batch::a>, {self.model.nv()}},
                {of_derivatives<&BatchDerivatives::dq>, square},
                {of_derivatives<&BatchDerivatives::dv>, square},
                {of_derivatives<&BatchDerivatives::dx>, square}});
  py::dict out;
  out["a"] = slopes[0], out["dq"] = slopes[1], out["dv"] = slopes[2], out["dtau"] = slopes[3];
  return out;
}

py::array regressor_of(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a) {
  without_loops(self.model, "regressor");
  return Call(self, q).v(v).a(a).run([](const Model& m, Worker& w) { regressor(m, w.batch, w.regressor); },
                                     {[](const Worker& w) -> const LaneArray& { return w.regressor; },
                                      {self.model.nv(), parameter_count(self.model)}});
}

py::array integrate_from(const PythonModel& self, const py::object& q, const py::object& v) {
  return Call(self, q).v(v).run([](const Model& m, Worker& w) { integrate(m, w.batch, w.batch.v); },
                                {of_batch<&Batch::q>, {self.model.nq()}});
}

py::array difference_between(const PythonModel& self, const py::object& from, const py::object& to) {
  Call call(self, to, "to");
  call.positions(from, "start", [](Worker& w) -> LaneArray& { return w.begin; });
  return call.run([](const Model& m, Worker& w) { difference(m, w.batch, w.begin, w.step); },
                  {[](const Worker& w) -> const LaneArray& { return w.step; }, {self.model.nv()}});
}

}  // namespace

void bind_dynamics(py::class_<PythonModel>& model) {
  using py::arg;
  const auto loads = arg("loads") = py::none();
  const auto wrenches = arg("wrenches") = false;
  model
      .def("inverse_dynamics", &inverse_dynamics, arg("q"), arg("v"), arg("a"), loads, wrenches,
           "Torques of a motion; with wrenches=True also the wrench through every joint, (6, joints).")
      .def("forward_dynamics", &forward_dynamics, arg("q"), arg("v"), arg("tau"), loads, wrenches,
           "Accelerations under torques; with wrenches=True also the wrench through every joint, (6, joints).")
      .def("bias_torques", &bias_torques, arg("q"), arg("v"),
           "Torques at zero acceleration: Coriolis, centrifugal, gravity and friction.")
      .def("gravity_torques", &gravity_torques, arg("q"), "Torques that hold the model at rest.")
      .def(
          "mass_matrix",
          [](const PythonModel& self, const py::object& q) {
            return matrix<&Batch::mass_matrix>(self, "mass_matrix", q, self.model.nv(),
                                               [](const Model& m, Batch& b) { mass_matrix(m, b); });
          },
          arg("q"), "The mass matrix, (nv, nv).")
      .def(
          "inverse_mass_matrix",
          [](const PythonModel& self, const py::object& q) {
            return matrix<&Batch::inverse_mass_matrix>(self, "inverse_mass_matrix", q, self.model.nv(),
                                                       [](const Model& m, Batch& b) { inverse_mass_matrix(m, b); });
          },
          arg("q"), "The inverse of the mass matrix, (nv, nv).")
      .def(
          "centroidal_momentum_matrix",
          [](const PythonModel& self, const py::object& q) {
            return matrix<&Batch::centroidal_momentum_matrix>(
                self, "centroidal_momentum_matrix", q, 6,
                [](const Model& m, Batch& b) { centroidal_momentum_matrix(m, b); });
          },
          arg("q"), "A with A v = (momentum, angular momentum about the centre of mass), (6, nv).")
      .def("coriolis_matrix", &coriolis_matrix, arg("q"), arg("v"),
           "C with C v = bias - gravity - friction and dM/dt = C + C^T.")
      .def("pose", &pose, arg("q"), arg("frame"), "Position and rotation matrix of a link or frame in the world.")
      .def("jacobian", &jacobian, arg("q"), arg("frame"),
           "J with J v = (velocity, angular velocity) of a link or frame, world axes, (6, nv).")
      .def("jacobian_rate", &jacobian_rate, arg("q"), arg("v"), arg("frame"),
           "dJ/dt, so that J a + dJ/dt v is the acceleration of the link or frame, (6, nv).")
      .def("whole_body_state", &whole_body_state, arg("q"), arg("v"), arg("a"),
           "Energies, momenta and the motion of the centre of mass, by name.")
      .def("inverse_dynamics_derivatives", &inverse_dynamics_derivatives, arg("q"), arg("v"), arg("a"), loads,
           "Exact derivatives of inverse_dynamics by name: dq, dv, da, each (nv, nv).")
      .def("forward_dynamics_derivatives", &forward_dynamics_derivatives, arg("q"), arg("v"), arg("tau"), loads,
           "Accelerations a and their exact derivatives dq, dv, dtau by name.")
      .def("regressor", &regressor_of, arg("q"), arg("v"), arg("a"), "Y with tau = Y @ parameters, (nv, parameters).")
      .def("integrate", &integrate_from, arg("q"), arg("v"), "Where the constant velocity v leads in unit time.")
      .def("difference", &difference_between, arg("start"), arg("to"), "v with integrate(start, v) = to.");
}

}  // namespace verne::python
