#include "structures/slider_finder.h"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace verne {

namespace {

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Directions whose cosine is below this are at right angles.
constexpr double kRightAngle = 1e-15;

Eigen::Matrix3d rotation_of(const TreeBody& b) {
  return Eigen::Map<const Rows3>(b.R);
}
bool is_through_parent(const TreeBody& b) {
  return b.p[0] == 0 && b.p[1] == 0 && b.p[2] == 0;
}
bool is_small(double x, double size) {
  return std::abs(x) <= kRightAngle * size;
}

/// The moments of inertia of a body about its origin along axes, if these are the principal ones and the last of them
/// goes through the centre of mass.
std::optional<Eigen::Vector3d> principal_inertia(const TreeBody& b, const Eigen::Matrix3d& axes) {
  Eigen::Matrix3d I;
  I << b.I[0], b.I[1], b.I[2], b.I[1], b.I[3], b.I[4], b.I[2], b.I[4], b.I[5];
  I = (axes.transpose() * I * axes).eval();
  const Eigen::Vector3d moment = axes.transpose() * Eigen::Map<const Eigen::Vector3d>(b.mc);
  const double size = I.trace();
  if (!is_small(I(0, 1), size) || !is_small(I(0, 2), size) || !is_small(I(1, 2), size) ||
      !is_small(moment.x(), moment.norm()) || !is_small(moment.y(), moment.norm())) {
    return std::nullopt;
  }
  return I.diagonal();
}

}  // namespace

std::optional<SliderLeg> slider_leg_of(const Tree& leg) {
  const TreeBody &first = leg.bodies[0], &second = leg.bodies[1], &slider = leg.bodies[2];
  if (first.kind != JointKind::revolute || second.kind != JointKind::revolute || slider.kind != JointKind::prismatic ||
      !first.massless || !is_through_parent(second) || !is_through_parent(slider)) {
    return std::nullopt;
  }
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), a = rotation_of(second).transpose() * z,
                        d = rotation_of(slider) * z, t = z.cross(d);
  if (!is_small(a.z(), 1) || !is_small(d.z(), 1)) return std::nullopt;
  Eigen::Matrix3d axes;
  axes << t, z, d;
  const auto held = principal_inertia(second, axes),
             sliding = principal_inertia(slider, rotation_of(slider).transpose() * axes);
  if (!held || !sliding || !(slider.mass > 0)) return std::nullopt;
  // The first axis, turned back by the second angle, is a cos q − (z × a) sin q.
  const Eigen::Vector3d beside = z.cross(a);
  SliderLeg out{};
  out.across[0] = a.dot(t), out.across[1] = -beside.dot(t);
  out.along[0] = a.dot(d), out.along[1] = -beside.dot(d);
  out.moment = d.dot(Eigen::Map<const Eigen::Vector3d>(second.mc));
  out.mass = slider.mass, out.com = slider.mc[2] / slider.mass;
  const double shift = out.com * slider.mc[2];
  Eigen::Map<Eigen::Vector3d>(out.J) = *held + *sliding - Eigen::Vector3d(shift, shift, 0);
  return out;
}

std::array<double, 12> slider_axes_of(const Tree& leg) {
  const Eigen::Matrix3d root = rotation_of(leg.bodies[0]);
  const Eigen::Vector3d a = root.col(2), second = root * rotation_of(leg.bodies[1]).col(2);
  std::array<double, 12> out;
  Eigen::Map<Eigen::Matrix3d> axes(out.data());
  axes << a, second, a.cross(second);
  Eigen::Map<Eigen::Vector3d>(out.data() + 9) = axes.transpose() * Eigen::Map<const Eigen::Vector3d>(leg.gravity);
  return out;
}

}  // namespace verne
