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
  Call(const char* function, const Model& model, const Data<S>& data) : function_(function), tree_(model.tree()) {
    data.check(model, function);
  }
  Call& q(VectorIn<S> x) { return inputs_.q = x.data(), input("q", x, tree_.model_nq); }
  Call& v(VectorIn<S> x) { return inputs_.v = x.data(), input("v", x, tree_.model_nv); }
  Call& a(VectorIn<S> x) { return inputs_.a = x.data(), input("a", x, tree_.model_nv); }
  Call& tau(VectorIn<S> x) { return inputs_.tau = x.data(), input("tau", x, tree_.model_nv); }
  Call& loads(const Loads<S>* loads) {
    if (!loads) return *this;
    for (int k = 0; k < loads->size(); ++k) {
      check_index(function_, "site of a load", loads->sites()[k].site, tree_.site_count);
    }
    inputs_.load_count = loads->size();
    inputs_.load_sites = loads->sites();
    inputs_.load_values = loads->values();
    return reads("loads", loads->values(), 9L * loads->size());
  }
  /// Another input vector.
  [[gnu::always_inline]] Call& input(const char* name, VectorIn<S> x, long size) {
    check_size(function_, name, size, x.size());
    keep(name, {x.data(), size, 1, size}, true);
    return *this;
  }
  /// Values that the function reads, and that no output may overlap.
  Call& reads(const char* name, const S* values, long count) {
    keep(name, {values, count, 1, count}, false);
    return *this;
  }
  template <class Out>
  Call& output(const char* name, const Out& out, long rows, long columns = 1) {
    check_shape(function_, name, rows, columns, out.rows(), out.cols());
    return writes(name, out);
  }
  /// An output whose shape was checked already.
  template <class Out>
  Call& writes(const char* name, const Out& out) {
    constexpr bool kVector = Out::ColsAtCompileTime == 1;
    const Argument& result =
        keep(name, {out.data(), out.rows(), out.cols(), kVector ? out.rows() : out.outerStride()}, false);
    const S *const first = result.extent.first, *const end = result.end;
    for (const Argument* other = arguments_.data(); other != &result; ++other) {
      if (ranges_meet(first, end, other->extent.first, other->end)) [[unlikely]]
        check_shared(result, *other, kVector);
    }
    return *this;
  }
  /// Vectors of which the function reads one part and writes the other.
  Call& completed_a(VectorOut<S>& x) { return inputs_.a = x.data(), output("a", x, tree_.model_nv); }
  Call& completed_tau(VectorOut<S>& x) { return inputs_.tau = x.data(), output("tau", x, tree_.model_nv); }
  /// Room for the joint wrenches; null when they are not wanted.
  S* wrenches(Matrix6X<S>* out) {
    if (!out) return nullptr;
    check_size(function_, "wrenches", tree_.joint_count, out->cols());
    writes("wrenches", *out);
    return out->data();
  }
  const Inputs<S>& inputs() const { return inputs_; }
  const Tree& tree() const { return tree_; }
  int nv() const { return tree_.model_nv; }

 private:
  struct Argument {
    const char* name;
    Extent<S> extent;
    const S* end;
    bool input_vector;
  };
  // Inlined whatever else a file holds: as a call it would take as long as what it does. Member by member, and read so:
  // a copy of what was just written in smaller pieces waits for all of them.
  [[gnu::always_inline]] const Argument& keep(const char* name, const Extent<S>& extent, bool input_vector) {
    Argument& kept = arguments_.at(static_cast<std::size_t>(count_++));
    kept.name = name;
    kept.extent.first = extent.first, kept.extent.rows = extent.rows;
    kept.extent.columns = extent.columns, kept.extent.stride = extent.stride;
    kept.end = extent.end();
    kept.input_vector = input_vector;
    return kept;
  }
  /// For those whose memory meets, which is rare: apart from the common way, which it would make longer.
  [[gnu::noinline]] void check_shared(const Argument& output, const Argument& other, bool is_vector) const {
    const bool same = is_vector && other.input_vector && output.extent == other.extent;
    if (same || !overlap(output.extent, other.extent)) return;
    throw std::invalid_argument(std::string(function_) + ": " + output.name + " overlaps " + other.name +
                                ": an output may share memory with an input only if both are the same whole vector");
  }

  const char* function_;
  const Tree& tree_;
  Inputs<S> inputs_;
  std::array<Argument, 12> arguments_;  // the derivatives of forward dynamics have eleven
  int count_ = 0;
};

}  // namespace verne
