/// Puts the sparse blocks of several functions into one matrix.
#pragma once

#include <span>
#include <vector>

#include "verne/nlp/problem.h"

namespace verne::nlp {

/// The union of patterns, and where each block's entries go in it. Found once; adding values is then a walk over slots.
class MergedPattern {
 public:
  /// Appends a block whose rows start at `first_row`.
  void add(const std::vector<Entry>& block, int first_row);
  /// Sorts and makes places unique; after the last add().
  void finish();

  const std::vector<Entry>& entries() const { return entries_; }
  /// The places of the block that was added as number `block`, if they follow each other in its own order and no other
  /// block has them: it can write its values there. Else empty.
  std::span<double> own(std::size_t block, std::span<double> values) const;
  /// Sets the places of a block to zero.
  void clear(std::size_t block, std::span<double> values) const;
  /// Adds the values of a block.
  void accumulate(std::size_t block, std::span<const double> block_values, std::span<double> values) const;
  std::size_t size_of(std::size_t block) const { return blocks_[block].size; }

 private:
  bool is_finished() const;

  struct Block {
    std::size_t size;
    std::size_t first;       // of its places, if they follow each other and are its own
    std::vector<int> slots;  // else: its places
  };
  std::vector<Entry> entries_;  // until finish(): of all blocks
  std::vector<Block> blocks_;
};

}  // namespace verne::nlp
