/// Tells terms at which places they will be asked next.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/terms/node_term.h"

namespace verne {

/// The first `count` columns of `y`, which has a row for each channel.
inline void announce(const NodeTerm& term, const Eigen::MatrixXd& y, Eigen::Index count, std::vector<double>& u) {
  if (!term.takes_many()) return;
  u.clear();
  for (Eigen::Index n = 0; n < count; ++n) {
    for (const int input : term.inputs()) u.push_back(y(input, n));
  }
  term.announce(u.data(), static_cast<int>(count));
}
template <class Terms>
void announce_all(const Terms& terms, const Eigen::MatrixXd& y, Eigen::Index count) {
  std::vector<double> u;
  for (const auto& term : terms) announce(*term, y, count, u);
}

}  // namespace verne
