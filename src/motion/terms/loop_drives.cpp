#include "motion/terms/loop_drives.h"

#include <algorithm>

#include "base/decompositions.h"
#include "structures/closed_dynamics.h"
#include "structures/mechanism_contents.h"

namespace verne {

namespace {

constexpr double kHeld = 1e-9;  // part of a motion that is left when drives hold all others

/// Takes the direction of a freedom out of the motions that are still free. Returns whether it held any of them.
bool hold(Eigen::RowVectorXd row, Eigen::MatrixXd& free) {
  const double size = row.norm();
  row *= free;
  const double part = row.norm();
  if (part <= kHeld * size) return false;
  // The motions that are left: what is across the row
  const Eigen::MatrixXd Q = orthonormal(row.transpose() / part);
  free = (free * Q.rightCols(free.cols() - 1)).eval();
  return true;
}

}  // namespace

std::vector<int> drives_of(const Mechanism& mechanism) {
  MechanismData<double> data(mechanism);
  const Eigen::MatrixXd G = closed_jacobian<double>(mechanism, data, mechanism.contents().reference);
  std::vector<int> drives(mechanism.actuated().begin(), mechanism.actuated().end());
  Eigen::MatrixXd free = Eigen::MatrixXd::Identity(G.cols(), G.cols());
  for (const int dof : drives) {
    if (free.cols() > 0) hold(G.row(dof), free);
  }
  for (const int dof : mechanism.independent()) {
    if (free.cols() > 0 && hold(G.row(dof), free)) drives.push_back(dof);
  }
  std::sort(drives.begin(), drives.end());
  return drives;
}

}  // namespace verne
