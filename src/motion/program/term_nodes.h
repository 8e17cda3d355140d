/// Terms at nodes: what constraints and costs of the program share. Keeps what it computed for the latest x. Chain
/// rule: docs/theory/motion.md, (12) to (14).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "motion/curve/nodes.h"
#include "motion/terms/node_term.h"
#include "motion/values/node_values.h"
#include "motion/values/span_hessians.h"

namespace verne {

template <class Term>
class TermNodes {
 public:
  TermNodes(const Model& model, const ChannelLayout& channels, const CurveVariables& curve, std::vector<Place> places,
            std::vector<std::unique_ptr<Term>> terms);

  const Nodes& nodes() const { return nodes_; }
  const std::vector<std::unique_ptr<Term>>& terms() const { return terms_; }
  /// Freedoms that a term depends on.
  const std::vector<int>& dofs(int term) const { return local_[term].dofs; }
  /// Rows of all terms at one node.
  int rows() const { return rows_; }

  enum class Level { nothing, values, first, second };
  void update(std::span<const double> x, Level level);

  /// Values of all rows at a node.
  void values(int node, double* rows);
  /// Gradients of all rows at a node, one behind the other: by the control points, point by point, of the freedoms that
  /// the row's term depends on, then by the timing variables. Returns where they end.
  double* jacobian(int node, double* entries);
  /// Gradient in z (4 nv) of Σ weights[row] row at a node. Returns the derivative of that sum by the duration of the
  /// motion, as far as terms read it.
  double gradient(int node, const double* weights, double* gradient_z);
  /// For terms that count by their rates: second derivatives by their values at any two nodes of a span, the product of
  /// a part that is the same for all spans and one that is the same for all nodes of a span.
  struct AcrossNodes {
    Eigen::MatrixXd between;  // the nodes of a span; empty where there are no such terms
    Eigen::MatrixXd factor;   // by row and span
  };
  /// Second derivatives of Σ multipliers(row, node) row(x); more may be added to hessians() afterwards. Leaves the
  /// gradient in z of that sum at each node.
  void hessian(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, std::span<double> entries,
               const AcrossNodes& across = {});
  const double* gradient(int node) const { return z_gradients_.col(node).data(); }
  double by_duration(int node) const { return by_duration(channel_multipliers_.col(node).data()); }
  SpanHessians& hessians() { return hessians_; }
  const SpanHessians& hessians() const { return hessians_; }

 private:
  /// An input of a term: a state (order and freedom), or a channel with derivatives by the freedoms `at`. Freedoms are
  /// counted among those of the term.
  struct Input {
    int channel;
    int order;  // -1: not a state
    std::vector<int> at;
    bool by_all;  // `at` are all of them
    bool duration;
  };
  struct Local {
    std::vector<int> dofs;
    int joints;  // of these; the others are what contacts bear
    std::vector<Input> inputs;
    int first_row, first_slope;
    bool of_posture;        // of q alone, at one node
    std::vector<int> pair;  // of such a term that is not linear: as in SpanHessians::Block
  };
  /// Terms with second derivatives, not of the posture alone, that depend on the same freedoms, or on some of them.
  struct Group {
    Local local{};  // what they depend on together; of all inputs, each channel once
    SpanHessians::Block block{};
    std::vector<int> terms{};
    std::vector<std::vector<int>> places{};  // of each term's inputs among all
  };
  /// Of a group on a span, by rows: gradients of its inputs at one node after the other, and, negative, second
  /// derivatives by the inputs times these.
  using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  struct Factors {
    Rows A, B;
  };

  static std::vector<Local> localize(const ChannelLayout& channels, const std::vector<std::unique_ptr<Term>>& terms);
  void make_groups();
  std::vector<int> channels_of(const std::vector<int>& terms) const;
  void join_larger(std::vector<Group>& groups) const;
  void place_inputs(Group& group) const;
  static DofPairs pairs(const ChannelLayout& channels, const std::vector<Local>& local,
                        const std::vector<std::unique_ptr<Term>>& terms);
  const double* slopes(int node, const Local& local) const { return slopes_.col(node).data() + local.first_slope; }
  void inputs(int node, const Term& term);
  void find_slopes();
  /// Gradient in z, at a node, of Σ weights[row] row, by what that makes the multipliers of channels.
  void gradient(int node, const double* weights, double* of_channels, double* gradient_z) const;
  double by_duration(const double* of_channels) const {
    const int channel = channels_.known_duration();
    return channel < 0 ? 0 : of_channels[channel];
  }
  /// Adds weight · (gradient of an input), by the freedoms of its term and order by order, to z_row_.
  void add_input(int node, const Input& input, double weight, int dofs);
  /// The derivatives by variables of the span of what has the given ones by the freedoms of a term, order by order.
  void pull_back(int node, const Local& local, const double* by_state, int orders, double weight, double* out) const;
  /// The same for an input.
  void pull_back_input(int node, const Local& local, const Input& input, double weight, double* out);
  /// The same for a row of a term with these slopes.
  void pull_back_row(int node, const Local& local, const double* slope, double* out);
  void add_posture_curvature(int node, std::size_t term, const double* multipliers);
  /// Of a group by its inputs, negative, into H_group_.
  void second_derivatives(int node, const Group& group, const double* multipliers);
  Factors factors(const Group& group, int span, const Eigen::Ref<const Eigen::MatrixXd>& multipliers);
  void add_rates(const Group& group, int span, const AcrossNodes& across, Factors& factors);
  void add_products(const Eigen::Ref<const Eigen::MatrixXd>& multipliers, const AcrossNodes& across);

  ChannelLayout channels_;
  std::vector<int> derived_;  // channels
  std::vector<std::unique_ptr<Term>> terms_;
  std::vector<Local> local_;
  Nodes nodes_;
  SpanHessians hessians_;
  NodeValues values_;
  std::vector<Group> groups_;
  std::vector<std::vector<int>> nodes_of_span_;
  int rows_ = 0;
  Level level_ = Level::nothing;
  std::vector<double> x_;
  Eigen::MatrixXd slopes_;                             // derivatives of all terms by their inputs, one column per node
  Eigen::MatrixXd channel_multipliers_, z_gradients_;  // one column per node
  std::vector<double> u_, H_;                          // of one term
  std::vector<double> H_group_, of_channels_;
  std::vector<double> z_row_;                  // gradient of one row, by order and freedom of its term
  std::vector<double> A_, B_, B_columns_, T_;  // the factors, and their product
};

extern template class TermNodes<NodeTerm>;
extern template class TermNodes<LimitTerm>;

}  // namespace verne
