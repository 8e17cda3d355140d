// What is done so that limits hold between their nodes, too.
#include "motion/refine/violations.h"

#include <gtest/gtest.h>

#include "motion/guess/first_guess.h"
#include "motion/task_text.h"
#include "support/paths.h"

namespace verne {
namespace {

/// A motion whose limits hold at a few nodes only.
struct Coarse {
  Task task = test::shipped_task("two_link_min_time");
  Result found;

  Coarse() : found(solved({})) {}
  Result solved(const Grid* grid) const {
    const Trajectory guess = first_guess(task);
    const std::vector<int> one(guess.basis().spans(), 0);
    const Grid used = grid ? *grid : Grid{variables_of(task, guess, one), even_nodes(guess, one, 24), {}};
    Program program = make_program(task, used, guess);
    nlp::Summary summary = nlp::solve(program.problem);
    EXPECT_TRUE(summary.success()) << summary.message;
    return result_of(task, program, used, std::move(summary));
  }
};

TEST(Exchange, TightensLimitsWhereTheyAreExceeded) {
  const Coarse coarse;
  const std::optional<Grid> finer = with_violations_refined(coarse.found, 1);  // whatever it costs
  ASSERT_TRUE(finer.has_value());
  EXPECT_EQ(finer->nodes.size(), coarse.found.grid.nodes.size());
  ASSERT_EQ(coarse.found.limit_numbers.count(), coarse.found.measured.limits.size());
  int tightened = 0, left = 0;
  for (std::size_t t = 0; t < coarse.found.measured.limits.size(); ++t) {
    const LimitReport& limit = coarse.found.measured.limits[t];
    const std::span<const double> tightening = finer->tightening_of(t);
    for (int s = 0; s < coarse.found.motion.trajectory.basis().spans(); ++s) {
      double excess = 0;
      for (const Peak& peak : limit.peaks) excess = std::max(excess, peak.place.span == s ? peak.excess : 0);
      if (excess == 0) {
        left += tightening[s] == 0;
      } else {
        EXPECT_GT(tightening[s], excess) << limit.name.kind << " of " << limit.name.of << " on " << s;
        ++tightened;
      }
    }
  }
  EXPECT_GT(tightened, 2);
  EXPECT_GT(left, 2);
  EXPECT_LT(coarse.solved(&*finer).worst_excess(), 0.3 * coarse.found.worst_excess());
}

TEST(Exchange, AddsNodesWhereTighterLimitsCostTooMuch) {
  const Coarse coarse;
  const std::optional<Grid> finer = with_violations_refined(coarse.found, 0);
  ASSERT_TRUE(finer.has_value());
  std::size_t peaks = 0;
  for (const LimitReport& limit : coarse.found.measured.limits) peaks += limit.peaks.size();
  EXPECT_GT(finer->nodes.size(), coarse.found.grid.nodes.size());
  EXPECT_LE(finer->nodes.size(), coarse.found.grid.nodes.size() + peaks);
  EXPECT_LT(coarse.solved(&*finer).worst_excess(), 0.3 * coarse.found.worst_excess());
}

/// A limit that is exceeded as much as before it was tightened: its nodes are too far below to feel that.
TEST(Exchange, AddsNodesWhereTighterLimitsDoNotHelp) {
  const Coarse coarse;
  const std::vector<LimitReport>& now = coarse.found.measured.limits;
  const auto nodes_after = [&](double times) {
    std::vector<LimitReport> before = now;
    for (LimitReport& limit : before) {
      for (Peak& peak : limit.peaks) peak.excess *= times;
    }
    return with_violations_refined(coarse.found, 1, before)->nodes.size();
  };
  EXPECT_GT(nodes_after(1.1), coarse.found.grid.nodes.size());
  EXPECT_EQ(nodes_after(10), coarse.found.grid.nodes.size());
}

TEST(Exchange, PricesOfSpansAreThoseOfTheLimit) {
  const Coarse coarse;
  for (const LimitReport& limit : coarse.found.measured.limits) {
    if (limit.price == 0) continue;
    double sum = 0;
    for (const double price : limit.prices) sum += price;
    EXPECT_GE(sum, limit.price * (1 - 1e-12));  // nodes at knots count on both sides
    EXPECT_LE(sum, 2 * limit.price * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace verne
