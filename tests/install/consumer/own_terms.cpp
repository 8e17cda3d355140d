// A cost, a limit and a solver of a stranger's, in a folder with reach.yaml.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "dense_solver.h"
#include "verne/motion/predict.h"
#include "verne/motion/term.h"
#include "verne/motion/write_solution.h"

namespace {

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  std::exit(1);
}

verne::Task reach() {
  verne::Task task = verne::load_task("reach.yaml");
  task.add_cost({.name = "elbow_comfort", .weight = 0.3, .over = verne::Over::time}, [](verne::Channels& c) {
    return verne::make_term({c.position("elbow")}, [](const auto* u) { return (u[0] - 0.5) * (u[0] - 0.5); });
  });
  task.add_limit(
      {.name = "sum_of_torques",
       .bounds = {-80, 80},
       .scale = 80,
       .unit = "N·m",
       .phase = "",
       .when = verne::When::path},
      [](verne::Channels& c) {
        return verne::make_term({c.effort("shoulder"), c.effort("elbow")}, [](const auto* u) { return u[0] + u[1]; });
      });
  return task;
}

}  // namespace

int main() {
  verne::Task task = reach();
  const verne::Solution solution = verne::predict(task);
  expect(solution.success(), solution.message);
  expect(solution.rounds.size() > 1, "it was refined");
  expect(solution.verification.limit_excess <= 1e-6, "limits hold between nodes");
  expect(solution.costs.back().term == "elbow_comfort" && solution.costs.back().value > 0, "the cost has its name");
  bool found = false;
  for (const verne::LimitUse& use : solution.limits) {
    found |= use.kind == "sum_of_torques" && use.unit == "N·m" && use.utilisation > 0.01 && use.utilisation <= 1 + 1e-6;
  }
  expect(found, "the limit has its name");
  const std::string summary = verne::summary_text(task, solution);
  expect(summary.find("elbow_comfort") != std::string::npos, "the summary has the cost: " + summary);
  const std::string json =
      verne::solution_json(task, solution, verne::sample_motion(task, solution, 11), "consumer", "");
  expect(json.find("sum_of_torques") != std::string::npos, "so has the file the limit");

  task.refine = verne::RefineSpec::off();
  const verne::Solution theirs = verne::predict(task);
  task.solver.own = std::make_shared<DenseSolver>();
  const verne::Solution mine = verne::predict(task);
  expect(mine.success(), "a solver of its own: " + mine.message);
  expect(mine.message.find("dense") != std::string::npos, "it was that solver: " + mine.message);
  expect(std::abs(mine.cost - theirs.cost) < 1e-6 * theirs.cost, "both find the same");
  std::printf("terms and a solver from elsewhere: cost %.6g, %d iterations (%d by ours)\n", mine.cost, mine.iterations,
              theirs.iterations);
  return 0;
}
