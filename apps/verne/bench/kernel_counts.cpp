#include "kernel_counts.h"

#include "dynamics/kernels/algorithms.h"

namespace verne::formulations {

// What kernels ask of a scalar (verne/base/scalar.h, kernels/joint.h).
inline Counted square_root(const Counted& x) {
  return Counted::variable(std::sqrt(x.value()));
}
inline bool less(const Counted& a, const Counted& b) {
  return a.value() < b.value();
}
inline Counted select(bool mask, const Counted& a, const Counted& b) {
  return mask ? a : b;
}
inline Counted hyperbolic_tangent(const Counted& x) {
  return tanh(x);
}
inline Trig<Counted> trigonometry(int count, const Counted* q, Scratch<Counted>& scratch, int first = 0) {
  Counted* const sn = scratch.take(count);
  Counted* const cs = scratch.take(count);
  for (int k = first; k < count; ++k) sn[k] = sin(q[k]), cs[k] = cos(q[k]);
  return {sn, cs};
}

}  // namespace verne::formulations

namespace verne::cli {

formulations::OperationCount inverse_dynamics_count(const Model& model, const CountedState& state) {
  using formulations::Counted;
  std::vector<Counted> memory(static_cast<std::size_t>(scratch_size(model.tree()))), tau(state.v.size());
  const Scratch<Counted> scratch(memory.data(), static_cast<long>(memory.size()));
  Inputs<Counted> in;
  in.q = state.q.data(), in.v = state.v.data(), in.a = state.x.data();
  return Counted::count([&] { Algorithms<Counted>::inverse_dynamics(model.tree(), in, tau.data(), nullptr, scratch); });
}

formulations::OperationCount forward_dynamics_count(const Model& model, const CountedState& state) {
  using formulations::Counted;
  std::vector<Counted> memory(static_cast<std::size_t>(scratch_size(model.tree()))), a(state.v.size());
  const Scratch<Counted> scratch(memory.data(), static_cast<long>(memory.size()));
  Inputs<Counted> in;
  in.q = state.q.data(), in.v = state.v.data(), in.tau = state.x.data();
  return Counted::count([&] { Algorithms<Counted>::forward_dynamics(model.tree(), in, a.data(), nullptr, scratch); });
}

}  // namespace verne::cli
