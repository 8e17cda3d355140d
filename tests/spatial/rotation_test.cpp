#include "verne/spatial/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/random_model.h"
#include "verne/spatial/dh.h"

namespace verne {
namespace {

using std::numbers::pi;
using test::random_number;
using test::random_rotation;

double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) largest = std::fmax(largest, std::fabs(A.m[i] - B.m[i]));
  return largest;
}

constexpr double kAngles[] = {0, 1e-300, 1e-9, 1e-4, 0.3, pi / 2, 2, pi - 1e-9, pi};
constexpr double kTolerance = 5e-16;

TEST(Rotation, CoordinateAxesTurnCounterclockwise) {
  EXPECT_NEAR((rotation_x(pi / 2) * Vec3<double>{0, 1, 0}).z, 1, kTolerance);
  EXPECT_NEAR((rotation_y(pi / 2) * Vec3<double>{0, 0, 1}).x, 1, kTolerance);
  EXPECT_NEAR((rotation_z(pi / 2) * Vec3<double>{1, 0, 0}).y, 1, kTolerance);
}

TEST(Rotation, AboutAxisAgreesWithCoordinateRotations) {
  for (const double angle : kAngles) {
    EXPECT_LE(distance(rotation_about({1, 0, 0}, angle), rotation_x(angle)), kTolerance);
    EXPECT_LE(distance(rotation_about({0, 1, 0}, angle), rotation_y(angle)), kTolerance);
    EXPECT_LE(distance(rotation_about({0, 0, -1}, angle), rotation_z(-angle)), kTolerance);
  }
}

TEST(Rotation, VectorOfAxisAndAngleReturns) {
  std::mt19937_64 rng(1);
  for (const double angle : kAngles) {
    const Vec3<double> axis = random_rotation(rng).column(0);
    const Mat3<double> R = rotation_about(axis, angle);
    const Vec3<double> back = rotation_vector_of(R);
    EXPECT_NEAR(norm(back), angle, 1e-15 * pi);
    const double length = norm(back);
    const Mat3<double> again = length > 0 ? rotation_about(normalized(back), length) : Mat3<double>::identity();
    EXPECT_LE(distance(again, R), 2 * kTolerance) << angle;
  }
}

TEST(Rotation, VectorKeepsTheDigitsOfTinyAngles) {
  const Vec3<double> back = rotation_vector_of(rotation_about({0, 0.6, 0.8}, 1e-12));
  EXPECT_NEAR(back.y, 0.6e-12, 1e-27);
  EXPECT_NEAR(back.z, 0.8e-12, 1e-27);
}

TEST(Rotation, RollPitchYawFollowsUrdfOrder) {
  const Mat3<double> expected = rotation_z(0.3) * rotation_y(-0.7) * rotation_x(1.1);
  EXPECT_LE(distance(rotation_rpy({1.1, -0.7, 0.3}), expected), kTolerance);
  const Vec3<double> back = rpy_of(expected);
  EXPECT_NEAR(back.x, 1.1, 1e-15);
  EXPECT_NEAR(back.y, -0.7, 1e-15);
  EXPECT_NEAR(back.z, 0.3, 1e-15);
}

TEST(Rotation, RollPitchYawReturnsAtAnyPitch) {
  std::mt19937_64 rng(2);
  for (const double off : {0.0, 1e-300, 1e-16, 1e-12, 1e-8, 1e-4, 0.5}) {
    for (const double sign : {1.0, -1.0}) {
      const Mat3<double> R =
          rotation_rpy({random_number(rng, -pi, pi), sign * (pi / 2 - off), random_number(rng, -pi, pi)});
      EXPECT_LE(distance(rotation_rpy(rpy_of(R)), R), 2 * kTolerance) << off;
    }
  }
}

TEST(Rotation, QuaternionReturnsEverywhere) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 200; ++i) {
    const Mat3<double> R = random_rotation(rng);
    const auto [x, y, z, w] = quaternion_of(R);
    EXPECT_GE(w, 0);
    EXPECT_LE(distance(rotation_from_quaternion(x, y, z, w), R), 2 * kTolerance);
  }
  for (const double angle : kAngles) {
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.6, -0.8}}) {
      const Mat3<double> R = rotation_about(axis, angle);
      const auto [x, y, z, w] = quaternion_of(R);
      EXPECT_LE(distance(rotation_from_quaternion(x, y, z, w), R), 2 * kTolerance) << angle;
    }
  }
}

TEST(Rotation, QuaternionOfAnyLengthIsNormalised) {
  const Mat3<double> R = rotation_from_quaternion(0.1, -0.2, 0.3, 0.9);
  EXPECT_LE(orthonormality_error(R), 2 * kTolerance);
  for (const double scale : {1e-200, 3.0, 1e200}) {
    EXPECT_LE(distance(rotation_from_quaternion(0.1 * scale, -0.2 * scale, 0.3 * scale, 0.9 * scale), R), kTolerance);
  }
}

TEST(Rotation, FrameAlongCoordinateAxesIsAnExactPermutation) {
  const auto same = [](const Mat3<double>& A, const Mat3<double>& B) { return distance(A, B) == 0; };
  for (const double scale : {1.0, 49.0, 1e-3}) {
    EXPECT_TRUE(same(frame_with_z_along({0, 0, scale}), Mat3<double>::identity()));
    EXPECT_TRUE(same(frame_with_z_along({scale, 0, 0}), {{0, 0, 1, 1, 0, 0, 0, 1, 0}}));
    EXPECT_TRUE(same(frame_with_z_along({0, scale, 0}), {{0, 1, 0, 0, 0, 1, 1, 0, 0}}));
    for (int i = 0; i < 3; ++i) {
      Vec3<double> axis{0, 0, 0};
      axis[i] = -scale;
      const Mat3<double> A = frame_with_z_along(axis);
      EXPECT_EQ(A(i, 2), -1);
      EXPECT_EQ(orthonormality_error(A), 0);
    }
  }
}

TEST(Rotation, FrameAlongAnyAxisIsARotation) {
  std::mt19937_64 rng(4);
  for (int i = 0; i < 200; ++i) {
    const Vec3<double> axis = random_rotation(rng).column(1);
    const Mat3<double> A = frame_with_z_along(axis);
    EXPECT_LE(orthonormality_error(A), 2 * kTolerance);
    EXPECT_LE(norm(A.column(2) - axis), kTolerance);
  }
}

TEST(Rotation, OrthonormalityErrorSeesScaleMirrorAndNan) {
  EXPECT_EQ(orthonormality_error(Mat3<double>::identity()), 0);
  EXPECT_NEAR(orthonormality_error({{2, 0, 0, 0, 1, 0, 0, 0, 1}}), 3, 1e-15);
  EXPECT_EQ(orthonormality_error({{-1, 0, 0, 0, 1, 0, 0, 0, 1}}), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(orthonormality_error({{1, 0, 0, 0, 1, 0, 0, std::nan(""), 1}})));
  EXPECT_FALSE(orthonormality_error({{kInfinity, 0, 0, 0, 1, 0, 0, 0, 1}}) < 1);
}

TEST(Dh, ClassicTransformMatchesItsMatrix) {
  const double a = 0.4, alpha = 0.3, d = 0.2, theta = 1.1;
  const Transform<double> X = dh_transform({a, alpha, d, theta});
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  EXPECT_LE(distance(X.R, {{ct, -st * ca, st * sa, st, ct * ca, -ct * sa, 0, sa, ca}}), kTolerance);
  EXPECT_LE(norm(X.p - Vec3<double>{a * ct, a * st, d}), kTolerance);
}

TEST(Dh, ModifiedTransformMatchesItsMatrix) {
  const double alpha = 0.3, d = 0.4, theta = 1.1, r = 0.2;
  const Transform<double> X = mdh_transform({0, 0, alpha, d, theta, r});
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha), sa = std::sin(alpha);
  EXPECT_LE(distance(X.R, {{ct, -st, 0, ca * st, ca * ct, -sa, sa * st, sa * ct, ca}}), kTolerance);
  EXPECT_LE(norm(X.p - Vec3<double>{d, -r * sa, r * ca}), kTolerance);
}

TEST(Dh, BranchParametersComeFirst) {
  const Transform<double> whole = mdh_transform({0.5, 0.6, 0.3, 0.4, 1.1, 0.2});
  const Transform<double> parts =
      Transform<double>{rotation_z(0.5), {0, 0, 0.6}} * mdh_transform({0, 0, 0.3, 0.4, 1.1, 0.2});
  EXPECT_LE(distance(whole.R, parts.R), kTolerance);
  EXPECT_LE(norm(whole.p - parts.p), kTolerance);
}

}  // namespace
}  // namespace verne
