#include "structures/path_planner.h"

#include <cmath>

#include "structures/mechanism_support.h"

namespace verne::test {
namespace {

CollisionBody capsule(int link, double length) {
  CollisionBody body{link, "", {}, Transform<double>::identity()};
  body.body.core = ConvexBody::Core::line, body.body.half = {0, 0, length / 2}, body.body.skin = 0.02;
  body.X_LB.R = Mat3<double>::columns({0, 0, 1}, {0, 1, 0}, {-1, 0, 0});  // z along the link's −x
  body.X_LB.p = {-length / 2, 0, 0};
  return body;
}

/// A wall of a thickness at x between y = low and high.
CollisionBody wall(double x, double low, double high, double thickness) {
  CollisionBody body{-1, "wall", {}, Transform<double>::identity()};
  body.body.core = ConvexBody::Core::box, body.body.half = {thickness / 2, (high - low) / 2, 1};
  body.X_LB.p = {x, (low + high) / 2, 0};
  return body;
}

/// The arm of two bars moves in a plane: whether a bar meets a wall, by where it crosses it.
bool crosses(const Eigen::Vector2d& q, double x, double low, double high, double bar) {
  const Eigen::Vector2d elbow(bar * std::cos(q[0]), bar * std::sin(q[0]));
  const Eigen::Vector2d tip = elbow + bar * Eigen::Vector2d(std::cos(q[0] + q[1]), std::sin(q[0] + q[1]));
  const Eigen::Vector2d ends[3] = {Eigen::Vector2d::Zero(), elbow, tip};
  for (int k = 0; k < 2; ++k) {
    const double t = (x - ends[k].x()) / (ends[k + 1].x() - ends[k].x());
    if (!(t >= 0 && t <= 1)) continue;
    const double y = ends[k].y() + t * (ends[k + 1].y() - ends[k].y());
    if (y > low && y < high) return true;
  }
  return false;
}

TEST(PathPlanner, JumpsNoThinWall) {
  const Model model = shipped_model("two_link");
  const double bar = 0.4;
  for (const double thickness : {0.05, 1e-6}) {
    std::vector<CollisionBody> bodies{capsule(model.link("link1"), bar), capsule(model.link("link2"), bar)};
    bodies.push_back(wall(0.55, -0.1, 0.5, thickness));
    Collisions collisions(model, bodies, 0);
    const Eigen::Vector2d from(-0.5, 0.1), to(1.2, -0.2), lower(-3, -2.6), upper(3, 2.6);
    PathPlanner planner(collisions, lower, upper);
    ASSERT_FALSE(planner.clear(from, to));
    const PlannedPath path = planner.plan(from, to, 1);
    ASSERT_GE(path.size(), 3u);
    EXPECT_EQ(path.front(), from);
    EXPECT_EQ(path.back(), to);
    for (std::size_t k = 1; k < path.size(); ++k) {
      for (int n = 0; n <= 2000; ++n) {
        const Eigen::Vector2d q = path[k - 1] + (path[k] - path[k - 1]) * (n / 2000.0);
        ASSERT_FALSE(collisions.touch(q));
        ASSERT_FALSE(crosses(q, 0.55, -0.1, 0.5, bar));
        ASSERT_TRUE((q.array() >= lower.array()).all() && (q.array() <= upper.array()).all());
      }
    }
    EXPECT_EQ(planner.plan(from, to, 1), path);  // the same for the same seed
  }
}

TEST(PathPlanner, SaysThatThereIsNoWay) {
  const Model model = shipped_model("two_link");
  std::vector<CollisionBody> bodies{capsule(model.link("link1"), 0.4), capsule(model.link("link2"), 0.4)};
  bodies.push_back(wall(0.3, -0.6, -0.2, 0.01));
  bodies.push_back(wall(-0.3, -0.6, -0.2, 0.01));
  Collisions collisions(model, bodies, 0);
  const Eigen::Vector2d between(-1.57, 0), outside(1.57, 0);
  PathPlanner planner(collisions, Eigen::Vector2d(-3, -0.1), Eigen::Vector2d(3, 0.1));
  EXPECT_TRUE(planner.plan(between, outside, 1, {.nodes = 500}).empty());
  EXPECT_TRUE(planner.plan(Eigen::Vector2d(-0.9, 0), outside, 1).empty()) << "begins where it touches";
  PathPlanner of_one(collisions, Eigen::Vector2d(-3, 0), Eigen::Vector2d(3, 0));
  EXPECT_TRUE(of_one.plan(between, outside, 1).empty());
  EXPECT_EQ(of_one.nodes(), 0) << "where one joint moves, there is one way";
  EXPECT_EQ(of_one.plan(between, Eigen::Vector2d(-1.5, 0), 1).size(), 2u);
}

}  // namespace
}  // namespace verne::test
