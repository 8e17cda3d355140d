/// Distances against projections onto one body and the other in turn, which is another method.
#include "spatial/convex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "spatial/convex_cover.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

using Core = ConvexBody::Core;

double number(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution(low, high)(random);
}

ConvexBody random_body(std::mt19937_64& random, Core core) {
  ConvexBody body;
  body.core = core;
  const double r = number(random, 0.1, 0.5);
  if (core == Core::line) body.half = {0, 0, r};
  if (core == Core::cylinder) body.half = {r, r, number(random, 0.1, 0.5)};
  if (core == Core::box) body.half = {r, number(random, 0.1, 0.5), number(random, 0.1, 0.5)};
  if (core == Core::point || core == Core::line) body.skin = number(random, 0, 0.2);
  return body;
}

Transform<double> random_place(std::mt19937_64& random, double far) {
  const auto angle = [&] { return number(random, -3, 3); };
  return {rotation_rpy({angle(), angle(), angle()}),
          {number(random, -far, far), number(random, -far, far), number(random, -far, far)}};
}

Vec3<double> projected(const ConvexBody& body, const Transform<double>& X, const Vec3<double>& p) {
  Vec3<double> q = inverse(X) * p;
  const Vec3<double>& h = body.half;
  if (body.core == Core::cylinder) {
    const double across = std::hypot(q.x, q.y), scale = across > h.x ? h.x / across : 1;
    q.x *= scale, q.y *= scale;
  } else {
    q.x = std::clamp(q.x, -h.x, h.x), q.y = std::clamp(q.y, -h.y, h.y);
  }
  q.z = std::clamp(q.z, -h.z, h.z);
  return X * q;
}

/// Of cores.
double distance_by_projections(const ConvexBody& a, const Transform<double>& X_a, const ConvexBody& b,
                               const Transform<double>& X_b) {
  Vec3<double> p = X_a.p, q = p;
  for (int k = 0; k < 3000; ++k) q = projected(b, X_b, p), p = projected(a, X_a, q);
  return norm(p - q);
}

TEST(Convex, DistancesOfAllPairs) {
  std::mt19937_64 random(1);
  int apart = 0;
  for (const Core first : {Core::point, Core::line, Core::box, Core::cylinder}) {
    for (const Core second : {Core::point, Core::line, Core::box, Core::cylinder}) {
      for (int k = 0; k < 25; ++k) {
        const ConvexBody a = random_body(random, first), b = random_body(random, second);
        const Transform<double> X_a = random_place(random, 0.8), X_b = random_place(random, 0.8);
        const double skins = a.skin + b.skin, expected = distance_by_projections(a, X_a, b, X_b);
        const double found = distance(a, X_a, b, X_b, 10);
        EXPECT_NEAR(distance(b, X_b, a, X_a, 10), found, 1e-9);
        if (expected < 0.02) {  // projections come to overlaps slowly
          EXPECT_LT(found + skins, 0.02 + 1e-9);
          continue;
        }
        ++apart;
        EXPECT_NEAR(found + skins, expected, 1e-5);
        EXPECT_LE(found + skins, expected + 1e-9) << "projections end above";
        const double some = distance(a, X_a, b, X_b, found / 2);
        EXPECT_LE(some, found + 1e-12);
        if (found > 0) {
          EXPECT_GT(some, found / 2);
        }
        const auto reaches = [](const ConvexBody& x, const ConvexBody& y) { return x.reach() + y.reach(); };
        EXPECT_GE(found, norm(X_a.p - X_b.p) - reaches(a, b) - 1e-12);
      }
    }
  }
  EXPECT_GT(apart, 150);
}

TEST(Convex, HullOfCornersIsTheBox) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 100; ++k) {
    const ConvexBody box = random_body(random, Core::box), other = random_body(random, Core::cylinder);
    ConvexBody corners;
    corners.core = Core::points;
    for (int i = 0; i < 8; ++i) {
      corners.points.push_back(
          {i & 1 ? box.half.x : -box.half.x, i & 2 ? box.half.y : -box.half.y, i & 4 ? box.half.z : -box.half.z});
    }
    const Transform<double> X = random_place(random, 1), Y = random_place(random, 1);
    EXPECT_NEAR(distance(corners, X, other, Y, 10), distance(box, X, other, Y, 10), 1e-9);
    EXPECT_NEAR(corners.reach(), box.reach(), 1e-15);
  }
}

TEST(Convex, SphereOnABoxByHand) {
  ConvexBody ball, box;
  ball.skin = 0.1;
  box.core = Core::box, box.half = {1, 2, 0.5};
  const auto at = [](double x, double y, double z) { return Transform<double>{Mat3<double>::identity(), {x, y, z}}; };
  EXPECT_NEAR(distance(ball, at(0, 0, 0.9), box, at(0, 0, 0), 1), 0.3, 1e-14);
  EXPECT_NEAR(distance(ball, at(1.3, 2.4, 0), box, at(0, 0, 0), 1), 0.4, 1e-14);
  EXPECT_NEAR(distance(ball, at(0, 0, 0.55), box, at(0, 0, 0), 1), -0.05, 1e-14);
  EXPECT_NEAR(distance(ball, at(0, 0, 0.2), box, at(0, 0, 0), 1), -0.1, 1e-12) << "no deeper than the skin";
  EXPECT_NEAR(distance(box, at(0, 0, 0), box, at(2, 0, 0), 1), 0, 1e-12);
}

/// The farthest of many points of a body along n, from inside.
double farthest_along(const ConvexBody& body, const Transform<double>& X, const Vec3<double>& n,
                      std::mt19937_64& random) {
  double most = -1e9;
  for (int k = 0; k < 400; ++k) {
    const auto side = [&] { return number(random, -1, 1); };
    Vec3<double> p{body.half.x * side(), body.half.y * side(), body.half.z * side()};
    if (body.core == Core::cylinder) {
      const double turn = number(random, -4, 4);
      p.x = body.half.x * std::cos(turn), p.y = body.half.x * std::sin(turn);
    }
    if (body.core == Core::point) p = {0, 0, 0};
    most = std::max(most, dot(n, X * p) + body.skin);
  }
  return most;
}

TEST(Convex, SeparationsAreShownByTheirDirection) {
  std::mt19937_64 random(4);
  int apart = 0;
  for (int k = 0; k < 200; ++k) {
    const Core kinds[] = {Core::point, Core::line, Core::box, Core::cylinder};
    const ConvexBody a = random_body(random, kinds[k % 4]), b = random_body(random, kinds[k / 4 % 4]);
    const Transform<double> X_a = random_place(random, 0.8), X_b = random_place(random, 0.8);
    const Separation gap = separation(a, X_a, b, X_b, 10);
    const double found = distance(a, X_a, b, X_b, 10);
    if (norm(gap.normal) == 0) {
      EXPECT_LE(found, 0);
      continue;
    }
    ++apart;
    EXPECT_NEAR(norm(gap.normal), 1, 1e-12);
    EXPECT_NEAR(gap.distance, found, 1e-6);
    EXPECT_LE(gap.distance, found + 1e-9)
        << "what is shown is no more than it is, but for rounding, which proofs allow for";
    const double of_a = support(a, X_a, -gap.normal), of_b = support(b, X_b, gap.normal);
    EXPECT_NEAR(-of_a - of_b, gap.distance, 1e-12);
    EXPECT_GE(of_a, farthest_along(a, X_a, -gap.normal, random) - 1e-12);
    EXPECT_GE(of_b, farthest_along(b, X_b, gap.normal, random) - 1e-12);
  }
  EXPECT_GT(apart, 100);
}

/// Whatever direction is looked along first, the answer is that of the distance.
TEST(Convex, SeparationsWithinAreThoseOfTheDistance) {
  std::mt19937_64 random(9);
  int answers[3] = {0, 0, 0};
  for (int k = 0; k < 400; ++k) {
    const Core kinds[] = {Core::point, Core::line, Core::box, Core::cylinder};
    const ConvexBody a = random_body(random, kinds[k % 4]), b = random_body(random, kinds[k / 4 % 4]);
    const Transform<double> X_a = random_place(random, 0.8), X_b = random_place(random, 0.8);
    const double expected = distance(a, X_a, b, X_b, 10), least = number(random, 0, 0.3), enough = least + 0.2;
    const Vec3<double> first{number(random, -1, 1), number(random, -1, 1), number(random, -1, 1)};
    const Separation gap = separation_within(a, X_a, b, X_b, least, enough, k % 5 == 0 ? Vec3<double>{0, 0, 0} : first);
    EXPECT_LE(gap.distance, expected + 1e-9);
    EXPECT_EQ(gap.distance > enough, expected > enough) << k;
    EXPECT_EQ(gap.distance > least, expected > least) << k;
    ++answers[expected > enough ? 2 : expected > least ? 1 : 0];
  }
  for (const int count : answers) EXPECT_GT(count, 30);
}

/// Some points, in half of the bodies many of them in a plane.
ConvexBody random_hull(std::mt19937_64& random) {
  ConvexBody body;
  body.core = Core::points;
  const int count = std::uniform_int_distribution(4, 24)(random);
  const double size = number(random, 0.02, 0.5);
  const auto side = [&] { return number(random, -size, size); };
  for (int k = 0; k < count; ++k) body.points.push_back({side(), side(), side()});
  if (random() % 2 == 0) {
    for (int k = 0; k <= count / 2; ++k) body.points[static_cast<std::size_t>(k)].z = -size;
  }
  return body;
}

/// One body lies above a plane, the other below: they are as far apart as both are from it, or farther.
TEST(Convex, FacesThatAreParallelButForRoundingDoNotTouch) {
  std::mt19937_64 random(9);
  const Core kinds[] = {Core::line, Core::box, Core::cylinder, Core::points};
  const auto some_body = [&](std::uint64_t kind) {
    return kinds[kind] == Core::points ? random_hull(random) : random_body(random, kinds[kind]);
  };
  for (int k = 0; k < 20'000; ++k) {
    const ConvexBody a = some_body(random() % 4), b = some_body(random() % 4);
    const double tilt = k % 5 == 0 ? 0 : std::pow(10, number(random, -17, -1)), gap = number(random, 1e-4, 0.1);
    const auto near_plane = [&]() -> Transform<double> {
      const Mat3<double> turned = rotation_rpy({0, 0, number(random, -3, 3)});
      const Mat3<double> tilted = rotation_rpy({tilt * number(random, -1, 1), tilt * number(random, -1, 1), 0});
      return {tilted * turned, {number(random, -0.5, 0.5), number(random, -0.5, 0.5), 0}};
    };
    Transform<double> X_a = near_plane(), X_b = near_plane();
    X_a.p.z += support(a, X_a, {0, 0, -1}) + gap;
    X_b.p.z -= support(b, X_b, {0, 0, 1});
    const Transform<double> X = random_place(random, 1);
    X_a = X * X_a, X_b = X * X_b;
    const Separation apart = separation(a, X_a, b, X_b, 10);
    ASSERT_GE(apart.distance, gap - 1e-6) << k;
    ASSERT_GE(distance(a, X_a, b, X_b, 10), gap - 1e-6) << k;
  }
}

TEST(Convex, OverlapOfBoxesAndBallsByHand) {
  ConvexBody ball, box;
  ball.skin = 0.1;
  box.core = Core::box, box.half = {1, 2, 0.5};
  const auto at = [](double x, double y, double z) { return Transform<double>{Mat3<double>::identity(), {x, y, z}}; };
  EXPECT_NEAR(overlap(box, at(0, 0, 0), box, at(1.7, 0, 0)), 0.3, 1e-3);
  EXPECT_NEAR(overlap(ball, at(0.2, 0, 0.45), box, at(0, 0, 0)), 0.15, 1e-3);
  EXPECT_EQ(overlap(ball, at(0, 0, 0.61), box, at(0, 0, 0)), 0);
}

TEST(Convex, CornersHoldTheBody) {
  std::mt19937_64 random(5);
  for (const Core core : {Core::point, Core::line, Core::box, Core::cylinder}) {
    const ConvexBody body = random_body(random, core);
    const Corners corners = corners_of(body);
    ConvexBody hull;
    hull.core = Core::points, hull.points = corners.points, hull.skin = corners.skin;
    const Transform<double> X = random_place(random, 1);
    for (int k = 0; k < 200; ++k) {
      Vec3<double> n{number(random, -1, 1), number(random, -1, 1), number(random, -1, 1)};
      n = n * (1 / norm(n));
      EXPECT_GE(support(hull, X, n), support(body, X, n) - 1e-12);
      EXPECT_LE(support(hull, X, n), support(body, X, n) + 0.02);
    }
  }
}

TEST(Convex, CoverOfManyPoints) {
  std::mt19937_64 random(6);
  std::vector<Vec3<double>> points;
  for (int k = 0; k < 2000; ++k) {  // of an ellipsoid
    Vec3<double> n{number(random, -1, 1), number(random, -1, 1), number(random, -1, 1)};
    n = n * (1 / norm(n));
    points.push_back({0.1 * n.x, 0.05 * n.y, 0.2 * n.z});
  }
  const ConvexBody rough = cover(points, 1e-4, 30), fine = cover(points, 2e-3, 500);
  EXPECT_EQ(rough.points.size(), 30u);
  EXPECT_GT(rough.skin, 1e-4);
  EXPECT_LE(fine.skin, 2e-3);
  EXPECT_LT(fine.points.size(), 200u);
  const Transform<double> here = Transform<double>::identity();
  for (const ConvexBody* body : {&rough, &fine}) {
    for (const Vec3<double>& p : points) {
      ConvexBody point;
      EXPECT_LE(distance(point, {here.R, p}, *body, here, 1), 1e-9);
    }
  }
}

}  // namespace
}  // namespace verne::test
