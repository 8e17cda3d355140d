#include "structures/collisions.h"

#include <cmath>

#include "structures/mechanism_support.h"

namespace verne::test {
namespace {

CollisionBody ball(int link, const std::string& object, const Vec3<double>& place, double radius) {
  CollisionBody body{link, object, {}, Transform<double>::identity()};
  body.body.skin = radius, body.X_LB.p = place;
  return body;
}

TEST(Collisions, OfALinkWithAnObject) {
  const Model model = shipped_model("two_link");  // bars of 0.4 m
  const int link2 = model.link("link2");
  Data<double> data(model);
  const Vec3<double> place{0.4, 0.5, 0};
  for (const double margin : {0.0, 0.05}) {
    Collisions collisions(model, {ball(link2, "", {0, 0, 0}, 0.1), ball(-1, "post", place, 0.2)}, margin);
    EXPECT_EQ(collisions.pairs(), 1u);
    int touching = 0;
    for (double q0 = -3; q0 < 3; q0 += 0.1) {
      for (double q1 = -2; q1 < 2; q1 += 0.5) {
        const Eigen::Vector2d q(q0, q1);
        const Kinematics<double> at = forward_kinematics(model, data, q);
        const double apart = (at.position(link2) - Eigen::Vector3d(0.4, 0.5, 0)).norm() - 0.3;
        const auto touch = collisions.touch(q);
        EXPECT_EQ(touch.has_value(), apart < margin);
        if (!touch) continue;
        ++touching;
        EXPECT_EQ(touch->a + touch->b, "postlink2");
        EXPECT_NEAR(touch->distance, std::max(apart, -0.3), 1e-12);
      }
    }
    EXPECT_GT(touching, 10);
  }
}

TEST(Collisions, PairsThatAreLeftOut) {
  const Model model = shipped_model("arm7");
  const auto link = [&](const char* name) { return model.link(name); };
  std::vector<CollisionBody> bodies;
  for (const char* name : {"link1", "link2", "link3", "link4", "link7"})
    bodies.push_back(ball(link(name), "", {0, 0, 0}, 0.01));
  bodies.push_back(ball(link("link1"), "", {0, 0, 0}, 2));  // around all of the arm
  bodies.push_back(ball(-1, "floor", {0, 0, -3}, 0.1));
  bodies.push_back(ball(-1, "wall", {3, 0, 0}, 0.1));
  const std::vector<std::pair<std::string, std::string>> allowed{{"link7", "link4"}};
  const Collisions collisions(model, bodies, 0, allowed);
  // Of 28 pairs: 1 of one link, 1 of two objects, 4 of neighbours (1-2 twice, 2-3, 3-4), 1 allowed, and 3 that always
  // touch: the large ball with links 3, 4 and 7.
  EXPECT_EQ(collisions.pairs(), 18u);
  EXPECT_EQ(collisions.touching_always().size(), 3u);
}

}  // namespace
}  // namespace verne::test
