/// What of a trace has to be computed, in which order, and what it costs.
#pragma once

#include <vector>

#include "codegen/trace.h"

namespace verne::codegen {

struct OperationCounts {
  long multiplications = 0, additions = 0, trigonometric = 0;
  long total() const { return multiplications + additions; }
};

/// Keeps no reference to the trace.
class Schedule {
 public:
  explicit Schedule(const Trace& trace);
  /// Those of a schedule, without looking for an order.
  static OperationCounts counts_of(const Trace& trace);

  /// Divisions count as multiplications, hyperbolic tangents among the trigonometric; a change of sign is free.
  const OperationCounts& counts() const { return counts_; }
  /// Nodes to compute for a state, operands first: neither constants nor inputs, nor what is found of parameters alone,
  /// nor sines and cosines.
  const std::vector<int>& order() const { return order_; }
  /// Nodes that depend on parameters alone and that the states need, operands first.
  const std::vector<int>& derived() const { return derived_; }
  /// The most numbers that are computed and still needed at a time, in that order: what registers should hold. Sines
  /// and cosines count from their first use on, inputs not at all.
  int max_live() const { return max_live_; }
  /// Nodes whose sines and cosines are needed; they depend on positions alone. `order` has them first.
  const std::vector<int>& angles() const { return angles_; }
  /// How many operands of other nodes, and outputs, a node is.
  int uses(int node) const { return uses_[static_cast<std::size_t>(node)]; }
  bool is_derived(int node) const { return derived_node_[static_cast<std::size_t>(node)]; }

 private:
  Schedule() = default;
  void find_needs(const Trace& trace);
  void find_uses(const Trace& trace);
  void count(const Graph& graph);
  void put_in_order(const Trace& trace);
  /// What each of the targets needs, one target after the other.
  std::vector<int> depth_first(const Graph& graph, const std::vector<int>& targets, bool last_operand_first) const;
  int max_live(const Graph& graph, const std::vector<int>& order) const;

  OperationCounts counts_;
  int max_live_ = 0;
  std::vector<int> order_, derived_, angles_, uses_;
  std::vector<bool> derived_node_;
};

/// Text reduced to letters, digits and underscores, as names in sources must be.
std::string identifier(const std::string& text);

}  // namespace verne::codegen
