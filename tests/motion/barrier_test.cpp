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
  task.refine = RefineTask::off();
  const double cost = predict(task).cost;
  task.solver.adaptive_barrier = true;
  const Solution solution = predict(task);
  EXPECT_LE(solution.rounds.front().iterations, most);
  EXPECT_NEAR(solution.cost, cost, 1e-5 * cost);
}
INSTANTIATE_TEST_SUITE_P(Tasks, BarrierOfSteps,
                         testing::Values(std::pair("arm7_around_obstacle", 27), std::pair("human55_reach", 22)));

}  // namespace
}  // namespace verne
