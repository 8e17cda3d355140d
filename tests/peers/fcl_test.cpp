/// Distances of shapes against the Flexible Collision Library, maps of what is occupied against OctoMap's library.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "shapes/occupancy.h"
#include "shapes/surface_pieces.h"
#include "verne/spatial/rotation.h"

#ifdef VERNE_HAVE_FCL
#include "motion/refine/random_scenes.h"
#include "motion/task_text.h"
#include "peers/fcl_overlap.h"
#include "peers/octomap_file.h"
#include "verne/motion/predict.h"
#endif

namespace verne::test {
namespace {

#ifdef VERNE_HAVE_FCL

using peers::FclPair;
using peers::FclShape;
using Kind = FclShape::Kind;

class RandomShapes {
 public:
  double number(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  Transform<double> place(double far) {
    const auto angle = [&] { return number(-3, 3); };
    return {rotation_rpy({angle(), angle(), angle()}), {number(-far, far), number(-far, far), number(-far, far)}};
  }
  FclShape shape(Kind kind) { return {kind, {number(0.05, 0.3), number(0.1, 0.5), number(0.1, 0.5)}, {}, {}}; }

 private:
  std::mt19937_64 random_{1};
};

ConvexBody our_body(const FclShape& shape) {
  const auto& s = shape.size;
  ConvexBody body;
  if (shape.kind == Kind::sphere) body.skin = s[0];
  if (shape.kind == Kind::capsule) body.core = ConvexBody::Core::line, body.half.z = s[1] / 2, body.skin = s[0];
  if (shape.kind == Kind::box) body.core = ConvexBody::Core::box, body.half = {s[0] / 2, s[1] / 2, s[2] / 2};
  if (shape.kind == Kind::cylinder) body.core = ConvexBody::Core::cylinder, body.half = {s[0], s[0], s[1] / 2};
  return body;
}

/// A tube around a ring: closed, not convex, with a hole.
Mesh ring(int around, int across) {
  Mesh mesh;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < across; ++k) {
      const double u = 2 * M_PI * i / around, v = 2 * M_PI * k / across, r = 0.5 + 0.15 * std::cos(v);
      for (const double x : {r * std::cos(u), r * std::sin(u), 0.15 * std::sin(v)}) {
        mesh.positions.push_back(static_cast<float>(x));
      }
      const auto at = [&](int a, int b) { return static_cast<std::uint32_t>(a % around * across + b % across); };
      for (const std::uint32_t corner :
           {at(i, k), at(i + 1, k), at(i, k + 1), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)})
        mesh.triangles.push_back(corner);
    }
  }
  return mesh;
}

TEST(Fcl, DistancesOfPrimitives) {
  RandomShapes random;
  int apart = 0, touching = 0;
  for (const Kind first : {Kind::sphere, Kind::capsule, Kind::box, Kind::cylinder}) {
    for (const Kind second : {Kind::sphere, Kind::capsule, Kind::box, Kind::cylinder}) {
      for (int k = 0; k < 20; ++k) {
        const FclShape a = random.shape(first), b = random.shape(second);
        const Transform<double> X_a = random.place(0.5), X_b = random.place(0.5);
        const double expected = FclPair(a, b).distance(fcl_pose(X_a), fcl_pose(X_b));
        const double found = distance(our_body(a), X_a, our_body(b), X_b, 10);
        if (expected > kFclTolerance) {
          EXPECT_NEAR(found, expected, kFclTolerance);
        } else {
          EXPECT_LT(found, kFclTolerance);
        }
        ++(expected > kFclTolerance ? apart : touching);
      }
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(touching, 30);
}

TEST(Fcl, DistancesFromAMesh) {
  RandomShapes random;
  const Mesh mesh = ring(10, 7);
  const SurfacePieces surface = surface_pieces(mesh, {1, 1, 1});
  EXPECT_EQ(surface.triangles, mesh.triangle_count());
  EXPECT_EQ(surface.open_edges, 0u);
  const FclShape theirs = fcl_mesh(mesh);
  int apart = 0, touching = 0, inside = 0;
  for (int k = 0; k < 60; ++k) {
    FclShape a = random.shape(k % 2 ? Kind::box : Kind::capsule);
    Transform<double> X = random.place(0.7);
    if (k % 8 == 0) {  // a small one, in the tube
      a.size = {0.02, 0.03, 0.02};
      X.p = {0.5 * std::cos(k), 0.5 * std::sin(k), 0};
    }
    const ConvexBody body = our_body(a);
    const double found = surface.pieces->nearest(body, X, X.p, body.reach(), 10).apart.distance;
    const double expected = FclPair(a, theirs).distance(fcl_pose(X), fcl_pose(Transform<double>::identity()));
    const double around = std::hypot(X.p.x, X.p.y);
    if (expected > kFclTolerance && std::hypot(around - 0.5, X.p.z) < 0.08) {
      EXPECT_LT(found, 0) << "it is inside of the tube, which a surface alone does not know";
      ++inside;
    } else if (expected > kFclTolerance) {
      EXPECT_NEAR(found, expected, kFclTolerance);
      ++apart;
    } else {
      EXPECT_LT(found, kFclTolerance);
      ++touching;
    }
  }
  EXPECT_GT(apart, 10);
  EXPECT_GT(touching, 10);
  EXPECT_GT(inside, 2);
}

/// The check that long proofs rely on finds what they look for.
TEST(Fcl, SeesWhatOverlapsOnTheWay) {
  const std::string text =
      "format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize: []\n"
      "subject_to: {start: {position: [0, 0]}, end: {position: [2, 0]}}\n"
      "scene: {margin: 0.01, objects: {ball: {sphere: {radius: 0.05}, pose: {xyz: [0, ";
  const Task through = read(text + "0.7, 0]}}}}\n"), far = read(text + "1.2, 0]}}}}\n");
  Eigen::MatrixXd points = Eigen::MatrixXd::Zero(4, 2);
  points.bottomRows(2).col(0).setConstant(2);
  const Trajectory turn(SplineBasis(3, 1), Eigen::VectorXd::Ones(1), points);
  EXPECT_EQ(overlap_by_fcl(far, turn, 100), "");
  EXPECT_NE(overlap_by_fcl(through, turn, 100).find("'ball' and 'link2' are 0 m apart, not 0.01"), std::string::npos)
      << overlap_by_fcl(through, turn, 100);
}

TEST(Fcl, SeesNothingOverlapAmongRandomThings) {
  for (const SceneArm& arm : scene_arms()) {  // shapes of the library's own arm, capsules, meshes
    if (arm.name != "arm7" && arm.name != "ur5" && arm.name != "panda") continue;
    const std::optional<Task> task = random_scene_task(arm, "clutter", 1);
    ASSERT_TRUE(task) << arm.name;
    const Solution found = predict(*task);
    EXPECT_TRUE(found.success()) << arm.name << ": " << found.message;
    EXPECT_EQ(overlap_by_fcl(*task, found.trajectory, 500), "") << arm.name;
  }
}

TEST(Octomap, CellsOfItsLibrary) {
  RandomShapes random;
  std::vector<std::array<double, 3>> occupied, free;
  for (int k = 0; k < 3000; ++k) {
    const double x = random.number(-0.4, 0.4), y = random.number(-0.4, 0.4);
    occupied.push_back({x, y, k % 2 ? 0.3 * x : 0.02});
    free.push_back({x, y, random.number(0.4, 0.8)});
  }
  for (double x = 0.01; x < 0.32; x += 0.02) {  // cells that are pruned into large ones
    for (double y = 0.01; y < 0.32; y += 0.02) {
      for (double z = -0.31; z < 0; z += 0.02) occupied.push_back({x, y, z});
    }
  }
  const peers::OctomapFile file = peers::octomap_file(occupied, free, 0.02);
  double volume = 0;
  std::set<std::array<long, 4>> expected;
  const auto key = [](double x, double y, double z, double edge) {
    return std::array<long, 4>{std::lround(x * 1e4), std::lround(y * 1e4), std::lround(z * 1e4),
                               std::lround(edge * 1e4)};
  };
  for (const auto& cell : file.cells) {
    expected.insert(key(cell[0], cell[1], cell[2], cell[3]));
    volume += std::pow(cell[3], 3);
  }
  for (const std::string& bytes : {file.binary, file.full}) {
    const OccupancyMap map = read_octomap(bytes);
    std::set<std::array<long, 4>> found;
    for (const OccupiedCell& cell : map.cells) {
      const auto middle = [&](int i) {
        return map.origin[i] + (cell.at[static_cast<std::size_t>(i)] + cell.edge / 2.0) * map.resolution;
      };
      found.insert(key(middle(0), middle(1), middle(2), cell.edge * map.resolution));
    }
    EXPECT_EQ(found, expected);
    double of_boxes = 0;
    const std::vector<ConvexPiece> boxes = boxes_of(map);
    for (const ConvexPiece& box : boxes) of_boxes += 8 * box.body.half.x * box.body.half.y * box.body.half.z;
    EXPECT_NEAR(of_boxes, volume, 1e-9);
    EXPECT_LT(boxes.size(), file.cells.size());
  }
}

#else

TEST(Fcl, Distances) {
  GTEST_SKIP() << "built without FCL (libfcl-dev)";
}

#endif

}  // namespace
}  // namespace verne::test
