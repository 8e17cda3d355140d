#include <algorithm>
#include <filesystem>
#include <limits>

#include "io/model_variants.h"
#include "motion/terms/task_terms.h"
#include "study/motion_results.h"
#include "study/warm_start.h"
#include "study/works.h"
#include "verne/motion/predict.h"
#include "verne/motion/stride.h"
#include "verne/motion/write_solution.h"

namespace verne {

namespace {

constexpr double kBinding = 0.99;  // utilisation from which a limit is said to bind

std::string binding_limits(const Solution& solution) {
  std::string text;
  for (const LimitUse& limit : solution.limits) {
    if (limit.utilisation < kBinding) continue;
    const std::string where = limit.phase.empty() ? "" : " in " + limit.phase;
    text += (text.empty() ? "" : "; ") + limit.kind + " of " + limit.of + where;
  }
  return text;
}

/// NaN where it has none.
double slope_of(const Solution& solution, const std::string& parameter) {
  for (const ParameterSlope& slope : solution.slopes) {
    if (slope.parameter == parameter) return slope.slope;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

class PredictWork : public StudyWork {
 public:
  PredictWork(const StudyFile& study, InputFiles& files)
      : spec_(study.spec),
        path_(study.source.path),
        folder_(std::filesystem::path(path_).parent_path().string()),
        files_(files),
        text_(files_.text(path_)),
        base_(read({})),
        results_(base_.model),
        curves_(base_.model, stride_curve_names(base_)) {
    files = files_;
    std::vector<std::string> known = model_->names();
    for (const auto& [name, value] : base_.parameters) known.push_back(name);
    require_known_parameters(spec_, known);
    columns_ = {"duration", "cost"};
    for (const CostSpec& cost : base_.costs) columns_.push_back("cost." + name_of(cost));
    results_.add_for_dofs("peak_effort", true);
    for (const std::string& name : study.source.report) {
      if (!results_.add(name)) refuse_result(study, name, results_.known());
    }
    columns_.insert(columns_.end(), results_.names().begin(), results_.names().end());
    take_curves(study, curves_, base_.model);
    for (const DesignSpec& design : base_.design) columns_.push_back("design." + design.parameter);
    certain_ = columns_.size();
    for (const ParameterRange& parameter : spec_.parameters) columns_.push_back("slope." + parameter.name);
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  std::size_t certain_columns() const override { return certain_; }
  const std::vector<StudyCurve>& curves() const override { return curves_.taken(); }
  bool has_motions() const override { return true; }

  PointResult compute(const PointInput& input) override {
    Task task = read(named_values(spec_, input.values));
    task.starts.threads = 1;  // other points use the other processors
    PointResult result;
    const Solution solution = solve(task, input, result);
    result.status = nlp::to_string(solution.status);
    result.success = solution.success();
    if (!result.success) {
      result.reason = solution.message;
      return result;
    }
    task = as_designed(task, solution);
    const SampledMotion motion = sample_motion(task, solution, task.samples);
    result.cost = solution.cost;
    result.results = {solution.trajectory.duration(), solution.cost};
    for (const CostValue& cost : solution.costs) result.results.push_back(cost.value);
    const std::vector<double> more = results_.values(motion);
    result.results.insert(result.results.end(), more.begin(), more.end());
    for (const DesignResult& design : solution.design) result.results.push_back(design.value);
    for (const ParameterRange& parameter : spec_.parameters) {
      result.results.push_back(slope_of(solution, parameter.name));
    }
    if (!curves().empty()) {
      const std::optional<Stride> stride = unfold_stride(task, solution);
      result.curves = curves_.values(motion, stride ? &*stride : nullptr);
    }
    result.binding = binding_limits(solution);
    if (input.motion_wanted) result.motion = packed_motion(solution);
    if (solution.cost <= input.keep_below) {
      result.solution = solution_json(task, solution, motion, "verne study", "verne study " + spec_.name);
    }
    return result;
  }

 private:
  /// Names of parameters of the task go to the task, others to its model.
  Task read(const std::map<std::string, double>& values) {
    std::map<std::string, double> of_task;
    for (const auto& [name, value] : values) {
      if (!model_->knows(name) || base_parameters_.contains(name)) of_task[name] = value;
    }
    TaskFiles from;
    from.read = [&](const std::string& path) { return files_.text(path); };
    from.model = [this, values](const std::string& path) { return model_of(path).at(values); };
    from.model_parameters = [this, values](const std::string& path) {
      std::map<std::string, double> numbers = model_of(path).parameters();
      for (const auto& [name, value] : values) {
        if (model_of(path).knows(name)) numbers[name] = value;
      }
      return numbers;
    };
    from.model_fields = [this, values](const std::string& path) {
      std::map<std::string, double> numbers = model_of(path).fields();
      for (auto& [name, value] : numbers) {
        if (values.contains(name)) value = values.at(name);
      }
      return numbers;
    };
    from.model_with = [this, values](const std::string& path, std::map<std::string, double> others) {
      others.insert(values.begin(), values.end());
      return model_of(path).at(others);
    };
    Task task = read_task(text_, path_, folder_, of_task, from);
    if (base_parameters_.empty()) base_parameters_ = task.parameters;
    return task;
  }

  const ModelVariants& model_of(const std::string& path) {
    if (!model_) model_.emplace(path, files_.text(path));
    return *model_;
  }

  /// From the neighbour's motion; where that leads nowhere, from nothing.
  Solution solve(const Task& task, const PointInput& input, PointResult& result) const {
    if (!input.start.empty()) {
      const Solution start = unpacked_motion(input.start);
      PredictOptions options;
      options.warm_start = &start;
      Solution solution = predict(task, options);
      result.used_start = solution.success();
      if (result.used_start) return solution;
    }
    return predict(task);
  }

  StudySpec spec_;
  std::string path_, folder_;
  InputFiles files_;
  std::string text_;
  std::optional<ModelVariants> model_;
  std::map<std::string, double> base_parameters_;
  Task base_;
  MotionResults results_;
  MotionCurves curves_;
  std::vector<std::string> columns_;
  std::size_t certain_ = 0;
};

}  // namespace

std::unique_ptr<StudyWork> predict_work(const StudyFile& study, InputFiles& files) {
  return std::make_unique<PredictWork>(study, files);
}

}  // namespace verne
