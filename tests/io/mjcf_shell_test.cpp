// Shells of MuJoCo's format against sums over their surfaces.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "verne/io/model_io.h"

namespace verne {
namespace {

using Eigen::Vector3d;

/// Of the midpoint rule with 400 x 400 cells.
constexpr double kSurfaceSum = 1e-4;

struct SurfaceSum {
  double area = 0;                      ///< or the volume of a layer
  Vector3d squares = Vector3d::Zero();  ///< of x, y, z over it
};

/// A patch over the unit square; `thickness` of a layer over it by place and normal.
void add_patch(
    SurfaceSum& sum, const std::function<Vector3d(double, double)>& point,
    const std::function<double(const Vector3d&, const Vector3d&)>& thickness = [](const Vector3d&, const Vector3d&) {
      return 1.0;
    }) {
  constexpr int kCells = 400;
  constexpr double h = 1.0 / kCells;
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      const double u = (i + 0.5) * h, v = (j + 0.5) * h;
      const Vector3d p = point(u, v);
      const Vector3d cross =
          (point(u + h / 2, v) - point(u - h / 2, v)).cross(point(u, v + h / 2) - point(u, v - h / 2));
      const double part = cross.norm() * thickness(p, cross.normalized());
      sum.area += part;
      sum.squares += part * p.cwiseAbs2();
    }
  }
}

/// Between two latitudes (in right angles) of a ball with these axes, moved along z.
std::function<Vector3d(double, double)> ball(const Vector3d& axes, double low, double high, double shift) {
  return [=](double u, double v) {
    const double latitude = M_PI / 2 * (low + (high - low) * v), turn = 2 * M_PI * u, r = std::cos(latitude);
    return Vector3d(axes.x() * r * std::cos(turn), axes.y() * r * std::sin(turn),
                    axes.z() * std::sin(latitude) + shift);
  };
}

std::function<Vector3d(double, double)> wall(double r, double half) {
  return [=](double u, double v) {
    return Vector3d(r * std::cos(2 * M_PI * u), r * std::sin(2 * M_PI * u), half * (2 * v - 1));
  };
}

LinkSpec shell(const std::string& type, const std::string& size) {
  const std::string text =
      "<mujoco><worldbody><body name=\"a\"><joint/><geom shellinertia=\"true\" density=\"7\" type=\"" + type +
      "\" size=\"" + size + "\"/></body></worldbody></mujoco>";
  return read_spec(text, "shell.xml").links[0];
}

void expect_shell(const LinkSpec& link, const SurfaceSum& sum) {
  EXPECT_NEAR(link.mass, 7 * sum.area, kSurfaceSum * link.mass);
  const Vector3d& s = sum.squares;
  EXPECT_NEAR(link.inertia.xx, 7 * (s.y() + s.z()), kSurfaceSum * link.inertia.xx);
  EXPECT_NEAR(link.inertia.yy, 7 * (s.x() + s.z()), kSurfaceSum * link.inertia.yy);
  EXPECT_NEAR(link.inertia.zz, 7 * (s.x() + s.y()), kSurfaceSum * link.inertia.zz);
}

TEST(MjcfShell, RoundOnes) {
  SurfaceSum sphere, cylinder, capsule;
  add_patch(sphere, ball(Vector3d::Constant(0.3), -1, 1, 0));
  expect_shell(shell("sphere", "0.3"), sphere);
  for (const double end : {-0.5, 0.5}) {
    add_patch(cylinder, [=](double u, double v) {
      return Vector3d(0.2 * v * std::cos(2 * M_PI * u), 0.2 * v * std::sin(2 * M_PI * u), end);
    });
  }
  add_patch(cylinder, wall(0.2, 0.5));
  expect_shell(shell("cylinder", "0.2 0.5"), cylinder);
  add_patch(capsule, wall(0.2, 0.5));
  add_patch(capsule, ball(Vector3d::Constant(0.2), 0, 1, 0.5));
  add_patch(capsule, ball(Vector3d::Constant(0.2), -1, 0, -0.5));
  expect_shell(shell("capsule", "0.2 0.5"), capsule);
}

TEST(MjcfShell, Boxes) {
  const Vector3d half(0.1, 0.2, 0.4);
  SurfaceSum box;
  for (int across = 0; across < 3; ++across) {
    for (const double side : {-1.0, 1.0}) {
      add_patch(box, [=](double u, double v) {
        Vector3d p;
        p[across] = side * half[across];
        p[(across + 1) % 3] = (2 * u - 1) * half[(across + 1) % 3],
                         p[(across + 2) % 3] = (2 * v - 1) * half[(across + 2) % 3];
        return p;
      });
    }
  }
  expect_shell(shell("box", "0.1 0.2 0.4"), box);
}

/// MuJoCo's is not even: it lies between two ellipsoids whose axes differ by the same length.
TEST(MjcfShell, Ellipsoids) {
  const Vector3d axes(0.1, 0.2, 0.4);
  SurfaceSum layer, surface;
  add_patch(surface, ball(axes, -1, 1, 0));
  add_patch(layer, ball(axes, -1, 1, 0),
            [&](const Vector3d& p, const Vector3d& normal) { return std::abs(normal.dot(p.cwiseQuotient(axes))); });
  const LinkSpec link = shell("ellipsoid", "0.1 0.2 0.4");
  EXPECT_NEAR(link.mass, 7 * surface.area, 0.012 * link.mass);  // as good as Thomsen's formula is
  const Vector3d s = layer.squares * (link.mass / layer.area);
  EXPECT_NEAR(link.inertia.xx, s.y() + s.z(), kSurfaceSum * link.inertia.xx);
  EXPECT_NEAR(link.inertia.yy, s.x() + s.z(), kSurfaceSum * link.inertia.yy);
  EXPECT_NEAR(link.inertia.zz, s.x() + s.y(), kSurfaceSum * link.inertia.zz);
}

}  // namespace
}  // namespace verne
