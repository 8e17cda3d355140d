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
  std::vector<int> uses(entries_.size(), 0);
  for (const std::vector<Entry>& block : std::exchange(blocks_, {})) {
    std::vector<int>& slots = slots_.emplace_back();
    slots.reserve(block.size());
    for (const Entry& entry : block) {
      const auto place = std::lower_bound(entries_.begin(), entries_.end(), entry, before);
      slots.push_back(static_cast<int>(place - entries_.begin()));
      ++uses[slots.back()];
    }
  }
  for (const std::vector<int>& slots : slots_) {
    bool own = true;
    for (std::size_t k = 0; k < slots.size(); ++k)
      own &= slots[k] == slots[0] + static_cast<int>(k) && uses[slots[k]] == 1;
    is_own_.push_back(own);
  }
}

std::span<double> MergedPattern::own(std::size_t block, std::span<double> values) const {
  if (!is_own_[block] || slots_[block].empty()) return {};
  return values.subspan(slots_[block].front(), slots_[block].size());
}

void MergedPattern::clear(std::size_t block, std::span<double> values) const {
  for (const int slot : slots_[block]) values[slot] = 0;
}

void MergedPattern::accumulate(std::size_t block, std::span<const double> block_values,
                               std::span<double> values) const {
  const std::vector<int>& slots = slots_[block];
  for (std::size_t k = 0; k < slots.size(); ++k) values[slots[k]] += block_values[k];
}

}  // namespace verne::nlp
