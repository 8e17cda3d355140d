#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
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

/// Basis functions at places: each has degree + 1 of them that do not vanish, of neighbouring control points.
class Collocation {
 public:
  Collocation(const SplineBasis& basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
              const std::vector<Place>& places)
      : values_(basis.degree() + 1, places.size()) {
    BasisAt at;
    for (std::size_t k = 0; k < places.size(); ++k) {
      at.evaluate(basis, places[k].span, places[k].fraction, lengths, SplineBasis::Want::values);
      values_.col(static_cast<Eigen::Index>(k)) = at.value.row(0);
      first_.push_back(at.first_control_point);
    }
  }

  /// Of the curve at all places: one row per place.
  Eigen::MatrixXd times(const Eigen::MatrixXd& points) const {
    Eigen::MatrixXd product(values_.cols(), points.cols());
    for (Eigen::Index k = 0; k < values_.cols(); ++k) {
      product.row(k) = values_.col(k).transpose() * points.middleRows(first_[k], values_.rows());
    }
    return product;
  }
  Eigen::MatrixXd transpose_times(const Eigen::MatrixXd& rows, int points) const {
    Eigen::MatrixXd product = Eigen::MatrixXd::Zero(points, rows.cols());
    for (Eigen::Index k = 0; k < values_.cols(); ++k) {
      product.middleRows(first_[k], values_.rows()) += values_.col(k) * rows.row(k);
    }
    return product;
  }
  /// The lower half of AᵀA: band(d, j) is its entry (j + d, j).
  Eigen::MatrixXd normal_band(int points) const {
    Eigen::MatrixXd band = Eigen::MatrixXd::Zero(values_.rows(), points);
    for (Eigen::Index k = 0; k < values_.cols(); ++k) {
      for (Eigen::Index j = 0; j < values_.rows(); ++j) {
        const Eigen::Index below = values_.rows() - j;
        band.col(first_[k] + j).head(below) += values_(j, k) * values_.col(k).tail(below);
      }
    }
    return band;
  }

 private:
  Eigen::MatrixXd values_;  // a column per place
  std::vector<int> first_;
};

/// L Lᵀ of a positive definite band, in its place.
void factor_band(Eigen::Ref<Eigen::MatrixXd> band) {
  for (Eigen::Index j = 0; j < band.cols(); ++j) {
    const Eigen::Index below = std::min(band.rows(), band.cols() - j) - 1;
    band(0, j) = std::sqrt(band(0, j));
    band.col(j).segment(1, below) /= band(0, j);
    for (Eigen::Index d = 1; d <= below; ++d) {
      band.col(j + d).head(below - d + 1) -= band(d, j) * band.col(j).segment(d, below - d + 1);
    }
  }
}

/// x := (L Lᵀ)⁻¹ x
void solve_band(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::Ref<Eigen::MatrixXd> x) {
  const auto below = [&](Eigen::Index j) { return std::min(L.rows(), L.cols() - j) - 1; };
  for (Eigen::Index j = 0; j < L.cols(); ++j) {
    x.row(j) /= L(0, j);
    x.middleRows(j + 1, below(j)) -= L.col(j).segment(1, below(j)) * x.row(j);
  }
  for (Eigen::Index j = L.cols() - 1; j >= 0; --j) {
    x.row(j) -= L.col(j).segment(1, below(j)).transpose() * x.middleRows(j + 1, below(j));
    x.row(j) /= L(0, j);
  }
}

constexpr double kDamping = 1e-7;  // of the largest entry of AᵀA: what the places leave open does not move
constexpr int kMostSteps = 40;     // each leaves damping / (σ² + damping) of the error, three digits of it or more

/// Moves the inner points to the least squares of the misfit: x += (AᵀA + damping)⁻¹ Aᵀ (values − A x), until nothing
/// changes any more. Residuals are those of A itself, so that the square of its condition number does no harm, and the
/// steps never leave the span of its rows, so that they end at the points nearest to those that they began with.
void improve(const Collocation& A, const Eigen::MatrixXd& values, Eigen::Ref<Eigen::MatrixXd> points) {
  const auto count = static_cast<int>(points.rows());
  const Eigen::Index inner = count - 2;
  Eigen::MatrixXd whole = A.normal_band(count);
  whole.row(0).array() += kDamping * whole.row(0).maxCoeff();
  Eigen::MatrixXd band = whole.middleCols(1, inner);
  factor_band(band);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostSteps; ++k) {
    Eigen::MatrixXd step = A.transpose_times(values - A.times(points), count).middleRows(1, inner);
    solve_band(band, step);
    const double size = step.norm();
    if (!(size < last)) return;  // rounding is all that is left
    points.middleRows(1, inner) += step;
    last = size;
  }
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
  if (basis.control_points() > 2) improve(Collocation(basis, lengths, places), values.transpose(), points);
}

}  // namespace verne
