#include "structures/single_closing.h"

#include "dynamics/call.h"

namespace verne {

SingleClosing::SingleClosing(const Mechanism::Contents& c)
    : c_(c), elimination_(c), kernels_(closing_kernels(single_kernels<double>().name)) {
  const auto n = static_cast<std::size_t>(c.model.nv()), sites = c.layout.sites.size();
  M_.resize(n * n), torques_.resize(n), poses_.resize(12 * sites), J_.resize(6 * n * sites), drifts_.resize(6 * sites);
  found_.resize(std::max(n, c.actuated.size()));
  scratch_.resize(static_cast<std::size_t>(closing_scratch(elimination_.plan())));
  terms_ = {M_.data(), torques_.data(), poses_.data(), J_.data(), drifts_.data()};
}

bool SingleClosing::put(double quality, VectorOut<double> out) const {
  if (!(quality >= 1)) return false;
  std::copy_n(found_.data(), out.size(), out.data());
  return true;
}

bool SingleClosing::inverse(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                            LoadsIn<double> loads, VectorOut<double> tau) {
  Call<double> call("inverse_dynamics", c_.model, data);
  call.q(q).v(v).a(a).loads(loads);
  const KernelTable<double>& tree = single_kernels<double>();
  tree.inverse_dynamics(call.tree(), call.inputs(), torques_.data(), nullptr, data.scratch());
  tree.control_terms(call.tree(), call.inputs(),
                     {c_.layout.sites.data(), static_cast<int>(c_.layout.sites.size()), nullptr, 0, nullptr, J_.data(),
                      nullptr, poses_.data(), false},
                     data.scratch());
  double quality = 0;
  kernels_.single_inverse(elimination_.plan(), terms_, found_.data(), &quality, scratch_.data());
  return put(quality, tau);
}

bool SingleClosing::forward(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                            LoadsIn<double> loads, VectorOut<double> a) {
  Call<double> call("forward_dynamics", c_.model, data);
  call.q(q).v(v).loads(loads);
  const KernelTable<double>& tree = single_kernels<double>();
  tree.control_terms(call.tree(), call.inputs(),
                     {c_.layout.sites.data(), static_cast<int>(c_.layout.sites.size()), M_.data(), c_.model.nv(),
                      torques_.data(), J_.data(), drifts_.data(), poses_.data(), false},
                     data.scratch());
  if (loads) tree.inverse_dynamics(call.tree(), call.inputs(), torques_.data(), nullptr, data.scratch());
  double quality = 0;
  kernels_.single_forward(elimination_.plan(), terms_, v.data(), tau.data(), found_.data(), &quality, scratch_.data());
  return put(quality, a);
}

}  // namespace verne
