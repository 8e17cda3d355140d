// Functions of a state, for one and for many.
#include "arrays.h"
#include "bindings.h"
#include "model.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/regressor.h"

namespace verne::python {

std::unique_ptr<Batch> BatchPool::take(int count) {
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = free_.rbegin(); it != free_.rend(); ++it) {
      if ((*it)->count() != count) continue;
      std::unique_ptr<Batch> found = std::move(*it);
      free_.erase(std::next(it).base());
      return found;
    }
  }
  return std::make_unique<Batch>(model_, count);
}

void BatchPool::give_back(std::unique_ptr<Batch> batch) {
  constexpr std::size_t kKept = 4;
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(batch));
  if (free_.size() > kKept) free_.erase(free_.begin());
}

namespace {

/// What a call is given, in the order q, v and a or tau.
struct Call {
  const PythonModel& self;
  States states;

  Call(const PythonModel& model, const py::object& q) : self(model) { states.add(q, "q", model.model.nq()); }
  Call& v(const py::object& x) { return states.add(x, "v", self.model.nv()), *this; }
  Call& a(const py::object& x) { return states.add(x, "a", self.model.nv()), *this; }
  Call& tau(const py::object& x) { return states.add(x, "tau", self.model.nv()), *this; }
};

/// Fills q, v and a third array, as far as they were given.
void fill(const Call& call, Batch& batch, LaneArray* v = nullptr, LaneArray* x = nullptr) {
  call.states.put(0, batch.q);
  if (v) call.states.put(1, *v);
  if (x) call.states.put(2, *x);
}

Vector3<double> three(const py::object& x, const std::string& name) {
  const Array values = numbers(x, name);
  if (values.ndim() != 1 || values.size() != 3) throw py::value_error(name + ": expected three numbers");
  return {values.data()[0], values.data()[1], values.data()[2]};
}

int site_of(const Model& model, const py::object& frame) {
  if (py::isinstance<py::str>(frame)) return model.site(frame.cast<std::string>());
  const int site = frame.cast<int>();
  if (site < 0 || site >= model.site_count()) throw py::index_error("frame " + std::to_string(site));
  return site;
}

/// [{"frame": "tool", "force": [0, 0, -5], "moment": …, "point": …}, …], the same for all states.
Loads<double> loads_of(const Model& model, const py::object& given) {
  Loads<double> loads;
  if (given.is_none()) return loads;
  for (const py::handle item : given) {
    const auto map = item.cast<py::dict>();
    Load<double> load;
    if (!map.contains("frame")) throw py::value_error("loads: frame is missing");
    for (const auto& [key, value] : map) {
      const auto name = key.cast<std::string>();
      const auto object = py::reinterpret_borrow<py::object>(value);
      if (name == "frame") {
        load.frame = site_of(model, object);
      } else if (name == "force") {
        load.force = three(object, "loads: force");
      } else if (name == "moment") {
        load.moment = three(object, "loads: moment");
      } else if (name == "point") {
        load.point = three(object, "loads: point");
      } else {
        throw py::value_error("loads: unknown key '" + name + "': expected frame, force, moment, point");
      }
    }
    loads.add(load);
  }
  return loads;
}

/// Runs without holding up other threads of Python.
template <class Work>
void run(Work&& work) {
  const py::gil_scoped_release release;
  work();
}

py::ssize_t joints_of(const PythonModel& self) {
  return static_cast<py::ssize_t>(self.model.joints().size());
}

py::object inverse_dynamics(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a,
                            const py::object& loads, bool wrenches) {
  Call call(self, q);
  call.v(v).a(a);
  const Loads<double> external = loads_of(self.model, loads);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v, &batch->a);
    batch->set_loads(external);
    inverse_dynamics(self.model, *batch, wrenches);
  });
  const py::array tau = call.states.result(batch->tau, {self.model.nv()});
  if (!wrenches) return tau;
  return py::make_tuple(tau, call.states.result(batch->joint_wrenches, {6, joints_of(self)}));
}

py::object forward_dynamics(const PythonModel& self, const py::object& q, const py::object& v, const py::object& tau,
                            const py::object& loads, bool wrenches) {
  Call call(self, q);
  call.v(v).tau(tau);
  const Loads<double> external = loads_of(self.model, loads);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v, &batch->tau);
    batch->set_loads(external);
    forward_dynamics(self.model, *batch, wrenches);
  });
  const py::array a = call.states.result(batch->a, {self.model.nv()});
  if (!wrenches) return a;
  return py::make_tuple(a, call.states.result(batch->joint_wrenches, {6, joints_of(self)}));
}

py::array bias_torques(const PythonModel& self, const py::object& q, const py::object& v) {
  Call call(self, q);
  call.v(v);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v);
    bias_torques(self.model, *batch);
  });
  return call.states.result(batch->bias, {self.model.nv()});
}

py::array gravity_torques(const PythonModel& self, const py::object& q) {
  const Call call(self, q);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch);
    gravity_torques(self.model, *batch);
  });
  return call.states.result(batch->gravity, {self.model.nv()});
}

/// A matrix of the configuration.
template <class Compute>
py::array matrix(const PythonModel& self, const py::object& q, LaneArray Batch::*rows, py::ssize_t height,
                 Compute compute) {
  const Call call(self, q);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch);
    compute(self.model, *batch);
  });
  return call.states.result((*batch).*rows, {height, self.model.nv()});
}

py::array coriolis_matrix(const PythonModel& self, const py::object& q, const py::object& v) {
  Call call(self, q);
  call.v(v);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v);
    coriolis_matrix(self.model, *batch);
  });
  return call.states.result(batch->coriolis_matrix, {self.model.nv(), self.model.nv()});
}

/// Position and rotation of a frame.
py::object pose(const PythonModel& self, const py::object& q, const py::object& frame) {
  const Call call(self, q);
  const int site = site_of(self.model, frame);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch);
    forward_kinematics(self.model, *batch, false);
  });
  const int count = call.states.count();
  LaneArray position(3, count, batch->poses.lanes()), rotation(9, count, batch->poses.lanes());
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < 3; ++i) position(i, k) = std::as_const(batch->poses)(12 * site + i, k);
    for (int i = 0; i < 3; ++i) {  // there by rows, here by columns
      for (int j = 0; j < 3; ++j) rotation(3 * j + i, k) = std::as_const(batch->poses)(12 * site + 3 + 3 * i + j, k);
    }
  }
  return py::make_tuple(call.states.result(position, {3}), call.states.result(rotation, {3, 3}));
}

py::array jacobian(const PythonModel& self, const py::object& q, const py::object& frame) {
  const Call call(self, q);
  const int site = site_of(self.model, frame);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch);
    jacobian(self.model, *batch, site, false);
  });
  return call.states.result(batch->jacobian, {6, self.model.nv()});
}

py::array jacobian_rate(const PythonModel& self, const py::object& q, const py::object& v, const py::object& frame) {
  Call call(self, q);
  call.v(v);
  const int site = site_of(self.model, frame);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v);
    jacobian(self.model, *batch, site, true);
  });
  return call.states.result(batch->jacobian_rate, {6, self.model.nv()});
}

py::dict whole_body_state(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a) {
  Call call(self, q);
  call.v(v).a(a);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v, &batch->a);
    whole_body_state(self.model, *batch);
  });
  const auto part = [&](int first, int size) {
    const int count = call.states.count();
    LaneArray rows(size, count, batch->whole_body.lanes());
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < size; ++i) rows(i, k) = std::as_const(batch->whole_body)(first + i, k);
    }
    return call.states.result(rows, size == 1 ? std::vector<py::ssize_t>{} : std::vector<py::ssize_t>{size});
  };
  py::dict out;
  out["kinetic_energy"] = part(kKineticEnergy, 1), out["potential_energy"] = part(kPotentialEnergy, 1);
  out["momentum"] = part(kMomentum, 3), out["angular_momentum"] = part(kAngularMomentum, 3);
  out["com"] = part(kCom, 3), out["com_velocity"] = part(kComVelocity, 3);
  out["com_acceleration"] = part(kComAcceleration, 3);
  return out;
}

py::dict inverse_dynamics_derivatives(const PythonModel& self, const py::object& q, const py::object& v,
                                      const py::object& a, const py::object& loads) {
  Call call(self, q);
  call.v(v).a(a);
  const Loads<double> external = loads_of(self.model, loads);
  const auto batch = self.batch(call.states.count());
  BatchDerivatives derivatives;
  run([&] {
    fill(call, *batch, &batch->v, &batch->a);
    batch->set_loads(external);
    inverse_dynamics_derivatives(self.model, *batch, derivatives);
  });
  const std::vector<py::ssize_t> square{self.model.nv(), self.model.nv()};
  py::dict out;
  out["dq"] = call.states.result(derivatives.dq, square), out["dv"] = call.states.result(derivatives.dv, square);
  out["da"] = call.states.result(derivatives.dx, square);
  return out;
}

py::dict forward_dynamics_derivatives(const PythonModel& self, const py::object& q, const py::object& v,
                                      const py::object& tau, const py::object& loads) {
  Call call(self, q);
  call.v(v).tau(tau);
  const Loads<double> external = loads_of(self.model, loads);
  const auto batch = self.batch(call.states.count());
  BatchDerivatives derivatives;
  run([&] {
    fill(call, *batch, &batch->v, &batch->tau);
    batch->set_loads(external);
    forward_dynamics_derivatives(self.model, *batch, derivatives);
  });
  const std::vector<py::ssize_t> square{self.model.nv(), self.model.nv()};
  py::dict out;
  out["a"] = call.states.result(batch->a, {self.model.nv()});
  out["dq"] = call.states.result(derivatives.dq, square), out["dv"] = call.states.result(derivatives.dv, square);
  out["dtau"] = call.states.result(derivatives.dx, square);
  return out;
}

py::array regressor_of(const PythonModel& self, const py::object& q, const py::object& v, const py::object& a) {
  Call call(self, q);
  call.v(v).a(a);
  const auto batch = self.batch(call.states.count());
  LaneArray Y;
  run([&] {
    fill(call, *batch, &batch->v, &batch->a);
    regressor(self.model, *batch, Y);
  });
  return call.states.result(Y, {self.model.nv(), parameter_count(self.model)});
}

py::array integrate_from(const PythonModel& self, const py::object& q, const py::object& v) {
  Call call(self, q);
  call.v(v);
  const auto batch = self.batch(call.states.count());
  run([&] {
    fill(call, *batch, &batch->v);
    integrate(self.model, *batch, batch->v);
  });
  return call.states.result(batch->q, {self.model.nq()});
}

py::array difference_between(const PythonModel& self, const py::object& from, const py::object& to) {
  States states;
  states.add(to, "to", self.model.nq());
  states.add(from, "start", self.model.nq());
  const auto batch = self.batch(states.count());
  LaneArray begin(self.model.nq(), states.count(), batch->q.lanes());
  LaneArray step(self.model.nv(), states.count(), batch->q.lanes());
  run([&] {
    states.put(0, batch->q);
    states.put(1, begin);
    difference(self.model, *batch, begin, step);
  });
  return states.result(step, {self.model.nv()});
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
            return matrix(self, q, &Batch::mass_matrix, self.model.nv(),
                          [](const Model& m, Batch& b) { mass_matrix(m, b); });
          },
          arg("q"), "The mass matrix, (nv, nv).")
      .def(
          "inverse_mass_matrix",
          [](const PythonModel& self, const py::object& q) {
            return matrix(self, q, &Batch::inverse_mass_matrix, self.model.nv(),
                          [](const Model& m, Batch& b) { inverse_mass_matrix(m, b); });
          },
          arg("q"), "The inverse of the mass matrix, (nv, nv).")
      .def(
          "centroidal_momentum_matrix",
          [](const PythonModel& self, const py::object& q) {
            return matrix(self, q, &Batch::centroidal_momentum_matrix, 6,
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
