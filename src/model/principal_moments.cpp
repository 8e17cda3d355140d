#include "model/principal_moments.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace verne {

namespace {

// Room for rounding in files, relative to the sum of the principal moments.
constexpr double kTriangleTolerance = 1e-6;

}  // namespace

Vec3<double> principal_moments(const Sym3<double>& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Vector3d J =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  return {J[0], J[1], J[2]};
}

std::optional<PlausibilityKind> implausibility_of(double mass, const Vec3<double>& J) {
  const double room = kTriangleTolerance * (std::fabs(J.x) + std::fabs(J.y) + std::fabs(J.z));
  if (room == 0) return std::nullopt;
  if (J.x < -room) return PlausibilityKind::negative_moment;
  if (J.z > J.x + J.y + room) return PlausibilityKind::triangle_inequality;
  if (mass == 0) return PlausibilityKind::inertia_without_mass;
  return std::nullopt;
}

}  // namespace verne
