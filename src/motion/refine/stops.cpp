#include "motion/refine/stops.h"

#include <algorithm>
#include <vector>

namespace verne {

namespace {

constexpr int kAlongPoints = 14;  // control points of a stop along the way

}  // namespace

Trajectory slowed(const Trajectory& motion, double time, double duration) {
  const int degree = std::max(3, motion.basis().degree());
  const SplineBasis basis(degree, kAlongPoints - degree);
  const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(basis.spans(), duration / basis.spans());
  std::vector<Place> places;
  const int count = 8 * kAlongPoints;
  Eigen::MatrixXd values(motion.coordinates(), count);
  for (int k = 0; k < count; ++k) {
    const double u = k / (count - 1.0), s = time + duration * (u - u * u * u + u * u * u * u / 2);
    const int span = std::min(static_cast<int>(u * basis.spans()), basis.spans() - 1);
    places.push_back({span, u * basis.spans() - span});
    values.col(k) = motion.at(std::min(s, motion.duration()));
  }
  Eigen::MatrixXd points = fit_control_points(basis, lengths, places, values);
  // The state at its begin, and rest at its end, exactly: control points that these derivatives are made of.
  const double h = lengths[0];
  const Eigen::VectorXd v = motion.at(time, 1), a = motion.at(time, 2);
  const double p = degree;
  points.row(1) = points.row(0) + (v * (h / p)).transpose();
  points.row(2) = (a * (2 * h * h / (p * (p - 1)))).transpose() + 3 * points.row(1) - 2 * points.row(0);
  const Eigen::Index last = points.rows() - 1;
  points.row(last - 1) = points.row(last - 2) = points.row(last);
  return {basis, lengths, points};
}

Trajectory rest_of(const Trajectory& motion, double time, double at_rest) {
  constexpr double kAtBreakpoint = 1e-9;  // of a span
  const int spans = motion.basis().spans();
  Place at = motion.place(time);
  if (at.fraction > 1 - kAtBreakpoint) at = {at.span + 1, 0};
  if (at.span >= spans) {
    const SplineBasis still(motion.basis().degree(), 1);
    const Eigen::RowVectorXd q = motion.at(motion.duration()).transpose();
    return {still, Eigen::VectorXd::Constant(1, at_rest), q.replicate(still.control_points(), 1)};
  }
  if (at.fraction < kAtBreakpoint) return motion.piece(at.span, spans);
  return motion.with_knot(at).piece(at.span + 1, spans + 1);
}

// With the begin's velocity v and acceleration a, and r = part of the duration T: the acceleration is linear between a,
// −d, −d and 0 at 0, r, T − r and T. It ends at rest for d = (v + a r / 2) / (T − r). A cubic spline on these knots has
// such accelerations; its control points follow by integrating its derivatives' ones.
Trajectory braked(const Trajectory& motion, double time, double duration, double part) {
  const double ramp = part * duration, rest = duration - ramp;
  const Eigen::RowVectorXd q = motion.at(time).transpose(), v = motion.at(time, 1).transpose();
  const Eigen::RowVectorXd v_ramp = v + motion.at(time, 2).transpose() * (ramp / 2);  // = d (T − r)
  Eigen::MatrixXd points(6, q.size());
  points.row(0) = q;
  points.row(1) = points.row(0) + v * (ramp / 3);
  points.row(2) = points.row(1) + v_ramp * (rest / 3);
  points.row(3) = points.row(2) + v_ramp * (duration / 6);
  points.row(5) = points.row(4) = points.row(3);
  return {SplineBasis(3, 3), Eigen::Vector3d(ramp, duration - 2 * ramp, ramp), points};
}

}  // namespace verne
