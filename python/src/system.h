/// A system for Python: a model with its loops, held contacts, given accelerations, and what its calls run on.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings.h"
#include "verne/quantities/evaluation.h"

namespace verne::python {

/// One name, or several.
std::vector<std::string> words_of(const py::object& want);

/// What may be given of states, as state_inputs() has it: q, v, a, tau, guess, weights; None where it is not.
using StateArguments = std::array<py::object, 6>;

/// Evaluations that are not in use: to make one takes longer than most calls.
class EvaluationPool {
 public:
  struct Kept {
    std::string key;
    std::unique_ptr<Evaluation> evaluation;
  };
  explicit EvaluationPool(System system) : system_(std::move(system)) {}
  /// For these inputs (a bit each): the others are as they were at first.
  Kept take(const std::vector<std::string>& wants, int capacity, unsigned inputs);
  void give_back(Kept kept);

 private:
  System system_;
  std::mutex mutex_;
  std::vector<Kept> free_;  // the latest last
};

class PythonSystem {
 public:
  PythonSystem(const PythonModel& of, System made)
      : model(of), system(std::move(made)), pool_(std::make_shared<EvaluationPool>(system)) {}

  PythonModel model;
  System system;

  py::object evaluate(const py::object& want, const StateArguments& given, const py::object& loads) const;

 private:
  std::shared_ptr<EvaluationPool> pool_;
};

}  // namespace verne::python
