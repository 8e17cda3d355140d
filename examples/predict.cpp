// From a task file to a verified motion, in a program: predict tasks/prismatic_revolute.yaml
#include <iostream>

#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: predict TASK");
  const verne::Task task = verne::load_task(argv[1], {{"u", 0.1}});  // a parameter of the file, changed
  const verne::Solution solution = verne::predict(task);
  std::cout << verne::summary_text(task, solution);

  const verne::SampledMotion motion = verne::sample_motion(task, solution, 5);
  std::cout << "torques at five times:\n" << motion.tau.eigen() << "\n";
  return solution.success() && solution.verification.limit_excess <= task.refine.tolerance ? 0 : 1;
} catch (const verne::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
