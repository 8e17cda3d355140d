/// Batches of mechanisms for all instruction sets, and on threads.
#pragma once

#include "structures/mechanism_batch.h"
#include "structures/mechanism_support.h"

namespace verne::test {

constexpr int kBatchStates = 11;  // no whole number of blocks

inline std::vector<BatchOptions> batch_options() {
  std::vector<BatchOptions> all;
  for (const std::string& name : instruction_sets()) all.push_back({.threads = 1, .instruction_set = name});
  all.push_back({.threads = 3});
  return all;
}

inline void put_state(MechanismBatch& batch, int k, const ClosedState& s) {
  batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.a.set(k, s.a), batch.tau.set(k, s.tau);
}

}  // namespace verne::test
