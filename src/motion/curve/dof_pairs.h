/// Pairs of freedoms that second derivatives couple.
#pragma once

#include <vector>

namespace verne {

/// i ≥ k
struct DofPair {
  int i, k;
};

/// Sets of freedoms, any two of a set.
using DofSets = std::vector<std::vector<int>>;

/// The pairs of some sets, numbered: first those of two freedoms that only products of first derivatives couple (the
/// square of an effort), then the *curved* ones, which channels or functions of the posture couple, then each freedom
/// with itself. So the curved ones are the last.
class DofPairs {
 public:
  DofPairs(int nv, const DofSets& coupled, const DofSets& curved);

  int nv() const { return nv_; }
  int size() const { return static_cast<int>(pairs_.size()); }
  /// Pairs of two different freedoms.
  int different() const { return different_; }
  int first_curved() const { return first_curved_; }
  int curved() const { return size() - first_curved_; }
  const DofPair& operator[](int pair) const { return pairs_[pair]; }
  /// Of two freedoms, either way round; -1 when they are no pair.
  int index(int i, int k) const { return index_[static_cast<std::size_t>(i) * nv_ + k]; }

 private:
  int nv_, different_ = 0, first_curved_ = 0;
  std::vector<DofPair> pairs_;
  std::vector<int> index_;
};

}  // namespace verne
