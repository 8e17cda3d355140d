/// Where the second derivatives of functions at nodes come together: docs/theory/motion.md, (14).
///
/// Nodes of a span depend on the same variables, so that they are added up by span. With freedoms i, k and control
/// points c, e the block of a span is stored by pairs of freedoms:
///   [c ≥ e][pair (i, k)]            ∂²/∂P_c,i ∂P_e,k
///   [c > e][pair (i, k), i > k]     ∂²/∂P_c,k ∂P_e,i
///   [timing variable][c][i]         ∂²/∂θ ∂P_c,i
///   [timing variables, lower triangle]
/// Each [c, e] is one run of numbers that all get the same weights from a node.
#pragma once

#include "motion/curve/dof_pairs.h"
#include "motion/curve/nodes.h"
#include "verne/nlp/problem.h"

namespace verne {

/// Second derivatives of a node's function with respect to z, for the curved pairs of freedoms; arrays one behind the
/// other. Of the mixed ones, H(i, k) = ∂²/∂q_i ∂v_k: half the sum and half the difference of H(i, k) and H(k, i).
/// Nothing couples v with a, a with a, or anything with the jerk, except products of first derivatives. What contacts
/// bear meets q alone, in `contact`, where all other arrays are zero.
struct NodeCurvature {
  enum Array { qq, vv, qv_sum, qa_sum, kSums, qv_difference = kSums, qa_difference, contact, kArrays };
  /// The array of differences that belongs to one of sums.
  static constexpr int difference(int sum) { return sum + kSums - qv_sum; }
};

class SpanHessians {
 public:
  SpanHessians(const Nodes& nodes, DofPairs pairs);
  const DofPairs& pairs() const { return pairs_; }
  std::vector<nlp::Entry> pattern() const;

  /// What is added from now on goes to these entries, which begin with zero.
  void start(std::span<double> entries);
  /// `curvature`: of curved pairs; null when there are none. `gradient`: with respect to z.
  void add_node(int node, const double* curvature, const double* gradient);
  /// After the last node, and before blocks.
  void end_nodes();
  /// Some freedoms, any two of which are a pair.
  struct Block {
    std::vector<int> dofs;
    std::vector<int> pair;  // of freedoms a and b: pair[b * dofs.size() + a]
  };
  Block block(std::vector<int> dofs) const;
  /// Second derivatives (lower triangle of T) with respect to the control points of a block's freedoms, point by point,
  /// then the timing variables.
  void add_block(int span, const Block& block, const Eigen::Ref<const Eigen::MatrixXd>& T);
  /// factor · `row` of second derivatives by a timing variable and all variables of the span, twice where both are the
  /// same.
  void add_timing_row(int span, int timing, const double* row, double factor);

 private:
  /// The parts of a span's block.
  struct Parts {
    double *sums, *differences, *timing, *timings;
  };
  Parts parts(int span);
  void add_curvature(int node, const double* curvature, const Parts& to);
  void add_contacts(int node, const double* curvature, const Parts& to);
  /// H z_θ for each timing variable, and the gradient behind it.
  void carry(int node, const double* curvature, const double* gradient);

  const Nodes* nodes_;
  DofPairs pairs_;
  std::vector<int> spans_;          // those that have nodes
  std::vector<std::size_t> first_;  // of their blocks, by span
  std::size_t size_ = 0;            // of all
  std::vector<int> with_contact_;   // pairs of a joint and what a contact bears, counted from the first curved one
  std::span<double> entries_;
  Eigen::MatrixXd carried_;  // by q, v, a; then the gradient
  Eigen::ArrayXd row_;       // by the control points of a span
  std::vector<double> weights_;
};

}  // namespace verne
