// Second derivatives of terms at nodes: docs/theory/motion.md, (12).
#include <algorithm>

#include "motion/program/term_nodes.h"
#include "nlp/kernels/panel_kernels.h"

namespace verne {

namespace {

using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr int kFewColumns = 24;  // with fewer a plain loop is quicker

/// Lower triangle of T = −Aᵀ B; `columns` has room for B.
void multiply(const Rows& A, const Rows& B, double* columns, Eigen::Map<Eigen::MatrixXd>& T) {
  const Eigen::Index size = A.cols();
  T.setZero();
  if (size > kFewColumns) {
    Eigen::Map<Eigen::MatrixXd>(columns, B.rows(), size) = B;  // the kernel takes it column by column
    const auto n = static_cast<int>(size);
    nlp::panel_kernels().subtract_product(T.data(), n, n, n, A.data(), n, columns, static_cast<int>(A.rows()), true);
    return;
  }
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    for (Eigen::Index k = 0; k < size; ++k) {
      T.col(k).tail(size - k) -= B(r, k) * A.row(r).tail(size - k).transpose();
    }
  }
}

}  // namespace

// (12): the channels' own second derivatives, those of terms of the posture, then products of first derivatives
template <class Term>
void TermNodes<Term>::hessian(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, std::span<double> entries,
                              const AcrossNodes& across) {
  hessians_.start(entries);
  for (int n = 0; n < nodes_.count(); ++n) {
    gradient(n, multipliers.col(n).data(), channel_multipliers_.col(n).data(), z_gradients_.col(n).data());
  }
  values_.differentiate_twice(channel_multipliers_);
  const bool curved = hessians_.pairs().curved() > 0;
  for (int n = 0; n < nodes_.count(); ++n) {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      if (!local_[t].pair.empty()) add_posture_curvature(n, t, multipliers.col(n).data());
    }
    hessians_.add_node(n, curved ? values_.curvature(n) : nullptr, gradient(n));
  }
  hessians_.end_nodes();
  add_products(multipliers, across);
}

template <class Term>
void TermNodes<Term>::add_posture_curvature(int node, std::size_t t, const double* multipliers) {
  const Local& local = local_[t];
  const int count = static_cast<int>(local.inputs.size()), size = static_cast<int>(local.dofs.size());
  inputs(node, *terms_[t]);
  std::fill_n(H_.begin(), count * count, 0.0);
  terms_[t]->hessian(u_.data(), multipliers + local.first_row, H_.data());
  // A: gradients of the inputs; B = H A; added is Aᵀ B
  std::fill_n(A_.begin(), count * size, 0.0);
  for (int k = 0; k < count; ++k) {
    const Input& input = local.inputs[k];
    const double one = 1;
    const double* const g = input.order == 0 ? &one : values_.gradient(node, input.channel).values;
    for (std::size_t a = 0; a < input.at.size(); ++a) A_[k * size + input.at[a]] = g[a];
  }
  for (int k = 0; k < count; ++k) {
    for (int b = 0; b < size; ++b) {
      double sum = 0;
      for (int l = 0; l < count; ++l) sum += H_[k * count + l] * A_[l * size + b];
      B_[k * size + b] = sum;
    }
  }
  double* const qq = values_.curvature(node) - hessians_.pairs().first_curved();
  for (int b = 0; b < size; ++b) {
    for (int a = b; a < size; ++a) {
      double sum = 0;
      for (int k = 0; k < count; ++k) sum += A_[k * size + a] * B_[k * size + b];
      qq[local.pair[b * size + a]] += sum;
    }
  }
}

template <class Term>
void TermNodes<Term>::second_derivatives(int node, const Group& group, const double* multipliers) {
  const std::size_t inputs_of_group = group.local.inputs.size();
  std::fill_n(H_group_.begin(), inputs_of_group * inputs_of_group, 0.0);
  for (std::size_t g = 0; g < group.terms.size(); ++g) {
    const Term& term = *terms_[group.terms[g]];
    if (term.of_rate()) continue;
    const std::vector<int>& places = group.places[g];
    const std::size_t count = places.size();
    inputs(node, term);
    std::fill_n(H_.begin(), count * count, 0.0);
    term.hessian(u_.data(), multipliers + local_[group.terms[g]].first_row, H_.data());
    for (std::size_t k = 0; k < count; ++k) {
      double* const row = H_group_.data() + places[k] * inputs_of_group;
      for (std::size_t l = 0; l < count; ++l) row[places[l]] -= H_[k * count + l];
    }
  }
}

template <class Term>
auto TermNodes<Term>::factors(const Group& group, int span, const Eigen::Ref<const Eigen::MatrixXd>& multipliers)
    -> Factors {
  const std::vector<int>& nodes = nodes_of_span_[span];
  const auto columns = static_cast<Eigen::Index>(nodes_.points() * group.block.dofs.size() + nodes_.timings(span));
  const auto count = static_cast<int>(group.local.inputs.size()), size = static_cast<int>(columns);
  const auto rows = static_cast<Eigen::Index>(nodes.size()) * count;
  Factors both{Rows(A_.data(), rows, columns), Rows(B_.data(), rows, columns)};
  Eigen::Index first = 0;
  for (const int n : nodes) {
    for (int k = 0; k < count; ++k)
      pull_back_input(n, group.local, group.local.inputs[k], 1, both.A.row(first + k).data());
    second_derivatives(n, group, multipliers.col(n).data());
    nlp::panel_kernels().combine_rows(both.A.row(first).data(), count, size, {H_group_.data(), 1, count, count},
                                      both.B.row(first).data());
    first += count;
  }
  return both;
}

template <class Term>
void TermNodes<Term>::add_rates(const Group& group, int span, const AcrossNodes& across, Factors& factors) {
  const std::vector<int>& nodes = nodes_of_span_[span];
  const auto inputs = static_cast<Eigen::Index>(group.local.inputs.size());
  Rows sums(B_columns_.data(), across.between.rows(), factors.A.cols());  // of which the rate counts, at each node
  for (std::size_t g = 0; g < group.terms.size(); ++g) {
    const Local& local = local_[group.terms[g]];
    if (!terms_[group.terms[g]]->of_rate()) continue;
    const std::vector<int>& places = group.places[g];
    sums.setZero();
    for (Eigen::Index l = 0; l < sums.rows(); ++l) {
      const double* const slope = slopes(nodes[l], local);
      for (std::size_t k = 0; k < places.size(); ++k) sums.row(l) += slope[k] * factors.A.row(l * inputs + places[k]);
    }
    for (Eigen::Index n = 0; n < sums.rows(); ++n) {
      const double* const slope = slopes(nodes[n], local);
      for (Eigen::Index l = 0; l < sums.rows(); ++l) {
        const double factor = across.factor(local.first_row, span) * across.between(n, l);
        for (std::size_t k = 0; k < places.size(); ++k) {
          factors.B.row(n * inputs + places[k]) -= factor * slope[k] * sums.row(l);
        }
      }
    }
  }
}

template <class Term>
void TermNodes<Term>::add_products(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, const AcrossNodes& across) {
  for (const Group& group : groups_) {
    for (int span = 0; span < static_cast<int>(nodes_of_span_.size()); ++span) {
      if (nodes_of_span_[span].empty()) continue;
      Factors both = factors(group, span, multipliers);
      if (across.between.size() > 0) add_rates(group, span, across, both);
      Eigen::Map<Eigen::MatrixXd> T(T_.data(), both.A.cols(), both.A.cols());
      multiply(both.A, both.B, B_columns_.data(), T);
      hessians_.add_block(span, group.block, T);
    }
  }
}

#define VERNE_INSTANTIATE(Term)                                                                                 \
  template void TermNodes<Term>::hessian(const Eigen::Ref<const Eigen::MatrixXd>&, std::span<double>,           \
                                         const AcrossNodes&);                                                   \
  template void TermNodes<Term>::add_posture_curvature(int, std::size_t, const double*);                        \
  template void TermNodes<Term>::second_derivatives(int, const Group&, const double*);                          \
  template auto TermNodes<Term>::factors(const Group&, int, const Eigen::Ref<const Eigen::MatrixXd>&)->Factors; \
  template void TermNodes<Term>::add_rates(const Group&, int, const AcrossNodes&, Factors&);                    \
  template void TermNodes<Term>::add_products(const Eigen::Ref<const Eigen::MatrixXd>&, const AcrossNodes&);
VERNE_INSTANTIATE(NodeTerm)
VERNE_INSTANTIATE(LimitTerm)
#undef VERNE_INSTANTIATE

}  // namespace verne
