/// Derivatives of forward dynamics in kernels: of mechanisms with loops, and of trees with contacts held
/// (docs/theory/loops.md, sections 5, 6 and 8).
#include <cmath>

#include "dynamics/call.h"
#include "dynamics/smoothness.h"
#include "structures/closed_balance.h"
#include "structures/contact_parts.h"

namespace verne {

bool ContactData::Parts::differentiate_articulated(std::span<const int> contacts, VectorIn<double> q,
                                                   VectorIn<double> v, VectorIn<double> tau, LoadsIn<double> given,
                                                   VectorOut<double> a, MatrixOut<double> dq, MatrixOut<double> dv,
                                                   MatrixOut<double> dtau, ReactionDerivatives* of_contacts) {
  const long stride = dq.outerStride();
  if (!tree || model.coupled() || dv.outerStride() != stride || dtau.outerStride() != stride) return false;
  require_smooth(model, [&](int k) { return v[k] != 0; });
  hold(contacts);
  ways.clear();
  for (const Held& at : held) {
    if (at.on_body->slot < 0) return false;
    ways.push_back({at.first, at.rows, at.last, *at.on_body});
  }
  Call<double> call("forward_dynamics_derivatives", model, p.data);
  call.q(q).v(v).tau(tau).loads(given);
  call.writes("da_dq", dq).writes("da_dv", dv).writes("da_dtau", dtau);
  const ContactPlan plan{model.nv(),      equations,  static_cast<int>(ways.size()), equations, c.length,
                         tree_way.data(), ways.data()};
  const auto needed = static_cast<std::size_t>(held_memory(plan));
  if (derivative_memory.size() < needed) derivative_memory.resize(needed);
  Blocks<double> wrench_blocks;
  if (of_contacts) wrench_blocks = {of_contacts->dq.data(), of_contacts->dv.data(), of_contacts->dx.data(), 6};
  double quality = 0;
  kernels.single_held_derivatives(call.tree(), call.inputs(), plan, x.data(),
                                  {dq.data(), dv.data(), dtau.data(), stride}, wrench_blocks, &quality,
                                  derivative_memory.data(), p.data.scratch());
  if (!(quality >= 1) || !x.allFinite()) return false;
  a = x;  // which may be the memory of tau
  return true;
}

void forget_undetermined(const std::array<bool, 6>& determined, Eigen::Ref<Matrix6X<double>> wrenches) {
  for (std::size_t i = 0; i < 6; ++i) {
    if (!determined[i]) wrenches.row(static_cast<Eigen::Index>(i)).setConstant(std::nan(""));
  }
}

bool differentiate_sparse(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                          LoadsIn<double> loads, VectorOut<double> a, MatrixOut<double> dq, MatrixOut<double> dv,
                          MatrixOut<double> dtau, LoopWrenchDerivatives* of_loops) {
  if (p.model.coupled() || p.G.cols() == 0) return false;
  if (dv.outerStride() != dq.outerStride() || dtau.outerStride() != dq.outerStride()) return false;
  require_inertia(p.c);
  Blocks<double> wrenches;
  if (of_loops) wrenches = {of_loops->dq.data(), of_loops->dv.data(), of_loops->dx.data(), 6};
  const Blocks<double> da{dq.data(), dv.data(), dtau.data(), dq.outerStride()};
  if (!p.sparse->forward_derivatives(p.data, q, v, tau, loads, a, da, wrenches)) return false;
  for (std::size_t k = 0; of_loops && k < p.c.loop_determined.size(); ++k) {
    for (Matrix6X<double>* const block : {&of_loops->dq, &of_loops->dv, &of_loops->dx}) {
      const Eigen::Index columns = block->cols() / static_cast<Eigen::Index>(p.c.loop_determined.size());
      forget_undetermined(p.c.loop_determined[k], block->middleCols(static_cast<Eigen::Index>(k) * columns, columns));
    }
  }
  return true;
}

}  // namespace verne
