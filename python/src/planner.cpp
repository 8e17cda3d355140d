// One cell, many motions.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <array>
#include <optional>

#include "arrays.h"
#include "solution.h"
#include "verne/base/error.h"
#include "verne/motion/planner.h"

namespace verne::python {

namespace {

/// A posture of all freedoms.
Eigen::VectorXd posture_of(const Model& model, const py::object& q, const char* name) {
  const Array given = numbers(q, name);
  if (given.ndim() != 1 || given.shape(0) != model.nv()) {
    throw InputError(std::string(name) + ": expected " + std::to_string(model.nv()) +
                     " numbers, one for each of dof_names");
  }
  return Eigen::Map<const Eigen::VectorXd>(given.data(), model.nv());
}

class PythonPlanner {
 public:
  explicit PythonPlanner(PythonTask task, const Watch::Progress& progress)
      : asked_(std::move(task)), watch_(progress), planner_(asked_.task, watch_.options().progress) {}

  PythonModel model() const { return PythonModel(asked_.task.model); }

  PythonSolution plan(const py::object& start, const py::object& goal, std::optional<double> deadline) {
    return between(&Planner::plan, start, goal, deadline);
  }
  PythonSolution replan(const py::object& start, const py::object& goal, std::optional<double> deadline) {
    return between(&Planner::replan, start, goal, deadline);
  }

  void change_scene(const PythonTask& task) {
    if (task.task.model.nv() != asked_.task.model.nv()) throw InputError("change_scene: the task is of another model");
    planner_.change_scene(task.task);
  }

  void move_object(const std::string& object, const std::array<double, 3>& xyz, const std::array<double, 3>& rpy) {
    planner_.move_object(object, Vec3<double>::load(xyz.data()), Vec3<double>::load(rpy.data()));
  }

  std::optional<PythonSolution> stop(const PythonSolution& motion, double time, bool along) {
    if (!(time >= 0)) throw InputError("time: expected 0 or more");
    if (motion.task().model.nv() != asked_.task.model.nv()) throw InputError("stop: the motion is of another model");
    std::optional<Solution> halt;
    run([&] { halt = planner_.stop(motion.solution, time, along ? StopWay::along : StopWay::any); });
    if (!halt) return std::nullopt;
    return sampled(std::move(*halt));
  }

 private:
  using Plan = Solution (Planner::*)(const Eigen::Ref<const Eigen::VectorXd>&, const Eigen::Ref<const Eigen::VectorXd>&,
                                     double);
  PythonSolution between(Plan how, const py::object& start, const py::object& goal, std::optional<double> deadline) {
    if (deadline && !(*deadline > 0)) throw InputError("deadline: expected a positive number of seconds");
    const Eigen::VectorXd from = posture_of(asked_.task.model, start, "start");
    const Eigen::VectorXd to = posture_of(asked_.task.model, goal, "goal");
    std::optional<Solution> solution;
    run([&] { solution = (planner_.*how)(from, to, deadline.value_or(kInfinity)); });
    return sampled(std::move(*solution));
  }
  void run(const std::function<void()>& call) {
    run_with_functions(asked_, call);
    watch_.raise();
  }
  PythonSolution sampled(Solution solution) const {
    PythonTask asked = asked_;
    asked.task = planner_.task();
    SampledMotion motion = sample_motion(asked.task, solution, asked.task.samples);
    return {std::move(asked), std::move(solution), std::move(motion)};
  }

  PythonTask asked_;
  Watch watch_;
  Planner planner_;
};

}  // namespace

void bind_planner(py::module_& module) {
  using py::arg;
  py::class_<PythonPlanner>(module, "_Planner")
      .def(py::init<PythonTask, const Watch::Progress&>(), arg("task"), arg("progress"))
      .def_property_readonly("model", &PythonPlanner::model)
      .def("plan", &PythonPlanner::plan)
      .def("replan", &PythonPlanner::replan)
      .def("change_scene", &PythonPlanner::change_scene)
      .def("move_object", &PythonPlanner::move_object)
      .def("stop", &PythonPlanner::stop);
}

}  // namespace verne::python
