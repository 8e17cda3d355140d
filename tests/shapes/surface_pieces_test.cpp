#include "shapes/surface_pieces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/complaint.h"
#include "verne/base/error.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

constexpr std::uint32_t kBoxFaces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/// Every triangle with vertices of its own, as in STL.
void add_box(Mesh& mesh, const Vec3<double>& low, const Vec3<double>& high, std::size_t faces = 12) {
  for (std::size_t f = 0; f < faces; ++f) {
    for (const std::uint32_t k : kBoxFaces[f]) {
      for (int i = 0; i < 3; ++i) mesh.positions.push_back(static_cast<float>(k >> i & 1U ? high[i] : low[i]));
      mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.triangles.size()));
    }
  }
}

Transform<double> at(const Vec3<double>& p) {
  Transform<double> X = Transform<double>::identity();
  X.p = p;
  return X;
}

ConvexBody ball(double radius) {
  ConvexBody body;
  body.skin = radius;
  return body;
}

double distance_from(const SurfacePieces& surface, const Vec3<double>& p, double radius) {
  return surface.pieces->nearest(ball(radius), at(p), p, radius, 10).apart.distance;
}

TEST(SurfacePieces, BoardsOfAShelfAreSolidAndLeaveItOpen) {
  Mesh shelf;
  add_box(shelf, {-0.3, -0.5, 0}, {0.3, 0.5, 0.02});
  add_box(shelf, {-0.3, -0.5, 0.02}, {0.3, -0.48, 0.5});  // stands on the other one: shares edges
  add_box(shelf, {-0.3, -0.5, 0.5}, {0.3, 0.5, 0.52});
  const SurfacePieces surface = surface_pieces(shelf, {1, 1, 1});
  EXPECT_EQ(surface.solids, 3u);
  EXPECT_EQ(surface.triangles, 0u);
  EXPECT_EQ(surface.open_edges, 0u);
  EXPECT_EQ(surface.thicker, 0);
  EXPECT_NEAR(distance_from(surface, {0, 0, 0.2}, 0.1), 0.08, 1e-7) << "in the shelf";
  EXPECT_LE(distance_from(surface, {0, 0, 0.01}, 0.001), 0) << "in a board";
  EXPECT_NEAR(distance_from(surface_pieces(shelf, {1, 1, 2}), {0, 0, 0.4}, 0.1), 0.26, 1e-6) << "scaled";
}

TEST(SurfacePieces, AnOpenBoxIsItsSurface) {
  Mesh box;
  add_box(box, {0, 0, 0}, {1, 1, 1}, 10);  // without the side at x = 1
  const SurfacePieces surface = surface_pieces(box, {1, 1, 1});
  EXPECT_EQ(surface.solids, 0u);
  EXPECT_EQ(surface.triangles, 10u);
  EXPECT_EQ(surface.open_edges, 4u);
  EXPECT_NEAR(distance_from(surface, {0.5, 0.5, 0.5}, 0.1), 0.4, 1e-7);
  EXPECT_FALSE(surface.pieces->inside({0.5, 0.5, 0.5}));
}

TEST(SurfacePieces, WhatIsInsideOfAClosedSurfaceTouches) {
  Mesh corner;  // an L that is one surface: three cubes without the faces between them would be; here with its middle
  const auto vertex = [&](double x, double y, double z) {
    for (const double value : {x, y, z}) corner.positions.push_back(static_cast<float>(value));
  };
  const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {0.0, 1.0}) {
    for (const auto& p : outline) vertex(p[0], p[1], z);
  }
  for (std::uint32_t k = 0; k < 6; ++k) {
    const std::uint32_t next = (k + 1) % 6;
    for (const std::uint32_t c : {k, next, k + 6, next, next + 6, k + 6}) corner.triangles.push_back(c);
  }
  const std::uint32_t caps[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  for (const auto& cap : caps) {
    for (const int c : {0, 2, 1}) corner.triangles.push_back(cap[c]);
    for (const int c : {0, 1, 2}) corner.triangles.push_back(cap[c] + 6);
  }
  const SurfacePieces surface = surface_pieces(corner, {1, 1, 1});
  EXPECT_EQ(surface.solids, 0u);
  EXPECT_EQ(surface.open_edges, 0u);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-0.5, 2.5);
  for (int k = 0; k < 500; ++k) {
    const Vec3<double> p{number(random), number(random), number(random) * 0.5};
    const bool inside = p.z > 0 && p.z < 1 && p.x > 0 && p.y > 0 && p.x < 2 && p.y < 2 && (p.x < 1 || p.y < 1);
    EXPECT_EQ(surface.pieces->inside(p), inside) << p.x << ' ' << p.y << ' ' << p.z;
    EXPECT_EQ(distance_from(surface, p, 1e-6) < 0, inside);
  }
  EXPECT_NEAR(surface.pieces->deepest(ball(0.1), at({0.5, 0.5, 0.5}), {0.5, 0.5, 0.5}, 0.1), 0.6, 1e-7);
}

TEST(SurfacePieces, TheNearestOfManyAsIfAllWereLookedAt) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  Mesh soup;
  for (int k = 0; k < 3 * 300; ++k) {
    for (int i = 0; i < 3; ++i) soup.positions.push_back(static_cast<float>(number(random) + (k / 3 % 7) * 0.5));
    soup.triangles.push_back(static_cast<std::uint32_t>(k));
  }
  const SurfacePieces surface = surface_pieces(soup, {0.5, 0.5, 0.5});
  ConvexBody box;
  box.core = ConvexBody::Core::box, box.half = {0.05, 0.2, 0.02};
  for (int k = 0; k < 100; ++k) {
    const Transform<double> X{rotation_rpy({3 * number(random), number(random), number(random)}),
                              {2 * number(random), 2 * number(random), 2 * number(random)}};
    double least = 10;
    std::size_t within = 0;
    for (const ConvexPiece& piece : surface.pieces->all()) {
      const double apart = separation(box, X, piece.body, at(piece.at), 10).distance;
      least = std::min(least, apart), within += apart < 0.3;
    }
    const NearestPiece nearest = surface.pieces->nearest(box, X, X.p, box.reach(), 10);
    EXPECT_NEAR(nearest.apart.distance, least, 1e-9);
    const double some = surface.pieces->nearest(box, X, X.p, box.reach(), least / 2).apart.distance;
    EXPECT_LE(some, least + 1e-9);
    if (least > 1e-3) {
      EXPECT_GT(some, least / 2);
    }
    std::vector<NearestPiece> found;
    surface.pieces->near(box, X, X.p, box.reach(), 0.3, found);
    EXPECT_EQ(found.size(), within);
  }
}

TEST(SurfacePieces, TooMuchOrNothing) {
  Mesh mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  mesh.triangles = {0, 0, 1};
  EXPECT_EQ(complaint<InputError>([&] { surface_pieces(mesh, {1, 1, 1}); }), "error: has no triangle of any size");
  mesh.triangles.assign(3 * (kMostPieceTriangles + 1), 0);
  EXPECT_EQ(complaint<InputError>([&] {
              surface_pieces(mesh, {1, 1, 1});
            }),
            "error: has 300001 triangles, 300000 are the most: make it simpler, or say `as: hull`");
}

}  // namespace
}  // namespace verne::test
