// A barrier that is lowered in fixed steps takes nearly twice as many iterations on these.
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
  const Solution solution = predict(task);
  EXPECT_LE(solution.rounds.front().iterations, most);
}
INSTANTIATE_TEST_SUITE_P(Tasks, BarrierOfSteps,
                         testing::Values(std::pair("arm7_around_obstacle", 27), std::pair("human55_reach", 22)));

}  // namespace
}  // namespace verne
