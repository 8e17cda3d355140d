#include "verne/trajectory/trajectory.h"

#include <algorithm>
#include <string>

#include "trajectory/basis_at.h"
#include "trajectory/refuse.h"

namespace verne {

Trajectory::Trajectory(SplineBasis basis, const Eigen::Ref<const Eigen::VectorXd>& lengths,
                       const Eigen::Ref<const Eigen::MatrixXd>& control_points)
    : basis_(std::move(basis)),
      lengths_(lengths.begin(), lengths.end()),
      control_points_(static_cast<std::size_t>(control_points.size())),
      coordinates_(static_cast<int>(control_points.cols())) {
  if (lengths.size() != basis_.spans()) {
    refuse("Trajectory", std::to_string(lengths.size()) + " lengths for " + std::to_string(basis_.spans()) + " spans");
  }
  if (!(lengths.minCoeff() > 0) || !lengths.allFinite())
    refuse("Trajectory", "every length must be positive and finite");
  if (control_points.rows() != basis_.control_points()) {
    refuse("Trajectory", std::to_string(control_points.rows()) + " rows of control points, " +
                             std::to_string(basis_.control_points()) + " expected");
  }
  Eigen::Map<Eigen::MatrixXd>(control_points_.data(), control_points.rows(), coordinates_) = control_points;
}

double Trajectory::duration() const {
  return lengths().sum();
}

Place Trajectory::place(double time) const {
  double start = 0;
  int span = 0;
  while (span + 1 < basis_.spans() && time >= start + lengths_[span]) start += lengths_[span++];
  return {span, std::clamp((time - start) / lengths_[span], 0.0, 1.0)};
}

double Trajectory::time(const Place& place) const {
  return lengths().head(place.span).sum() + place.fraction * lengths_[place.span];
}

void Trajectory::evaluate(const Place& place, int order, Eigen::Ref<Eigen::VectorXd> out) const {
  if (order < 0 || order >= kSplineOrders) {
    refuse("Trajectory", "derivatives of order 0 to " + std::to_string(kSplineOrders - 1) + " are known, not " +
                             std::to_string(order));
  }
  if (out.size() != coordinates_) refuse("Trajectory", "there are " + std::to_string(coordinates_) + " coordinates");
  BasisAt basis;
  basis.evaluate(basis_, place.span, place.fraction, lengths(), SplineBasis::Want::values);
  out.noalias() = control_points().middleRows(basis.first_control_point, basis_.degree() + 1).transpose() *
                  basis.value.row(order).transpose();
}

Trajectory Trajectory::with_knot(const Place& place) const {
  const auto [span, fraction] = place;
  std::vector<int> multiplicities = basis_.multiplicities();
  const Eigen::Map<const Eigen::VectorXd> old_lengths = this->lengths();
  const Eigen::Map<const Eigen::MatrixXd> old_points = control_points();
  Eigen::VectorXd lengths = old_lengths;
  if (span < 0 || span >= basis_.spans() || !(fraction >= 0 && fraction < 1) || (span == 0 && fraction == 0)) {
    refuse("Trajectory",
           "no knot can be added at fraction " + std::to_string(fraction) + " of span " + std::to_string(span));
  }
  if (fraction == 0) {
    ++multiplicities[span - 1];
  } else {
    multiplicities.insert(multiplicities.begin() + span, 1);
    lengths.resize(old_lengths.size() + 1);
    lengths << old_lengths.head(span), fraction * old_lengths[span], (1 - fraction) * old_lengths[span],
        old_lengths.tail(old_lengths.size() - span - 1);
  }
  SplineBasis basis(basis_.degree(), std::move(multiplicities));  // refuses a breakpoint that counts too often

  // (8) The new points near the knot lie on the legs of the old polygon; those before and after it are kept.
  const int p = basis_.degree(), first = basis_.first_control_point(span), count = basis_.control_points();
  const std::vector<double> knots = basis_.knots(old_lengths);
  const double start = knots[first + p], time = start + fraction * lengths_[span];
  Eigen::MatrixXd points(count + 1, coordinates());
  points.topRows(first + 1) = old_points.topRows(first + 1);
  points.bottomRows(count - first - p) = old_points.bottomRows(count - first - p);
  for (int i = first + 1; i <= first + p; ++i) {
    const double share = (time - knots[i]) / (knots[i + p] - knots[i]);
    points.row(i) = (1 - share) * old_points.row(i - 1) + share * old_points.row(i);
  }
  return Trajectory(std::move(basis), lengths, points);
}

Trajectory Trajectory::piece(int first, int end) const {
  if (first < 0 || first >= end || end > basis_.spans()) {
    refuse("Trajectory", "there are no spans " + std::to_string(first) + " to " + std::to_string(end));
  }
  Trajectory cut = *this;  // at breakpoints that count `degree` times, where the curve goes through a control point
  for (const int span : {first, end}) {
    if (span == 0 || span == basis_.spans()) continue;
    for (int k = basis_.multiplicities()[span - 1]; k < basis_.degree(); ++k) cut = cut.with_knot({span, 0.0});
  }
  const std::vector<int>& all = basis_.multiplicities();
  const SplineBasis basis(basis_.degree(), std::vector<int>(all.begin() + first, all.begin() + end - 1));
  return Trajectory(basis, lengths().segment(first, end - first),
                    cut.control_points().middleRows(cut.basis_.first_control_point(first), basis.control_points()));
}

}  // namespace verne
