// Limbs that swing the same way.
#include <gtest/gtest.h>

#include <algorithm>

#include "motion/task_text.h"
#include "verne/dynamics/kinematics.h"
#include "verne/motion/predict.h"

namespace verne {
namespace {

using test::problems;
using test::subject_to;

/// Two limbs of a length of 1 that hang side by side, both swung back in a second; `arm` has to be early.
const char* const kLimbs =
    R"(  - {name: trunk, joint: {name: root, type: fixed}, mass: 0}
  - {name: arm, parent: trunk, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1]}
  - {name: hand, parent: arm, joint: {name: wrist, type: fixed}, pose: {xyz: [0, -1, 0]}, mass: 0}
  - {name: leg, parent: trunk, joint: {name: hip, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1]}
  - {name: foot, parent: leg, joint: {name: ankle, type: fixed}, pose: {xyz: [0, -1, 0]}, mass: 0}
)";
const char* const kSwing = R"(duration: 1
minimize: [{smoothness: 1}]
trajectory: {degree: 4, control_points: 12, nodes: 40}
subject_to:
  start: {position: 0.5}
  via: [{at: 0.35, position: {shoulder: -0.2}}]
  end: {position: -0.5}
)";

/// The least product of how far hand and foot are ahead, from their places.
double least_product(const Task& task, const Trajectory& motion) {
  Data<double> data(task.model);
  double least = kInfinity;
  for (int k = 0; k <= 500; ++k) {
    const auto kinematics = forward_kinematics<double>(task.model, data, motion.at(motion.duration() * k / 500));
    const auto x = [&](const char* link) { return kinematics.position(task.model.link(link)).x(); };
    least = std::min(least, (x("hand") - x("arm")) * (x("foot") - x("leg")));
  }
  return least;
}

TEST(SwingTogether, TheFootWaitsForNoHand) {
  const test::TemporaryModel model(kLimbs);
  const double slack = 0.02;
  const Task free = model.whole_task(kSwing);
  const Task coupled = model.whole_task(
      kSwing + std::string("  swing_together: [{limbs: [[hand, arm], [foot, leg]], along: [2, 0, 0], slack: 0.02}]\n"));
  const Solution alone = predict(free), together = predict(coupled);
  ASSERT_TRUE(alone.success() && together.success()) << together.message;
  EXPECT_LT(least_product(free, alone.trajectory), -20 * slack * slack);
  EXPECT_GT(least_product(coupled, together.trajectory), -1.001 * slack * slack);
  EXPECT_GT(together.cost, 1.01 * alone.cost);
  EXPECT_TRUE(std::any_of(together.limits.begin(), together.limits.end(),
                          [&](const auto& use) { return use.kind == "swing_together" && use.of == "hand with foot"; }));
}

TEST(SwingTogether, Problems) {
  const auto swing = [](const std::string& text) { return problems(subject_to("  swing_together: [" + text + "]\n")); };
  EXPECT_EQ(swing("{limbs: [[tool, link1], [link2, link1]], along: [1, 0, 0]}"), "none");
  EXPECT_EQ(swing("{limbs: [[tool, link1]], along: [1, 0, 0]}"),
            "t:7: error: subject_to: swing_together: 1: limbs: expected two, found 1");
  EXPECT_EQ(
      swing("{limbs: [[tool, link1], [link2]], along: [1, 0, 0]}"),
      "t:7: error: subject_to: swing_together: 1: limbs: expected [end, start], links or frames, found a list of 1");
  EXPECT_NE(swing("{limbs: [[tol, link1], [link2, link1]], along: [1, 0, 0]}").find("'tol'"), std::string::npos);
  EXPECT_EQ(
      swing("{limbs: [[tool, link1], [link2, link1]], along: [0, 0, 0]}"),
      "t:7: error: subject_to: swing_together: 1: along: expected a direction, which is not zero, found a list of 3");
  EXPECT_EQ(swing("{limbs: [[tool, link1], [link2, link1]], along: [1, 0, 0], slack: 0}"),
            "t:7: error: subject_to: swing_together: 1: slack: expected a positive number, found '0'");
  EXPECT_EQ(swing("{}"),
            "t:7: error: subject_to: swing_together: 1: limbs is missing\n"
            "t:7: error: subject_to: swing_together: 1: along is missing");
}

}  // namespace
}  // namespace verne
