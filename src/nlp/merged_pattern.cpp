#include "nlp/merged_pattern.h"

#include <algorithm>
#include <utility>

namespace verne::nlp {
namespace {

bool before(const Entry& a, const Entry& b) {
  return std::pair(a.row, a.column) < std::pair(b.row, b.column);
}
bool same(const Entry& a, const Entry& b) {
  return a.row == b.row && a.column == b.column;
}

}  // namespace

void MergedPattern::add(const std::vector<Entry>& block, int first_row) {
  std::vector<Entry>& moved = blocks_.emplace_back(block);
  for (Entry& entry : moved) entry.row += first_row;
  entries_.insert(entries_.end(), moved.begin(), moved.end());
}

void MergedPattern::finish() {
  std::sort(entries_.begin(), entries_.end(), before);
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  for (const std::vector<Entry>& block : std::exchange(blocks_, {})) {
    std::vector<std::size_t>& slots = slots_.emplace_back();
    for (const Entry& entry : block) {
      slots.push_back(std::lower_bound(entries_.begin(), entries_.end(), entry, before) - entries_.begin());
    }
  }
}

void MergedPattern::accumulate(std::size_t block, std::span<const double> block_values,
                               std::span<double> values) const {
  const std::vector<std::size_t>& slots = slots_[block];
  for (std::size_t k = 0; k < slots.size(); ++k) values[slots[k]] += block_values[k];
}

}  // namespace verne::nlp
