/// Equations: docs/theory/inertia.md.
#include "verne/model/repair.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "model/principal_moments.h"

namespace verne {

namespace {

// Of the largest eigenvalue: a body a thousandth as thick as it is long.
constexpr double kFloor = 1e-6;

/// The nearest inertia about the centre of mass that a body has: equation (3).
Sym3<double> nearest_physical(const Sym3<double>& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const Eigen::Matrix3d sigma = 0.5 * matrix.trace() * Eigen::Matrix3d::Identity() - matrix;  // (1)
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(sigma);
  const double floor = kFloor * std::max(0.0, solver.eigenvalues()[2]);
  const Eigen::Vector3d raised = solver.eigenvalues().cwiseMax(floor);
  const Eigen::Matrix3d axes = solver.eigenvectors();
  const Eigen::Matrix3d found =
      raised.sum() * Eigen::Matrix3d::Identity() - axes * raised.asDiagonal() * axes.transpose();  // (2)
  return {found(0, 0), found(0, 1), found(0, 2), found(1, 1), found(1, 2), found(2, 2)};
}

}  // namespace

std::vector<InertiaRepair> repair_inertias(ModelSpec& spec) {
  std::vector<InertiaRepair> repairs;
  for (LinkSpec& link : spec.links) {
    const Vec3<double> before = principal_moments(link.inertia);
    const auto why = implausibility_of(link.mass, before);
    if (!why || link.first_moment) continue;
    InertiaRepair repair{link.name, *why, link.mass, link.mass, before, before};
    if (*why != PlausibilityKind::inertia_without_mass) link.inertia = nearest_physical(link.inertia);
    repair.moments_after = principal_moments(link.inertia);
    if (link.mass == 0) link.mass = repair.moments_after.z / (kLargestGyrationRadius * kLargestGyrationRadius);  // (4)
    repair.mass_after = link.mass;
    repairs.push_back(std::move(repair));
  }
  return repairs;
}

}  // namespace verne
