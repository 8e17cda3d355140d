#include "motion/nodes.h"

#include <algorithm>
#include <cmath>

#include "trajectory/basis_at.h"

namespace verne {

Nodes::Nodes(const CurveVariables& curve, std::vector<Place> places)
    : curve_(curve), places_(std::move(places)), basis_(places_.size()), z_(kStateOrders * curve.dofs, places_.size()) {
  const SplineBasis& basis = curve_.basis;
  for (int span = 0; span < basis.spans(); ++span) {
    std::vector<int> variables;
    for (int c = 0; c <= basis.degree(); ++c) {
      for (int i = 0; i < curve_.dofs; ++i) {
        variables.push_back(curve_.control_point(basis.first_control_point(span) + c, i));
      }
    }
    timing_.push_back(curve_.timing_of_span(span));
    for (const int g : timing_.back()) variables.push_back(curve_.timing(g));
    variables_.push_back(std::move(variables));
  }
  if (curve_.groups != 1) return;
  // With one timing variable the basis only scales: (d-th derivative at duration T) = (at duration 1) / T^d.
  const Eigen::VectorXd lengths = Eigen::Map<const Eigen::VectorXd>(curve_.fraction.data(), basis.spans());
  BasisAt at;
  for (const Place& place : places_) {
    at.evaluate(basis, place.span, place.fraction, lengths, SplineBasis::Want::values);
    unit_.push_back(at.value);
  }
}

void Nodes::scale_basis(int node, double duration) {
  Basis& b = basis_[node];
  b.value = unit_[node];
  b.by_timing.resize(1), b.by_timings.resize(1);
  b.by_timing[0] = b.by_timings[0] = unit_[node];
  for (int d = 0; d < kStateOrders; ++d) {
    const double scale = std::pow(duration, -d);
    b.value.row(d) *= scale;
    b.by_timing[0].row(d) *= -d * scale / duration;
    b.by_timings[0].row(d) *= d * (d + 1) * scale / (duration * duration);
  }
}

void Nodes::evaluate_basis(int node, const Eigen::VectorXd& lengths, SplineBasis::Want want) {
  const int span = places_[node].span;
  const std::vector<int>& timing = timing_[span];
  const std::size_t count = timing.size();
  Basis& b = basis_[node];
  BasisAt at;
  at.evaluate(curve_.basis, span, places_[node].fraction, lengths, want);
  b.value = at.value;
  const auto local = [&](int length) {  // timing variable that a length belongs to
    const int g = curve_.group[at.first_length + length];
    return std::find(timing.begin(), timing.end(), g) - timing.begin();
  };
  if (want == SplineBasis::Want::values) return;
  b.by_timing.assign(count, Eigen::MatrixXd::Zero(at.value.rows(), at.value.cols()));
  for (int k = 0; k < at.lengths; ++k) {
    b.by_timing[local(k)] += curve_.fraction[at.first_length + k] * at.by_length[k];
  }
  if (want == SplineBasis::Want::first_derivatives) return;
  b.by_timings.assign(count * count, Eigen::MatrixXd::Zero(at.value.rows(), at.value.cols()));
  for (int k = 0; k < at.lengths; ++k) {
    for (int l = 0; l < at.lengths; ++l) {
      b.by_timings[local(k) * count + local(l)] += curve_.fraction[at.first_length + k] *
                                                   curve_.fraction[at.first_length + l] *
                                                   at.by_lengths[k * at.lengths + l];
    }
  }
}

Eigen::VectorXd Nodes::state(int node, const Eigen::MatrixXd& basis, std::span<const double> x) const {
  const int first = curve_.basis.first_control_point(places_[node].span);
  const Eigen::Map<const Eigen::MatrixXd> points(x.data() + curve_.control_point(first, 0), curve_.dofs, basis.cols());
  Eigen::VectorXd z(kStateOrders * curve_.dofs);
  z.reshaped(curve_.dofs, kStateOrders).noalias() = points * basis.transpose();
  return z;
}

void Nodes::evaluate(std::span<const double> x, SplineBasis::Want want) {
  const Eigen::VectorXd lengths = curve_.lengths(x);
  for (int n = 0; n < count(); ++n) {
    if (curve_.groups == 1) {
      scale_basis(n, x[curve_.timing(0)]);
    } else {
      evaluate_basis(n, lengths, want);
    }
    Basis& b = basis_[n];
    z_.col(n) = state(n, b.value, x);
    if (want == SplineBasis::Want::values) continue;
    b.z_by_timing.resize(z_.rows(), b.by_timing.size());
    for (std::size_t k = 0; k < b.by_timing.size(); ++k) b.z_by_timing.col(k) = state(n, b.by_timing[k], x);
    if (want == SplineBasis::Want::first_derivatives) continue;
    b.z_by_timings.resize(z_.rows(), b.by_timings.size());
    for (std::size_t k = 0; k < b.by_timings.size(); ++k) b.z_by_timings.col(k) = state(n, b.by_timings[k], x);
  }
}

void Nodes::pull_back(int node, const double* gradient_z, double* gradient) const {
  const Basis& b = basis_[node];
  const int nv = curve_.dofs, points = static_cast<int>(b.value.cols());
  const Eigen::Map<const Eigen::MatrixXd> g(gradient_z, nv, kStateOrders);
  Eigen::Map<Eigen::MatrixXd>(gradient, nv, points).noalias() = g * b.value;
  Eigen::Map<Eigen::VectorXd>(gradient + nv * points, b.z_by_timing.cols()).noalias() =
      b.z_by_timing.transpose() * Eigen::Map<const Eigen::VectorXd>(gradient_z, kStateOrders * nv);
}

void Nodes::pull_back(int node, const double* gradient_z, const Eigen::MatrixXd& H_z, Eigen::MatrixXd& H) const {
  const Basis& b = basis_[node];
  const int nv = curve_.dofs, points = static_cast<int>(b.value.cols());
  const int timings = static_cast<int>(b.by_timing.size());
  // Control points: B_dᵀ H_z[d, e] B_e for each pair of freedoms
  Eigen::Matrix<double, kStateOrders, kStateOrders> block;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 10, 10> local(points, points);  // degree 9 at most
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k <= i; ++k) {
      for (int d = 0; d < kStateOrders; ++d) {
        for (int e = 0; e < kStateOrders; ++e) block(d, e) = H_z(d * nv + i, e * nv + k);
      }
      local.noalias() = b.value.transpose() * (block * b.value).eval();
      for (int c = 0; c < points; ++c) {
        for (int e = 0; e < points; ++e) {
          const int row = c * nv + i, column = e * nv + k;
          if (row >= column) {
            H(row, column) += local(c, e);
          } else if (i != k) {  // the mirror image, (k, i), is not visited
            H(column, row) += local(c, e);
          }
        }
      }
    }
  }
  for (int k = 0; k < timings; ++k) {
    const Eigen::VectorXd carried = H_z * b.z_by_timing.col(k);
    Eigen::VectorXd row(nv * points);
    Eigen::Map<Eigen::MatrixXd> entries(row.data(), nv, points);
    entries.noalias() = Eigen::Map<const Eigen::MatrixXd>(carried.data(), nv, kStateOrders) * b.value;
    entries.noalias() += Eigen::Map<const Eigen::MatrixXd>(gradient_z, nv, kStateOrders) * b.by_timing[k];
    H.row(nv * points + k).head(nv * points) += row.transpose();
    for (int l = 0; l <= k; ++l) {
      H(nv * points + k, nv * points + l) +=
          carried.dot(b.z_by_timing.col(l)) +
          Eigen::Map<const Eigen::VectorXd>(gradient_z, kStateOrders * nv).dot(b.z_by_timings.col(k * timings + l));
    }
  }
}

}  // namespace verne
