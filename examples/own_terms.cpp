// A cost and a limit that the task format does not have: keep the elbow half bent, and what both motors give together
// small.
#include <iostream>

#include "verne/motion/predict.h"
#include "verne/motion/term.h"
#include "verne/motion/write_solution.h"

int main(int argc, char** argv) try {
  if (argc != 2) throw verne::InputError("usage: own_terms TASK");
  verne::Task task = verne::load_task(argv[1]);
  task.add_cost({.name = "elbow_comfort", .weight = 0.3, .over = verne::Over::time}, [](verne::Channels& c) {
    return verne::make_term({c.position("elbow")}, [](const auto* u) { return (u[0] - 0.5) * (u[0] - 0.5); });
  });
  task.add_limit({.name = "sum_of_torques", .bounds = {-12, 12}, .scale = 12, .unit = "N·m"}, [](verne::Channels& c) {
    return verne::make_term({c.effort("shoulder"), c.effort("elbow")}, [](const auto* u) { return u[0] + u[1]; });
  });
  const verne::Solution solution = verne::predict(task);
  std::cout << verne::summary_text(task, solution);
  return solution.success() ? 0 : 1;
} catch (const verne::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
