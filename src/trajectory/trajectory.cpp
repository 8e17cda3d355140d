#include "verne/trajectory/trajectory.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace verne {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw std::invalid_argument("Trajectory: " + text);
}

}  // namespace

Trajectory::Trajectory(SplineBasis basis, Eigen::VectorXd lengths, Eigen::MatrixXd control_points)
    : basis_(std::move(basis)), lengths_(std::move(lengths)), control_points_(std::move(control_points)) {
  if (lengths_.size() != basis_.spans()) {
    refuse(std::to_string(lengths_.size()) + " lengths for " + std::to_string(basis_.spans()) + " spans");
  }
  if (!(lengths_.minCoeff() > 0) || !lengths_.allFinite()) refuse("every length must be positive and finite");
  if (control_points_.rows() != basis_.control_points()) {
    refuse(std::to_string(control_points_.rows()) + " rows of control points, " +
           std::to_string(basis_.control_points()) + " expected");
  }
}

Place Trajectory::place(double time) const {
  double start = 0;
  int span = 0;
  while (span + 1 < basis_.spans() && time >= start + lengths_[span]) start += lengths_[span++];
  return {span, std::clamp((time - start) / lengths_[span], 0.0, 1.0)};
}

double Trajectory::time(const Place& place) const {
  return lengths_.head(place.span).sum() + place.fraction * lengths_[place.span];
}

Eigen::VectorXd Trajectory::at(const Place& place, int order) const {
  if (order < 0 || order >= kSplineOrders) {
    refuse("derivatives of order 0 to " + std::to_string(kSplineOrders - 1) + " are known, not " +
           std::to_string(order));
  }
  BasisAt basis;
  basis_.evaluate(place.span, place.fraction, lengths_, SplineBasis::Want::values, basis);
  return control_points_.middleRows(basis.first_control_point, basis_.degree() + 1).transpose() *
         basis.value.row(order).transpose();
}

Trajectory Trajectory::with_knot(const Place& place) const {
  const auto [span, fraction] = place;
  std::vector<int> multiplicities = basis_.multiplicities();
  Eigen::VectorXd lengths = lengths_;
  if (span < 0 || span >= basis_.spans() || !(fraction >= 0 && fraction < 1) || (span == 0 && fraction == 0)) {
    refuse("no knot can be added at fraction " + std::to_string(fraction) + " of span " + std::to_string(span));
  }
  if (fraction == 0) {
    ++multiplicities[span - 1];
  } else {
    multiplicities.insert(multiplicities.begin() + span, 1);
    lengths.resize(lengths_.size() + 1);
    lengths << lengths_.head(span), fraction * lengths_[span], (1 - fraction) * lengths_[span],
        lengths_.tail(lengths_.size() - span - 1);
  }
  SplineBasis basis(basis_.degree(), std::move(multiplicities));  // refuses a breakpoint that counts too often

  // (8) The new points near the knot lie on the legs of the old polygon; those before and after it are kept.
  const int p = basis_.degree(), first = basis_.first_control_point(span), count = basis_.control_points();
  const std::vector<double> knots = basis_.knots(lengths_);
  const double start = knots[first + p], time = start + fraction * lengths_[span];
  Eigen::MatrixXd points(count + 1, coordinates());
  points.topRows(first + 1) = control_points_.topRows(first + 1);
  points.bottomRows(count - first - p) = control_points_.bottomRows(count - first - p);
  for (int i = first + 1; i <= first + p; ++i) {
    const double share = (time - knots[i]) / (knots[i + p] - knots[i]);
    points.row(i) = (1 - share) * control_points_.row(i - 1) + share * control_points_.row(i);
  }
  return Trajectory(std::move(basis), std::move(lengths), std::move(points));
}

}  // namespace verne
