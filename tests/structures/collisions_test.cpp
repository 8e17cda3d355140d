#include "structures/collisions.h"

#include <cmath>
#include <map>

#include "structures/mechanism_support.h"
#include "verne/spatial/rotation.h"

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
  std::map<LeftOut::Why, int> left_out;
  for (const LeftOut& one : collisions.left_out()) ++left_out[one.why];
  EXPECT_EQ(left_out[LeftOut::Why::connected], 3);
  EXPECT_EQ(left_out[LeftOut::Why::allowed], 1);
  EXPECT_EQ(left_out[LeftOut::Why::always], 3);
}

TEST(Collisions, MasksOfShapes) {
  const Model model = shipped_model("arm7");
  std::vector<CollisionBody> bodies;
  for (const char* name : {"link1", "link3", "link5"}) bodies.push_back(ball(model.link(name), "", {0, 0, 0}, 0.01));
  bodies.push_back(ball(-1, "floor", {0, 0, -3}, 0.1));
  bodies[0].mask = {1, 2};  // what link 3 is, not what link 5 is
  bodies[1].mask = {2, 0};
  bodies[2].mask = {4, 0};
  const Collisions collisions(model, bodies, 0);
  EXPECT_EQ(collisions.pairs(), 4u) << "1-3, and each with the floor";
  ASSERT_EQ(collisions.left_out().size(), 2u);
  for (const LeftOut& one : collisions.left_out()) EXPECT_EQ(one.why, LeftOut::Why::masked);
  bodies.push_back(ball(model.link("link5"), "", {0, 0, 0.1}, 0.01));  // a shape that meets those of link 1 and 3
  bodies.back().mask = {2, ~std::uint64_t{0}};
  EXPECT_TRUE(Collisions(model, bodies, 0).left_out().empty());
}

TEST(Collisions, WhatCannotTouchWithinLimits) {
  ModelSpec spec = shipped_model("two_link").spec();  // bars of 0.4 m
  LinkSpec base;
  base.name = "post", base.joint.name = "post_joint";
  for (const LinkSpec& link : spec.links) {
    if (link.parent.empty()) base.parent = link.name;
  }
  spec.links.push_back(base);
  const Model with_post = build_model(spec);
  const std::vector<CollisionBody> bodies{ball(with_post.link("link2"), "", {-0.1, 0, 0}, 0.05),
                                          ball(with_post.link("post"), "", {0, 0.7, 0}, 0.05)};
  Collisions collisions(with_post, bodies, 0);
  ASSERT_EQ(collisions.pairs(), 1u);
  const Eigen::Vector2d lower(-3, -0.5), upper(0.2, 0.5);
  const Collisions before = collisions;
  collisions.leave_out_what_cannot_touch(lower, upper);
  EXPECT_EQ(collisions.pairs(), 0u);
  ASSERT_EQ(collisions.left_out().size(), 1u);
  EXPECT_EQ(collisions.left_out()[0].why, LeftOut::Why::never);
  // Where limits are left, nothing is forgotten.
  Collisions all = before;
  int touching = 0;
  for (double q0 = -3; q0 < 3; q0 += 0.05) {
    for (double q1 = -1; q1 < 1; q1 += 0.1) {
      const Eigen::Vector2d q(q0, q1);
      EXPECT_EQ(collisions.touch(q).has_value(), all.touch(q).has_value());
      touching += all.touch(q).has_value();
    }
  }
  EXPECT_GT(touching, 5);
  Collisions wide = before;
  wide.leave_out_what_cannot_touch(lower, Eigen::Vector2d(2, 0.5));
  EXPECT_EQ(wide.pairs(), 1u) << "within these limits they can touch";
}

TEST(Collisions, AreTheSameWithPieces) {
  const Model model = shipped_model("two_link");
  ConvexBody box;
  box.core = ConvexBody::Core::box, box.half = {0.05, 0.1, 0.2};
  std::vector<ConvexPiece> pieces;
  std::vector<CollisionBody> apart{ball(model.link("link2"), "", {0.2, 0, 0}, 0.05),
                                   ball(model.link("link1"), "", {0.2, 0, 0}, 0.05)};
  std::vector<CollisionBody> together = apart;
  Transform<double> X{rotation_rpy({0.3, -0.2, 0.5}), {0.1, 0.2, 0.05}};
  for (const Vec3<double>& at : {Vec3<double>{0.4, 0.3, 0}, {-0.5, 0.3, 0.1}, {0.1, -0.6, 0}, {-0.3, -0.4, 0.2}}) {
    pieces.push_back({box, at});
    apart.push_back({-1, "thing", box, {X.R, X * at}});
  }
  together.push_back({-1, "thing", {}, X, std::make_shared<ConvexPieces>(pieces, pieces.size(), DrawnSurface{})});
  Collisions one(model, apart, 0.02), other(model, together, 0.02);
  int touching = 0;
  for (double q0 = -3; q0 < 3; q0 += 0.1) {
    for (double q1 = -2; q1 < 2; q1 += 0.2) {
      const Eigen::Vector2d q(q0, q1);
      const auto expected = one.deepest(q), found = other.deepest(q);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (expected && expected->distance > 0) {
        EXPECT_NEAR(found->distance, expected->distance, 1e-9);
      } else if (expected) {
        EXPECT_LE(found->distance, 0) << "how deep is searched for, by directions in the axes of both";
      }
      touching += expected.has_value();
      double nearest = 1, nearest_piece = 1;
      for (const NearPair& pair : one.near(q, 0.5)) nearest = std::min(nearest, pair.distance);
      const std::vector<NearPair> near = other.near_pieces(q, 0.5);
      EXPECT_EQ(near.size(), one.near(q, 0.5).size());
      std::vector<PairPiece> wanted;
      for (const NearPair& pair : near) wanted.push_back({pair.pair, pair.piece});
      for (const NearPair& pair : other.near_pieces(q, 0.5, wanted)) {
        nearest_piece = std::min(nearest_piece, pair.distance);
        const auto [a, b] = other.bodies_of(pair.pair);
        const PlacedBody of_a = other.placed(a, pair), of_b = other.placed(b, pair);
        if (norm(pair.normal) < 0.5) continue;
        const double gap = -support(*of_a.body, of_a.X_WB, -pair.normal) - support(*of_b.body, of_b.X_WB, pair.normal);
        EXPECT_NEAR(gap, pair.distance, 1e-9) << "from the second to the first";
      }
      EXPECT_NEAR(nearest_piece, nearest, 1e-9);
    }
  }
  EXPECT_GT(touching, 20);
}

}  // namespace
}  // namespace verne::test
