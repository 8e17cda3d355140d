#include "arrays.h"

#include <cmath>

namespace verne::python {

namespace {

std::string shape_of(const Array& x) {
  std::string text = "(";
  for (py::ssize_t k = 0; k < x.ndim(); ++k) text += (k ? ", " : "") + std::to_string(x.shape(k));
  return text + (x.ndim() == 1 ? ",)" : ")");
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
      throw py::value_error(name + ": entry " + std::to_string(k) + " is not finite");
    }
  }
  return values;
}

void States::add(const py::object& x, const std::string& name, int size) {
  Array values = numbers(x, name);
  const bool many = values.ndim() == 2;
  if ((values.ndim() != 1 && !many) || values.shape(many ? 1 : 0) != size) {
    const std::string n = std::to_string(size);
    throw py::value_error(name + ": expected shape (" + n + ",) for one state or (states, " + n + ") for many, found " +
                          shape_of(values));
  }
  const int count = many ? static_cast<int>(values.shape(0)) : 1;
  if (count == 0) throw py::value_error(name + ": there are no states");
  if (!arguments_.empty() && (many != many_ || count != count_)) {
    throw py::value_error(name + ": has shape " + shape_of(values) + ", but " + arguments_.front().name + " has " +
                          shape_of(arguments_.front().values) + ": all must have as many states");
  }
  many_ = many, count_ = count;
  arguments_.push_back({std::move(values), name});
}

void States::put(int k, LaneArray& rows) const {
  rows.assign(Eigen::Map<const Eigen::MatrixXd>(arguments_[k].values.data(), rows.rows(), count_));
}

py::array States::result(const LaneArray& rows, std::vector<py::ssize_t> shape) const {
  // Rows are column-major: the strides say so, which saves a transposition.
  std::vector<py::ssize_t> strides;
  py::ssize_t stride = sizeof(double);
  for (const py::ssize_t extent : shape) strides.push_back(stride), stride *= extent;
  if (many_) {
    shape.insert(shape.begin(), count_);
    strides.insert(strides.begin(), stride);
  }
  py::array_t<double> out(shape, strides);
  for (int k = 0; k < count_; ++k) {
    Eigen::Map<Eigen::VectorXd>(out.mutable_data() + static_cast<py::ssize_t>(k) * rows.rows(), rows.rows()) =
        rows.column(k);
  }
  return out;
}

}  // namespace verne::python
