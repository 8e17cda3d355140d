#include "structures/held_directions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decompositions.h"

namespace verne {

namespace {

/// Of the largest singular value, at a singularity itself; it vanishes smoothly where a direction is no longer weak.
/// Velocities along a weak direction err by the acceleration that it lacks, for as long as it is weaker than this.
constexpr double kPassageDamping = kNearSingular / 100;

double damping_of(double value, double largest) {
  const double weak = kNearSingular * largest;
  if (value >= weak) return 0;
  const double part = 1 - value * value / (weak * weak), most = kPassageDamping * largest * part;
  return most * most;
}

}  // namespace

HeldDirections::HeldDirections(MechanismData<double>::Parts& parts, std::vector<int> free, Equations at_least)
    : p_(parts), free_(std::move(free)), column_scale_(p_.c.column_scale(free_)) {
  take(p_.c.rows);
  const Eigen::Index last = held_.values.size() - 1;
  nearly_singular_ = last >= 0 && !(held_.values[last] >= kNearSingular * held_.values[0]);
  if (nearly_singular_ || at_least == Equations::all) {
    std::vector<int> all(static_cast<std::size_t>(p_.c.layout.equations));
    std::iota(all.begin(), all.end(), 0);
    take(all);
  }
  damping_.resize(held_.values.size());
  for (Eigen::Index i = 0; i <= last; ++i) damping_[i] = damping_of(held_.values[i], held_.values[0]);
}

void HeldDirections::take(const std::vector<int>& rows) {
  rows_ = rows;
  row_scale_ = p_.c.row_scale(rows_);
  const Eigen::MatrixXd J = row_scale_.asDiagonal() * p_.system.J(rows_, free_) * column_scale_.asDiagonal();
  const std::size_t rank = std::min(p_.c.rows.size(), free_.size());
  held_ = singular_directions(J, static_cast<Eigen::Index>(rank));
}

Eigen::VectorXd HeldDirections::along_held(const Eigen::VectorXd& by) const {
  return held_.U.transpose() * row_scale_.cwiseProduct(by(rows_));
}

Eigen::VectorXd HeldDirections::least_change(const Eigen::VectorXd& by) const {
  const Eigen::ArrayXd weights = held_.values.array() / (held_.values.array().square() + damping_.array());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(p_.model.nv());
  x(free_) = column_scale_.cwiseProduct(held_.V * weights.matrix().cwiseProduct(along_held(by)));
  return x;
}

/// Of [M VΣ; ΣVᵀ -damping], each direction divided by its length √(σ² + damping).
HeldDirections::Balance HeldDirections::balance(const Eigen::VectorXd& forces, const Eigen::VectorXd& by) const {
  const auto n = static_cast<Eigen::Index>(free_.size()), r = held_.values.size();
  const Eigen::MatrixXd M = column_scale_.asDiagonal() * p_.system.terms.M(free_, free_) * column_scale_.asDiagonal();
  const double mass = n == 0 ? 1 : M.diagonal().maxCoeff();
  const Eigen::VectorXd lengths = (held_.values.array().square() + damping_.array()).sqrt();
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + r, n + r);
  system.topLeftCorner(n, n) = M / mass;
  system.topRightCorner(n, r) = held_.V * held_.values.cwiseQuotient(lengths).asDiagonal();
  system.bottomLeftCorner(r, n) = system.topRightCorner(n, r).transpose();
  system.bottomRightCorner(r, r).diagonal() = -damping_.cwiseQuotient(lengths.cwiseAbs2());
  Eigen::VectorXd right(n + r);
  right.head(n) = column_scale_.cwiseProduct(forces(free_)) / mass;
  right.tail(r) = along_held(by).cwiseQuotient(lengths);
  const Eigen::VectorXd found = solution(system, right);
  Balance balance{Eigen::VectorXd::Zero(p_.model.nv()), Eigen::VectorXd::Zero(p_.c.layout.equations)};
  balance.x(free_) = column_scale_.cwiseProduct(found.head(n));
  balance.lambda(rows_) = -mass * row_scale_.cwiseProduct(held_.U * found.tail(r).cwiseQuotient(lengths));
  return balance;
}

}  // namespace verne
