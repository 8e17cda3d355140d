#include "arrays.h"

#include <algorithm>
#include <cmath>

#include "verne/base/error.h"

namespace verne::python {

namespace {

std::string shape_of(const Array& x) {
  std::string text = "(";
  for (py::ssize_t k = 0; k < x.ndim(); ++k) text += (k ? ", " : "") + std::to_string(x.shape(k));
  return text + (x.ndim() == 1 ? ",)" : ")");
}

/// Two numbers beside each other, wherever they are.
using Two [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;

/// to[lane][row] = from[row][lane], for the lanes that hold states. By squares of two, which halves the stores: those
/// of single numbers would take a third of the time of a mass matrix.
void transpose(const double* from, int rows, int lanes, int filled, double* to) {
  const int even_rows = rows / 2 * 2, even_lanes = filled / 2 * 2;
  for (int row = 0; row < even_rows; row += 2) {
    for (int lane = 0; lane < even_lanes; lane += 2) {
      const double* const corner = from + row * lanes + lane;
      const Two a = *reinterpret_cast<const Two*>(corner), b = *reinterpret_cast<const Two*>(corner + lanes);
      *reinterpret_cast<Two*>(to + lane * rows + row) = Two{a[0], b[0]};
      *reinterpret_cast<Two*>(to + (lane + 1) * rows + row) = Two{a[1], b[1]};
    }
  }
  for (int lane = 0; lane < filled; ++lane) {
    for (int row = lane < even_lanes ? even_rows : 0; row < rows; ++row)
      to[lane * rows + row] = from[row * lanes + lane];
  }
}

}  // namespace

Array numbers(const py::object& x, const std::string& name) {
  const py::array any = py::array::ensure(x);
  if (!any) {
    PyErr_Clear();
    throw py::type_error(name + ": expected an array of numbers");
  }
  if (std::string("fiu").find(any.dtype().kind()) == std::string::npos) {
    throw py::type_error(name + ": expected real numbers, found dtype " + std::string(py::str(any.dtype())));
  }
  Array values = Array::ensure(any);
  if ((Eigen::Map<const Eigen::ArrayXd>(values.data(), values.size()) * 0.0).sum() == 0) return values;  // all finite
  for (py::ssize_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values.data()[k])) {
      throw InputError(name + ": entry " + std::to_string(k) + " is not finite");
    }
  }
  return values;
}

void States::add(const py::object& x, const std::string& name, int size) {
  Array values = numbers(x, name);
  const bool many = values.ndim() == 2;
  if ((values.ndim() != 1 && !many) || values.shape(many ? 1 : 0) != size) {
    const std::string n = std::to_string(size);
    throw InputError(name + ": expected shape (" + n + ",) for one state or (states, " + n + ") for many, found " +
                     shape_of(values));
  }
  const int count = many ? static_cast<int>(values.shape(0)) : 1;
  if (count == 0) throw InputError(name + ": there are no states");
  if (!arguments_.empty() && (many != many_ || count != count_)) {
    throw InputError(name + ": has shape " + shape_of(values) + ", but " + arguments_.front().name + " has " +
                     shape_of(arguments_.front().values) + ": all must have as many states");
  }
  many_ = many, count_ = count;
  arguments_.push_back({std::move(values), name});
}

void States::require_unit_quaternion(int first, const std::string& joint) const {
  constexpr double kUnitTolerance = 1e-6;  // as of states in files
  const Argument& last = arguments_.back();
  const py::ssize_t size = last.values.shape(last.values.ndim() - 1);
  for (int k = 0; k < count_; ++k) {
    const double* const q = last.values.data() + k * size + first;
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (std::abs(length - 1) <= kUnitTolerance) continue;
    throw InputError(last.name + ": " + (many_ ? "state " + std::to_string(k) + ": " : "") +
                     "the quaternion of joint '" + joint + "' has length " + std::string(py::str(py::float_(length))) +
                     "; expected 1");
  }
}

void States::require_positive() const {
  const Argument& last = arguments_.back();
  for (py::ssize_t k = 0; k < last.values.size(); ++k) {
    if (last.values.data()[k] > 0) continue;
    throw InputError(last.name + ": expected positive numbers, found " +
                     std::string(py::str(py::float_(last.values.data()[k]))));
  }
}

void States::put(int k, int first, int count, LaneArray& rows) const {
  const double* const from = arguments_[k].values.data() + static_cast<py::ssize_t>(first) * rows.rows();
  for (int i = 0; i < count; ++i) rows.set(i, Eigen::Map<const Eigen::VectorXd>(from + i * rows.rows(), rows.rows()));
}

py::array_t<double> States::empty(std::vector<py::ssize_t> shape, bool by_rows) const {
  // The strides say how matrices lie, which saves a transposition.
  std::vector<py::ssize_t> strides(shape.size());
  py::ssize_t stride = sizeof(double);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t axis = by_rows ? shape.size() - 1 - i : i;
    strides[axis] = stride, stride *= shape[axis];
  }
  if (many_) {
    shape.insert(shape.begin(), count_);
    strides.insert(strides.begin(), stride);
  }
  return py::array_t<double>(shape, strides);
}

void copy_out(const LaneArray& rows, int first_row, int size, int count, double* out) {
  const int lanes = rows.lanes();
  for (int first = 0; first < count; first += lanes) {
    const double* const from = rows.column(first).data() + static_cast<py::ssize_t>(first_row) * lanes;
    transpose(from, size, lanes, std::min(lanes, count - first), out + static_cast<py::ssize_t>(first) * size);
  }
}

}  // namespace verne::python
