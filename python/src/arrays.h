/// Between numpy's arrays and batches: one state is a vector, many are a matrix with a row for each.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "verne/dynamics/batch.h"

namespace verne::python {

namespace py = pybind11;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Finite real numbers as an array of doubles; throws ValueError or TypeError that names it.
Array numbers(const py::object& x, const std::string& name);

/// Arguments of a call that has one state or many; all must have as many.
class States {
 public:
  /// Checks an argument with `size` numbers a state.
  void add(const py::object& x, const std::string& name, int size);

  int count() const { return count_; }
  /// Fills an array of a batch with argument `k`, in the order in which they were added.
  void put(int k, LaneArray& rows) const;
  /// `rows` as an array: of this shape (column-major in the rows) for one state, with a first axis more for many.
  py::array result(const LaneArray& rows, std::vector<py::ssize_t> shape) const;

 private:
  struct Argument {
    Array values;
    std::string name;
  };
  std::vector<Argument> arguments_;
  bool many_ = false;
  int count_ = 0;
};

}  // namespace verne::python
