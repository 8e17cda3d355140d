/// Runs kernels over the blocks of a batch, on threads when it has several.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "base/cache_line.h"
#include "dynamics/check.h"
#include "dynamics/dispatch.h"
#include "verne/dynamics/batch.h"

namespace verne {

/// One scratch memory per thread, and the threads. What no kernel writes stays untouched, and takes neither time nor
/// memory: much of it is for second derivatives alone.
struct Batch::Workers {
  explicit Workers(int threads, std::size_t scratch_values) : arena(threads), values(scratch_values) {
    for (int k = 0; k < threads; ++k) {
      scratch.emplace_back(static_cast<double*>(::operator new(values * sizeof(double), kCacheLine)));
    }
  }
  struct Free {
    void operator()(double* p) const { ::operator delete(p, kCacheLine); }
  };
  tbb::task_arena arena;
  std::size_t values;
  std::vector<std::unique_ptr<double[], Free>> scratch;
};

/// Runs a kernel over all blocks of a batch.
class BatchRunner {
 public:
  BatchRunner(const char* function, const Model& model, Batch& batch)
      : function_(function), batch_(batch), tree_(model.tree()) {
    input("batch.q", batch.q, model.nq());
    input("batch.v", batch.v, model.nv());
    input("batch.a", batch.a, model.nv());
    input("batch.tau", batch.tau, model.nv());
    input("batch.load_values", batch.load_values, kLoadRows * static_cast<int>(batch.load_sites_.size()),
          Holds::matrices);
    // Coupled joints add bodies without adding coordinates: the scratch memory tells more than q and v do.
    check_scratch(scratch_size(tree_) * batch.lanes(), static_cast<int>(batch.workers_->values));
    for (const LoadSite& site : batch.load_sites_) {
      check_index(function, "site of a load", site.site, tree_.site_count);
    }
  }

  const KernelTable<double>& kernels() const { return *batch_.kernels_; }
  const Tree& tree() const { return tree_; }

  /// What the rule on shared memory (batch.h) goes by.
  enum class Holds { vectors, matrices };

  /// An array of inputs, of which the outputs that follow must know.
  void input(const char* name, const LaneArray& array, int rows, Holds holds = Holds::vectors) {
    check(name, array, rows);
    keep({name, &array, holds == Holds::vectors});
  }
  /// An array has these rows, and a place for every state of the batch.
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

  /// Room in an array of the caller's, unless the rule on shared memory forbids it. The result is that of room().
  bool output(const char* name, LaneArray& array, int rows, Holds holds = Holds::matrices) {
    for (int k = 0; k < argument_count_; ++k) {
      const Argument& other = arguments_[static_cast<std::size_t>(k)];
      if (other.array != &array) continue;
      if (holds == Holds::matrices || !other.input_vectors || array.rows() != rows) refuse(name, other.name);
    }
    keep({name, &array, false});
    return room(array, rows);
  }
  /// Makes room for results. True when the array had to be made anew, and holds zeros.
  bool room(LaneArray& array, int rows) const {
    array.forget_zeros();
    if (array.values_ && array.rows() == rows && array.count() == batch_.count() && array.lanes() == batch_.lanes())
      return false;
    array = LaneArray(rows, batch_.count(), batch_.lanes());
    return true;
  }

  /// output() for nv x nv matrices that vanish where two freedoms do not support each other. True when all of them
  /// have these zeros already; keep_zeros() says that they do once they are filled.
  bool output_pairs(const char* name, std::initializer_list<LaneArray*> matrices, int nv) {
    bool zeros = true;
    for (LaneArray* const matrix : matrices) {
      const unsigned long long before = matrix->zeros_of_;
      const bool is_new = output(name, *matrix, nv * nv);
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
    const auto& scratch = batch_.workers_->scratch;
    const int threads = std::min(static_cast<int>(scratch.size()), blocks);
    const auto run_share = [&](int k) {
      const int end = static_cast<int>(static_cast<long>(blocks) * (k + 1) / threads);
      for (int b = static_cast<int>(static_cast<long>(blocks) * k / threads); b < end; ++b)
        kernel(b, scratch[static_cast<std::size_t>(k)].get(), k);
    };
    if (threads == 1) {
      run_share(0);
    } else {
      batch_.workers_->arena.execute([&] { tbb::parallel_for(0, threads, run_share); });
    }
  }

 private:
  struct Argument {
    const char* name;
    const LaneArray* array;
    bool input_vectors;
  };
  void keep(const Argument& argument) { arguments_.at(static_cast<std::size_t>(argument_count_++)) = argument; }
  [[noreturn]] void refuse(const char* output, const char* other) const {
    throw std::invalid_argument(std::string(function_) + ": " + output + " and " + other +
                                " are one array: an output may be an input only if both are vectors of the same size");
  }
  void check_scratch(long needed, long available) const {
    if (needed <= available) return;
    throw std::invalid_argument(std::string(function_) +
                                ": the batch was made for a smaller model, with scratch memory of " +
                                std::to_string(available) + " numbers; this one needs " + std::to_string(needed));
  }

  const char* function_;
  Batch& batch_;
  const Tree& tree_;
  std::array<Argument, 12> arguments_;  // derivatives with wrenches have eleven
  int argument_count_ = 0;
};

}  // namespace verne
