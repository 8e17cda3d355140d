// Tasks, predictions and reports.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "arrays.h"
#include "bindings.h"
#include "solution.h"
#include "terms.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"
#include "verne/report/meshes.h"
#include "verne/report/plot.h"
#include "verne/report/report.h"

namespace verne::python {

namespace {

using Parameters = std::map<std::string, double>;

/// One row per time.
py::array rows(const Table& table) {
  py::array_t<double> out({table.cols(), table.rows()});
  std::copy(table.data(), table.data() + table.rows() * table.cols(), out.mutable_data());
  return out;
}

py::array values(const Values& x) {
  py::array_t<double> out(x.size());
  std::copy(x.begin(), x.end(), out.mutable_data());
  return out;
}

PythonSolution predict_task(PythonTask asked, int starts, int threads,
                            const std::function<bool(int, double)>& progress) {
  if (starts > 0) asked.task.starts.count = starts;
  if (threads > 0) asked.task.starts.threads = threads;
  Watch watch(progress);
  std::optional<PythonSolution> out;
  run_with_functions(asked, [&] {
    Solution solution = predict(asked.task, watch.options());
    asked.task = as_designed(asked.task, solution);
    SampledMotion motion = sample_motion(asked.task, solution, asked.task.samples);
    out.emplace(PythonSolution{asked, std::move(solution), std::move(motion)});
  });
  watch.raise();
  return std::move(*out);
}

py::dict wrenches(const PythonSolution& self) {
  py::dict out;
  const std::span<const Joint> joints = self.task().model.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    out[py::str(joints[j].spec.name)] =
        rows(Table(self.motion.joint_wrenches.eigen().middleRows(6 * static_cast<Eigen::Index>(j), 6)));
  }
  return out;
}

py::dict verification(const PythonSolution& self) {
  const Verification& v = self.solution.verification;
  py::dict out;
  out["limit_excess"] = v.limit_excess, out["limit_tolerance"] = v.limit_tolerance;
  out["equation_residual"] = v.equation_residual, out["simulation_drift"] = v.simulation_drift;
  out["kkt_residual"] = v.kkt_residual, out["constraint_violation"] = v.constraint_violation;
  const auto certified = [&](const char* what, const std::optional<bool>& shown) {
    if (shown) out[what] = *shown;
  };
  certified("position_certified", v.position_certified), certified("velocity_certified", v.velocity_certified);
  certified("acceleration_certified", v.acceleration_certified), certified("jerk_certified", v.jerk_certified);
  certified("effort_certified", v.effort_certified), certified("joint_force_certified", v.joint_force_certified);
  certified("joint_moment_certified", v.joint_moment_certified);
  certified("clearance_certified", v.clearance_certified);
  return out;
}

/// The files of `verne predict`, and the page of `verne report` where the library has it.
void write(const PythonSolution& self, const py::object& path, bool report) {
  const std::string folder = path_of(path, "folder"), prefix = folder + "/";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw EnvironmentError(folder + ": cannot be made: " + failed.message());
  write_text_file(prefix + "solution.json",
                  solution_json(self.task(), self.solution, self.motion, "verne " VERNE_VERSION, ""));
  write_text_file(prefix + "motion.csv", motion_csv(self.task().model, self.motion));
  write_text_file(prefix + "motion.sto", motion_sto(self.task().model, self.motion, self.task().name));
  write_text_file(prefix + "summary.txt", summary_text(self.task(), self.solution, &self.motion));
  std::vector<Diagnostic> notes;
  const std::string meshes = meshes_json(self.task().model, {}, notes);
  if (!meshes.empty()) write_text_file(prefix + "meshes.json", meshes);
  if (report) write_text_file(prefix + "report.html", report_page(read_report_folder(folder), "verne " VERNE_VERSION));
}

/// What `verne predict` writes, in memory.
ReportContents contents_of(const PythonSolution& self) {
  SolutionFile file{self.task().name, "solution.json",
                    solution_json(self.task(), self.solution, self.motion, "verne " VERNE_VERSION, "")};
  std::vector<Diagnostic> notes;
  file.meshes = meshes_json(self.task().model, {}, notes);
  return {{std::move(file)}, "", ""};
}

std::string page(const PythonSolution& self, const std::string& wishes) {
  return report_page(contents_of(self), "verne " VERNE_VERSION, wishes);
}

std::string drawing(const PythonSolution& self, const std::string& what, const std::vector<std::string>& joints,
                    double width, double height) {
  PlotOptions options;
  options.what = what, options.joints = joints, options.width_mm = width, options.height_mm = height;
  return plot_svg(contents_of(self), options);
}

void bind_solution(py::module_& module) {
  const auto series = [](Table SampledMotion::*table) {
    return [table](const PythonSolution& s) { return rows(s.motion.*table); };
  };
  py::class_<PythonSolution> solution(module, "Solution", "A predicted motion, one row per entry of `time`.");
  solution
      .def_property_readonly(
          "status", [](const PythonSolution& s) { return to_string(s.solution.status); },
          "\"solved\", \"not_found\", \"iteration_limit\", ...: docs/tasks.md.")
      .def_property_readonly(
          "message", [](const PythonSolution& s) { return s.solution.message; }, "Why the status is what it is.")
      .def_property_readonly(
          "success", [](const PythonSolution& s) { return s.solution.success(); },
          "Whether the motion is optimal and does what was asked for.")
      .def_property_readonly(
          "cost", [](const PythonSolution& s) { return s.solution.cost; }, "What was minimized.")
      .def_property_readonly(
          "duration", [](const PythonSolution& s) { return s.solution.trajectory.duration(); }, "Of the motion, s.")
      .def_property_readonly(
          "iterations", [](const PythonSolution& s) { return s.solution.iterations; }, "Of all solves that led here.")
      .def_property_readonly(
          "time", [](const PythonSolution& s) { return values(s.motion.time); }, "s, one for each row of the others.")
      .def_property_readonly("q", series(&SampledMotion::q), "Positions, (times, nq).")
      .def_property_readonly("v", series(&SampledMotion::v), "Velocities, (times, nv).")
      .def_property_readonly("a", series(&SampledMotion::a), "Accelerations, (times, nv).")
      .def_property_readonly("tau", series(&SampledMotion::tau), "Efforts, (times, nv).")
      .def_property_readonly("com", series(&SampledMotion::com), "Centre of mass in the world, (times, 3).")
      .def_property_readonly("joint_wrenches", &wrenches, "Force and moment through each joint, by its name.")
      .def_property_readonly(
          "phases",
          [](const PythonSolution& s) {
            py::list out;
            for (const PhaseResult& p : s.solution.phases) out.append(py::make_tuple(p.name, p.start, p.end));
            return out;
          },
          "(name, start, end) of each phase.")
      .def_property_readonly(
          "design",
          [](const PythonSolution& s) {
            py::dict out;
            for (const DesignResult& design : s.solution.design) out[py::str(design.parameter)] = design.value;
            return out;
          },
          "The best values of the parameters that are unknowns of the task, by name.")
      .def_property_readonly(
          "slopes",
          [](const PythonSolution& s) {
            py::dict out;
            for (const ParameterSlope& slope : s.solution.slopes) out[py::str(slope.parameter)] = slope.slope;
            return out;
          },
          "What one more unit of each parameter of the task and its model would add to the cost, by name.")
      .def_property_readonly(
          "verification", &verification,
          "By how much limits, equations and optimality are missed, by name, and what is shown at all times.")
      .def_property_readonly(
          "model", [](const PythonSolution& s) { return PythonModel(s.task().model); },
          "The model as it was solved: free joints are chains of joints.")
      .def(
          "summary", [](const PythonSolution& s) { return summary_text(s.task(), s.solution, &s.motion); },
          "What `verne predict` prints.")
      .def("write", &write, py::arg("folder"), py::arg("report") = true,
           "Writes solution.json, motion.csv, motion.sto, summary.txt and report.html.")
      .def("_page", &page)
      .def("_drawing", &drawing)
      .def("__repr__", [](const PythonSolution& s) {
        return "<verne.Solution '" + s.task().name + "': " + to_string(s.solution.status) + ", cost " +
               std::to_string(s.solution.cost) + ">";
      });
  refuse_new(solution);
}

}  // namespace

PredictOptions Watch::options() {
  PredictOptions options;
  options.progress = [this](const PredictProgress& at) { return go_on(at); };
  return options;
}

void Watch::raise() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool Watch::go_on(const PredictProgress& at) {
  const py::gil_scoped_acquire acquire;
  if (thrown_) return false;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return !progress_ || progress_(at.iteration.iteration, at.iteration.cost);
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
}

void bind_motion(py::module_& module) {
  bind_task(module);
  bind_solution(module);
  bind_planner(module);
  module.def("_load_task", [](const py::object& path, const Parameters& parameters) {
    return PythonTask{load_task(path_of(path, "task"), parameters)};
  });
  module.def("_read_task", [](const std::string& text, const py::object& folder, const Parameters& parameters) {
    return PythonTask{read_task(text, "task", path_of(folder, "folder"), parameters)};
  });
  module.def("_predict", &predict_task);
  module.def(
      "report",
      [](const py::object& folder) {
        return report_page(read_report_folder(path_of(folder, "folder")), "verne " VERNE_VERSION);
      },
      py::arg("folder"), "The page of a folder that was written before, as HTML.");
}

}  // namespace verne::python
