#include "motion/refine/other_values.h"

namespace verne {

Task with_values(const Task& asked, const Task& solved, const std::map<std::string, double>& values) {
  Task task = asked.with_parameters(values);
  task.curve = solved.curve;
  task.solver = solved.solver;
  if (task.costs.size() != solved.costs.size()) return task;
  for (std::size_t k = 0; k < task.costs.size(); ++k) {
    const double smoothing = solved.costs[k].smoothing;
    if (smoothing != asked.costs[k].smoothing) task.costs[k].smoothing = smoothing;
  }
  return task;
}

std::map<std::string, double> design_of(const Task& task) {
  std::map<std::string, double> values;
  for (const DesignSpec& design : task.design) {
    const auto own = task.parameters.find(design.parameter);
    values[design.parameter] = own != task.parameters.end() ? own->second : task.model_parameters.at(design.parameter);
  }
  return values;
}

}  // namespace verne
