/// Factors of a body's inertia, by which kernels turn it about an axis.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "model/tree.h"

namespace verne {

/// Spread is the largest principal moment, u and w span the plane of the other two, turned within it so that w has no
/// z component.
inline InertiaFactors factors_of(const Eigen::Matrix3d& I) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  const Eigen::Vector3d moments = principal.eigenvalues();
  const Eigen::Vector3d a = principal.eigenvectors().col(0) * std::sqrt(std::max(0.0, moments[2] - moments[0]));
  const Eigen::Vector3d b = principal.eigenvectors().col(1) * std::sqrt(std::max(0.0, moments[2] - moments[1]));
  const double length = std::hypot(a.z(), b.z());
  const double cosine = length > 0 ? a.z() / length : 1, sine = length > 0 ? b.z() / length : 0;
  const Eigen::Vector3d u = cosine * a + sine * b, w = cosine * b - sine * a;
  return {moments[2], {u.x(), u.y(), u.z()}, {w.x(), w.y()}};
}

/// About its origin and about its centre of mass.
inline void factor_inertia(TreeBody& body) {
  const double* const I = body.I;
  Eigen::Matrix3d about_origin;
  about_origin << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  body.factors = factors_of(about_origin);
  const Eigen::Vector3d mc(body.mc[0], body.mc[1], body.mc[2]);
  const Eigen::Vector3d c = body.mass != 0 ? Eigen::Vector3d(mc / body.mass) : Eigen::Vector3d::Zero();
  std::copy(c.data(), c.data() + 3, body.com);
  body.central = factors_of(about_origin - c.dot(mc) * Eigen::Matrix3d::Identity() + c * mc.transpose());
}

}  // namespace verne
