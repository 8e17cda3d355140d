#include "structures/singularity_crossing.h"

#include <algorithm>
#include <vector>

#include "base/decompositions.h"
#include "base/singular_directions.h"
#include "structures/mechanism_parts.h"

namespace verne {

namespace {

/// A direction that turns by more than this (its cosine) from one state to the next was turned round.
constexpr double kTurnedRound = -0.5;

/// The orthogonal matrix that is nearest to A.
Eigen::MatrixXd nearest_rotation(const SingularDirections& A) {
  return A.U * A.V.transpose();
}

}  // namespace

Eigen::MatrixXd completed_equations(MechanismData<double>& data, std::span<const int> held,
                                    const Eigen::MatrixXd& before) {
  auto& p = data.parts();
  std::vector<int> free;
  for (int k = 0; k < p.model.nv(); ++k) {
    if (std::find(held.begin(), held.end(), k) == held.end()) free.push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(free.size()), r = static_cast<Eigen::Index>(p.c.rows.size());
  if (r > n) return {};
  Eigen::MatrixXd square(n, n);
  square.topRows(r) =
      p.c.row_scale(p.c.rows).asDiagonal() * p.system.J(p.c.rows, free) * p.c.column_scale(free).asDiagonal();
  const Eigen::Index left = n - r;
  Eigen::MatrixXd motions = orthonormal(square.topRows(r).transpose()).rightCols(left);
  if (left > 0 && before.rows() == n) {
    const Eigen::MatrixXd along = motions.transpose() * before.bottomRows(left).transpose();
    motions = (motions * nearest_rotation(singular_directions(along, left))).eval();
  }
  square.bottomRows(left) = motions.transpose();
  return square;
}

/// A = U Σ Vᵀ: where a singular value goes through zero, its u or v turns round, and so does that direction of U Vᵀ.
/// B = before⁻¹ after has a negative eigenvalue then, which B near the identity has not.
std::optional<double> singularity_crossing(const Eigen::MatrixXd& before, const Eigen::MatrixXd& after) {
  const Eigen::Index n = before.rows();
  if (n == 0 || after.rows() != n) return std::nullopt;
  const Eigen::MatrixXd change = solution(before, after) - Eigen::MatrixXd::Identity(n, n);
  if (change.cwiseAbs().rowwise().sum().maxCoeff() < 1) return std::nullopt;
  const SingularDirections at_start = singular_directions(before, n), at_end = singular_directions(after, n);
  const Eigen::MatrixXd turn = nearest_rotation(at_start).transpose() * nearest_rotation(at_end);
  if (!(eigenvalues((turn + turn.transpose()) / 2)[0] < kTurnedRound)) return std::nullopt;
  return at_start.values[n - 1] / (at_start.values[n - 1] + at_end.values[n - 1]);
}

}  // namespace verne
