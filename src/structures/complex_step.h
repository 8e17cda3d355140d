/// Motions of links with their rates of change along a direction, as numbers with an imaginary part.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "structures/loop_equations.h"
#include "verne/base/small_matrix.h"

namespace verne::complex_step {

using Dual = std::complex<double>;
inline constexpr double kDualStep = 1e-40;

inline Vec3<Dual> dual(const Vec3<double>& x, const Eigen::Vector3d& rate) {
  return {Dual(x.x, kDualStep * rate[0]), Dual(x.y, kDualStep * rate[1]), Dual(x.z, kDualStep * rate[2])};
}

/// How the motion of a link changes along one direction: pose (with a rotation vector), velocity, acceleration.
struct MotionRate {
  Eigen::Matrix<double, 6, 1> pose, velocity, acceleration;
};

inline FrameMotion<Dual> dual(const FrameMotion<double>& link, const MotionRate& rate) {
  const Vec3<Dual> turn = dual(Vec3<double>::zero(), rate.pose.tail<3>());
  const auto column = [&](int j) {
    const Vec3<double> c = link.R.column(j);
    return cross(turn, c) + c;
  };
  return {dual(link.p, rate.pose.head<3>()),         Mat3<Dual>::columns(column(0), column(1), column(2)),
          dual(link.v, rate.velocity.head<3>()),     dual(link.omega, rate.velocity.tail<3>()),
          dual(link.a, rate.acceleration.head<3>()), dual(link.alpha, rate.acceleration.tail<3>())};
}

inline Eigen::Vector3d rate_of(const Vec3<Dual>& x) {
  return Eigen::Vector3d(x.x.imag(), x.y.imag(), x.z.imag()) / kDualStep;
}

}  // namespace verne::complex_step
