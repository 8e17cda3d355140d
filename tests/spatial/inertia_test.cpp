#include "verne/spatial/inertia.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "support/random_model.h"
#include "verne/spatial/rotation.h"

namespace verne {
namespace {

using PointMasses = std::vector<std::pair<double, Vec3<double>>>;

PointMasses random_points(std::mt19937_64& rng) {
  PointMasses points;
  for (int i = 0; i < 7; ++i) {
    const double mass = test::random_number(rng, 0.1, 2);
    points.push_back({mass, test::random_vector(rng, 1)});
  }
  return points;
}

/// By the definition: sums over point masses of m, m r and m (r² 1 − r rᵀ).
RigidInertia<double> inertia_of(const PointMasses& points, const Transform<double>& X) {
  RigidInertia<double> sum = RigidInertia<double>::zero();
  for (const auto& [mass, point] : points) {
    const Vec3<double> r = X * point;
    sum.mass += mass;
    sum.mc += r * mass;
    sum.I += Sym3<double>{mass * (r.y * r.y + r.z * r.z), -mass * r.x * r.y, -mass * r.x * r.z,
                          mass * (r.x * r.x + r.z * r.z), -mass * r.y * r.z, mass * (r.x * r.x + r.y * r.y)};
  }
  return sum;
}

void expect_same(const RigidInertia<double>& a, const RigidInertia<double>& b) {
  constexpr double kTolerance = 1e-13;
  EXPECT_NEAR(a.mass, b.mass, kTolerance);
  EXPECT_LE(norm(a.mc - b.mc), kTolerance);
  EXPECT_NEAR(a.I.xx, b.I.xx, kTolerance);
  EXPECT_NEAR(a.I.xy, b.I.xy, kTolerance);
  EXPECT_NEAR(a.I.xz, b.I.xz, kTolerance);
  EXPECT_NEAR(a.I.yy, b.I.yy, kTolerance);
  EXPECT_NEAR(a.I.yz, b.I.yz, kTolerance);
  EXPECT_NEAR(a.I.zz, b.I.zz, kTolerance);
}

TEST(RigidInertia, ShiftedMovesEveryPoint) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20; ++i) {
    const PointMasses points = random_points(rng);
    const Vec3<double> r = test::random_vector(rng, 1);
    const RigidInertia<double> here = inertia_of(points, Transform<double>::identity());
    expect_same(shifted(here, r), inertia_of(points, {Mat3<double>::identity(), r}));
    expect_same(shifted(shifted(here, r), -r), here);
  }
}

TEST(RigidInertia, TransformMovesEveryPoint) {
  std::mt19937_64 rng(2);
  for (int i = 0; i < 20; ++i) {
    const PointMasses points = random_points(rng);
    const Transform<double> X = test::random_pose(rng, 1);
    const RigidInertia<double> here = inertia_of(points, Transform<double>::identity());
    expect_same(X * here, inertia_of(points, X));
    expect_same(inverse(X) * (X * here), here);
  }
}

TEST(RigidInertia, FromCentreOfMassAgreesWithPoints) {
  std::mt19937_64 rng(3);
  const PointMasses points = random_points(rng);
  const RigidInertia<double> whole = inertia_of(points, Transform<double>::identity());
  const Vec3<double> com = whole.mc * (1 / whole.mass);
  const RigidInertia<double> about_com = inertia_of(points, {Mat3<double>::identity(), -com});
  EXPECT_LE(norm(about_com.mc), 1e-14);
  expect_same(inertia_from_com(whole.mass, com, about_com.I), whole);
}

TEST(RigidInertia, SumOfTwoBodiesIsThatOfAllPoints) {
  std::mt19937_64 rng(4);
  PointMasses first = random_points(rng);
  const PointMasses second = random_points(rng);
  RigidInertia<double> sum = inertia_of(first, Transform<double>::identity());
  sum += inertia_of(second, Transform<double>::identity());
  first.insert(first.end(), second.begin(), second.end());
  expect_same(sum, inertia_of(first, Transform<double>::identity()));
}

}  // namespace
}  // namespace verne
