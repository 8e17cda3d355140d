#include "dynamics/motion_enclosure.h"

#include <stdexcept>

#include "dynamics/kernel_table.h"
#include "dynamics/kernels/algorithms.h"

namespace verne {

// What kernels ask of a scalar besides (base/scalar.h, kernels/joint.h).
inline Trig<TaylorModel> trigonometry(int count, const TaylorModel* q, Scratch<TaylorModel>& scratch, int first = 0) {
  TaylorModel* const sn = scratch.take(count);
  TaylorModel* const cs = scratch.take(count);
  for (int k = first; k < count; ++k) sincos(q[k], sn[k], cs[k]);
  return {sn, cs};
}

MotionEnclosure::MotionEnclosure(const Model& model, const Loads<double>& loads, bool wrenches)
    : q(static_cast<std::size_t>(model.nv())),
      v(q.size()),
      a(q.size()),
      model_(model),
      load_sites_(loads.sites(), loads.sites() + loads.size()),
      loads_(loads.values(), loads.values() + 9L * loads.size()),
      tau_(q.size()),
      wrenches_(wrenches ? 6 * model.joints().size() : 0),
      scratch_(new TaylorModel[static_cast<std::size_t>(scratch_size(model.tree()))]) {
  if (model.nq() != model.nv()) throw std::invalid_argument("MotionEnclosure: a model without quaternions is expected");
}

void MotionEnclosure::evaluate() {
  Inputs<TaylorModel> in{};
  in.q = q.data(), in.v = v.data(), in.a = a.data();
  in.load_count = static_cast<int>(load_sites_.size());
  in.load_sites = load_sites_.data(), in.load_values = loads_.data();
  Algorithms<TaylorModel>::inverse_dynamics(model_.tree(), in, tau_.data(),
                                            wrenches_.empty() ? nullptr : wrenches_.data(),
                                            Scratch<TaylorModel>(scratch_.get(), scratch_size(model_.tree())));
}

}  // namespace verne
