#include "motion/output/solution_json.h"
#include "verne/motion/write_solution.h"

namespace verne {

std::vector<ResultFile> solution_files(const Task& task, const Solution& solution, const SampledMotion& motion,
                                       const std::optional<Stride>& stride, const std::string& generator,
                                       const std::string& command) {
  const Model& model = task.model;
  std::vector<ResultFile> files{
      {"solution.json", solution_json(task, solution, motion, stride, generator, command)},
      {"timing.json", timing_json(solution)},
      {"motion.csv", motion_csv(model, motion)},
      {"motion.sto", motion_sto(model, motion, task.name)},
      {"summary.txt", summary_text(task, solution, &motion)},
  };
  if (!stride) return files;
  files.push_back({"stride.csv", stride_csv(model, *stride)});
  if (stride->curves.empty()) return files;  // joints have other names than those that OpenSim's can be told from
  files.push_back({"stride.mot", stride_coordinates_mot(model, *stride)});
  files.push_back({"stride_ground.mot", stride_ground_mot(model, *stride)});
  files.push_back({"stride_moments.sto", stride_moments_sto(model, *stride)});
  return files;
}

}  // namespace verne
