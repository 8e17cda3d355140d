#include "motion/curve/dof_pairs.h"

#include <algorithm>

namespace verne {

DofPairs::DofPairs(int nv, const DofSets& coupled, const DofSets& curved) : nv_(nv) {
  enum Kind : char { none, only_coupled, is_curved };
  std::vector<char> kinds(static_cast<std::size_t>(nv) * nv, none);
  const auto mark = [&](const DofSets& sets, Kind kind) {
    for (const std::vector<int>& dofs : sets) {
      for (const int i : dofs) {
        for (const int k : dofs) kinds[i * nv + k] = std::max<char>(kinds[i * nv + k], kind);
      }
    }
  };
  mark(coupled, only_coupled);
  mark(curved, is_curved);
  const auto take = [&](auto&& wanted) {
    for (int i = 0; i < nv; ++i) {
      for (int k = 0; k <= i; ++k) {
        if (wanted(i, k, kinds[i * nv + k])) pairs_.push_back({i, k});
      }
    }
    return size();
  };
  first_curved_ = take([](int i, int k, char kind) { return i != k && kind == only_coupled; });
  different_ = take([](int i, int k, char kind) { return i != k && kind == is_curved; });
  take([](int i, int k, char kind) { return i == k && kind != none; });
  if (curved.empty()) first_curved_ = size();
  index_.assign(kinds.size(), -1);
  for (int p = 0; p < size(); ++p) {
    const auto [i, k] = pairs_[p];
    index_[i * nv + k] = index_[k * nv + i] = p;
  }
}

}  // namespace verne
