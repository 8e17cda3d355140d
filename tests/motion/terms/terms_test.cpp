// Each cost and limit of src/motion/terms alone: values by other means, derivatives by differences.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <memory>

#include "motion/terms/angle_limit.h"
#include "motion/terms/axis.h"
#include "motion/terms/channel_limit.h"
#include "motion/terms/costs/discomfort.h"
#include "motion/terms/costs/energy.h"
#include "motion/terms/ground_limits.h"
#include "motion/terms/keep_out.h"
#include "motion/terms/keep_out_of_box.h"
#include "motion/terms/limits/compression.h"
#include "motion/terms/limits/joint_load.h"
#include "motion/terms/limits/torque_speed.h"
#include "motion/terms/orientation.h"
#include "motion/terms/swing_together.h"
#include "motion/terms/weighted_square.h"
#include "support/compare.h"
#include "support/random_model.h"
#include "support/states.h"
#include "verne/spatial/rotation.h"

namespace verne {
namespace {

using test::close;
using test::random_number;
using test::random_values;
using test::random_vector;

const LimitName kName{"kind", "of", "unit"};

Eigen::VectorXd value(const NodeTerm& term, const Eigen::VectorXd& u) {
  Eigen::VectorXd rows(term.rows());
  term.value(u.data(), rows.data());
  return rows;
}

Eigen::MatrixXd jacobian(const NodeTerm& term, const Eigen::VectorXd& u) {
  Eigen::MatrixXd transposed(u.size(), term.rows());
  transposed.setConstant(NAN);  // all of it is written
  term.jacobian(u.data(), transposed.data());
  return transposed.transpose();
}

Eigen::MatrixXd hessian(const NodeTerm& term, const Eigen::VectorXd& u, const Eigen::VectorXd& multipliers) {
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(u.size(), u.size());
  term.hessian(u.data(), multipliers.data(), H.data());
  return H;
}

/// Central differences of order four.
template <class F>
auto difference(F&& f, const Eigen::VectorXd& u, Eigen::Index k, double h) {
  const Eigen::VectorXd unit = Eigen::VectorXd::Unit(u.size(), k);
  return ((8 * (f(u + h * unit) - f(u - h * unit)) - f(u + 2 * h * unit) + f(u - 2 * h * unit)) / (12 * h)).eval();
}

/// `tolerance` is that of differences with steps h: h⁴ times the fifth derivative, and rounding.
void expect_exact_derivatives(const NodeTerm& term, const Eigen::VectorXd& u, double tolerance, double h = 1e-3) {
  ASSERT_EQ(static_cast<std::size_t>(u.size()), term.inputs().size());
  const Eigen::VectorXd multipliers = Eigen::VectorXd::LinSpaced(term.rows(), 1.5, -0.7);
  const Eigen::MatrixXd J = jacobian(term, u), H = hessian(term, u, multipliers);
  Eigen::MatrixXd J_by_differences(term.rows(), u.size()), H_by_differences(u.size(), u.size());
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    J_by_differences.col(k) = difference([&](const Eigen::VectorXd& w) { return value(term, w); }, u, k, h);
    H_by_differences.col(k) = difference(
        [&](const Eigen::VectorXd& w) -> Eigen::VectorXd { return jacobian(term, w).transpose() * multipliers; }, u, k,
        h);
  }
  EXPECT_TRUE(close(J, J_by_differences, tolerance));
  EXPECT_TRUE(close(H, H_by_differences, tolerance, term.linear() ? 1 : 0));
  EXPECT_TRUE(!term.linear() || H.cwiseAbs().maxCoeff() == 0);
  // What is added to stays.
  Eigen::MatrixXd twice = H;
  term.hessian(u.data(), multipliers.data(), twice.data());
  EXPECT_TRUE(close(twice, 2 * H, 1e-14));
}

TEST(Terms, ChannelLimit) {
  const ChannelLimit term(kName, 4, {-1, 3});
  expect_exact_derivatives(term, Eigen::VectorXd::Constant(1, 2.5), 1e-10);
  const double u = 2.5;
  EXPECT_EQ(term.measured(&u), 2.5);
  EXPECT_EQ(term.bounds(0).lower, -1);
  EXPECT_EQ(term.measured_bounds().upper, 3);
}

TEST(Terms, LoadsWithMuscles) {
  for (const JointMuscles& joint : muscled_joints()) {
    const CompressionLimit pressed(kName, joint, 5, 3000);
    const SquaredCompression squared(joint, 5, 1e-4);
    for (const double size : {0.0, 0.3, 40.0}) {  // also where moments change their signs
      Eigen::VectorXd u(6);
      u << 20, -300, 15, 0.7 * size, -0.4 * size, size;
      expect_exact_derivatives(pressed, u, 1e-8);
      expect_exact_derivatives(squared, u, 1e-8);
      EXPECT_NEAR(value(pressed, u)[0] * 3000, pressed.measured(u.data()), 1e-9);
      EXPECT_NEAR(value(squared, u)[0], 1e-4 * std::pow(joint.compression(u.data()), 2), 1e-9);
    }
  }
  const ShearLimit sheared(kName, 5, 500);
  EXPECT_EQ(sheared.inputs(), (std::vector<int>{5, 7}));
  expect_exact_derivatives(sheared, Eigen::Vector2d(300, -400), 1e-9);
  EXPECT_NEAR(value(sheared, Eigen::Vector2d(300, -400))[0], 1, 1e-12);
}

TEST(Terms, TorqueSpeedLimit) {
  TorqueSpeedLimit term(kName, 3, 1, {100, 20});
  EXPECT_EQ(term.inputs(), (std::vector<int>{3, 1}));
  expect_exact_derivatives(term, Eigen::Vector2d(40, 2), 1e-9);
  double tighter = 0;
  const auto allowed = [&](double effort, double velocity) {
    const double row = value(term, Eigen::Vector2d(effort, velocity))[0];
    const Interval bounds = term.tighter_bounds(0, tighter);
    return row >= bounds.lower && row <= bounds.upper;
  };
  // 100 at rest, none at 5; the same backwards; and more against the motion.
  EXPECT_TRUE(allowed(99, 0) && allowed(59, 2) && allowed(-59, -2) && allowed(-139, 2) && allowed(139, -2));
  EXPECT_FALSE(allowed(101, 0) || allowed(61, 2) || allowed(-61, -2) || allowed(-141, 2) || allowed(141, -2));
  EXPECT_TRUE(!allowed(0, 5.1) && allowed(-3, 5.1));  // faster than without load: it must brake
  tighter = 0.01;
  EXPECT_TRUE(allowed(98.9, 0) && !allowed(99.1, 0) && !allowed(-99.1, 0));
}

TEST(Terms, SwingTogether) {
  const Vec3<double> along{0.6, 0, 0.8};
  SwingTogether term(kName, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, along, 0.1);
  std::mt19937_64 rng(3);
  const Eigen::VectorXd u = random_values(rng, 12, 1);
  expect_exact_derivatives(term, u, 1e-8);
  // The first limb ahead by 0.5, the second behind by 0.02: a product of -0.01, which is slack².
  Eigen::VectorXd v = Eigen::VectorXd::Zero(12);
  v.segment(0, 3) << 0.3, 7, 0.4;
  v.segment(9, 3) << 0.012, -2, 0.016;
  EXPECT_NEAR(value(term, v)[0], term.bounds(0).lower, 1e-12);
  EXPECT_NEAR(term.measured(v.data()), term.measured_bounds().lower, 1e-15);
  EXPECT_EQ(term.bounds(0).upper, kInfinity);
  v.tail(3) *= -1;
  EXPECT_NEAR(term.measured(v.data()), 0.1, 1e-15);
}

TEST(Terms, Discomfort) {
  const Discomfort term(0, 2, 1, 0.5);
  for (const double q : {0.6, 0.9, 1.3, 1.7}) {
    expect_exact_derivatives(term, Eigen::VectorXd::Constant(1, q), 1e-7);
    const double r = 2 * (q - 1), rest = 2 * std::pow(r, 8) / 4;  // of the series
    if (std::abs(r) < 0.5) {
      EXPECT_NEAR(value(term, Eigen::VectorXd::Constant(1, q))[0], -2 * std::log(1 - r * r), 2 * rest + 1e-15);
    }
  }
}

TEST(Terms, GroundLimits) {
  std::mt19937_64 rng(3);
  const std::vector<int> inputs{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Vec3<double> up{0.6, 0.8, 0};
  for (const auto across : {PressureSide::Across::side, PressureSide::Across::end}) {
    const PressureSide term(kName, inputs, across, up, 0.01, 0.3, 20);
    expect_exact_derivatives(term, random_values(rng, 12, 2), 1e-9);
  }
  const PushLimit push(kName, 4, up, 2, 20);
  expect_exact_derivatives(push, Eigen::Vector3d(3, 5, -1), 1e-9);
  EXPECT_NEAR(value(push, Eigen::Vector3d(3, 4, 9))[0], 5.0 / 20, 1e-14);
  FrictionCone cone(kName, 4, up, 0.5, 20);
  expect_exact_derivatives(cone, Eigen::Vector3d(3, 5, -1), 1e-9);
  const Eigen::Vector3d inside(6, 8, 4.9), outside(6, 8, 5.1);  // ten upwards
  EXPECT_NEAR(cone.measured(inside.data()), 0.49, 1e-12);
  EXPECT_LT(value(cone, inside)[0], 0);
  EXPECT_GT(value(cone, outside)[0], 0);
  cone.tighten(0.04);
  EXPECT_GT(value(cone, inside)[0], 0);
}

TEST(Terms, NormLimit) {
  const NormLimit term(kName, 7, 6);
  EXPECT_EQ(term.inputs(), (std::vector<int>{7, 8, 9}));
  const Eigen::Vector3d u(2, -3, 6);
  EXPECT_DOUBLE_EQ(term.measured(u.data()), 7);
  EXPECT_DOUBLE_EQ(value(term, u)[0], 49.0 / 36);  // above one, as 7 is above 6
  EXPECT_EQ(term.bounds(0).upper, 1);
  expect_exact_derivatives(term, u, 1e-9);
  // The rate is the slope of the row over the norm, at the limit.
  const Eigen::Vector3d at_limit = u * (6.0 / 7), beyond = u * (6.001 / 7);
  EXPECT_NEAR((value(term, beyond) - value(term, at_limit))[0] / 1e-3, term.rate(), 1e-4);
}

TEST(Terms, WeightedSquare) {
  const WeightedSquare term(5, 2, 1);
  EXPECT_EQ(term.inputs(), std::vector<int>{5});
  EXPECT_DOUBLE_EQ(value(term, Eigen::VectorXd::Constant(1, 3))[0], 2 * 4);
  expect_exact_derivatives(term, Eigen::VectorXd::Constant(1, 3), 1e-9);
  EXPECT_DOUBLE_EQ(value(WeightedSquare(5, 2, 1, 3), Eigen::VectorXd::Constant(1, 3))[0], 2 * 4 - 3);
}

TEST(Terms, PowerCost) {
  const PowerCost term(0, 2, 2, 0.5);
  // Far from zero it is the power's size, up to the smoothing; at rest it is nothing.
  EXPECT_NEAR(value(term, Eigen::Vector2d(-300, 2))[0], 2 * 600, 2 * 0.5);
  EXPECT_EQ(value(term, Eigen::Vector2d(7, 0))[0], 0);
  std::mt19937_64 rng(1);
  for (int k = 0; k < 5; ++k) expect_exact_derivatives(term, random_values(rng, 2, 1), 1e-6);
}

Eigen::VectorXd axes_of(const Mat3<double>& R) {
  Eigen::VectorXd u(9);
  for (int k = 0; k < 3; ++k) R.column(k).store(u.data() + 3 * k);
  return u;
}

const std::vector<int> kAxes{0, 1, 2, 3, 4, 5, 6, 7, 8};

TEST(Terms, AngleLimitOfAnOrientation) {
  std::mt19937_64 rng(2);
  for (const double angle : {0.0, 0.2, 1.5, 3.0}) {
    const Mat3<double> goal = test::random_rotation(rng);
    const Vec3<double> axis = test::random_rotation(rng).column(2);
    const Eigen::VectorXd u = axes_of(rotation_about(axis, angle) * goal);
    const AngleLimit loose(kName, kAxes, goal, 0.3);
    EXPECT_NEAR(loose.measured(u.data()), angle, 1e-7);
    EXPECT_NEAR(value(loose, u)[0], (1 - std::cos(angle)) / (1 - std::cos(0.3)), 1e-14);
    EXPECT_EQ(value(loose, u)[0] <= loose.bounds(0).upper, angle <= 0.3);
    EXPECT_EQ(loose.measured_bounds().upper, 0.3);
    expect_exact_derivatives(loose, u, 1e-9);
  }
}

TEST(Terms, OrientationEquation) {
  std::mt19937_64 rng(2);
  // On both sides of where the series ends (83°) and of the guard, and at exactly 180°
  for (const double angle : {0.0, 1e-9, 1e-4, 0.2, 1.44, 1.46, 2.6, 2.7, 3.1415, M_PI}) {
    for (int k = 0; k < 4; ++k) {  // axes near x, y and z, so that each column of K is the best one
      SCOPED_TRACE(testing::Message() << angle << " " << k);
      const Mat3<double> goal = test::random_rotation(rng);
      Vec3<double> axis{0.1, -0.2, 0.15};
      if (k < 3) axis[k] = 1;
      axis = axis * (1 / std::sqrt(dot(axis, axis)));
      const Eigen::VectorXd u = axes_of(rotation_about(axis, angle) * goal);
      const OrientationEquation exact(kName, kAxes, goal);
      const Eigen::VectorXd rows = value(exact, u);
      const double sign = angle == M_PI && rows.head<3>().dot(Eigen::Vector3d(axis.x, axis.y, axis.z)) < 0 ? -1 : 1;
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(rows[i], sign * angle * axis[i], 1e-13);
      EXPECT_NEAR(exact.measured(u.data()), angle, 1e-13);
      EXPECT_NEAR(rows[3], std::cos(angle), 1e-14);
      EXPECT_EQ(rows[3] >= exact.bounds(3).lower, angle < 150 * M_PI / 180);
      if (angle < M_PI) {  // at 180° differences would cross the cut
        expect_exact_derivatives(exact, u, angle > 3 ? 1e-7 : 1e-8, angle > 3 ? 1e-5 : 1e-3);
      }
      // Turning the frame about any axis changes the rows at first order: no orientation but the goal is stationary.
      Eigen::MatrixXd turns(9, 3);
      for (int i = 0; i < 3; ++i) {
        Vec3<double> e{0, 0, 0};
        e[i] = 1;
        for (int a = 0; a < 3; ++a) cross(e, Vec3<double>::load(u.data() + 3 * a)).store(turns.col(i).data() + 3 * a);
      }
      EXPECT_GT(std::abs((jacobian(exact, u).topRows<3>() * turns).determinant()), 0.9);
    }
  }
  const OrientationEquation exact(kName, kAxes, Mat3<double>::identity());
  for (int row = 0; row < 3; ++row) EXPECT_TRUE(exact.bounds(row).fixed());
}

TEST(Terms, AngleLimitOfAnAxis) {
  std::mt19937_64 rng(3);
  for (const double angle : {0.0, 0.2, 1.5, 3.0}) {
    const Mat3<double> R = test::random_rotation(rng);
    const Vec3<double> goal = R.column(0), turned = rotation_about(R.column(1), angle) * goal;
    const Eigen::Vector3d u(turned.x, turned.y, turned.z);
    const AngleLimit loose(kName, {0, 1, 2}, goal, 0.3);
    EXPECT_NEAR(loose.measured(u.data()), angle, 1e-7);
    EXPECT_EQ(value(loose, u)[0] <= loose.bounds(0).upper, angle <= 0.3);
    expect_exact_derivatives(loose, u, 1e-9);
  }
}

TEST(Terms, AxisEquation) {
  std::mt19937_64 rng(4);
  for (const double angle : {0.0, 1e-9, 0.2, 1.5, 2.6, 2.63, 3.1, M_PI}) {
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << angle << " " << k);
      Mat3<double> R = test::random_rotation(rng);
      if (k < 3) R = rotation_about(Vec3<double>{0, 0, 1}, k * M_PI / 2);  // goals along axes
      const Vec3<double> goal = R.column(0), turned = rotation_about(R.column(1), angle) * goal;
      const Eigen::Vector3d u(turned.x, turned.y, turned.z);
      const AxisEquation exact(kName, {0, 1, 2}, goal);
      const Eigen::VectorXd rows = value(exact, u);
      EXPECT_NEAR(exact.measured(u.data()), angle, 1e-15);
      EXPECT_NEAR(rows[2], std::cos(angle), 1e-15);
      EXPECT_EQ(rows[2] >= exact.bounds(2).lower, angle < 150 * M_PI / 180);
      if (angle < 150 * M_PI / 180) {
        EXPECT_NEAR(rows.head<2>().norm(), 2 * std::tan(angle / 2), 1e-14);
      }
      expect_exact_derivatives(exact, u, 1e-7, 1e-4);
      // Turning the axis about any direction across it changes the rows at first order, by no less than the angle.
      Eigen::Matrix<double, 3, 2> turns;
      for (int i = 0; i < 2; ++i)
        cross(rotation_about(R.column(1), angle) * R.column(1 + i), turned).store(turns.col(i).data());
      EXPECT_GE(std::abs((jacobian(exact, u).topRows<2>() * turns).determinant()), 1 - 1e-12);
    }
  }
}

/// The least distance between points of two segments, tried one by one.
double brute_distance(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d) {
  constexpr int kParts = 200;
  double least = kInfinity;
  for (int i = 0; i <= kParts; ++i) {
    for (int k = 0; k <= kParts; ++k) {
      const Vec3<double> w = a + (b - a) * (double(i) / kParts) - c - (d - c) * (double(k) / kParts);
      least = std::min(least, dot(w, w));
    }
  }
  return std::sqrt(least);
}

TEST(Terms, SegmentDistance) {
  std::mt19937_64 rng(3);
  for (int k = 0; k < 40; ++k) {
    const Vec3<double> a = random_vector(rng, 1), b = random_vector(rng, 1), c = random_vector(rng, 1);
    // General, parallel, crossing at a point, one of no length
    const Vec3<double> d = k % 4 == 0   ? random_vector(rng, 1)
                           : k % 4 == 1 ? c + (b - a) * random_number(rng, -1, 1)
                           : k % 4 == 2 ? (a + b) - c
                                        : c;
    const double exact = segment_distance(a, b, c, d), tried = brute_distance(a, b, c, d);
    EXPECT_LE(exact, tried + 1e-12);
    EXPECT_GE(exact, tried - 0.02);
    EXPECT_NEAR(segment_distance(c, d, b, a), exact, 1e-12);
  }
  EXPECT_EQ(segment_distance({0, 0, 0}, {0, 0, 0}, {0, 3, 4}, {0, 3, 4}), 5);
  EXPECT_NEAR(segment_distance({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}), 2, 1e-15);
}

/// A part of a link of length 0.5 and an obstacle, with the part's ends somewhere near.
struct Near {
  KeepOut term;
  Eigen::VectorXd u;
};
Near somewhere(std::mt19937_64& rng, bool ball_on_link, const ObstacleSpec& obstacle) {
  const double length = ball_on_link ? 0 : 0.5;
  const LinkCapsule part{0, {0, 0, 0}, {length, 0, 0}, 0.05};
  Eigen::VectorXd u(6);
  const Vec3<double> a = random_vector(rng, 0.6);
  a.store(u.data());
  (a + test::random_rotation(rng).column(0) * length).store(u.data() + 3);
  const double reach = 0.05 + obstacle.radius + 0.02;
  return {KeepOut(kName, {0, 1, 2, 3, 4, 5}, {part, obstacle.from, obstacle.to, reach}), u};
}

TEST(Terms, KeepOutDerivatives) {
  std::mt19937_64 rng(4);
  const ObstacleSpec sphere{"s", {0.1, 0, 0}, {0.1, 0, 0}, 0.2}, capsule{"c", {-0.5, 0, 0}, {0.4, 0.1, 0}, 0.2};
  for (int k = 0; k < 24; ++k) {
    const Near near = somewhere(rng, k % 3 == 2, k % 2 ? sphere : capsule);
    // What is smoothed is rounded within a millimetre or so: small steps.
    expect_exact_derivatives(near.term, near.u, 1e-6, 2e-5);
  }
}

TEST(Terms, KeepOutIsNearTheTrueDistance) {
  std::mt19937_64 rng(5);
  const ObstacleSpec sphere{"s", {0.1, 0, 0}, {0.1, 0, 0}, 0.2}, capsule{"c", {-0.5, 0, 0}, {0.4, 0.1, 0}, 0.2};
  const double reach = 0.05 + 0.2 + 0.02;
  for (int k = 0; k < 200; ++k) {
    const bool to_sphere = k % 2;
    const Near near = somewhere(rng, k % 3 == 2, to_sphere ? sphere : capsule);
    const double measured = near.term.measured(near.u.data()), smooth = value(near.term, near.u)[0];
    const double distance = std::sqrt(std::max(0.0, smooth)) * reach;
    if (measured < reach / 2) continue;  // deep inside: only the sign matters
    // Never far below, and above by no more than what `tighten` makes good: points of the axis are ρ/2 apart.
    EXPECT_GT(distance, measured * (1 - 0.03)) << k;
    EXPECT_LT(distance, measured * (1 + (to_sphere ? 0.001 : 0.04))) << k;
  }
  EXPECT_EQ(somewhere(rng, false, sphere).term.measured_bounds().lower, reach);
}

const std::vector<int> kTwelve{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(Terms, KeepApart) {
  std::mt19937_64 rng(7);
  const double reach = 0.25;
  for (int k = 0; k < 60; ++k) {
    // Capsules of two links, of which one or the other may be a ball
    const double lengths[] = {k % 3 == 1 ? 0 : 0.5, k % 3 == 2 ? 0 : 0.7};
    const LinkCapsule part{0, {0, 0, 0}, {lengths[0], 0, 0}, 0.05};
    const KeepApart term(kName, kTwelve, {part, {0, 0, 0}, {0, lengths[1], 0}, reach});
    Eigen::VectorXd u(12);
    Vec3<double> ends[4];
    for (int i = 0; i < 2; ++i) {
      ends[2 * i] = random_vector(rng, 0.6);
      ends[2 * i + 1] = ends[2 * i] + test::random_rotation(rng).column(0) * lengths[i];
    }
    for (int i = 0; i < 4; ++i) ends[i].store(u.data() + 3 * i);
    expect_exact_derivatives(term, u, 1e-6, 2e-5);
    const double measured = term.measured(u.data());
    EXPECT_EQ(measured, segment_distance(ends[0], ends[1], ends[2], ends[3]));
    if (measured < reach / 2) continue;
    const double distance = std::sqrt(std::max(0.0, value(term, u)[0])) * reach;
    EXPECT_GT(distance, measured * (1 - 0.03)) << k;
    EXPECT_LT(distance, measured * (1 + 0.04)) << k;
  }
}

/// The least distance of points of a segment from a box around the origin, tried one by one.
double brute_box_distance(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& half) {
  double least = kInfinity;
  for (int k = 0; k <= 2000; ++k) {
    const Vec3<double> p = a + (b - a) * (k / 2000.0);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::pow(std::max(0.0, std::abs(p[i]) - half[i]), 2);
    least = std::min(least, sum);
  }
  return std::sqrt(least);
}

TEST(Terms, SegmentToBox) {
  std::mt19937_64 rng(8);
  const Vec3<double> half{0.3, 0.1, 0.2};
  for (int k = 0; k < 200; ++k) {
    const Vec3<double> a = random_vector(rng, 0.8);
    Vec3<double> b = k % 4 == 0 ? a : random_vector(rng, 0.8);
    if (k % 4 == 1) b.x = a.x, b.y = a.y;  // along an edge
    const double exact = segment_to_box(a, b, half), tried = brute_box_distance(a, b, half);
    EXPECT_LE(exact, tried + 1e-12);
    EXPECT_GE(exact, tried - 1e-3);
    EXPECT_NEAR(segment_to_box(b, a, half), exact, 1e-12);
  }
  EXPECT_EQ(segment_to_box({-1, 0, 0}, {1, 0, 0}, half), 0);
  EXPECT_NEAR(segment_to_box({-1, 0, 0.5}, {1, 0, 0.5}, half), 0.3, 1e-15);
}

TEST(Terms, KeepOutOfBox) {
  std::mt19937_64 rng(9);
  const double reach = 0.1;
  int inside = 0, near_by = 0;
  for (int k = 0; k < 300; ++k) {
    const BoxSpec box{{test::random_rotation(rng), random_vector(rng, 0.3)}, {0.6, 0.2, 0.4}};
    const double length = k % 3 == 0 ? 0 : 0.3;
    const KeepOutOfBox term(kName, {0, 1, 2, 3, 4, 5}, {LinkCapsule{0, {0, 0, 0}, {length, 0, 0}, 0.08}, box, reach});
    Eigen::VectorXd u(6);
    const Vec3<double> a = box.pose.p + random_vector(rng, 0.45), b = a + test::random_rotation(rng).column(0) * length;
    a.store(u.data()), b.store(u.data() + 3);
    if (k < 60) expect_exact_derivatives(term, u, 1e-6, 2e-6);
    const double measured = term.measured(u.data()), row = value(term, u)[0];
    const auto local = [&](const Vec3<double>& p) { return transpose(box.pose.R) * (p - box.pose.p); };
    EXPECT_NEAR(measured, segment_to_box(local(a), local(b), box.size * 0.5), 1e-15);
    if (measured == 0) {
      ++inside;
      EXPECT_LT(row, 0.6);
    } else if (measured > 0.8 * reach && measured < 3 * reach) {
      ++near_by;
      EXPECT_GT(row * reach, measured - 0.05 * reach) << k;
      EXPECT_LE(row * reach, measured) << k;
    }
  }
  EXPECT_GT(inside, 30);
  EXPECT_GT(near_by, 80);
  // Under each face, the way out is through it.
  const BoxSpec box{Transform<double>::identity(), {0.6, 0.4, 0.8}};
  const KeepOutOfBox ball(kName, {0, 1, 2, 3, 4, 5}, {LinkCapsule{0, {0, 0, 0}, {0, 0, 0}, 0.08}, box, reach});
  for (int k = 0; k < 3; ++k) {
    for (const double side : {-1.0, 1.0}) {
      Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
      u[k] = u[k + 3] = side * (box.size[k] / 2 - 0.05);
      EXPECT_NEAR(value(ball, u)[0], -0.5, 0.05);
      EXPECT_NEAR(jacobian(ball, u)(0, k) * reach * side, 1, 0.1);
    }
  }
}

/// However long a link is beside the distance that it keeps.
TEST(Terms, KeepOutOfBoxBySlenderLinks) {
  std::mt19937_64 rng(10);
  const double length = 2, reach = 1e-3;
  const BoxSpec box{Transform<double>::identity(), {0.6, 0.2, 0.4}};
  const KeepOutOfBox term(kName, {0, 1, 2, 3, 4, 5}, {LinkCapsule{0, {0, 0, 0}, {length, 0, 0}, 5e-4}, box, reach});
  int near_by = 0;
  for (int k = 0; k < 400; ++k) {
    // Past a point near the surface, mostly an edge or a corner
    Vec3<double> p = random_vector(rng, 1);
    for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], -1.0, 1.0) > 0 ? box.size[i] / 2 : -box.size[i] / 2;
    if (k % 2 == 0) p[k % 3] *= 0.3;
    const Vec3<double> along = test::random_rotation(rng).column(0);
    const Vec3<double> a = p + random_vector(rng, 1.5 * reach) - along * (0.3 * length), b = a + along * length;
    Eigen::VectorXd u(6);
    a.store(u.data()), b.store(u.data() + 3);
    const double measured = term.measured(u.data()), row = value(term, u)[0];
    if (measured < 0.8 * reach || measured > 3 * reach) continue;
    ++near_by;
    EXPECT_GT(row * reach, measured - 0.05 * reach) << k;
    EXPECT_LE(row * reach, measured) << k;
  }
  EXPECT_GT(near_by, 20);
}

/// The quantity that people know is within a bound that is a thousandth tighter just where the row is.
TEST(Terms, CanBeTightened) {
  const ChannelLimit channel(kName, 0, {-2, kInfinity}), both(kName, 0, {0, 4}), equation(kName, 0, {3, 3});
  EXPECT_DOUBLE_EQ(channel.tighter_bounds(0, 1e-3).lower, -1.998);
  EXPECT_EQ(channel.tighter_bounds(0, 1e-3).upper, kInfinity);
  EXPECT_DOUBLE_EQ(both.tighter_bounds(0, 1e-3).lower, 0.004);  // nothing is a fraction of zero: of the width
  EXPECT_DOUBLE_EQ(both.tighter_bounds(0, 1e-3).upper, 3.996);
  EXPECT_TRUE(equation.tighter_bounds(0, 1e-3).fixed());

  const NormLimit norm(kName, 0, 10);
  EXPECT_NEAR(norm.tighter_bounds(0, 1e-3).upper, value(norm, Eigen::Vector3d(0, 9.99, 0))[0], 2e-6);

  const AngleLimit orientation(kName, kAxes, Mat3<double>::identity(), 0.5);
  const Eigen::VectorXd turned = axes_of(rotation_about(Vec3<double>{1, 0, 0}, 0.4995));
  EXPECT_NEAR(orientation.tighter_bounds(0, 1e-3).upper, value(orientation, turned)[0], 2e-6);

  std::mt19937_64 rng(6);
  const KeepOut zone = somewhere(rng, true, {"s", {0, 0, 0}, {0, 0, 0}, 0.18}).term;  // to keep 0.25 m away
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
  u[0] = u[3] = 0.25025;
  EXPECT_NEAR(zone.tighter_bounds(0, 1e-3).lower, value(zone, u)[0], 2e-6);
}

}  // namespace
}  // namespace verne
