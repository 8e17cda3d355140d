/// Proofs that are attacked: thin plates, fast motions, things that nearly touch.
#include "motion/verify/clearance_proof.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/paths.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

double in_range(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution(low, high)(random);
}

/// Links as thin capsules between the origins of neighbours.
std::vector<CollisionBody> bones_of(const Model& model) {
  std::vector<CollisionBody> bodies;
  for (std::size_t k = 0; k < model.links().size(); ++k) {
    CollisionBody body{static_cast<int>(k), "", {}, Transform<double>::identity()};
    body.body.core = ConvexBody::Core::line, body.body.half = {0, 0, 0.08}, body.body.skin = 0.01;
    bodies.push_back(body);
  }
  return bodies;
}

Trajectory random_motion(const Model& model, std::mt19937_64& random, double duration) {
  const SplineBasis basis(3, 6);
  Eigen::MatrixXd points(basis.control_points(), model.nv());
  for (Eigen::Index k = 0; k < points.size(); ++k) points.data()[k] = in_range(random, -1.5, 1.5);
  return {basis, Eigen::VectorXd::Constant(6, duration / 6), points};
}

/// Across x, of no thickness at all.
std::shared_ptr<const ConvexPieces> two_triangles(const Vec3<double>& half) {
  const Vec3<double> corners[4] = {
      {0, -half.y, -half.z}, {0, half.y, -half.z}, {0, half.y, half.z}, {0, -half.y, half.z}};
  std::vector<ConvexPiece> pieces(2);
  for (std::size_t k = 0; k < 2; ++k) {
    pieces[k].body.core = ConvexBody::Core::points;
    pieces[k].body.points = {corners[0], corners[k + 1], corners[k + 2]};
  }
  return std::make_shared<ConvexPieces>(std::move(pieces), 2, DrawnSurface{});
}

TEST(ClearanceProof, IsNeverWrongAboutThinPlates) {
  const Model model = load_model(source_dir() + "/models/arm7.yaml");
  std::mt19937_64 random(7);
  int shown = 0, touching = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<CollisionBody> bodies = bones_of(model);
    CollisionBody plate{-1, "plate", {}, Transform<double>::identity()};
    plate.body.core = ConvexBody::Core::box;
    plate.body.half = {trial % 2 ? 1e-7 : 0.02, in_range(random, 0.02, 0.3), in_range(random, 0.02, 0.3)};
    plate.X_LB.p = {in_range(random, -0.8, 0.8), in_range(random, -0.8, 0.8), in_range(random, 0, 1)};
    if (trial % 4 == 3) plate.pieces = two_triangles(plate.body.half);
    bodies.push_back(plate);
    Collisions collisions(model, bodies, trial % 3 ? 0 : 0.02, {}, /*itself=*/false);
    const Trajectory motion = random_motion(model, random, 0.05);
    const ClearanceProof proof = prove_clearance(collisions, motion);
    bool touches = false;
    for (int n = 0; n <= 4000 && !touches; ++n) {
      touches = collisions.touch(motion.at(motion.duration() * n / 4000)).has_value();
    }
    shown += proof.shown, touching += touches;
    if (proof.shown) {
      EXPECT_FALSE(touches) << trial;
    }
    if (proof.touches) {
      const auto there = collisions.touch(motion.at(proof.time));
      ASSERT_TRUE(there) << trial;
      EXPECT_FALSE(proof.shown);
    }
    EXPECT_TRUE(proof.shown || proof.touches) << "nothing here only just touches: " << trial;
  }
  EXPECT_GT(shown, 10);
  EXPECT_GT(touching, 5);
}

TEST(ClearanceProof, NearlyTouching) {
  const Model model = load_model(source_dir() + "/models/two_link.yaml");
  CollisionBody tip{model.link("link2"), "", {}, Transform<double>::identity()};
  tip.body.skin = 0.02;
  const SplineBasis basis(3, 4);
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(basis.control_points(), 2);
  for (Eigen::Index k = 0; k < points.rows(); ++k) points(k, 0) = -1 + 2.0 * static_cast<double>(k) / 6;
  const Trajectory motion(basis, Eigen::VectorXd::Constant(4, 0.1), points);
  for (const double gap : {1e-3, 1e-5, 1e-7, -1e-7, -1e-5}) {
    CollisionBody ball{-1, "ball", {}, Transform<double>::identity()};
    ball.body.skin = 0.1, ball.X_LB.p = {0.8 + 0.02 + 0.1 + gap, 0, 0};  // on the way of the tip, which goes round
    Collisions collisions(model, {tip, ball}, 0);
    const ClearanceProof proof = prove_clearance(collisions, motion);
    if (gap > 1e-6) {
      EXPECT_TRUE(proof.shown) << gap;
    }
    EXPECT_EQ(proof.touches, gap < 0) << gap;
    if (gap > 0) {
      EXPECT_NEAR(approaches(collisions, motion).front().distance, gap, 1e-4);
    }
  }
}

}  // namespace
}  // namespace verne::test
