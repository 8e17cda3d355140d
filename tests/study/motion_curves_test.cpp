#include "study/motion_curves.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

std::vector<std::string> names_of(const MotionCurves& curves) {
  std::vector<std::string> names;
  for (const StudyCurve& curve : curves.taken()) names.push_back(curve.name + " in " + curve.unit);
  return names;
}

/// A motion with straight lines, sampled unevenly: position 3 t, torque 1 − t, from 2 s to 6 s.
SampledMotion straight_motion() {
  SampledMotion motion;
  const Eigen::VectorXd time{{2, 2.1, 4, 4.001, 6}};
  motion.time = time;
  Eigen::MatrixXd q(2, 5), tau(2, 5), wrenches = Eigen::MatrixXd::Zero(18, 5);
  q << 3 * time.transpose(), -time.transpose();
  tau << (1 - time.array()).matrix().transpose(), time.transpose();
  wrenches.row(12) = 3 * time, wrenches.row(14) = 4 * time;  // force of the elbow: 5 t
  motion.q = q, motion.v = q, motion.a = q, motion.tau = tau, motion.joint_wrenches = wrenches;
  return motion;
}

TEST(MotionCurves, AreEvenInTime) {
  const Model model = load_model(test::shipped("two_link"));
  MotionCurves curves(model);
  EXPECT_TRUE(curves.add("position.shoulder"));
  EXPECT_TRUE(curves.add("effort.*"));
  EXPECT_TRUE(curves.add("joint_force.elbow"));
  EXPECT_TRUE(curves.add("effort.elbow"));
  EXPECT_EQ(names_of(curves), (std::vector<std::string>{"position.shoulder in rad", "effort.shoulder in N m",
                                                        "effort.elbow in N m", "joint_force.elbow in N"}));
  const std::vector<float> values = curves.values(straight_motion());
  ASSERT_EQ(values.size(), 4 * kCurveValues);
  for (int k = 0; k < kCurveValues; ++k) {
    const double t = 2 + 0.04 * k;
    const double expected[] = {3 * t, 1 - t, t, 5 * t};
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_NEAR(values[c * kCurveValues + static_cast<std::size_t>(k)], expected[c], 1e-5) << c << " at " << t;
    }
  }
}

TEST(MotionCurves, TheUsualOnesAreOfFewDrives) {
  const Model arm = load_model(test::shipped("prismatic_revolute")), human = load_model(test::shipped("human55"));
  MotionCurves few(arm), many(human);
  few.add_default(arm), many.add_default(human);
  EXPECT_EQ(names_of(few), (std::vector<std::string>{"position.slide in m", "position.elbow in rad",
                                                     "effort.slide in N", "effort.elbow in N m"}));
  EXPECT_TRUE(many.taken().empty());
  EXPECT_TRUE(many.add("effort.hip_*"));
  EXPECT_EQ(many.taken().size(), 6);
  EXPECT_FALSE(many.add("effort.nothing"));
  EXPECT_FALSE(many.add("effort.nothing*"));
}

TEST(MotionCurves, StridesHaveTheirOwn) {
  MotionCurves curves(load_model(test::shipped("two_link")), {"hip_flexion_r_deg"});
  ASSERT_TRUE(curves.add("hip_flexion_r_deg") && curves.add("position.elbow"));
  const SampledMotion step = straight_motion();
  Stride stride;
  stride.motion = step;
  stride.curves.push_back({"hip_flexion_r_deg", "deg", Eigen::VectorXd(Eigen::VectorXd::LinSpaced(101, 0, 50))});
  const std::vector<float> values = curves.values(step, &stride);
  EXPECT_EQ(values[60], 30);
  EXPECT_TRUE(curves.values(step).empty());
  EXPECT_NEAR(values[kCurveValues + 100], -6, 1e-6);
}

}  // namespace
}  // namespace verne
