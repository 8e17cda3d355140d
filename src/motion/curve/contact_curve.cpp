#include "motion/curve/contact_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decompositions.h"
#include "trajectory/basis_at.h"

namespace verne {

namespace {

constexpr int kSmooth = 3;  // degree of splines that can begin with no slope and still do as they like

Vec3<double> unit(const Vec3<double>& x) {
  return x * (1 / std::sqrt(dot(x, x)));
}

}  // namespace

ContactCurve::ContactCurve(const Model& model, const GroundSpec& task, int degree, const SpanRange& spans,
                           const Eigen::VectorXd& lengths, int first_variable, std::vector<GripSpec> grips)
    : grips_(std::move(grips)), spans_(spans), first_variable_(first_variable) {
  for (std::size_t i = 0; i < task.supports.size() && task.contact_variables; ++i) {
    for (const ContactPoint& point : task.supports[i].contacts) contacts_.push_back({point, static_cast<int>(i)});
  }
  if (components() == 0) return;
  for (const SupportSpec& support : task.supports) shares_.push_back({support.share_from, support.share_to});
  // (16): one is the weight of the model
  const Vec3<double> gravity = model.gravity(), up = unit(gravity * -1.0);
  const Vec3<double> x = std::abs(up.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
  const Vec3<double> ahead = unit(x - up * dot(x, up)), aside = cross(up, ahead);
  weight_ = model.mass() * std::sqrt(dot(gravity, gravity));
  const Vec3<double> ways[kEdges] = {ahead, ahead * -1.0, aside, aside * -1.0};
  for (int k = 0; k < kEdges && contacts() > 0; ++k) edges_[k] = (up + ways[k] * task.friction) * weight_;
  // As smooth as accelerations are. Where contacts can give whatever the motion takes, they have all the points that a
  // span of the curve has: what a contact bears bends more than accelerations do.
  const int as_acceleration = std::max(1, degree - 2), full = std::max(1, degree);
  const int own = task.contacts_give_all ? full : as_acceleration;
  basis_.emplace(own, std::vector<int>(spans.end - spans.first - 1, own - as_acceleration + 1));
  lengths_ = lengths.segment(spans.first, spans.end - spans.first);
}

Vec3<double> ContactCurve::force(int c, const double* components) const {
  Vec3<double> sum{0, 0, 0};
  for (int k = 0; k < kEdges; ++k) sum = sum + edges_[k] * components[kEdges * c + k];
  return sum;
}

int ContactCurve::variable(int span, int point, int component) const {
  return first_variable_ + (basis_->first_control_point(span - spans_.first) + point) * components() + component;
}

Eigen::VectorXd ContactCurve::functions(const Place& place) const {
  BasisAt at;
  at.evaluate(*basis_, place.span - spans_.first, place.fraction, lengths_, SplineBasis::Want::values);
  return at.value.row(0);
}

bool ContactCurve::borne(int point, int component) const {
  if (component >= of_grip(0)) return true;
  const auto& [from, to] = shares_[support(component / kEdges)];
  const int unborne = basis_->degree() >= kSmooth ? 2 : 1;  // at an end: nothing there, and no slope
  return !(point < unborne && from == 0) && !(point + unborne >= basis_->control_points() && to == 0);
}

Interval ContactCurve::bounds(int component) const {
  const int of = component - of_grip(0), k = of % kWrench;
  if (of < 0) return {0, kInfinity};
  const double most = k + 1 == kWrench ? grips_[of / kWrench].moment / grip_unit(k) : kInfinity;
  return {-most, most};
}

std::vector<Place> ContactCurve::places() const {
  const std::vector<double> knots = basis_->knots(lengths_);
  const Trajectory time(*basis_, lengths_, Eigen::MatrixXd::Zero(basis_->control_points(), 1));
  std::vector<Place> places;
  for (int c = 0; c < basis_->control_points(); ++c) {  // means of knots
    double sum = 0;
    for (int k = 1; k <= basis_->degree(); ++k) sum += knots[c + k];
    Place place = time.place(sum / basis_->degree());
    if (c + 1 == basis_->control_points()) place = {basis_->spans() - 1, 1.0};
    places.push_back({place.span + spans_.first, place.fraction});
  }
  return places;
}

Eigen::VectorXd ContactCurve::variables(const Eigen::MatrixXd& components) const {
  const std::vector<Place> at = places();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(components.cols(), components.cols());
  for (std::size_t n = 0; n < at.size(); ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    A.row(row).segment(basis_->first_control_point(at[n].span - spans_.first), points()) = functions(at[n]);
  }
  Eigen::MatrixXd factors = solution(A, components.transpose()).transpose();
  for (Eigen::Index k = 0; k < factors.rows(); ++k) {
    const Interval within = bounds(static_cast<int>(k));
    factors.row(k) = factors.row(k).cwiseMax(within.lower).cwiseMin(within.upper);
  }
  return factors.reshaped();
}

Eigen::VectorXd ContactCurve::variables(const Trajectory& curve) const {
  const std::vector<Place> at = places();
  Eigen::MatrixXd values(components(), at.size());
  double whole = 0;
  for (const double length : lengths_) whole += length;
  for (std::size_t n = 0; n < at.size(); ++n) {
    const int span = at[n].span - spans_.first;
    const double part = (lengths_.head(span).sum() + at[n].fraction * lengths_[span]) / whole;
    const bool last = n + 1 == at.size();
    const Place there = last ? Place{curve.basis().spans() - 1, 1.0} : curve.place(part * curve.duration());
    values.col(static_cast<Eigen::Index>(n)) = curve.at(there);
  }
  return variables(values);
}

Trajectory ContactCurve::trajectory(const double* variables) const {
  const Eigen::Map<const Eigen::MatrixXd> factors(variables, components(), basis_->control_points());
  return {*basis_, lengths_, factors.transpose()};
}

}  // namespace verne
