#include "motion/curve/nodes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace verne {

Nodes::Nodes(const CurveVariables& curve, std::vector<Place> places, const ContactCurve& contacts, bool all_timing)
    : curve_(curve),
      contacts_(contacts),
      dofs_(curve.dofs + contacts.components()),
      places_(std::move(places)),
      basis_(places_.size()),
      z_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(kStateOrders) * dofs_, places_.size())) {
  const SplineBasis& basis = curve_.basis;
  std::vector<int> all(curve_.groups);
  std::iota(all.begin(), all.end(), 0);
  for (const int g : all) duration_by_timing_.push_back(curve_.duration_by_timing(g));
  for (int span = 0; span < basis.spans(); ++span) {
    std::vector<int> variables;
    for (int c = 0; c <= basis.degree(); ++c) {
      for (int i = 0; i < curve_.dofs; ++i) {
        variables.push_back(curve_.control_point(basis.first_control_point(span) + c, i));
      }
      if (!contacts_.holds(span)) continue;
      const int point = std::min(c, contacts_.points() - 1);
      for (int i = 0; i < contacts_.components(); ++i) variables.push_back(contacts_.variable(span, point, i));
    }
    timing_.push_back(all_timing ? all : curve_.timing_of_span(span));
    for (const int g : timing_.back()) variables.push_back(curve_.timing(g));
    variables_.push_back(std::move(variables));
    two_.push_back(timings(span) == 2 ? multiples_of_two(span) : Eigen::MatrixX2d());
  }
  for (int n = 0; n < count(); ++n) {
    const std::size_t timings = timing_[places_[n].span].size();
    Basis& b = basis_[n];
    b.by_timing.assign(timings, Eigen::MatrixXd(kStateOrders, points()));
    if (timings > 1) b.by_timings.assign(timings * timings, Eigen::MatrixXd(kStateOrders, points()));
    b.z_by_timing.setZero(z_.rows(), timings);
    b.z_by_timings.setZero(z_.rows(), timings * timings);
  }
  find_contact_functions();
  // With one timing variable the basis only scales: (d-th derivative at duration T) = (at duration 1) / T^d.
  const Eigen::VectorXd lengths = Eigen::Map<const Eigen::VectorXd>(curve_.fraction.data(), basis.spans());
  unit_.resize(places_.size());
  for (int n = 0; n < count(); ++n) {
    if (timings(places_[n].span) > 1) continue;
    at_.evaluate(basis, places_[n].span, places_[n].fraction, lengths, SplineBasis::Want::values);
    unit_[n] = at_.value;
  }
}

void Nodes::add_by_duration(int span, double by_duration, double* by_timing) const {
  if (by_duration == 0) return;
  for (const int g : timing_[span]) *by_timing++ += by_duration * duration_by_timing_[g];
}

void Nodes::find_contact_functions() {
  for (int n = 0; n < count() && contacts_.components() > 0; ++n) {
    basis_[n].contact = Eigen::VectorXd::Zero(points());
    basis_[n].contact.head(contacts_.points()) = contacts_.functions(places_[n]);
  }
}

/// Of each length by the two timing variables of a span.
Eigen::MatrixX2d Nodes::multiples_of_two(int span) const {
  Eigen::MatrixX2d multiples = Eigen::MatrixX2d::Zero(curve_.basis.spans(), 2);
  for (int s = 0; s < curve_.basis.spans(); ++s) {
    for (int k = 0; k < 2; ++k) multiples(s, k) = curve_.group[s] == timing_[span][k] ? curve_.fraction[s] : 0;
  }
  return multiples;
}

// (4)
void Nodes::scale(int node, double duration) {
  Basis& b = basis_[node];
  const double r = 1 / duration;
  const double powers[kStateOrders] = {1, r, r * r, r * r * r};
  b.value.resizeLike(unit_[node]);
  const double* from = unit_[node].data();
  double *value = b.value.data(), *by_timing = b.by_timing[0].data();
  for (int c = 0; c < points(); ++c) {
    for (int d = 0; d < kStateOrders; ++d, ++value) {
      *value = powers[d] * *from++;
      *by_timing++ = -d * r * *value;
    }
  }
}

// (4), as z = B P
void Nodes::scale_states(int node, double duration) {
  Basis& b = basis_[node];
  const double* z = z_.col(node).data();
  double *once = b.z_by_timing.data(), *twice = b.z_by_timings.data();
  for (int d = 0; d < kStateOrders; ++d) {
    const double first = -d / duration, second = d * (d + 1) / (duration * duration);
    for (int i = 0; i < dofs_; ++i, ++z) *once++ = first * *z, *twice++ = second * *z;
  }
}

void Nodes::evaluate_basis(int node, SplineBasis::Want want) {
  const int span = places_[node].span;
  const std::vector<int>& timing = timing_[span];
  const std::size_t count = timing.size();
  Basis& b = basis_[node];
  if (count == 2) {
    at_.evaluate(curve_.basis, span, places_[node].fraction, lengths_, want, &two_[span]);
    b.value = at_.value;
    std::copy(at_.by_length.begin(), at_.by_length.end(), b.by_timing.begin());
    std::copy(at_.by_lengths.begin(), at_.by_lengths.end(), b.by_timings.begin());
    return;
  }
  at_.evaluate(curve_.basis, span, places_[node].fraction, lengths_, want);
  b.value = at_.value;
  const auto local = [&](int length) {  // timing variable that a length belongs to
    const int g = curve_.group[at_.first_length + length];
    return std::find(timing.begin(), timing.end(), g) - timing.begin();
  };
  if (want == SplineBasis::Want::values) return;
  for (Eigen::MatrixXd& matrix : b.by_timing) matrix.setZero();
  for (int k = 0; k < at_.lengths; ++k) {
    b.by_timing[local(k)] += curve_.fraction[at_.first_length + k] * at_.by_length[k];
  }
  if (want == SplineBasis::Want::first_derivatives) return;
  for (Eigen::MatrixXd& matrix : b.by_timings) matrix.setZero();
  for (int k = 0; k < at_.lengths; ++k) {
    for (int l = 0; l < at_.lengths; ++l) {
      b.by_timings[local(k) * count + local(l)] += curve_.fraction[at_.first_length + k] *
                                                   curve_.fraction[at_.first_length + l] *
                                                   at_.by_lengths[k * at_.lengths + l];
    }
  }
}

void Nodes::state(int node, const Eigen::MatrixXd& basis, std::span<const double> x, double* out) const {
  const int first = curve_.basis.first_control_point(places_[node].span), nv = curve_.dofs;
  const double* const control_points = x.data() + curve_.control_point(first, 0);
  const auto sum = [&](int order, int orders) {
    nlp::panel_kernels().combine_rows(control_points, points(), nv, {basis.data() + order, kStateOrders, 1, orders},
                                      out + order * dofs_);
  };
  if (dofs_ == nv) return sum(0, kStateOrders);
  for (int d = 0; d < kStateOrders; ++d) sum(d, 1);  // what contacts bear stands between
}

void Nodes::evaluate_contacts(int node, std::span<const double> x) {
  const int span = places_[node].span;
  for (int i = 0; i < contacts_.components(); ++i) {
    double sum = 0;
    for (int c = 0; c < contacts_.points(); ++c) sum += basis_[node].contact[c] * x[contacts_.variable(span, c, i)];
    z_(curve_.dofs + i, node) = sum;
  }
}

void Nodes::evaluate(std::span<const double> x, SplineBasis::Want want) {
  if (!evaluates_all()) lengths_ = curve_.lengths(x);
  for (int n = 0; n < count(); ++n) {
    Basis& b = basis_[n];
    evaluate_contacts(n, x);
    const std::vector<int>& timing = timing_[places_[n].span];
    if (timing.size() == 1) {
      const double duration = x[curve_.timing(timing[0])];
      scale(n, duration);
      state(n, b.value, x, z_.col(n).data());
      scale_states(n, duration);
      continue;
    }
    evaluate_basis(n, want);
    state(n, b.value, x, z_.col(n).data());
    if (want == SplineBasis::Want::values) continue;
    for (std::size_t k = 0; k < b.by_timing.size(); ++k) state(n, b.by_timing[k], x, b.z_by_timing.col(k).data());
    if (want == SplineBasis::Want::first_derivatives) continue;
    for (std::size_t k = 0; k < b.by_timings.size(); ++k) state(n, b.by_timings[k], x, b.z_by_timings.col(k).data());
  }
}

// (13)
void Nodes::pull_back(int node, const double* gradient_z, double* gradient) const {
  const Basis& b = basis_[node];
  nlp::panel_kernels().combine_rows(gradient_z, kStateOrders, dofs_, b.by_order(), gradient);
  for (int c = 0; c < points(); ++c, gradient += dofs_) {
    for (int i = curve_.dofs; i < dofs_; ++i) gradient[i] = b.contact[c] * gradient_z[i];
  }
  const Eigen::Map<const Eigen::VectorXd> g(gradient_z, static_cast<Eigen::Index>(kStateOrders) * dofs_);
  for (Eigen::Index k = 0; k < b.z_by_timing.cols(); ++k) *gradient++ = b.z_by_timing.col(k).dot(g);
}

}  // namespace verne
