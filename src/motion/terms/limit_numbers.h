/// Which limit of a motion is which: each has a number, given here and nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace verne {

/// Where a limit is kept: at nodes, as a mean over its phase, or as a rate between nodes.
enum class LimitPlace { node, mean, rate };

/// How many limits a phase has of each.
struct LimitCounts {
  std::size_t at_nodes = 0, means = 0, rates = 0;
};

/// Numbers of limits, by which programs tighten them and reports tell of them: phase by phase those at nodes, means and
/// rates. Solution files keep what is tightened in this order.
class LimitNumbers {
 public:
  void add_phase(const LimitCounts& counts) {
    std::size_t next = count_;
    phases_.push_back({next, next + counts.at_nodes, next + counts.at_nodes + counts.means});
    count_ += counts.at_nodes + counts.means + counts.rates;
  }
  /// Of the limit `index` among those of a phase that are kept there.
  std::size_t of(std::size_t phase, LimitPlace place, std::size_t index) const {
    return phases_[phase][static_cast<std::size_t>(place)] + index;
  }
  std::size_t count() const { return count_; }

 private:
  std::vector<std::array<std::size_t, 3>> phases_;  // the first of each place
  std::size_t count_ = 0;
};

}  // namespace verne
