// How fine a curve should be.
#include "motion/refine/levels.h"

#include <gtest/gtest.h>

#include <cmath>

namespace verne {
namespace {

TEST(Levels, GapOfSecondOrder) {
  // Errors fall with the square of the fineness: what is left is known exactly.
  std::vector<Level> levels;
  for (const double fineness : {1.0, 2.0, 4.0, 5.5, 7.0}) {
    levels.push_back({10 + 1 / (fineness * fineness), 0, fineness});
    if (levels.size() == 1) {
      EXPECT_FALSE(estimated_gap(levels).has_value());
    } else {
      EXPECT_NEAR(estimated_gap(levels).value(), 1 / (fineness * fineness) / levels.back().cost, 1e-12);
    }
  }
}

TEST(Levels, GapWhenTheLastLevelsHappenToAgree) {
  EXPECT_NEAR(estimated_gap({{1.15, 0, 1}, {1, 0, 2}, {1, 0, 4}}).value(), 0.01, 1e-12);  // the first one's, 0.15 / 15
}

TEST(Levels, GapOfCostsThatRise) {
  EXPECT_NEAR(estimated_gap({{-1.03, 0, 1}, {-1, 0, 2}}).value(), 0.01, 1e-12);
  EXPECT_FALSE(estimated_gap({{1, 0, 1}, {0, 0, 2}}).has_value());
}

/// Two levels, the second of which costs and took so much, in ten iterations.
std::vector<Level> two(double first_work, double cost, double work) {
  return {{1, first_work, 1, first_work / 10}, {cost, work, 2, work / 10}};
}

/// By the gap that they tell.
double next(const RefineSpec& refine, const std::vector<Level>& levels, int steps, double misfit = 0) {
  return finer_by(refine, levels, steps, estimated_gap(levels).value_or(0), misfit);
}

TEST(Levels, AsManyHalvingsAsAskedFor) {
  RefineSpec refine;
  refine.knots = 2;
  const std::vector<Level> changes = two(100, 0.9, 100), settles = two(100, 1 + 1e-6, 100);
  EXPECT_EQ(next(refine, {{1, 100, 1}}, 0), 2);
  EXPECT_EQ(next(refine, changes, 1), 2);
  EXPECT_EQ(next(refine, settles, 1), 1);
  EXPECT_EQ(next(refine, settles, 1, 2), 2);
  EXPECT_EQ(next(refine, changes, 2, 2), 1);
}

TEST(Levels, AsFineAsTheGapAndTheWorkSay) {
  RefineSpec refine;
  const std::vector<Level> cheap = two(1000, 0.9, 100), near = two(1000, 0.999, 100), dear = two(100, 0.9, 150);
  EXPECT_EQ(next(refine, cheap, 1), 2);
  EXPECT_EQ(next(refine, near, 1), 1);
  EXPECT_EQ(next(refine, dear, 1), 1);
  refine.gap = 1e-4;  // whatever it takes
  EXPECT_EQ(next(refine, near, 1), 2);
  EXPECT_EQ(next(refine, dear, 1), 2);
  EXPECT_GT(next(refine, dear, 2), 2);
}

/// A motion whose equations do not hold is none, whatever it costs to make one of it.
TEST(Levels, AsFineAsEquationsNeed) {
  const std::vector<Level> dear = two(100, 0.9, 3000);
  EXPECT_EQ(next({}, dear, 1), 1);
  EXPECT_EQ(next({}, {{1, 100, 1}}, 0, 2), 3);
  EXPECT_NEAR(next({}, dear, 1, 2), 1.1 * std::pow(2, 1 / 3.5), 1e-12);
  EXPECT_EQ(next({}, two(100, 0.9, 30000), 1, 2), 1);
}

/// Far from the gap that is aimed at a level helps that is as fine as there is work left, if only by other knots; near
/// to it only one that gets there.
TEST(Levels, AsFineAsAffordable) {
  const std::vector<Level> levels = two(100, 0.9, 140);  // 360 are left, and 26 iterations take 364
  EXPECT_EQ(finer_by({}, levels, 1, 0.01, 0), 1);
  const std::vector<Level> cheaper = two(100, 0.9, 130);
  EXPECT_NEAR(finer_by({}, cheaper, 1, 0.01, 0), 370 / 338., 1e-12);
  EXPECT_EQ(finer_by({}, cheaper, 1, 0.004, 0), 1);
}

TEST(Levels, NoFinerThanNeeded) {
  RefineSpec refine;
  refine.gap = 1e-4;
  const std::vector<Level> levels = two(1000, 1 - 6e-4, 100);  // an estimate of 2e-4
  const double by = next(refine, levels, 1);
  EXPECT_NEAR(by, std::sqrt(2), 0.2);
  EXPECT_GE(by * by, 2);
}

}  // namespace
}  // namespace verne
