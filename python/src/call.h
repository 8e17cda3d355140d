/// Calls of functions of states: what they are given goes into lanes, and what they find into arrays.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "model.h"

namespace verne::python {

/// Where each quaternion of a configuration begins, with the joint's name.
inline std::vector<std::pair<int, std::string>> quaternions_of(const Model& model) {
  std::vector<std::pair<int, std::string>> found;
  for (const Joint& joint : model.joints()) {
    const JointType type = joint.spec.type;
    if (type == JointType::spherical || type == JointType::free) {
      found.emplace_back(joint.q + position_count(type) - 4, joint.spec.name);
    }
  }
  return found;
}

/// An array of a worker.
using Rows = LaneArray& (*)(Worker&);

/// Results: some rows of an array, as an array of this shape for each state.
struct Output {
  std::function<const LaneArray&(const Worker&)> rows;
  std::vector<py::ssize_t> shape;
  int first_row = 0;
  bool by_rows = false;  ///< how a matrix lies in its rows

  int size() const {
    return static_cast<int>(std::accumulate(shape.begin(), shape.end(), py::ssize_t{1}, std::multiplies<>()));
  }
};

/// What a call is given, and where that goes.
class Call {
 public:
  Call(const PythonModel& self, const py::object& q, const char* name = "q") : self_(self) {
    positions(q, name, [](Worker& w) -> LaneArray& { return w.batch.q; });
  }
  Call& positions(const py::object& q, const char* name, Rows place) {
    add(q, name, self_.model.nq(), place);
    for (const auto& [first, joint] : quaternions_of(self_.model)) states_.require_unit_quaternion(first, joint);
    return *this;
  }
  Call& v(const py::object& x) {
    return add(x, "v", self_.model.nv(), [](Worker& w) -> LaneArray& { return w.batch.v; });
  }
  Call& a(const py::object& x) {
    return add(x, "a", self_.model.nv(), [](Worker& w) -> LaneArray& { return w.batch.a; });
  }
  Call& tau(const py::object& x) {
    return add(x, "tau", self_.model.nv(), [](Worker& w) -> LaneArray& { return w.batch.tau; });
  }
  Call& add(const py::object& x, const std::string& name, int size, Rows place) {
    states_.add(x, name, size);
    places_.push_back(place);
    return *this;
  }
  Call& loads(Loads<double> external) { return loads_ = std::move(external), *this; }

  /// Runs `compute(model, worker)` without holding up other threads of Python: some states at a time, so that what it
  /// leaves in lanes is still in the cache when it goes into arrays.
  template <class Compute>
  std::vector<py::array> run(Compute compute, const std::vector<Output>& outputs) const {
    std::vector<py::array> arrays;
    std::vector<double*> to;
    int numbers = 0;
    for (const Output& output : outputs) {
      py::array_t<double> array = states_.empty(output.shape, output.by_rows);
      to.push_back(array.mutable_data());
      arrays.push_back(std::move(array));
      numbers += output.size();
    }
    const int count = states_.count(), portion = std::min(count, portion_for(numbers));
    const auto lease = self_.worker(portion);
    Worker& worker = *lease;
    const py::gil_scoped_release release;
    worker.batch.set_loads(loads_);
    for (int first = 0; first < count; first += portion) {
      const int here = std::min(portion, count - first);
      for (std::size_t k = 0; k < places_.size(); ++k)
        states_.put(static_cast<int>(k), first, here, places_[k](worker));
      compute(self_.model, worker);
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        const int size = outputs[k].size();
        copy_out(outputs[k].rows(worker), outputs[k].first_row, size, here,
                 to[k] + static_cast<py::ssize_t>(first) * size);
      }
    }
    return arrays;
  }
  template <class Compute>
  py::array run(Compute compute, Output output) const {
    return run(compute, std::vector<Output>{std::move(output)})[0];
  }

 private:
  /// As many states as a nearby cache holds with so many numbers of results each; whole registers.
  static int portion_for(int numbers) {
    constexpr int kCached = 16384, kMost = 256, kWidest = 8;
    return std::clamp(kCached / std::max(numbers, 1) / kWidest * kWidest, kWidest, kMost);
  }

  const PythonModel& self_;
  States states_;
  std::vector<Rows> places_;
  Loads<double> loads_;
};

template <LaneArray Batch::*rows>
const LaneArray& of_batch(const Worker& worker) {
  return worker.batch.*rows;
}
template <LaneArray BatchDerivatives::*rows>
const LaneArray& of_derivatives(const Worker& worker) {
  return worker.derivatives.*rows;
}
/// [{"frame": "tool", "force": [0, 0, -5], "moment": ..., "point": ...}, ...], the same for all states; or None.
Loads<double> loads_of(const Model& model, const py::object& given);

}  // namespace verne::python
