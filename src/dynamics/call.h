/// What the single-state functions share: checked arguments as kernel inputs.
#pragma once

#include <array>

#include "dynamics/check.h"
#include "dynamics/dispatch.h"
#include "dynamics/overlap.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Collects the arguments of one call, inputs before outputs, checking sizes and the rule on shared memory (data.h) on
/// the way.
template <class S>
class Call {
 public:
  Call(const char* function, const Model& model, const Data<S>& data) : function_(function), model_(model) {
    data.check(model, function);
  }
  Call& q(VectorIn<S> x) { return inputs_.q = x.data(), input("q", x, model_.nq()); }
  Call& v(VectorIn<S> x) { return inputs_.v = x.data(), input("v", x, model_.nv()); }
  Call& a(VectorIn<S> x) { return inputs_.a = x.data(), input("a", x, model_.nv()); }
  Call& tau(VectorIn<S> x) { return inputs_.tau = x.data(), input("tau", x, model_.nv()); }
  Call& loads(const Loads<S>* loads) {
    if (!loads) return *this;
    for (int k = 0; k < loads->size(); ++k) {
      check_index(function_, "site of a load", loads->sites()[k].site, model_.site_count());
    }
    inputs_.load_count = loads->size();
    inputs_.load_sites = loads->sites();
    inputs_.load_values = loads->values();
    return reads("loads", loads->values(), 9L * loads->size());
  }
  /// Another input vector.
  Call& input(const char* name, VectorIn<S> x, long size) {
    check_size(function_, name, size, x.size());
    return keep({name, {x.data(), size, 1, size}, true});
  }
  /// Values that the function reads, and that no output may overlap.
  Call& reads(const char* name, const S* values, long count) { return keep({name, {values, count, 1, count}, false}); }
  template <class Out>
  Call& output(const char* name, const Out& out, long rows, long columns = 1) {
    check_shape(function_, name, rows, columns, out.rows(), out.cols());
    return writes(name, out);
  }
  /// An output whose shape was checked already.
  template <class Out>
  Call& writes(const char* name, const Out& out) {
    constexpr bool kVector = Out::ColsAtCompileTime == 1;
    const Argument result{name, {out.data(), out.rows(), out.cols(), kVector ? out.rows() : out.outerStride()}, false};
    for (int k = 0; k < count_; ++k) {
      const Argument& other = arguments_[static_cast<std::size_t>(k)];
      if (!overlap(result.extent, other.extent)) continue;
      if (!kVector || !other.input_vector || !(result.extent == other.extent)) refuse(name, other.name);
    }
    return keep(result);
  }
  /// Vectors of which the function reads one part and writes the other.
  Call& completed_a(VectorOut<S>& x) { return inputs_.a = x.data(), output("a", x, model_.nv()); }
  Call& completed_tau(VectorOut<S>& x) { return inputs_.tau = x.data(), output("tau", x, model_.nv()); }
  /// Room for the joint wrenches; null when they are not wanted.
  S* wrenches(Matrix6X<S>* out) {
    if (!out) return nullptr;
    check_size(function_, "wrenches", static_cast<long>(model_.joints().size()), out->cols());
    writes("wrenches", *out);
    return out->data();
  }
  const Inputs<S>& inputs() const { return inputs_; }
  const Tree& tree() const { return model_.tree(); }

 private:
  struct Argument {
    const char* name;
    Extent<S> extent;
    bool input_vector;
  };
  Call& keep(const Argument& argument) {
    arguments_.at(static_cast<std::size_t>(count_++)) = argument;
    return *this;
  }
  [[noreturn]] void refuse(const char* output, const char* other) const {
    throw std::invalid_argument(std::string(function_) + ": " + output + " overlaps " + other +
                                ": an output may share memory with an input only if both are the same whole vector");
  }

  const char* function_;
  const Model& model_;
  Inputs<S> inputs_;
  std::array<Argument, 12> arguments_;  // the derivatives of forward dynamics have eleven
  int count_ = 0;
};

}  // namespace verne
