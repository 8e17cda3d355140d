#include "motion/span_hessians.h"

#include <algorithm>

namespace verne {

SpanHessians::SpanHessians(const Nodes& nodes) : nodes_(&nodes), slot_(nodes.curve().basis.spans(), -1) {
  for (const Place& place : nodes.places()) {
    if (slot_[place.span] >= 0) continue;
    slot_[place.span] = static_cast<int>(spans_.size());
    spans_.push_back(place.span);
    const auto size = nodes.variables(place.span).size();
    blocks_.emplace_back(size, size);
  }
}

std::vector<nlp::Entry> SpanHessians::pattern() const {
  std::vector<nlp::Entry> pattern;
  for (const int span : spans_) {
    const std::vector<int>& variables = nodes_->variables(span);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::size_t k = 0; k <= i; ++k) {
        pattern.push_back({std::max(variables[i], variables[k]), std::min(variables[i], variables[k])});
      }
    }
  }
  return pattern;
}

void SpanHessians::clear() {
  for (Eigen::MatrixXd& block : blocks_) block.setZero();
}

void SpanHessians::store(std::span<double> entries) const {
  std::size_t at = 0;
  for (const Eigen::MatrixXd& block : blocks_) {
    for (int i = 0; i < block.rows(); ++i) {
      for (int k = 0; k <= i; ++k) entries[at++] = block(i, k);
    }
  }
}

}  // namespace verne
