#include "verne/motion/task.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "motion/terms/own_terms.h"

namespace verne {

Task Task::with_parameters(const std::map<std::string, double>& values) const {
  if (!read_again) throw std::invalid_argument("Task::with_parameters: the task was not read from a file");
  Task task = read_again(values);
  std::copy_if(costs.begin(), costs.end(), std::back_inserter(task.costs), is_own);
  task.own_limits = own_limits;
  task.guess = guess;
  task.guess_motion = guess_motion;
  task.refine = refine;
  task.solver = solver;
  task.starts = starts;
  task.design = design;
  return task;
}

std::vector<double> SweepSpec::values() const {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
    values.push_back((1 - share) * start + share * stop);  // exact at both ends
  }
  return values;
}

}  // namespace verne
