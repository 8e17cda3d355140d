#include "dynamics/kernels/scratch.h"

#include <gtest/gtest.h>

namespace verne::test {
namespace {

struct alignas(64) Register {
  double values[8];
};

class ScratchMemory : public testing::Test {
 protected:
  alignas(64) double memory_[32];
};

TEST_F(ScratchMemory, IsHandedOutInOrder) {
  Scratch<double> scratch(memory_, 32);
  EXPECT_EQ(scratch.take(3), memory_);
  Scratch<double> lent = scratch;
  EXPECT_EQ(lent.take(2), memory_ + 3);
  EXPECT_EQ(scratch.take<Register>(2), reinterpret_cast<Register*>(memory_ + 8));
  EXPECT_EQ(scratch.zeros(8), memory_ + 24);
  for (int k = 24; k < 32; ++k) EXPECT_EQ(memory_[k], 0);
}

#if VERNE_WATCH_SCRATCH
using ScratchMemoryDeathTest = ScratchMemory;

TEST_F(ScratchMemoryDeathTest, WatchesItsEnd) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  Scratch<double> scratch(memory_, 10);
  scratch.take(9);
  Scratch<double> lent = scratch;
  lent.take(1);
  EXPECT_DEATH(lent.take(1), "scratch_size\\(\\) is too small by 1 values");
  EXPECT_DEATH(scratch.take(4), "scratch_size\\(\\) is too small by 3 values");
  EXPECT_DEATH(scratch.take<Register>(1), "scratch_size\\(\\) is too small by 14 values");  // 9, 16, 24
}
#endif

}  // namespace
}  // namespace verne::test
