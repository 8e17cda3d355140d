#include "shapes/drawn_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "shapes/hull.h"
#include "verne/spatial/rotation.h"

namespace verne {
namespace {

/// A ball of 2 * rows² triangles, each with vertices of its own, as STL files have them; of two colours.
Mesh ball(int rows, double radius) {
  Mesh mesh;
  const auto point = [&](int i, int k) {
    const double a = M_PI * i / rows, b = 2 * M_PI * k / rows;
    for (const double x : {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)}) {
      mesh.positions.push_back(static_cast<float>(5 + radius * x));
    }
    mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.triangles.size()));
  };
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < rows; ++k) {
      point(i, k), point(i + 1, k), point(i + 1, k + 1);
      point(i, k), point(i + 1, k + 1), point(i, k + 1);
    }
  }
  const std::size_t half = mesh.triangle_count() / 2;
  mesh.parts = {{Vec3<double>{1, 0, 0}, half}, {std::nullopt, mesh.triangle_count() - half}};
  return mesh;
}

Vec3<double> place_of(const DrawnMesh& mesh, std::uint32_t vertex) {
  Vec3<double> p;
  for (int k = 0; k < 3; ++k)
    p[k] = mesh.low[std::size_t(k)] + mesh.step[std::size_t(k)] * mesh.positions[3 * vertex + std::size_t(k)];
  return p;
}

TEST(DrawnMesh, RoundsToSixteenBits) {
  const Mesh mesh = ball(20, 0.3);
  const DrawnMesh drawn = drawn_mesh(mesh);
  EXPECT_LT(drawn.vertex_count(), 20u * 21u);     // of 2400
  EXPECT_EQ(drawn.fine_count(), 2u * 20u * 19u);  // those at the poles have two equal corners
  EXPECT_NEAR(drawn.diagonal(), 0.6 * std::sqrt(3), 2e-3);
  double worst = 0;
  for (std::size_t i = 0; i < mesh.vertex_count(); ++i) {
    double nearest = 1;
    for (std::uint32_t v = 0; v < drawn.vertex_count(); ++v) {
      const float* const p = &mesh.positions[3 * i];
      nearest = std::min(nearest, norm(place_of(drawn, v) - Vec3<double>{p[0], p[1], p[2]}));
    }
    worst = std::max(worst, nearest);
  }
  EXPECT_LE(worst, 0.6 / 65535 / 2 * std::sqrt(3) * 1.001 + 1e-6);
}

TEST(DrawnMesh, BecomesSimplerAndStaysABall) {
  DrawnMesh drawn = drawn_mesh(ball(60, 0.3));
  simplify(drawn, 3000, 500);
  EXPECT_LE(drawn.fine_count(), 3000u);
  EXPECT_LE(drawn.coarse_count(), 500u);
  EXPECT_GT(drawn.coarse_count(), 250u);
  ASSERT_EQ(drawn.parts.size(), 2u);
  EXPECT_EQ(drawn.parts[0].colour->x, 1);
  std::set<std::uint32_t> used;
  for (const DrawnPart& part : drawn.parts) {
    for (const auto* level : {&part.fine, &part.coarse}) used.insert(level->begin(), level->end());
    for (std::size_t i = 0; i < part.coarse.size(); i += 3) {
      Vec3<double> middle{0, 0, 0};
      for (std::size_t k = 0; k < 3; ++k) middle += place_of(drawn, part.coarse[i + k]) * (1.0 / 3);
      EXPECT_NEAR(norm(middle - Vec3<double>{5, 5, 5}), 0.3, 0.02);
    }
  }
  EXPECT_EQ(used.size(), drawn.vertex_count());  // and no others are carried
  EXPECT_EQ(*used.rbegin() + 1, drawn.vertex_count());
}

TEST(Hull, HoldsAllAndIsConvex) {
  std::mt19937_64 rng(3);
  std::normal_distribution<float> number;
  Mesh cloud;
  for (int i = 0; i < 300; ++i) cloud.positions.push_back(number(rng));
  const auto hull = convex_hull(cloud);
  ASSERT_TRUE(hull);
  // Euler: a closed body of triangles has two fewer than twice its vertices... and every edge twice, once each way.
  EXPECT_EQ(hull->triangle_count(), 2 * hull->vertex_count() - 4);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto at = [](const Mesh& mesh, std::size_t v) {
    return Vec3<double>{mesh.positions[3 * v], mesh.positions[3 * v + 1], mesh.positions[3 * v + 2]};
  };
  for (std::size_t i = 0; i < hull->triangles.size(); i += 3) {
    const std::uint32_t* const t = &hull->triangles[i];
    const Vec3<double> a = at(*hull, t[0]), out = cross(at(*hull, t[1]) - a, at(*hull, t[2]) - a);
    for (std::size_t v = 0; v < cloud.vertex_count(); ++v) EXPECT_LE(dot(at(cloud, v) - a, out), 1e-5);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(edges.emplace(t[k], t[(k + 1) % 3]).second);
  }
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.count({to, from}));
  Mesh flat{{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, {}, {}};
  EXPECT_FALSE(convex_hull(flat));
  EXPECT_FALSE(convex_hull(Mesh{}));
}

}  // namespace
}  // namespace verne
