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

/// Finite real numbers as an array of doubles; throws InputError or TypeError that names it.
Array numbers(const py::object& x, const std::string& name);

/// Arguments of a call that has one state or many; all must have as many.
class States {
 public:
  /// Checks an argument with `size` numbers a state.
  void add(const py::object& x, const std::string& name, int size);

  /// Checks four numbers of each state in the argument that was added last, from `first` on: those of a joint.
  void require_unit_quaternion(int first, const std::string& joint) const;

  /// Checks that the argument that was added last has none but positive numbers.
  void require_positive() const;

  int count() const { return count_; }
  /// Fills `rows` with so many states of argument `k`, in the order in which they were added, from a state on.
  void put(int k, int first, int count, LaneArray& rows) const;
  /// An array for results: of this shape for one state, with a first axis more for many. Matrices lie in it column by
  /// column, as in batches, unless they are to lie row by row.
  py::array_t<double> empty(std::vector<py::ssize_t> shape, bool by_rows) const;

 private:
  struct Argument {
    Array values;
    std::string name;
  };
  std::vector<Argument> arguments_;
  bool many_ = false;
  int count_ = 0;
};

/// Some rows of so many states, one state behind the other.
void copy_out(const LaneArray& rows, int first_row, int size, int count, double* out);

}  // namespace verne::python
