/// Terms at nodes: what constraints and costs of the program share. Keeps what it computed for the latest x. Chain
/// rule: docs/theory/motion.md, (12).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "motion/node_term.h"
#include "motion/node_values.h"
#include "motion/nodes.h"

namespace verne {

template <class Term>
class TermNodes {
 public:
  TermNodes(const Model& model, const Channels& channels, const CurveVariables& curve, std::vector<Place> places,
            std::vector<std::unique_ptr<Term>> terms);

  const Nodes& nodes() const { return nodes_; }
  const Channels& channels() const { return channels_; }
  const std::vector<std::unique_ptr<Term>>& terms() const { return terms_; }
  /// Rows of all terms at one node.
  int rows() const { return rows_; }

  enum class Level { nothing, values, first, second };
  void update(std::span<const double> x, Level level);

  /// Channel values, one column per node.
  const Eigen::MatrixXd& y() const { return values_.y(); }
  /// Values of all rows at a node.
  void values(int node, double* rows);
  /// Gradients in z of all rows at a node, one column (4 nv) per row.
  void gradients(int node, Eigen::MatrixXd& out);

  /// Adds the second derivatives of Σ multipliers(row, node) row(x) at each node to H, which is called with a span and
  /// gives the matrix over nodes().variables(span) that takes them (lower triangle).
  template <class MatrixOfSpan>
  void add_hessians(const Eigen::MatrixXd& multipliers, MatrixOfSpan&& H) {
    collect(multipliers);
    Eigen::VectorXd gradient(z_size());
    Eigen::MatrixXd H_z(z_size(), z_size());
    for (int n = 0; n < nodes_.count(); ++n) {
      curvature(n, multipliers, gradient, H_z);
      nodes_.pull_back(n, gradient.data(), H_z, H(nodes_.places()[n].span));
    }
  }

 private:
  int z_size() const { return kStateOrders * channels_.nv(); }
  void inputs(int node, const Term& term);
  /// Multipliers of the channels from those of the rows; second derivatives of the channels.
  void collect(const Eigen::MatrixXd& multipliers);
  /// Gradient and second derivatives with respect to z of a node's combination of rows.
  void curvature(int node, const Eigen::MatrixXd& multipliers, Eigen::VectorXd& gradient, Eigen::MatrixXd& H_z);

  Channels channels_;
  Nodes nodes_;
  NodeValues values_;
  std::vector<std::unique_ptr<Term>> terms_;
  int rows_ = 0;
  Level level_ = Level::nothing;
  std::vector<double> x_;
  Eigen::MatrixXd channel_multipliers_;
  std::vector<double> u_, J_, H_;  // of one term
  Eigen::MatrixXd U_;              // gradients in z of a term's inputs
};

extern template class TermNodes<NodeTerm>;
extern template class TermNodes<LimitTerm>;

}  // namespace verne
