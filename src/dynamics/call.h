/// What the single-state functions share: checked arguments as kernel inputs.
#pragma once

#include "dynamics/check.h"
#include "dynamics/dispatch.h"
#include "verne/dynamics/data.h"

namespace verne {

/// Collects the inputs of one call, checking sizes on the way.
template <class S>
class Call {
 public:
  Call(const char* function, const Model& model, const Data<S>& data) : function_(function), model_(model) {
    data.check(model, function);
  }
  Call& q(VectorIn<S> x) { return take("q", x, model_.nq(), inputs_.q); }
  Call& v(VectorIn<S> x) { return take("v", x, model_.nv(), inputs_.v); }
  Call& a(VectorIn<S> x) { return take("a", x, model_.nv(), inputs_.a); }
  Call& tau(VectorIn<S> x) { return take("tau", x, model_.nv(), inputs_.tau); }
  Call& loads(const Loads<S>* loads) {
    if (!loads) return *this;
    for (int k = 0; k < loads->size(); ++k) {
      check_index(function_, "site of a load", loads->sites()[k].site, model_.site_count());
    }
    inputs_.load_count = loads->size();
    inputs_.load_sites = loads->sites();
    inputs_.load_values = loads->values();
    return *this;
  }
  template <class Out>
  Call& output(const char* name, const Out& out, long rows, long columns = 1) {
    check_shape(function_, name, rows, columns, out.rows(), out.cols());
    return *this;
  }
  const Inputs<S>& inputs() const { return inputs_; }
  const Tree& tree() const { return model_.tree(); }

 private:
  Call& take(const char* name, VectorIn<S> x, long size, const S*& target) {
    check_size(function_, name, size, x.size());
    target = x.data();
    return *this;
  }
  const char* function_;
  const Model& model_;
  Inputs<S> inputs_;
};

}  // namespace verne
