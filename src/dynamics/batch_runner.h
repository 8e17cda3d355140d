/// Runs kernels over the blocks of a batch, on threads when it has several.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

#include "dynamics/check.h"
#include "dynamics/dispatch.h"
#include "verne/dynamics/batch.h"

namespace verne {

/// One scratch memory per thread, and the threads.
struct Batch::Workers {
  explicit Workers(int threads, std::size_t scratch_values) : arena(threads) {
    for (int k = 0; k < threads; ++k) scratch.emplace_back(static_cast<int>(scratch_values), 1, 1);
  }
  tbb::task_arena arena;
  std::vector<LaneArray> scratch;
};

/// Runs a kernel over all blocks of a batch.
class BatchRunner {
 public:
  BatchRunner(const char* function, const Model& model, Batch& batch)
      : function_(function), batch_(batch), tree_(model.tree()) {
    check("batch.q", batch.q, model.nq());
    check("batch.v", batch.v, model.nv());
    check("batch.a", batch.a, model.nv());
    check("batch.tau", batch.tau, model.nv());
    check("batch.load_values", batch.load_values, 9 * static_cast<int>(batch.load_sites_.size()));
    // Coupled joints add bodies without adding coordinates: the scratch memory tells more than q and v do.
    check_scratch(scratch_size(tree_) * batch.lanes(), batch.workers_->scratch[0].rows());
    for (const LoadSite& site : batch.load_sites_) {
      check_index(function, "site of a load", site.site, tree_.site_count);
    }
  }

  const KernelTable<double>& kernels() const { return *batch_.kernels_; }
  const Tree& tree() const { return tree_; }

  /// An array of inputs: its rows, and a place for every state of the batch.
  void check(const char* name, const LaneArray& array, int rows) const {
    check_size(function_, name, rows, array.rows());
    if (rows == 0 || (array.count() == batch_.count() && array.lanes() == batch_.lanes())) return;
    const auto states = [](int count, int lanes) {
      return std::to_string(count) + " states in lanes of " + std::to_string(lanes);
    };
    throw std::invalid_argument(std::string(function_) + ": " + name + " holds " +
                                states(array.count(), array.lanes()) + ", expected " +
                                states(batch_.count(), batch_.lanes()));
  }

  /// Makes room for results. True when the array had to be made anew, and holds zeros.
  bool room(LaneArray& array, int rows) const {
    array.forget_zeros();
    if (array.values_ && array.rows() == rows && array.count() == batch_.count() && array.lanes() == batch_.lanes())
      return false;
    array = LaneArray(rows, batch_.count(), batch_.lanes());
    return true;
  }

  /// The same for nv x nv matrices that vanish where two freedoms do not support each other. True when all of them
  /// have these zeros already; keep_zeros() says that they do once they are filled.
  bool room_for_pairs(std::initializer_list<LaneArray*> matrices, int nv) const {
    bool zeros = true;
    for (LaneArray* const matrix : matrices) {
      const unsigned long long before = matrix->zeros_of_;
      const bool is_new = room(*matrix, nv * nv);
      zeros = zeros && (is_new || before == tree_.id);
    }
    return zeros;
  }
  void keep_zeros(std::initializer_list<LaneArray*> matrices) const {
    for (LaneArray* const matrix : matrices) matrix->zeros_of_ = tree_.id;
  }

  /// A block for the kernels, null when empty.
  static double* values(LaneArray& array, int block) { return array.values_at(block); }
  static const double* values(const LaneArray& array, int block) { return array.values_at(block); }

  /// Inputs of a block without loads; take away what is to be zero.
  Inputs<double> inputs(int block) const {
    return {values(batch_.q, block),
            values(batch_.v, block),
            values(batch_.a, block),
            values(batch_.tau, block),
            0,
            nullptr,
            nullptr};
  }
  Inputs<double> loaded_inputs(int block) const {
    Inputs<double> in = inputs(block);
    in.load_count = static_cast<int>(batch_.load_sites_.size());
    in.load_sites = batch_.load_sites_.data();
    in.load_values = values(batch_.load_values, block);
    return in;
  }

  int workers() const { return static_cast<int>(batch_.workers_->scratch.size()); }
  std::span<const LoadSite> load_sites() const { return batch_.load_sites_; }

  /// kernel(block, scratch), the blocks split evenly among the threads.
  template <class F>
  void for_each_block(F&& kernel) const {
    for_each_block_of_workers([&](int block, double* scratch, int) { kernel(block, scratch); });
  }
  /// kernel(block, scratch, worker), for memory of the caller's for each of workers().
  template <class F>
  void for_each_block_of_workers(F&& kernel) const {
    const int blocks = (batch_.count() + batch_.lanes() - 1) / batch_.lanes();
    std::vector<LaneArray>& scratch = batch_.workers_->scratch;
    const int threads = std::min(static_cast<int>(scratch.size()), blocks);
    const auto run_share = [&](int k) {
      const int end = static_cast<int>(static_cast<long>(blocks) * (k + 1) / threads);
      for (int b = static_cast<int>(static_cast<long>(blocks) * k / threads); b < end; ++b)
        kernel(b, values(scratch[k], 0), k);
    };
    if (threads == 1) {
      run_share(0);
    } else {
      batch_.workers_->arena.execute([&] { tbb::parallel_for(0, threads, run_share); });
    }
  }

 private:
  void check_scratch(long needed, long available) const {
    if (needed <= available) return;
    throw std::invalid_argument(std::string(function_) +
                                ": the batch was made for a smaller model, with scratch memory of " +
                                std::to_string(available) + " numbers; this one needs " + std::to_string(needed));
  }

  const char* function_;
  Batch& batch_;
  const Tree& tree_;
};

}  // namespace verne
