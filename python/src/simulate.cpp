// Direct dynamics of a system in time.
#include "verne/simulate/simulate.h"

#include <exception>
#include <utility>

#include "call.h"
#include "system.h"
#include "verne/base/error.h"
#include "verne/dynamics/configuration.h"

namespace verne::python {

namespace {

/// Numbers of one state, or what stands for them where there are none.
Eigen::VectorXd one_state(const py::object& x, const char* name, Eigen::VectorXd otherwise) {
  if (x.is_none()) return otherwise;
  const Array values = numbers(x, name);
  if (values.ndim() != 1 || values.size() != otherwise.size()) {
    throw InputError(std::string(name) + ": expected shape (" + std::to_string(otherwise.size()) + ",)");
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), values.size());
}

/// Torques as Python has them: none, numbers, or a function of time and the tree's state. What goes wrong in a function
/// is kept until the integrator, which is not to be left through an exception, has come to its end.
class PythonLaw {
 public:
  PythonLaw(const System& system, const py::object& tau) : system_(system), function_(tau) {
    if (PyCallable_Check(tau.ptr()) != 0) return;
    constant_ = one_state(tau, "tau", Eigen::VectorXd::Zero(system.torques()));
    function_ = py::none();
  }

  void operator()(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
    if (failure_) return;
    if (function_.is_none()) return put(constant_, tau);
    const py::gil_scoped_acquire acquire;
    try {
      const auto array = [](std::span<const double> x) {
        return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
      };
      put(one_state(function_(t, array(q), array(v)), "tau", Eigen::VectorXd::Zero(system_.torques())), tau);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Whether to go on; at every sample.
  bool progress() {
    const py::gil_scoped_acquire acquire;
    if (!failure_ && PyErr_CheckSignals() != 0) failure_ = std::make_exception_ptr(py::error_already_set());
    return !failure_;
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void put(const Eigen::VectorXd& some, std::span<double> tau) const {
    if (system_.model().loops().empty()) return static_cast<void>(std::copy(some.begin(), some.end(), tau.begin()));
    const auto motors = system_.mechanism().actuated();
    for (std::size_t k = 0; k < motors.size(); ++k) {
      tau[static_cast<std::size_t>(motors[k])] = some[static_cast<Eigen::Index>(k)];
    }
  }

  System system_;
  py::object function_;
  Eigen::VectorXd constant_;
  std::exception_ptr failure_;
};

/// A row for each sample.
py::array_t<double> rows_of(const Table& columns) {
  py::array_t<double> out({columns.cols(), columns.rows()});
  const auto numbers = columns.eigen();
  std::copy_n(numbers.data(), numbers.size(), out.mutable_data());
  return out;
}
/// Six numbers of so many wrenches at each sample.
py::array_t<double> wrenches_of(const Table& columns) {
  return rows_of(columns).reshape({columns.cols(), columns.rows() / 6, Eigen::Index{6}});
}

const char* word_of(SimulatedMotion::End end) {
  switch (end) {
    case SimulatedMotion::End::finished:
      return "finished";
    case SimulatedMotion::End::limit:
      return "limit";
    case SimulatedMotion::End::interrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

Eigen::VectorXd start_of(const System& system, const py::object& q) {
  const Model& model = system.model();
  if (model.loops().empty()) return one_state(q, "q", neutral_configuration(model));
  return one_state(q, "q", system.mechanism().independent_home().eigen());
}

py::dict simulate_system(const PythonSystem& self, double duration, const py::object& q, const py::object& v,
                         const py::object& tau, int samples, double tolerance, const py::object& loads,
                         const py::object& guess, bool stop_at_limits) {
  const System& system = self.system;
  const Model& model = system.model();
  if (system.given()) throw InputError("simulate: is not known together with given accelerations");
  const Eigen::VectorXd begin = start_of(system, q), still = Eigen::VectorXd::Zero(system.nv());
  const Eigen::VectorXd moving = one_state(v, "v", still),
                        from = one_state(guess, "guess", system.mechanism().home().eigen());
  if (model.loops().empty() && !guess.is_none()) throw InputError("guess: is for models with closed loops");
  const Loads<double> external = loads_of(model, loads);
  PythonLaw law(system, tau);
  SimulateOptions options;
  options.duration = duration, options.samples = samples, options.tolerance = tolerance;
  options.stop_at_limits = stop_at_limits, options.progress = [&](double) { return law.progress(); };
  SimulatedMotion motion;
  {
    const py::gil_scoped_release release;
    Eigen::VectorXd start = begin;
    if (model.loops().empty()) checked_configuration(model, begin, start);
    SystemData data(system);
    const TreeState at =
        assemble(system, data, start, moving, still, {from.data(), static_cast<std::size_t>(from.size())});
    const std::vector<int> held(system.contacts().begin(), system.contacts().end());
    const Mechanism mechanism =
        held.empty() ? system.mechanism() : Mechanism(build_model(with_held_contacts(model, held, at.q)));
    motion = simulate({{mechanism, std::ref(law), external}}, Values(at.q), Values(at.v), options);
  }
  law.rethrow();
  py::dict out;
  out["end"] = word_of(motion.end), out["message"] = motion.message;
  out["time"] = py::array_t<double>(motion.time.size(), motion.time.data());
  out["q"] = rows_of(motion.q), out["v"] = rows_of(motion.v), out["a"] = rows_of(motion.a);
  out["tau"] = rows_of(motion.tau);
  out["loop_wrenches"] = wrenches_of(motion.loop_wrenches), out["joint_wrenches"] = wrenches_of(motion.joint_wrenches);
  out["energy_drift"] = motion.energy_drift, out["energy_scale"] = motion.energy_scale;
  out["loop_drift"] = motion.loop_drift;
  return out;
}

}  // namespace

void bind_simulate(py::module_& module) {
  using py::arg;
  module.def("_simulate", &simulate_system, arg("system"), arg("duration"), arg("q"), arg("v"), arg("tau"),
             arg("samples"), arg("tolerance"), arg("loads"), arg("guess"), arg("stop_at_limits"));
}

}  // namespace verne::python
