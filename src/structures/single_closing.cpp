#include "structures/single_closing.h"

#include "dynamics/smoothness.h"

namespace verne {

SingleClosing::SingleClosing(const Mechanism::Contents& c)
    : c_(c), elimination_(c), kernels_(closing_kernels(single_kernels<double>().name)) {
  const auto n = static_cast<std::size_t>(c.model.nv()), sites = c.layout.sites.size();
  M_.resize(n * n), torques_.resize(n), poses_.resize(12 * sites), J_.resize(6 * n * sites), drifts_.resize(6 * sites);
  found_.resize(std::max(n, c.actuated.size()));
  scratch_.resize(static_cast<std::size_t>(closing_scratch(elimination_.plan())));
  const ClosingPlan& plan = elimination_.plan();
  if (plan.clusters) {
    cluster_memory_.resize(
        static_cast<std::size_t>(cluster_memory(*plan.clusters, plan.value_count, plan.rank, plan.free_count)));
  }
  terms_ = {M_.data(), torques_.data(), poses_.data(), J_.data(), drifts_.data()};
}

bool SingleClosing::put(double quality, VectorOut<double> out) const {
  if (!(quality >= 1)) return false;
  std::copy_n(found_.data(), out.size(), out.data());
  return true;
}

bool SingleClosing::by_clusters() const {
  return elimination_.plan().clusters && elimination_.plan().clusters->local;
}

bool SingleClosing::inverse(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                            LoadsIn<double> loads, VectorOut<double> tau) {
  Call<double> call("inverse_dynamics", c_.model, data);
  call.q(q).v(v).a(a).loads(loads);
  const KernelTable<double>& tree = single_kernels<double>();
  tree.inverse_dynamics(call.tree(), call.inputs(), torques_.data(), nullptr, data.scratch());
  double quality = 0;
  if (elimination_.plan().direct && by_clusters()) {
    kernels_.single_cluster_balance(call.tree(), call.inputs(), elimination_.plan(), torques_.data(), found_.data(),
                                    &quality, cluster_memory_.data(), data.scratch());
    return put(quality, tau);
  }
  tree.control_terms(call.tree(), call.inputs(),
                     {c_.layout.sites.data(), static_cast<int>(c_.layout.sites.size()), nullptr, 0, nullptr, J_.data(),
                      nullptr, poses_.data(), false},
                     data.scratch());
  kernels_.single_inverse(elimination_.plan(), terms_, found_.data(), &quality, scratch_.data());
  return put(quality, tau);
}

double SingleClosing::solve_forward(Call<double>& call, Data<double>& data, VectorIn<double> v, VectorIn<double> tau,
                                    bool loaded) {
  const KernelTable<double>& tree = single_kernels<double>();
  tree.control_terms(call.tree(), call.inputs(),
                     {c_.layout.sites.data(), static_cast<int>(c_.layout.sites.size()), M_.data(), c_.model.nv(),
                      torques_.data(), J_.data(), drifts_.data(), poses_.data(), false},
                     data.scratch());
  if (loaded) tree.inverse_dynamics(call.tree(), call.inputs(), torques_.data(), nullptr, data.scratch());
  double quality = 0;
  kernels_.single_forward(elimination_.plan(), terms_, v.data(), tau.data(), found_.data(), &quality, scratch_.data());
  return quality;
}

bool SingleClosing::forward(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                            LoadsIn<double> loads, VectorOut<double> a) {
  Call<double> call("forward_dynamics", c_.model, data);
  call.q(q).v(v).loads(loads);
  if (by_clusters()) {
    double quality = 0;
    kernels_.single_cluster_forward(call.tree(), call.inputs(), elimination_.plan(), tau.data(), found_.data(),
                                    &quality, cluster_memory_.data(), data.scratch());
    return put(quality, a);
  }
  return put(solve_forward(call, data, v, tau, loads != nullptr), a);
}

bool SingleClosing::reactions(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                              VectorIn<double> tau, LoadsIn<double> loads, WrenchesOut<double> of_loops,
                              WrenchesOut<double> of_joints) {
  const bool clustered = by_clusters() || (!c_.redundant_rows.empty() && elimination_.plan().clusters);
  if (!c_.redundant_rows.empty() && !clustered) return false;
  Call<double> call("wrenches", c_.model, data);
  call.q(q).v(v).a(a).loads(loads);
  const KernelTable<double>& tree = single_kernels<double>();
  tree.inverse_dynamics(call.tree(), call.inputs(), torques_.data(), nullptr, data.scratch());
  Inputs<double> in = call.inputs();
  load_sites_.assign(in.load_sites, in.load_sites + in.load_count);
  put_load_sites(c_.layout, load_sites_);
  load_values_.resize(9 * load_sites_.size());
  std::copy_n(in.load_values, 9 * in.load_count, load_values_.data());
  wrenches_.resize(6 * c_.layout.loops.size());
  double quality = 0;
  double* const loop_loads = load_values_.data() + 9 * in.load_count;
  if (clustered) {
    kernels_.single_cluster_reactions(call.tree(), in, elimination_.plan(), torques_.data(), tau.data(),
                                      wrenches_.data(), loop_loads, &quality, cluster_memory_.data(), data.scratch());
  } else {
    tree.control_terms(call.tree(), call.inputs(),
                       {c_.layout.sites.data(), static_cast<int>(c_.layout.sites.size()), nullptr, 0, nullptr,
                        J_.data(), nullptr, poses_.data(), false},
                       data.scratch());
    kernels_.single_reactions(elimination_.plan(), terms_, tau.data(), wrenches_.data(), loop_loads, &quality,
                              scratch_.data());
  }
  if (!(quality >= 1)) return false;
  if (of_loops) std::copy(wrenches_.begin(), wrenches_.end(), of_loops->data());
  if (!of_joints) return true;
  check_size("wrenches", "joint_wrenches", call.tree().joint_count, of_joints->cols());
  in.load_count = static_cast<int>(load_sites_.size());
  in.load_sites = load_sites_.data(), in.load_values = load_values_.data();
  tree.inverse_dynamics(call.tree(), in, torques_.data(), of_joints->data(), data.scratch());
  return true;
}

void put_load_sites(const LoopLayout& layout, std::vector<LoadSite>& sites) {
  for (const LoopLayout::Loop& loop : layout.loops) {
    for (const LoopLayout::End* const end : {&loop.a, &loop.b}) {
      if (end->slot >= 0) sites.push_back({layout.sites[static_cast<std::size_t>(end->slot)], false});
    }
  }
}

void SingleClosing::put_derivatives(Call<double>& call, Data<double>& data, const double* a, const double* tau,
                                    const ClosedBlocks<double>& out) {
  Inputs<double> in = call.inputs();
  in.a = a;
  single_kernels<double>().inverse_dynamics(call.tree(), in, torques_.data(), nullptr, data.scratch());
  const ClosingPlan& plan = elimination_.plan();
  const long needed = loop_derivative_memory(plan, out.joints.dq ? call.tree().joint_count : 0);
  if (std::ssize(derivative_memory_) < needed) derivative_memory_.resize(static_cast<std::size_t>(needed));
  kernels_.single_loop_derivatives(
      call.tree(), in, plan,
      {terms_, c_.layout.sites.data(), scratch_.data(), torques_.data(), tau, derivative_memory_.data()}, out,
      data.scratch());
}

bool SingleClosing::forward_derivatives(Data<double>& data, VectorIn<double> q, VectorIn<double> v,
                                        VectorIn<double> tau, LoadsIn<double> loads, VectorOut<double> a,
                                        const ClosedBlocks<double>& out) {
  require_smooth(c_.model, [&](int k) { return v[k] != 0; });
  Call<double> call("forward_dynamics_derivatives", c_.model, data);
  call.q(q).v(v).loads(loads);
  if (!(solve_forward(call, data, v, tau, loads != nullptr) >= 1)) return false;
  put_derivatives(call, data, found_.data(), tau.data(), out);
  return put(1, a);
}

bool SingleClosing::inverse_derivatives(Data<double>& data, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a,
                                        LoadsIn<double> loads, const ClosedBlocks<double>& out) {
  if (!elimination_.plan().direct) return false;
  require_smooth(c_.model, [&](int k) { return v[k] != 0; });
  Call<double> call("inverse_dynamics_derivatives", c_.model, data);
  call.q(q).v(v).a(a).loads(loads);
  // G and M G are what is wanted of forward dynamics, whatever the torques.
  none_.assign(c_.actuated.size(), 0);
  const Eigen::Map<const Eigen::VectorXd> none(none_.data(), std::ssize(none_));
  if (!(solve_forward(call, data, v, none, false) >= 1)) return false;
  put_derivatives(call, data, a.data(), nullptr, out);
  return true;
}

}  // namespace verne
