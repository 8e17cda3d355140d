/// A model for Python, with the batches that its calls run on.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "verne/dynamics/batch.h"

namespace verne::python {

/// Batches that are not in use, by number of states: memory is what a call would else spend its time on.
class BatchPool {
 public:
  explicit BatchPool(Model model) : model_(std::move(model)) {}
  std::unique_ptr<Batch> take(int count);
  void give_back(std::unique_ptr<Batch> batch);

 private:
  Model model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Batch>> free_;  // the latest last
};

class PythonModel {
 public:
  explicit PythonModel(Model moved) : model(std::move(moved)), pool_(std::make_shared<BatchPool>(model)) {}

  Model model;

  /// A batch for as long as a call takes.
  class Lease {
   public:
    Lease(BatchPool& pool, int count) : pool_(pool), batch_(pool.take(count)) {}
    ~Lease() { pool_.give_back(std::move(batch_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Batch& operator*() const { return *batch_; }
    Batch* operator->() const { return batch_.get(); }

   private:
    BatchPool& pool_;
    std::unique_ptr<Batch> batch_;
  };
  Lease batch(int count) const { return {*pool_, count}; }

 private:
  std::shared_ptr<BatchPool> pool_;
};

}  // namespace verne::python
