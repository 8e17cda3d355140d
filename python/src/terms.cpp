// Costs and limits by functions of Python, which are called for many places of a motion at a time.
#include "terms.h"

#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "bindings.h"
#include "verne/base/error.h"

namespace verne::python {

namespace {

using Complex = std::complex<double>;

constexpr double kComplexStep = 1e-30;      // its square is nothing beside 1
constexpr double kDifferenceStep = 6e-6;    // of 1 and of u: the cube root of the rounding of a double
constexpr std::size_t kMostRows = 1 << 17;  // of one call: memory

/// Moves one number of u by a real step, up or down, and one by an imaginary step; -1: none.
struct Move {
  int real = -1, imaginary = -1;
  double sign = 0;
};

double step_of(double u) {
  return kDifferenceStep * std::max(1.0, std::abs(u));
}

class PythonTerm : public Term {
 public:
  PythonTerm(std::vector<Channel> channels, std::shared_ptr<PythonFunction> function)
      : Term(std::move(channels)), function_(std::move(function)) {}

  double value(const double* u) const override {
    double value = 0;
    values(u, 1, &value);
    return value;
  }
  void gradient(const double* u, double* gradient) const override { gradients(u, 1, gradient); }
  void hessian(const double* u, double* hessian) const override { hessians(u, 1, hessian); }

  void values(const double* u, int count, double* values) const override {
    in_python([&] {
      const auto found = called<double>(u, count, {Move{}});
      std::copy(found.begin(), found.end(), values);
    });
  }

  void gradients(const double* u, int count, double* gradients) const override {
    in_python([&] {
      if (!function_->gradient.is_none()) {
        const std::vector<double> found = given_gradients(u, count, {Move{}});
        std::copy(found.begin(), found.end(), gradients);
        return;
      }
      std::vector<Move> moves;
      for (int k = 0; k < size(); ++k) moves.push_back({-1, k, 0});
      const std::vector<Complex> found = called<Complex>(u, count, moves);
      for (int k = 0; k < size(); ++k) {
        for (int n = 0; n < count; ++n) gradients[n * size() + k] = found[k * count + n].imag() / kComplexStep;
      }
    });
  }

  /// Central differences of first derivatives.
  void hessians(const double* u, int count, double* hessians) const override {
    in_python([&] {
      if (function_->gradient.is_none()) {
        differences_of_steps(u, count, hessians);
      } else {
        differences_of_gradients(u, count, hessians);
      }
    });
  }

 private:
  /// Runs what calls functions of Python, and keeps what they raise first.
  template <class Call>
  void in_python(Call&& call) const {
    const py::gil_scoped_acquire acquire;
    try {
      call();
    } catch (py::error_already_set& error) {
      if (!function_->thrown) function_->thrown = std::current_exception();
      throw std::runtime_error(said_by(error));
    }
  }

  /// "ValueError: math domain error (line 12 of comfort.py)"
  static std::string said_by(const py::error_already_set& error) {
    std::string text = error.type().attr("__name__").cast<std::string>();
    const auto message = py::str(error.value()).cast<std::string>();
    if (!message.empty()) text += ": " + message;
    py::object trace = error.trace();
    if (!trace || trace.is_none()) return text;
    while (!trace.attr("tb_next").is_none()) trace = trace.attr("tb_next");
    const auto file = trace.attr("tb_frame").attr("f_code").attr("co_filename").cast<std::string>();
    return text + " (line " + py::str(trace.attr("tb_lineno")).cast<std::string>() + " of " +
           file.substr(file.find_last_of('/') + 1) + ")";
  }

  /// An array for each channel: the places as they are moved, one move after the other.
  template <class Scalar>
  py::tuple arguments(const double* u, int count, const std::vector<Move>& moves) const {
    py::tuple arrays(channels().size());
    const auto rows = static_cast<py::ssize_t>(moves.size()) * count;
    int first = 0;
    for (std::size_t c = 0; c < channels().size(); ++c) {
      const int numbers = channels()[c].size;
      std::vector<py::ssize_t> shape{rows};
      if (numbers > 1) shape.push_back(numbers);
      py::array_t<Scalar> array(shape);
      Scalar* to = array.mutable_data();
      for (const Move& move : moves) {
        for (int n = 0; n < count; ++n) {
          for (int k = first; k < first + numbers; ++k) *to++ = moved<Scalar>(u[n * size() + k], move, k);
        }
      }
      arrays[c] = std::move(array);
      first += numbers;
    }
    return arrays;
  }
  template <class Scalar>
  static Scalar moved(double x, const Move& move, int k) {
    const double there = k == move.real ? x + move.sign * step_of(x) : x;
    if constexpr (std::is_same_v<Scalar, Complex>) {
      return {there, k == move.imaginary ? kComplexStep : 0.0};
    } else {
      return there;
    }
  }

  /// What the function gives: a number for each place and move.
  template <class Scalar>
  std::vector<Scalar> called(const double* u, int count, const std::vector<Move>& moves) const {
    const auto rows = static_cast<py::ssize_t>(moves.size()) * count;
    return numbers_of<Scalar>(function_->value(*arguments<Scalar>(u, count, moves)), {rows}, "its function");
  }
  template <class Scalar>
  static std::vector<Scalar> numbers_of(const py::object& given, const std::vector<py::ssize_t>& shape,
                                        const char* what) {
    const py::array_t<Scalar, py::array::c_style | py::array::forcecast> array(given);
    if (array.ndim() == static_cast<py::ssize_t>(shape.size()) && std::equal(shape.begin(), shape.end(), array.shape()))
      return {array.data(), array.data() + array.size()};
    throw std::runtime_error(std::string(what) + " gave an array of shape " +
                             shape_text({array.shape(), array.shape() + array.ndim()}) + ", expected " +
                             shape_text(shape) + ": a number for each place");
  }
  static std::string shape_text(const std::vector<py::ssize_t>& shape) {
    return py::str(py::tuple(py::cast(shape))).cast<std::string>();
  }

  /// The gradients that are given: `size` numbers for each place and move.
  std::vector<double> given_gradients(const double* u, int count, const std::vector<Move>& moves) const {
    const auto rows = moves.size() * static_cast<std::size_t>(count), width = static_cast<std::size_t>(size());
    py::object given = function_->gradient(*arguments<double>(u, count, moves));
    if (channels().size() == 1) given = py::make_tuple(given);
    const auto parts = py::sequence(given);
    if (parts.size() != channels().size()) {
      throw std::runtime_error("its gradient gave " + std::to_string(parts.size()) +
                               " arrays, expected one for each of " + std::to_string(channels().size()) + " channels");
    }
    std::vector<double> all(rows * width);
    std::size_t first = 0;
    for (std::size_t c = 0; c < channels().size(); ++c) {
      const auto numbers = static_cast<std::size_t>(channels()[c].size);
      std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows)};
      if (numbers > 1) shape.push_back(static_cast<py::ssize_t>(numbers));
      const std::vector<double> part = numbers_of<double>(parts[c], shape, "its gradient");
      for (std::size_t n = 0; n < rows; ++n) {
        std::copy_n(part.data() + n * numbers, numbers, all.data() + n * width + first);
      }
      first += numbers;
    }
    return all;
  }

  /// As many moves at a time as memory allows.
  template <class Visit>
  static void in_portions(std::vector<Move> moves, int count, Visit&& visit) {
    const std::size_t most = std::max<std::size_t>(2, kMostRows / static_cast<std::size_t>(count) / 2 * 2);
    for (std::size_t first = 0; first < moves.size(); first += most) {
      const auto end = moves.begin() + static_cast<std::ptrdiff_t>(std::min(moves.size(), first + most));
      visit(std::vector<Move>(moves.begin() + static_cast<std::ptrdiff_t>(first), end));
    }
  }

  /// Of derivatives by complex steps; up and down follow each other.
  void differences_of_steps(const double* u, int count, double* hessians) const {
    std::vector<Move> all;
    for (int i = 0; i < size(); ++i) {
      for (int k = 0; k <= i; ++k) all.push_back({i, k, 1}), all.push_back({i, k, -1});
    }
    in_portions(all, count, [&](const std::vector<Move>& moves) {
      const std::vector<Complex> found = called<Complex>(u, count, moves);
      for (std::size_t m = 0; m < moves.size(); m += 2) {
        const auto [i, k, sign] = moves[m];
        for (int n = 0; n < count; ++n) {
          const double up = found[m * count + n].imag(), down = found[(m + 1) * count + n].imag();
          double* const H = hessians + static_cast<std::ptrdiff_t>(n) * size() * size();
          H[i * size() + k] = H[k * size() + i] = (up - down) / kComplexStep / (2 * step_of(u[n * size() + i]));
        }
      }
    });
  }
  void differences_of_gradients(const double* u, int count, double* hessians) const {
    std::vector<Move> all;
    for (int i = 0; i < size(); ++i) all.push_back({i, -1, 1}), all.push_back({i, -1, -1});
    std::fill_n(hessians, static_cast<std::ptrdiff_t>(count) * size() * size(), 0.0);
    in_portions(all, count, [&](const std::vector<Move>& moves) {
      const std::vector<double> found = given_gradients(u, count, moves);
      for (std::size_t m = 0; m < moves.size(); m += 2) {
        const int i = moves[m].real;
        for (int n = 0; n < count; ++n) {
          const double* const up = found.data() + (m * count + n) * size();
          const double* const down = found.data() + ((m + 1) * count + n) * size();
          double* const H = hessians + static_cast<std::ptrdiff_t>(n) * size() * size();
          for (int k = 0; k < size(); ++k) {  // half of what is symmetric comes from either
            const double half = (up[k] - down[k]) / (4 * step_of(u[n * size() + i]));
            H[i * size() + k] += half, H[k * size() + i] += half;
          }
        }
      }
    });
  }

  std::shared_ptr<PythonFunction> function_;
};

/// "q:elbow", or ("point:tool", (0.1, 0, 0)) for a point beside the frame's origin.
PythonFunction::ChannelName channel_name(const py::handle& given) {
  if (py::isinstance<py::str>(given)) return {given.cast<std::string>()};
  if (py::isinstance<py::tuple>(given) && py::len(given) == 2) {
    const auto pair = py::reinterpret_borrow<py::tuple>(given);
    const auto at = py::array_t<double, py::array::forcecast>::ensure(pair[1]);
    if (py::isinstance<py::str>(pair[0]) && at && at.ndim() == 1 && at.size() == 3) {
      return {pair[0].cast<std::string>(), {at.at(0), at.at(1), at.at(2)}};
    }
  }
  throw py::type_error("channels: expected names as \"q:elbow\", or (\"point:tool\", (x, y, z)), found " +
                       py::repr(given).cast<std::string>());
}

std::shared_ptr<PythonFunction> function_of(const std::string& name, const py::object& channels,
                                            const py::object& value, const py::object& gradient) {
  if (!PyCallable_Check(value.ptr())) throw py::type_error("function: expected something that can be called");
  if (!gradient.is_none() && !PyCallable_Check(gradient.ptr())) {
    throw py::type_error("gradient: expected something that can be called, or None");
  }
  if (py::isinstance<py::str>(channels)) throw py::type_error("channels: expected a list of names, found one name");
  std::vector<PythonFunction::ChannelName> names;
  for (const py::handle& each : channels) names.push_back(channel_name(each));
  // The last program that knows it may end in any thread.
  const auto end = [](PythonFunction* function) {
    const py::gil_scoped_acquire acquire;
    delete function;
  };
  return {new PythonFunction{name, std::move(names), value, gradient, nullptr}, end};
}

TermFactory factory_of(const std::shared_ptr<PythonFunction>& function) {
  return [function](Channels& channels) -> std::unique_ptr<Term> {
    std::vector<Channel> read;
    for (const auto& [name, at] : function->channels) read.push_back(channels.by_name(name, at));
    return std::make_unique<PythonTerm>(std::move(read), function);
  };
}

/// Which of three words.
template <class Place>
Place place_of(const std::string& word, const char* key, const char* everywhere, Place all) {
  if (word == everywhere) return all;
  if (word == "start") return Place::start;
  if (word == "end") return Place::end;
  throw InputError(std::string(key) + ": expected " + everywhere + ", start or end, found '" + word + "'");
}

void add_cost(PythonTask& self, const std::string& name, double weight, const py::object& channels,
              const py::object& function, const std::string& over, const py::object& gradient) {
  auto shared = function_of(name, channels, function, gradient);
  self.task.add_cost({name, weight, place_of(over, "over", "time", Over::time)}, factory_of(shared));
  self.functions.push_back(std::move(shared));
}

Interval bounds_of(const std::pair<std::optional<double>, std::optional<double>>& bounds) {
  return {bounds.first.value_or(-kInfinity), bounds.second.value_or(kInfinity)};
}

void add_limit(PythonTask& self, const std::string& name,
               const std::pair<std::optional<double>, std::optional<double>>& bounds, const py::object& channels,
               const py::object& function, double scale, const std::string& unit, const std::string& phase,
               const std::string& when, const py::object& gradient) {
  auto shared = function_of(name, channels, function, gradient);
  self.task.add_limit({name, bounds_of(bounds), scale, unit, phase, place_of(when, "when", "path", When::path)},
                      factory_of(shared));
  self.functions.push_back(std::move(shared));
}

[[noreturn]] void raise_because_of(const std::exception_ptr& thrown, const InputError& wrong) {
  try {
    std::rethrow_exception(thrown);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // Ctrl-C
    py::raise_from(error, py::module_::import("verne").attr("InputError").ptr(), wrong.what());
    throw py::error_already_set();
  }
}

}  // namespace

void run_with_functions(const PythonTask& task, const std::function<void()>& call) {
  for (const auto& function : task.functions) function->thrown = nullptr;
  try {
    const py::gil_scoped_release release;
    call();
  } catch (const InputError& wrong) {
    for (const auto& function : task.functions) {
      if (function->thrown) raise_because_of(std::exchange(function->thrown, nullptr), wrong);
    }
    throw;
  }
}

void bind_task(py::module_& module) {
  py::class_<PythonTask> task(module, "Task", "A task that was read; costs and limits may be added by functions.");
  task.def_property_readonly(
          "name", [](const PythonTask& t) { return t.task.name; }, "The name in its file.")
      .def_property_readonly(
          "model", [](const PythonTask& t) { return PythonModel(t.task.model); },
          "The model as it is solved: free joints are chains of joints.")
      .def(
          "add_cost", &add_cost, py::arg("name"), py::arg("weight"), py::arg("channels"), py::arg("function"),
          py::kw_only(), py::arg("over") = "time", py::arg("gradient") = py::none(),
          "Adds weight times the integral of a function over time, or its value at the \"start\" or the \"end\".\n\n"
          "function(x, y, ...) gets an array for each channel, with an entry (or a row, of points and wrenches) for\n"
          "each of many places of the motion, and gives an array with a number for each. Its derivatives are found by\n"
          "complex steps: abs, max and comparisons are wrong there. gradient(x, y, ...) gives them instead: an array\n"
          "like that of each channel.")
      .def(
          "add_limit", &add_limit, py::arg("name"), py::arg("bounds"), py::arg("channels"), py::arg("function"),
          py::kw_only(), py::arg("scale") = 1.0, py::arg("unit") = "", py::arg("phase") = "", py::arg("when") = "path",
          py::arg("gradient") = py::none(),
          "Keeps a function between bounds (lower, upper), None for none: all along the \"path\", or at its \"start\"\n"
          "or \"end\", of a phase where one is named. scale: a typical value. function, gradient: see add_cost.")
      .def("__copy__", [](const PythonTask& t) { return t; })
      .def("__deepcopy__", [](const PythonTask& t, const py::dict&) { return t; })
      .def("__repr__", [](const PythonTask& t) { return "<verne.Task '" + t.task.name + "'>"; });
  refuse_new(task);
}

}  // namespace verne::python
