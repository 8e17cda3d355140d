#include "motion/values/span_hessians.h"

#include <algorithm>

namespace verne {

namespace {

using Run = Eigen::Map<Eigen::ArrayXd>;
using ConstRun = Eigen::Map<const Eigen::ArrayXd>;

constexpr int kCarriedOrders = 3;  // second derivatives know no jerk

/// Pairs of n: with equal ones, or without.
constexpr int with_equal(int n) {
  return n * (n + 1) / 2;
}
constexpr int without_equal(int n) {
  return n * (n - 1) / 2;
}

}  // namespace

SpanHessians::SpanHessians(const Nodes& nodes, DofPairs pairs)
    : nodes_(&nodes), pairs_(std::move(pairs)), first_(nodes.curve().basis.spans()) {
  for (const Place& place : nodes.places()) spans_.push_back(place.span);
  std::sort(spans_.begin(), spans_.end());
  spans_.erase(std::unique(spans_.begin(), spans_.end()), spans_.end());
  const int joints = nodes.curve().dofs;
  for (int p = 0; p < pairs_.curved(); ++p) {
    const auto [i, k] = pairs_[pairs_.first_curved() + p];
    if (i >= joints && k < joints) with_contact_.push_back(p);
  }
  const int points = nodes.points();
  row_.resize(static_cast<Eigen::Index>(points) * pairs_.nv());
  weights_.resize(std::max(NodeCurvature::kSums * with_equal(points), (kCarriedOrders + kStateOrders) * points));
  for (const int span : spans_) {
    first_[span] = size_;
    const int timings = nodes.timings(span);
    size_ += static_cast<std::size_t>(with_equal(points)) * pairs_.size() +
             static_cast<std::size_t>(without_equal(points)) * pairs_.different() +
             static_cast<std::size_t>(timings) * points * pairs_.nv() + with_equal(timings);
  }
}

SpanHessians::Parts SpanHessians::parts(int span) {
  Parts parts{};
  parts.sums = entries_.data() + first_[span];
  parts.differences = parts.sums + static_cast<std::size_t>(with_equal(nodes_->points())) * pairs_.size();
  parts.timing = parts.differences + static_cast<std::size_t>(without_equal(nodes_->points())) * pairs_.different();
  parts.timings = parts.timing + static_cast<std::size_t>(nodes_->timings(span)) * nodes_->points() * pairs_.nv();
  return parts;
}

std::vector<nlp::Entry> SpanHessians::pattern() const {
  std::vector<nlp::Entry> pattern;
  pattern.reserve(size_);
  const int points = nodes_->points(), nv = pairs_.nv();
  const auto add = [&](int a, int b) { pattern.push_back({std::max(a, b), std::min(a, b)}); };
  for (const int span : spans_) {
    const std::vector<int>& variables = nodes_->variables(span);
    for (int c = 0; c < points; ++c) {
      for (int e = 0; e <= c; ++e) {
        for (int p = 0; p < pairs_.size(); ++p) {
          add(variables[c * nv + pairs_[p].i], variables[e * nv + pairs_[p].k]);
        }
      }
    }
    for (int c = 0; c < points; ++c) {
      for (int e = 0; e < c; ++e) {
        for (int p = 0; p < pairs_.different(); ++p) {
          add(variables[c * nv + pairs_[p].k], variables[e * nv + pairs_[p].i]);
        }
      }
    }
    const int timings = nodes_->timings(span), first = points * nv;
    for (int k = 0; k < timings; ++k) {
      for (int i = 0; i < first; ++i) add(variables[first + k], variables[i]);
    }
    for (int k = 0; k < timings; ++k) {
      for (int l = 0; l <= k; ++l) pattern.push_back({variables[first + k], variables[first + l]});
    }
  }
  return pattern;
}

void SpanHessians::start(std::span<double> entries) {
  entries_ = entries;
  std::fill(entries.begin(), entries.end(), 0.0);
}

// (14a): all pairs of control points are one product of the curvature with weights
void SpanHessians::add_curvature(int node, const double* curvature, const Parts& to) {
  using C = NodeCurvature;
  const int curved = pairs_.curved(), first = pairs_.first_curved(), points = nodes_->points();
  const Eigen::MatrixXd& basis = nodes_->basis(node).value;
  const nlp::PanelKernels& kernels = nlp::panel_kernels();
  double* weight = weights_.data();  // negative, as the kernels subtract
  for (int c = 0; c < points; ++c) {
    for (int e = 0; e <= c; ++e) {
      const double *bc = basis.col(c).data(), *be = basis.col(e).data();
      *weight++ = -bc[0] * be[0];
      *weight++ = -bc[1] * be[1];
      *weight++ = -bc[0] * be[1] - bc[1] * be[0];
      *weight++ = -bc[0] * be[2] - bc[2] * be[0];
    }
  }
  kernels.subtract_product(to.sums + first, pairs_.size(), curved, with_equal(points), curvature, curved,
                           weights_.data(), C::kSums, false);
  weight = weights_.data();
  for (int c = 0; c < points; ++c) {
    for (int e = 0; e < c; ++e) {
      const double *bc = basis.col(c).data(), *be = basis.col(e).data();
      *weight++ = bc[1] * be[0] - bc[0] * be[1];
      *weight++ = bc[2] * be[0] - bc[0] * be[2];
    }
  }
  kernels.subtract_product(to.differences + first, pairs_.different(), pairs_.different() - first,
                           without_equal(points), curvature + C::kSums * curved, curved, weights_.data(),
                           C::contact - C::kSums, false);
}

void SpanHessians::add_contacts(int node, const double* curvature, const Parts& to) {
  if (with_contact_.empty()) return;
  const Nodes::Basis& b = nodes_->basis(node);
  const double* const mixed = curvature + static_cast<std::ptrdiff_t>(NodeCurvature::contact) * pairs_.curved();
  double *sum = to.sums + pairs_.first_curved(), *difference = to.differences + pairs_.first_curved();
  for (int c = 0; c < nodes_->points(); ++c) {
    for (int e = 0; e <= c; ++e, sum += pairs_.size()) {
      const double one = b.contact[c] * b.value(0, e) / 2, other = b.contact[e] * b.value(0, c) / 2;
      for (const int p : with_contact_) sum[p] += (one + other) * mixed[p];
      if (e == c) continue;
      for (const int p : with_contact_) difference[p] += (one - other) * mixed[p];
      difference += pairs_.different();
    }
  }
}

void SpanHessians::add_node(int node, const double* curvature, const double* gradient) {
  const int span = nodes_->places()[node].span, nv = pairs_.nv(), points = nodes_->points();
  const Parts to = parts(span);
  const Nodes::Basis& b = nodes_->basis(node);
  if (curvature) {
    add_curvature(node, curvature, to);
    add_contacts(node, curvature, to);
    carry(node, curvature, gradient);
  }
  const Eigen::Map<const Eigen::VectorXd> g(gradient, kStateOrders * nv);
  const int timings = nodes_->timings(span), joints = nodes_->curve().dofs;
  double* square = to.timings;
  for (int k = 0; k < timings; ++k) {
    const double* const by_timing = b.by_timing[k].data();
    if (curvature) {  // (14): the orders of H z_θ with those of B, then the gradient's with those of ∂B/∂θ
      double* weight = weights_.data();
      for (int c = 0; c < points; ++c) {
        weight = std::copy_n(b.value.col(c).data(), kCarriedOrders, weight);
        weight = std::copy_n(by_timing + c * kStateOrders, kStateOrders, weight);
      }
      constexpr int kBoth = kCarriedOrders + kStateOrders;
      nlp::panel_kernels().combine_rows(carried_.col(k).data(), kBoth, nv, {weights_.data(), 1, kBoth, points},
                                        row_.data());
    } else {
      nlp::panel_kernels().combine_rows(gradient, kStateOrders, nv, {by_timing, 1, kStateOrders, points}, row_.data());
    }
    for (int c = 0; c < points; ++c) {  // functions of contacts do not depend on timing
      for (int i = joints; i < nv; ++i) row_[c * nv + i] = curvature ? b.contact[c] * carried_(i, k) : 0.0;
    }
    Run(to.timing + static_cast<std::ptrdiff_t>(k) * points * nv, points * nv) += row_;
    for (int l = 0; l <= k; ++l, ++square) {
      const int carried = kCarriedOrders * nv;
      if (curvature) *square += carried_.col(k).head(carried).dot(b.z_by_timing.col(l).head(carried));
      *square += g.dot(b.z_by_timings.col(k * timings + l));
    }
  }
}

void SpanHessians::carry(int node, const double* curvature, const double* gradient) {
  using C = NodeCurvature;
  const int nv = pairs_.nv(), curved = pairs_.curved(), first = pairs_.first_curved();
  const Eigen::MatrixXd& z = nodes_->basis(node).z_by_timing;
  carried_.setZero((kCarriedOrders + kStateOrders) * nv, z.cols());
  for (int t = 0; t < carried_.cols(); ++t) {
    const double *q = z.col(t).data(), *v = q + nv, *a = v + nv;
    double *to_q = carried_.col(t).data(), *to_v = to_q + nv, *to_a = to_v + nv;
    std::copy_n(gradient, kStateOrders * nv, to_a + nv);
    for (int p = 0; p < curved; ++p) {
      const auto [i, k] = pairs_[first + p];
      const double* const at = curvature + p;
      const double qq = at[C::qq * curved], vv = at[C::vv * curved];
      const double qv = at[C::qv_sum * curved], qv_other = at[C::qv_difference * curved];
      const double qa = at[C::qa_sum * curved], qa_other = at[C::qa_difference * curved];
      to_q[i] += qq * q[k] + (qv + qv_other) * v[k] + (qa + qa_other) * a[k];
      to_v[i] += vv * v[k] + (qv - qv_other) * q[k];
      to_a[i] += (qa - qa_other) * q[k];
      if (i == k) continue;
      to_q[k] += qq * q[i] + (qv - qv_other) * v[i] + (qa - qa_other) * a[i];
      to_v[k] += vv * v[i] + (qv + qv_other) * q[i];
      to_a[k] += (qa + qa_other) * q[i];
    }
    for (const int p : with_contact_) {  // what contacts bear does not depend on timing
      const auto [i, k] = pairs_[first + p];
      to_q[i] += curvature[C::contact * curved + p] * q[k];
    }
  }
}

void SpanHessians::end_nodes() {
  const int first = pairs_.first_curved(), different = pairs_.different() - first;
  if (pairs_.curved() == 0) return;
  for (const int span : spans_) {
    const Parts to = parts(span);
    double* sum = to.sums + first;
    double* difference = to.differences + first;
    for (int c = 0; c < nodes_->points(); ++c) {
      for (int e = 0; e < c; ++e, sum += pairs_.size(), difference += pairs_.different()) {
        Run one(sum, different), other(difference, different);
        one += other;
        other = one - 2 * other;
      }
      sum += pairs_.size();
    }
  }
}

SpanHessians::Block SpanHessians::block(std::vector<int> dofs) const {
  Block block{std::move(dofs), {}};
  for (const int b : block.dofs) {
    for (const int a : block.dofs) block.pair.push_back(pairs_.index(a, b));
  }
  return block;
}

void SpanHessians::add_block(int span, const Block& block, const Eigen::Ref<const Eigen::MatrixXd>& T) {
  const Parts to = parts(span);
  const int points = nodes_->points(), size = static_cast<int>(block.dofs.size()), nv = pairs_.nv();
  const int timings = nodes_->timings(span), first = points * size;
  for (int e = 0; e < points; ++e) {
    for (int b = 0; b < size; ++b) {
      const double* const column = T.col(e * size + b).data();
      const int* const pair = block.pair.data() + b * size;
      for (int c = e; c < points; ++c) {
        const double* const from = column + c * size;
        double* const lower = to.sums + static_cast<std::ptrdiff_t>(with_equal(c) + e) * pairs_.size();
        for (int a = b; a < size; ++a) lower[pair[a]] += from[a];
        if (c == e) continue;
        double* const upper = to.differences + static_cast<std::ptrdiff_t>(without_equal(c) + e) * pairs_.different();
        for (int a = 0; a < b; ++a) upper[pair[a]] += from[a];
      }
      for (int k = 0; k < timings; ++k) to.timing[(k * points + e) * nv + block.dofs[b]] += column[first + k];
    }
  }
  for (int k = 0; k < timings; ++k) {
    for (int l = 0; l <= k; ++l) to.timings[with_equal(k) + l] += T(first + k, first + l);
  }
}

void SpanHessians::add_timing_row(int span, int timing, const double* row, double factor) {
  const Parts to = parts(span);
  const int points = nodes_->points() * pairs_.nv();
  Run(to.timing + static_cast<std::size_t>(timing) * points, points) += factor * ConstRun(row, points);
  for (int k = 0; k < nodes_->timings(span); ++k) {
    to.timings[with_equal(std::max(k, timing)) + std::min(k, timing)] +=
        (k == timing ? 2 : 1) * factor * row[points + k];
  }
}

}  // namespace verne
