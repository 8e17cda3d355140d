// What limits are worth, and who has none that is worth anything.
#include "motion/verify/limit_uses.h"

#include <gtest/gtest.h>

#include "motion/task_text.h"

namespace verne {
namespace {

LimitReport priced(const char* kind, const char* of, double bound, double price) {
  LimitReport report;
  report.name = {kind, of, ""};
  report.bounds = {-bound, bound};
  report.price = price;
  return report;
}

TEST(LimitUses, IdleFreedomsHaveNoLimitThatPays) {
  const Task task = test::shipped_task("puma_pick_and_place");
  const auto names = task.model.dof_names();
  const double cost = 2;
  const std::vector<LimitReport> reports = {
      priced("velocity", names[0].c_str(), 1.5, 0.1),  // worth 7.5 % of the cost
      priced("effort", names[1].c_str(), 100, 1e-4),   // 0.5 %
      priced("jerk", names[2].c_str(), 200, 2e-4),     // 2 %
      priced("effort", names[2].c_str(), 50, 0),       // nothing
      priced("keep_out", "somewhere else", 1, 1),      // of no joint
  };
  EXPECT_EQ(idle_freedoms(task, reports, cost, 0.01), (std::vector<int>{1, 3, 4, 5}));
  EXPECT_NEAR(worth(reports[0], cost), 0.075, 1e-15);
}

}  // namespace
}  // namespace verne
