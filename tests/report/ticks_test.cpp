#include "report/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace verne {
namespace {

TEST(Ticks, RoundNumbers) {
  EXPECT_EQ(ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(-12, 12, 5), (std::vector<double>{-10, -5, 0, 5, 10}));
  EXPECT_EQ(ticks(3, 3, 5), (std::vector<double>{3}));
}

TEST(Ticks, InsideEvenlySpacedAndNeitherFewNorMany) {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> middle(-100, 100), power(-6, 6);
  for (int i = 0; i < 1000; ++i) {
    const double low = middle(generator), high = low + std::pow(10, power(generator));
    const std::vector<double> found = ticks(low, high, 5);
    ASSERT_GE(found.size(), 2u) << low << " " << high;
    ASSERT_LE(found.size(), 7u) << low << " " << high;
    const double slack = 1e-6 * (high - low);
    EXPECT_GE(found.front(), low - slack);
    EXPECT_LE(found.back(), high + slack);
    const double step = found[1] - found[0], mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-3 || std::abs(mantissa - 2) < 1e-3 || std::abs(mantissa - 5) < 1e-3)
        << step;
  }
}

TEST(Ticks, Labels) {
  EXPECT_EQ(tick_label(0.30000000000000004, 0.1), "0.3");
  EXPECT_EQ(tick_label(-2, 1), "−2");
  EXPECT_EQ(tick_label(1e-17, 0.1), "0");
  EXPECT_EQ(tick_label(0.25, 0.05), "0.25");
  EXPECT_EQ(tick_label(200000, 100000), "2e+05");
}

}  // namespace
}  // namespace verne
