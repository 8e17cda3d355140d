// Strength by angle and speed: the points that define its parameters.
#include "ergonomics/strength.h"

#include <gtest/gtest.h>

#include <complex>

#include "verne/base/dual.h"

namespace verne {
namespace {

TEST(Strength, IsWhatItsParametersMean) {
  for (const char* joint : {"hip_flexion_r", "knee_flexion_l", "ankle_dorsiflexion_r"}) {
    for (const bool flexion : {true, false}) {
      const StrengthShape* const shape = strength_shape(joint, flexion, {});
      ASSERT_NE(shape, nullptr) << joint;
      const double rest = strength_part(*shape, shape->best, 0.0);
      EXPECT_NEAR(rest, 1 + 0.025 * shape->lengthening, 2e-3) << joint;  // half of the rounding lengthens
      // Three quarters of it are left at C4, a half at C5; the formula is rounded off by 0.05 rad/s.
      EXPECT_NEAR(strength_part(*shape, shape->best, shape->three_quarters + 0.05), 0.75, 4e-3) << joint;
      EXPECT_NEAR(strength_part(*shape, shape->best, shape->half + 0.05), 0.5, 4e-3) << joint;
      // By the cosine of the angle
      EXPECT_NEAR(strength_part(*shape, shape->best + M_PI / 3 / shape->width, 0.0) / rest, 0.5, 3e-3) << joint;
      // Longer: more than at rest by C6, less by the same fall with speed
      const double speed = 1, c4 = shape->three_quarters, c5 = shape->half;
      const double fall = (2 * c4 * c5 + speed * (c5 - 3 * c4)) / (2 * c4 * c5 + speed * (2 * c5 - 4 * c4));
      EXPECT_NEAR(strength_part(*shape, shape->best, -speed - 0.05), fall * (1 + shape->lengthening * (speed + 0.05)),
                  1e-2)
          << joint;
      EXPECT_GT(strength_part(*shape, 10.0, 30.0), 0) << joint;
    }
  }
  EXPECT_EQ(strength_shape("elbow_flexion_r", true, {}), nullptr);
}

/// Men of 18 to 25: extensors of the knee at 1.133 rad (65°), 3.952 rad/s to half; women: 1.274 rad.
TEST(Strength, HasThePublishedNumbers) {
  EXPECT_EQ(strength_shape("knee_flexion_r", false, {})->best, 1.133);
  EXPECT_EQ(strength_shape("knee_flexion_r", false, {})->half, 3.952);
  EXPECT_EQ(strength_shape("knee_flexion_r", false, {.female = true})->best, 1.274);
  EXPECT_EQ(strength_shape("ankle_dorsiflexion_l", false, {.female = true, .age = 2})->lengthening, 0.348);
}

TEST(Strength, IsSmooth) {
  const StrengthShape& shape = *strength_shape("hip_flexion_r", false, {});
  for (const double speed : {-2.0, -0.01, 0.0, 0.02, 1.5, 7.0}) {
    const double step = 1e-6, slope = strength_part(shape, Dual<double>(0.3), Dual<double>(speed, 1.0)).slope;
    const double difference =
        (strength_part(shape, 0.3, speed + step) - strength_part(shape, 0.3, speed - step)) / (2 * step);
    EXPECT_NEAR(slope, difference, 1e-7) << speed;
  }
}

}  // namespace
}  // namespace verne
