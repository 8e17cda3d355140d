/// A model for Python, with what its calls run on.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "verne/dynamics/batch_derivatives.h"

namespace verne::python {

/// What a call runs on.
struct Worker {
  Worker(const Model& model, int count)
      : batch(model, count), begin(model.nq(), count, batch.lanes()), step(model.nv(), count, batch.lanes()) {}

  Batch batch;
  BatchDerivatives derivatives;
  LaneArray begin, step, regressor;
};

/// Those that are not in use, by number of states: memory is what a call would else spend its time on.
class WorkerPool {
 public:
  explicit WorkerPool(Model model) : model_(std::move(model)) {}
  std::unique_ptr<Worker> take(int count);
  void give_back(std::unique_ptr<Worker> worker);

 private:
  Model model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> free_;  // the latest last
};

class PythonSystem;

class PythonModel {
 public:
  explicit PythonModel(Model moved) : model(std::move(moved)), pool_(std::make_shared<WorkerPool>(model)) {}

  Model model;
  /// The model with its loops and nothing else, made when it is first asked for.
  const PythonSystem& system() const;

  /// A worker for as long as a call takes.
  class Lease {
   public:
    Lease(WorkerPool& pool, int count) : pool_(pool), worker_(pool.take(count)) {}
    ~Lease() { pool_.give_back(std::move(worker_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Worker& operator*() const { return *worker_; }

   private:
    WorkerPool& pool_;
    std::unique_ptr<Worker> worker_;
  };
  Lease worker(int count) const { return {*pool_, count}; }

 private:
  std::shared_ptr<WorkerPool> pool_;
  /// Of this model and its copies.
  struct OwnSystem {
    std::mutex mutex;
    std::shared_ptr<const PythonSystem> made;
  };
  std::shared_ptr<OwnSystem> own_ = std::make_shared<OwnSystem>();
};

}  // namespace verne::python
