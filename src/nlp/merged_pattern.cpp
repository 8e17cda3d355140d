#include "nlp/merged_pattern.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace verne::nlp {
namespace {

/// Entries by their rows, in the order in which they came.
struct ByRow {
  std::vector<int> begin, entry;  // those of row r: entry[begin[r]] … entry[begin[r + 1] - 1]

  explicit ByRow(const std::vector<Entry>& all) : entry(all.size()) {
    int rows = 0;
    for (const Entry& e : all) rows = std::max(rows, e.row + 1);
    begin.assign(rows + 1, 0);
    for (const Entry& e : all) ++begin[e.row + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> next = begin;
    for (std::size_t k = 0; k < all.size(); ++k) entry[next[all[k].row]++] = static_cast<int>(k);
  }
  int rows() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> of(int row) const { return std::span(entry).subspan(begin[row], begin[row + 1] - begin[row]); }
};

}  // namespace

void MergedPattern::add(const std::vector<Entry>& block, int first_row) {
  const std::size_t first = entries_.size();
  entries_.resize(first + block.size());
  for (std::size_t k = 0; k < block.size(); ++k) entries_[first + k] = {block[k].row + first_row, block[k].column};
  blocks_.push_back({block.size(), first, {}});
}

/// Whether all blocks together are sorted already, with every place once.
bool MergedPattern::is_finished() const {
  const auto not_before = [](const Entry& a, const Entry& b) {
    return a.row > b.row || (a.row == b.row && a.column >= b.column);
  };
  return std::adjacent_find(entries_.begin(), entries_.end(), not_before) == entries_.end();
}

void MergedPattern::finish() {
  if (is_finished()) return;  // as limits at nodes are
  const std::vector<Entry> all = std::exchange(entries_, {});
  const ByRow by_row(all);
  int columns = 0;
  for (const Entry& e : all) columns = std::max(columns, e.column + 1);
  std::vector<int> slot_of(all.size()), slot_in_column(columns, -1), found;
  for (int row = 0; row < by_row.rows(); ++row) {
    found.clear();
    for (const int k : by_row.of(row)) {
      int& slot = slot_in_column[all[k].column];
      if (slot < 0) found.push_back(all[k].column);
      slot = 0;
    }
    if (!std::is_sorted(found.begin(), found.end())) std::sort(found.begin(), found.end());  // most are
    for (const int column : found) {
      slot_in_column[column] = static_cast<int>(entries_.size());
      entries_.push_back({row, column});
    }
    for (const int k : by_row.of(row)) slot_of[k] = slot_in_column[all[k].column];
    for (const int column : found) slot_in_column[column] = -1;
  }
  std::vector<int> uses(entries_.size(), 0);
  for (const int slot : slot_of) ++uses[slot];
  auto first = slot_of.begin();
  for (Block& block : blocks_) {
    const auto end = first + static_cast<std::ptrdiff_t>(block.size);
    const auto others = [&](int slot) { return uses[slot] > 1; };
    const auto jump = [](int slot, int next) { return next != slot + 1; };
    block.first = first == end ? 0 : *first;
    if (std::any_of(first, end, others) || std::adjacent_find(first, end, jump) != end) block.slots.assign(first, end);
    first = end;
  }
}

std::span<double> MergedPattern::own(std::size_t block, std::span<double> values) const {
  const Block& of = blocks_[block];
  return of.slots.empty() ? values.subspan(of.first, of.size) : std::span<double>();
}

void MergedPattern::clear(std::size_t block, std::span<double> values) const {
  for (const int slot : blocks_[block].slots) values[slot] = 0;
}

void MergedPattern::accumulate(std::size_t block, std::span<const double> block_values,
                               std::span<double> values) const {
  const Block& of = blocks_[block];
  if (of.slots.empty()) {
    for (std::size_t k = 0; k < of.size; ++k) values[of.first + k] += block_values[k];
  }
  for (std::size_t k = 0; k < of.slots.size(); ++k) values[of.slots[k]] += block_values[k];
}

}  // namespace verne::nlp
