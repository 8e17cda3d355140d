#include <Eigen/QR>
#include <numeric>
#include <stdexcept>

#include "trajectory/basis_at.h"
#include "verne/trajectory/trajectory.h"

namespace verne {
namespace {

/// Control points of the straight line at constant speed between two rows: they lie at the means of their `degree`
/// inner knots (Greville).
Eigen::MatrixXd straight_line(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                              const Eigen::RowVectorXd& start, const Eigen::RowVectorXd& end) {
  const std::vector<double> knots = basis.knots(lengths);
  Eigen::MatrixXd points(basis.control_points(), start.size());
  for (int i = 0; i < basis.control_points(); ++i) {
    const auto first = knots.begin() + i + 1;
    const double share = std::accumulate(first, first + basis.degree(), 0.0) / (basis.degree() * knots.back());
    points.row(i) = (1 - share) * start + share * end;
  }
  points.bottomRows(1) = end;  // the sum above may round
  return points;
}

/// One row of basis functions per place.
Eigen::MatrixXd collocation(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                            const std::vector<Place>& places) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<int>(places.size()), basis.control_points());
  BasisAt at;
  for (std::size_t k = 0; k < places.size(); ++k) {
    at.evaluate(basis, places[k].span, places[k].fraction, lengths, SplineBasis::Want::values);
    matrix.row(static_cast<int>(k)).segment(at.first_control_point, basis.degree() + 1) = at.value.row(0);
  }
  return matrix;
}

}  // namespace

void fit_control_points(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                        const std::vector<Place>& places, const Eigen::Ref<const Eigen::MatrixXd>& values,
                        Eigen::Ref<Eigen::MatrixXd> points) {
  if (places.size() < 2 || values.cols() != static_cast<Eigen::Index>(places.size())) {
    throw std::invalid_argument(
        "fit_control_points: there must be one column of values for each of at least two places");
  }
  const Place &first = places.front(), &last = places.back();
  if (first.span != 0 || first.fraction != 0 || last.span != basis.spans() - 1 || last.fraction != 1) {
    throw std::invalid_argument("fit_control_points: the places must run from the start of the curve to its end");
  }
  if (points.rows() != basis.control_points() || points.cols() != values.rows()) {
    throw std::invalid_argument("fit_control_points: the result must have one row per control point");
  }
  points = straight_line(basis, lengths, values.leftCols(1).transpose(), values.rightCols(1).transpose());
  const int inner = basis.control_points() - 2;
  if (inner > 0) {
    const Eigen::MatrixXd matrix = collocation(basis, lengths, places);
    const Eigen::MatrixXd rest = values.transpose() - matrix * points;
    points.middleRows(1, inner) += matrix.middleCols(1, inner).completeOrthogonalDecomposition().solve(rest);
  }
}

}  // namespace verne
