// Second derivatives of terms at nodes: docs/theory/motion.md, (12).
#include <algorithm>

#include "motion/program/term_nodes.h"
#include "nlp/kernels/panel_kernels.h"

namespace verne {

namespace {

using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

constexpr int kFewColumns = 24;  // with fewer a plain loop is quicker

/// Lower triangle of T = Aᵀ B; `columns` has room for B.
void multiply(const Rows& A, const Rows& B, double* columns, Eigen::Map<Eigen::MatrixXd>& T) {
  const Eigen::Index size = A.cols();
  T.setZero();
  if (size > kFewColumns) {
    Eigen::Map<Eigen::MatrixXd>(columns, B.rows(), size) = -B;  // the kernel subtracts, and takes it column by column
    const auto n = static_cast<int>(size);
    nlp::panel_kernels().subtract_product(T.data(), n, n, n, A.data(), n, columns, static_cast<int>(A.rows()), true);
    return;
  }
  for (Eigen::Index r = 0; r < A.rows(); ++r) {
    for (Eigen::Index k = 0; k < size; ++k) {
      T.col(k).tail(size - k) += B(r, k) * A.row(r).tail(size - k).transpose();
    }
  }
}

}  // namespace

/// Multipliers of channels from those of rows, and the gradients in z.
template <class Term>
void TermNodes<Term>::collect(const Eigen::Ref<const Eigen::MatrixXd>& multipliers) {
  channel_multipliers_.setZero();
  for (int n = 0; n < nodes_.count(); ++n) {
    double* const m = channel_multipliers_.col(n).data();
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const double* slope = slopes(n, local_[t]);
      for (int row = 0; row < terms_[t]->rows(); ++row) {
        for (const int input : terms_[t]->inputs()) m[input] += multipliers(local_[t].first_row + row, n) * *slope++;
      }
    }
    double* const gradient = z_gradients_.col(n).data();
    std::copy_n(m, z_gradients_.rows(), gradient);
    for (const int channel : derived_) {
      if (m[channel] != 0) values_.add_gradient(n, channel, m[channel], gradient);
    }
  }
}

// (12): the channels' own second derivatives, those of terms of the posture, then products of first derivatives
template <class Term>
void TermNodes<Term>::hessian(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, std::span<double> entries,
                              const AcrossNodes& across) {
  hessians_.start(entries);
  collect(multipliers);
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
void TermNodes<Term>::add_products(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, const AcrossNodes& across) {
  for (const Group& group : groups_) {
    for (int span = 0; span < static_cast<int>(nodes_of_span_.size()); ++span) {
      const auto& nodes = nodes_of_span_[span];
      if (nodes.empty()) continue;
      const auto columns = static_cast<Eigen::Index>(nodes_.points() * group.block.dofs.size() + nodes_.timings(span));
      Rows A(A_.data(), static_cast<Eigen::Index>(nodes.size()) * group.inputs, columns);
      Rows B(B_.data(), A.rows(), columns);
      int row = 0;
      for (const int n : nodes) {
        for (const int t : group.terms) {
          const Local& local = local_[t];
          if (terms_[t]->of_rate()) {
            pull_back_row(n, local, slopes(n, local), A.row(row).data());
            B.row(row++).setZero();
            continue;
          }
          const int count = static_cast<int>(local.inputs.size());
          inputs(n, *terms_[t]);
          std::fill_n(H_.begin(), count * count, 0.0);
          terms_[t]->hessian(u_.data(), multipliers.col(n).data() + local.first_row, H_.data());
          for (int k = 0; k < count; ++k) pull_back_input(n, local, local.inputs[k], 1, A.row(row + k).data());
          for (int k = 0; k < count; ++k) {
            B.row(row + k) = H_[k * count] * A.row(row);
            for (int l = 1; l < count; ++l) {
              if (H_[k * count + l] != 0) B.row(row + k) += H_[k * count + l] * A.row(row + l);
            }
          }
          row += count;
        }
      }
      int first = 0;  // row of a term at the first node
      for (const int t : group.terms) {
        for (Eigen::Index k = 0; terms_[t]->of_rate() && k < across.between.rows(); ++k) {
          for (Eigen::Index l = 0; l < across.between.cols(); ++l) {
            const double factor = across.factor(local_[t].first_row, span) * across.between(k, l);
            B.row(first + k * group.inputs) += factor * A.row(first + l * group.inputs);
          }
        }
        first += product_rows(*terms_[t]);
      }
      Eigen::Map<Eigen::MatrixXd> T(T_.data(), columns, columns);
      multiply(A, B, B_columns_.data(), T);
      hessians_.add_block(span, group.block, T);
    }
  }
}

template void TermNodes<NodeTerm>::collect(const Eigen::Ref<const Eigen::MatrixXd>&);
template void TermNodes<NodeTerm>::hessian(const Eigen::Ref<const Eigen::MatrixXd>&, std::span<double>,
                                           const AcrossNodes&);
template void TermNodes<NodeTerm>::add_posture_curvature(int, std::size_t, const double*);
template void TermNodes<NodeTerm>::add_products(const Eigen::Ref<const Eigen::MatrixXd>&, const AcrossNodes&);
template void TermNodes<LimitTerm>::collect(const Eigen::Ref<const Eigen::MatrixXd>&);
template void TermNodes<LimitTerm>::hessian(const Eigen::Ref<const Eigen::MatrixXd>&, std::span<double>,
                                            const AcrossNodes&);
template void TermNodes<LimitTerm>::add_posture_curvature(int, std::size_t, const double*);
template void TermNodes<LimitTerm>::add_products(const Eigen::Ref<const Eigen::MatrixXd>&, const AcrossNodes&);

}  // namespace verne
