// Capsules hold the surface that they are for, and are as thin as known ones.
#include "shapes/capsule_cover.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace verne {
namespace {

/// A tube of so many sides along z, from -1 to 1, moved and turned by whoever asks.
Mesh tube(double radius, int sides) {
  Mesh mesh;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * M_PI * k / sides;
    for (const float z : {-1.0F, 1.0F}) {
      mesh.positions.insert(mesh.positions.end(), {static_cast<float>(radius * std::cos(angle)),
                                                   static_cast<float>(radius * std::sin(angle)), z});
    }
  }
  for (int k = 0; k < sides; ++k) {
    const auto a = static_cast<std::uint32_t>(2 * k), b = static_cast<std::uint32_t>(2 * ((k + 1) % sides));
    mesh.triangles.insert(mesh.triangles.end(), {a, b, a + 1, b, b + 1, a + 1});
  }
  return mesh;
}

double depth(const FittedCapsule& c, const Vec3<double>& p) {
  const Vec3<double> seen = transpose_times(c.X.R, p - c.X.p);
  const double along = std::max(std::abs(seen.z) - c.half, 0.0);
  return c.radius - std::sqrt(seen.x * seen.x + seen.y * seen.y + along * along);
}

TEST(CapsuleCover, HoldsEveryTriangle) {
  std::mt19937_64 rng(1);
  std::normal_distribution<float> normal;
  for (int trial = 0; trial < 6; ++trial) {
    Mesh mesh;
    for (int k = 0; k < 3 * 40; ++k) {  // a bent strip of loose triangles
      const float s = static_cast<float>(k / 3) / 40;
      mesh.positions.insert(mesh.positions.end(),
                            {s + 0.03F * normal(rng), s * s + 0.03F * normal(rng), 0.03F * normal(rng)});
      mesh.triangles.push_back(static_cast<std::uint32_t>(k));
    }
    const std::size_t most = 1 + static_cast<std::size_t>(trial);
    const CapsuleCover cover = cover_by_capsules(mesh, {1, 2, 1}, 0.02, most);
    EXPECT_LE(cover.capsules.size(), most);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      const bool held = std::ranges::any_of(cover.capsules, [&](const FittedCapsule& c) {
        for (std::size_t k = 0; k < 3; ++k) {
          const float* const p = &mesh.positions[3 * mesh.triangles[3 * t + k]];
          if (depth(c, {p[0], 2 * double(p[1]), p[2]}) < -1e-9) return false;
        }
        return true;
      });
      EXPECT_TRUE(held) << trial << " " << t;
    }
  }
}

TEST(CapsuleCover, FindsACapsule) {
  const CapsuleCover cover = cover_by_capsules(tube(0.1, 40), {1, 1, 1}, 1, 1);
  ASSERT_EQ(cover.capsules.size(), 1u);
  EXPECT_NEAR(cover.capsules[0].radius, 0.1, 0.01);
  EXPECT_NEAR(std::abs(cover.capsules[0].X.R.column(2).z), 1, 2e-3);
  EXPECT_LT(cover.thicker, 0.11);  // the caps
  EXPECT_GT(cover.thicker, 0.02);
  // More of them are thinner, and none of nothing.
  EXPECT_LT(cover_by_capsules(tube(0.1, 40), {1, 1, 1}, 0.01, 8).thicker, cover.thicker);
  EXPECT_TRUE(cover_by_capsules({}, {1, 1, 1}, 0.01, 8).capsules.empty());
}

}  // namespace
}  // namespace verne
