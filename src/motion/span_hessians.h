/// Where the second derivatives of functions at nodes come together.
#pragma once

#include "motion/nodes.h"
#include "verne/nlp/problem.h"

namespace verne {

/// The union of the nodes' second derivatives, gathered by span: nodes of a span depend on the same variables.
class SpanHessians {
 public:
  explicit SpanHessians(const Nodes& nodes);
  std::vector<nlp::Entry> pattern() const;
  void clear();
  Eigen::MatrixXd& operator[](int span) { return blocks_[slot_[span]]; }
  void store(std::span<double> entries) const;

 private:
  const Nodes* nodes_;
  std::vector<int> spans_, slot_;  // those that have nodes, and the other way round
  std::vector<Eigen::MatrixXd> blocks_;
};

}  // namespace verne
