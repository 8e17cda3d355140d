#include "shapes/mesh_inertia.h"

#include <gtest/gtest.h>

#include "verne/spatial/rotation.h"

namespace verne {
namespace {

/// A box with edges a, b, c around the origin.
Mesh box(double a, double b, double c) {
  Mesh mesh;
  for (int k = 0; k < 8; ++k) {
    for (const double x : {(k & 1 ? a : -a) / 2, (k & 2 ? b : -b) / 2, (k & 4 ? c : -c) / 2}) {
      mesh.positions.push_back(static_cast<float>(x));
    }
  }
  mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  mesh.parts = {{std::nullopt, 12}};
  return mesh;
}

void expect_inertia(MeshMass kind, double size, const Vec3<double>& moments) {
  const Mat3<double> R = rotation_about(normalized(Vec3<double>{1, 2, 3}), 0.7);
  const Vec3<double> p{3, -1, 2};
  const auto found = mesh_inertia(box(1, 2, 4), kind, [&](const Vec3<double>& v) { return R * v + p; });
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->size, size, 1e-12 * size);
  EXPECT_NEAR(norm(found->centre - p), 0, 1e-13);
  const Sym3<double> expected = rotate(R, Sym3<double>{moments.x, 0, 0, moments.y, 0, moments.z});
  for (const auto& [a, b] : {std::pair(found->inertia.xx, expected.xx), std::pair(found->inertia.xy, expected.xy),
                             std::pair(found->inertia.xz, expected.xz), std::pair(found->inertia.yy, expected.yy),
                             std::pair(found->inertia.yz, expected.yz), std::pair(found->inertia.zz, expected.zz)}) {
    EXPECT_NEAR(a, b, 1e-11);
  }
}

TEST(MeshInertia, SolidBoxes) {
  for (const MeshMass kind : {MeshMass::exact, MeshMass::positive}) {
    expect_inertia(kind, 8, {8.0 / 12 * (4 + 16), 8.0 / 12 * (1 + 16), 8.0 / 12 * (1 + 4)});
  }
}

/// Six plates: each has its moments about its middle, and its area times the square of the distance.
TEST(MeshInertia, HollowBoxes) {
  const double a = 1, b = 2, c = 4;
  const auto about_x = [](double along_x, double y, double z) {
    const double x_plates = 2 * y * z * (y * y + z * z) / 12;
    const double y_plates = 2 * along_x * z * (z * z / 12 + y * y / 4),
                 z_plates = 2 * along_x * y * (y * y / 12 + z * z / 4);
    return x_plates + y_plates + z_plates;
  };
  expect_inertia(MeshMass::shell, 2 * (a * b + b * c + c * a), {about_x(a, b, c), about_x(b, c, a), about_x(c, a, b)});
}

TEST(MeshInertia, NoneOfWhatHasNoSize) {
  const auto same = [](const Vec3<double>& v) { return v; };
  const auto flat = [](const Vec3<double>& v) { return Vec3<double>{v.x, v.y, 0}; };
  const auto point = [](const Vec3<double>&) { return Vec3<double>{1, 2, 3}; };
  EXPECT_FALSE(mesh_inertia(Mesh{}, MeshMass::exact, same));
  EXPECT_FALSE(mesh_inertia(box(1, 1, 1), MeshMass::positive, flat));
  EXPECT_TRUE(mesh_inertia(box(1, 1, 1), MeshMass::shell, flat));
  EXPECT_FALSE(mesh_inertia(box(1, 1, 1), MeshMass::shell, point));
}

}  // namespace
}  // namespace verne
