#include "motion/term_nodes.h"

#include <algorithm>

namespace verne {

template <class Term>
TermNodes<Term>::TermNodes(const Model& model, const Channels& channels, const CurveVariables& curve,
                           std::vector<Place> places, std::vector<std::unique_ptr<Term>> terms)
    : channels_(channels),
      nodes_(curve, std::move(places)),
      values_(model, channels, nodes_.count()),
      terms_(std::move(terms)) {
  std::size_t most_inputs = 0;
  int most_rows = 0;
  for (const auto& term : terms_) {
    rows_ += term->rows();
    most_inputs = std::max(most_inputs, term->inputs().size());
    most_rows = std::max(most_rows, term->rows());
  }
  u_.resize(most_inputs), J_.resize(most_inputs * most_rows), H_.resize(most_inputs * most_inputs);
}

template <class Term>
void TermNodes<Term>::update(std::span<const double> x, Level level) {
  if (!std::equal(x.begin(), x.end(), x_.begin(), x_.end())) {
    x_.assign(x.begin(), x.end());
    level_ = Level::nothing;
  }
  if (level_ >= level) return;
  if (level_ == Level::nothing || level == Level::second) {
    nodes_.evaluate(x, level == Level::second  ? SplineBasis::Want::second_derivatives
                       : level == Level::first ? SplineBasis::Want::first_derivatives
                                               : SplineBasis::Want::values);
  } else if (level == Level::first) {
    nodes_.evaluate(x, SplineBasis::Want::first_derivatives);
  }
  if (level_ == Level::nothing) values_.evaluate(nodes_.z());
  if (level_ < Level::first && level >= Level::first) values_.differentiate();
  level_ = level;
}

template <class Term>
void TermNodes<Term>::inputs(int node, const Term& term) {
  for (std::size_t k = 0; k < term.inputs().size(); ++k) u_[k] = values_.y()(term.inputs()[k], node);
}

template <class Term>
void TermNodes<Term>::values(int node, double* rows) {
  for (const auto& term : terms_) {
    inputs(node, *term);
    term->value(u_.data(), rows);
    rows += term->rows();
  }
}

template <class Term>
void TermNodes<Term>::gradients(int node, Eigen::MatrixXd& out) {
  out.setZero(z_size(), rows_);
  int first = 0;
  for (const auto& term : terms_) {
    inputs(node, *term);
    term->jacobian(u_.data(), J_.data());
    const int count = static_cast<int>(term->inputs().size());
    for (int row = 0; row < term->rows(); ++row) {
      for (int k = 0; k < count; ++k) {
        const double entry = J_[row * count + k];
        if (entry != 0) values_.add_gradient(node, term->inputs()[k], entry, out.col(first + row).data());
      }
    }
    first += term->rows();
  }
}

template <class Term>
void TermNodes<Term>::collect(const Eigen::MatrixXd& multipliers) {
  channel_multipliers_.setZero(channels_.size(), nodes_.count());
  for (int n = 0; n < nodes_.count(); ++n) {
    int first = 0;
    for (const auto& term : terms_) {
      inputs(n, *term);
      term->jacobian(u_.data(), J_.data());
      const int count = static_cast<int>(term->inputs().size());
      for (int row = 0; row < term->rows(); ++row) {
        for (int k = 0; k < count; ++k) {
          channel_multipliers_(term->inputs()[k], n) += multipliers(first + row, n) * J_[row * count + k];
        }
      }
      first += term->rows();
    }
  }
  values_.differentiate_twice(channel_multipliers_);
}

template <class Term>
void TermNodes<Term>::curvature(int node, const Eigen::MatrixXd& multipliers, Eigen::VectorXd& gradient,
                                Eigen::MatrixXd& H_z) {
  gradient.setZero();
  for (int c = 0; c < channels_.size(); ++c) {
    const double m = channel_multipliers_(c, node);
    if (m != 0) values_.add_gradient(node, c, m, gradient.data());
  }
  H_z.setZero();
  values_.add_hessian(node, H_z);
  int first = 0;
  for (const auto& term : terms_) {
    const int count = static_cast<int>(term->inputs().size());
    if (!term->linear()) {  // Uᵀ H U with U the gradients of the inputs
      inputs(node, *term);
      std::fill(H_.begin(), H_.end(), 0.0);
      term->hessian(u_.data(), multipliers.col(node).data() + first, H_.data());
      U_.setZero(z_size(), count);
      for (int k = 0; k < count; ++k) values_.add_gradient(node, term->inputs()[k], 1, U_.col(k).data());
      H_z.noalias() += U_ * Eigen::Map<const Eigen::MatrixXd>(H_.data(), count, count) * U_.transpose();
    }
    first += term->rows();
  }
}

template class TermNodes<NodeTerm>;
template class TermNodes<LimitTerm>;

}  // namespace verne
