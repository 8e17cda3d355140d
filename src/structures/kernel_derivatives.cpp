/// Derivatives in kernels: of mechanisms with loops, and of trees with contacts held
/// (docs/theory/loops.md, sections 5, 6 and 8).
#include <algorithm>
#include <cmath>

#include "dynamics/call.h"
#include "dynamics/smoothness.h"
#include "structures/closed_balance.h"
#include "structures/contact_parts.h"

namespace verne {

namespace {

Blocks<double> blocks_of(ReactionDerivatives* of) {
  if (!of) return {};
  return {of->dq.data(), of->dv.data(), of->dx.data(), 6};
}
Blocks<double> blocks_of(TreeAccelerationDerivatives* of) {
  if (!of) return {};
  return {of->dq.data(), of->dv.data(), of->dx.data(), of->dq.outerStride()};
}

}  // namespace

bool ContactData::Parts::differentiate_articulated(std::span<const int> contacts, VectorIn<double> q,
                                                   VectorIn<double> v, VectorIn<double> tau, LoadsIn<double> given,
                                                   VectorOut<double> a, MatrixOut<double> dq, MatrixOut<double> dv,
                                                   MatrixOut<double> dtau, ReactionDerivatives* of_contacts,
                                                   ReactionDerivatives* of_joints) {
  const long stride = dq.outerStride();
  if (!tree || model.coupled() || dv.outerStride() != stride || dtau.outerStride() != stride) return false;
  require_smooth(model, [&](int k) { return v[k] != 0; });
  hold(contacts);
  ways.clear();
  for (const Held& at : held) {
    if (at.on_body->slot < 0) return false;
    ways.push_back({at.first, at.rows, at.last, *at.on_body, at.link});
  }
  Call<double> call("forward_dynamics_derivatives", model, p.data);
  call.q(q).v(v).tau(tau).loads(given);
  call.writes("da_dq", dq).writes("da_dv", dv).writes("da_dtau", dtau);
  const ContactPlan plan{model.nv(),      equations,  static_cast<int>(ways.size()), equations, c.length,
                         tree_way.data(), ways.data()};
  const auto needed = static_cast<std::size_t>(held_memory(plan, of_joints ? call.tree().joint_count : 0));
  if (derivative_memory.size() < needed) derivative_memory.resize(needed);
  double quality = 0;
  const ClosedBlocks<double> out{
      {dq.data(), dv.data(), dtau.data(), stride}, {}, blocks_of(of_contacts), blocks_of(of_joints)};
  kernels.single_held_derivatives(call.tree(), call.inputs(), plan, x.data(), out, &quality, derivative_memory.data(),
                                  p.data.scratch());
  if (!(quality >= 1) || !x.allFinite()) return false;
  a = x;  // which may be the memory of tau
  return true;
}

void forget_undetermined(const std::array<bool, 6>& determined, Eigen::Ref<Matrix6X<double>> wrenches) {
  for (std::size_t i = 0; i < 6; ++i) {
    if (!determined[i]) wrenches.row(static_cast<Eigen::Index>(i)).setConstant(std::nan(""));
  }
}

namespace {

void forget_all_undetermined(const std::vector<std::array<bool, 6>>& determined, ReactionDerivatives* of) {
  for (std::size_t k = 0; of && k < determined.size(); ++k) {
    if (std::ranges::find(determined[k], false) == determined[k].end()) continue;
    for (Matrix6X<double>* const block : {&of->dq, &of->dv, &of->dx}) {
      const Eigen::Index columns = block->cols() / std::ssize(determined);
      forget_undetermined(determined[k], block->middleCols(static_cast<Eigen::Index>(k) * columns, columns));
    }
  }
}

}  // namespace

bool differentiate_sparse(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v, VectorIn<double> x,
                          LoadsIn<double> loads, bool inverse, VectorOut<double> a, MatrixOut<double> dq,
                          MatrixOut<double> dv, MatrixOut<double> dx, const ClosedExtras& extras) {
  if (p.model.coupled() || p.G.cols() == 0) return false;
  if (dv.outerStride() != dq.outerStride() || dx.outerStride() != dq.outerStride()) return false;
  const ClosedBlocks<double> out{{dq.data(), dv.data(), dx.data(), dq.outerStride()},
                                 blocks_of(extras.tree),
                                 blocks_of(extras.loops),
                                 blocks_of(extras.joints)};
  if (inverse) {
    if (!p.sparse->inverse_derivatives(p.data, q, v, x, loads, out)) return false;
  } else {
    require_inertia(p.c);
    if (!p.sparse->forward_derivatives(p.data, q, v, x, loads, a, out)) return false;
  }
  forget_all_undetermined(p.c.loop_determined, extras.loops);
  forget_all_undetermined(p.c.joint_determined, extras.joints);
  return true;
}

}  // namespace verne
