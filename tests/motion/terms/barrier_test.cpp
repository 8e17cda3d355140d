// A barrier that is lowered as it is solved for takes nearly twice as many iterations on these.
#include <gtest/gtest.h>

#include "motion/task_text.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

class BarrierOfSteps : public testing::TestWithParam<std::pair<const char*, int>> {};
TEST_P(BarrierOfSteps, IsAsLowAsTheyBear) {
  const auto& [name, most] = GetParam();
  Task task = test::shipped_task(name);
  task.refine = RefineSpec::off();
  const Solution solution = predict(task);
  EXPECT_LE(solution.rounds.front().iterations, most);
  task.solver.adaptive_barrier = false;
  EXPECT_NEAR(solution.cost, predict(task).cost, 1e-5 * solution.cost);
}
INSTANTIATE_TEST_SUITE_P(Tasks, BarrierOfSteps,
                         testing::Values(std::pair("arm7_around_obstacle", 27), std::pair("human55_reach", 22)));

/// Kinks mislead it: costs of energy do without, unless a task says otherwise.
TEST(BarrierOfEnergy, IsLoweredAsItIsSolvedFor) {
  const std::string text = "subject_to: {start: {position: [0, -2]}, end: {position: [1, -1]}}\nrefine: off\n";
  const auto way = [&](const char* cost, std::optional<bool> adaptive) {
    Task task = test::read(test::minimizing(cost, text));
    task.solver.adaptive_barrier = adaptive;
    std::vector<double> costs;
    for (const nlp::Iteration& iteration : predict(task).history) costs.push_back(iteration.cost);
    return costs;
  };
  const char *energy = "  - energy: 1\n  - time: 1\n", *time = "  - time: 1\n";
  EXPECT_EQ(way(energy, {}), way(energy, false));
  EXPECT_NE(way(energy, {}), way(energy, true));
  EXPECT_EQ(way(time, {}), way(time, true));
  EXPECT_NE(way(time, {}), way(time, false));
}

}  // namespace
}  // namespace verne
