/// Bounds against what random motions do.
#include "structures/motion_bounds.h"

#include <cmath>
#include <random>

#include "structures/mechanism_support.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/kinematics.h"

namespace verne::test {
namespace {

Eigen::Vector3d point_of(const Kinematics<double>& at, const LinkBall& ball, const Eigen::Vector3d& aside) {
  const Eigen::Vector3d local = Eigen::Vector3d(ball.center.x, ball.center.y, ball.center.z) + aside;
  return ball.link < 0 ? local : Eigen::Vector3d(at.position(ball.link) + at.rotation(ball.link) * local);
}

TEST(MotionBounds, HoldForRandomMotionsAndAreNotFarOff) {
  for (const char* name : {"arm7", "puma560", "stanford_arm", "quadruped", "lifting_arm"}) {
    const Model model = shipped_model(name);
    if (model.nq() != model.nv()) continue;
    const MotionBounds bounds(model);
    std::mt19937_64 random(3);
    const auto number = [&](double size) { return std::uniform_real_distribution(-size, size)(random); };
    Data<double> data(model);
    Eigen::VectorXd q(model.nq());
    double closest = 0;  // of what happened to what may
    for (int trial = 0; trial < 2000; ++trial) {
      const auto links = static_cast<int>(model.links().size());
      const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(links + 1)) - 1; };
      const LinkBall a{any(), {number(0.2), number(0.2), number(0.2)}, 0.1};
      const LinkBall b{any(), {number(0.2), number(0.2), number(0.2)}, 0.05};
      const std::vector<double> speeds = bounds.between(a, b);
      random_configuration(model, random, q);
      const Kinematics<double> before = forward_kinematics(model, data, q);
      double most = 0;
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double step = trial % 2 ? number(0.3) : (i == trial % q.size() ? 1e-3 : 0);
        const double lower = model.dofs()[static_cast<std::size_t>(i)].lower,
                     upper = model.dofs()[static_cast<std::size_t>(i)].upper;
        const double to = std::clamp(q[i] + step, lower, upper);
        most += speeds[static_cast<std::size_t>(i)] * std::abs(to - q[i]);
        q[i] = to;
      }
      const Kinematics<double> after = forward_kinematics(model, data, q);
      const Eigen::Vector3d on_a = 0.1 * Eigen::Vector3d(number(1), number(1), number(1)).normalized(),
                            on_b = 0.05 * Eigen::Vector3d(number(1), number(1), number(1)).normalized();
      const double change = std::abs((point_of(after, a, on_a) - point_of(after, b, on_b)).norm() -
                                     (point_of(before, a, on_a) - point_of(before, b, on_b)).norm());
      ASSERT_LE(change, most + 1e-12) << name;
      if (most > 0) closest = std::max(closest, change / most);
    }
    EXPECT_GT(closest, 0.3) << name;
  }
}

TEST(MotionBounds, WhatMovesBothDoesNotCount) {
  const Model model = shipped_model("arm7");
  const MotionBounds bounds(model);
  const std::vector<double> speeds =
      bounds.between({model.link("link3"), {0, 0, 0}, 0.1}, {model.link("link6"), {0, 0, 0}, 0.1});
  for (const int joint : {0, 1, 2, 6}) EXPECT_EQ(speeds[static_cast<std::size_t>(joint)], 0);
  for (const int joint : {3, 4, 5}) EXPECT_GT(speeds[static_cast<std::size_t>(joint)], 0);
}

}  // namespace
}  // namespace verne::test
