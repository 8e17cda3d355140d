// Derivatives of many states of a system.
#include <algorithm>
#include <utility>

#include "dynamics/hybrid.h"
#include "structures/mechanism_batch_derivatives.h"
#include "structures/system_batch_parts.h"

namespace verne {

namespace {

/// Of matrices with a row for each velocity of the tree those of the motors, for each state.
void keep_motor_rows(const System::Contents& c, LaneArray& of) {
  const int n = c.model.nv(), columns = of.rows() / n;
  LaneArray kept(c.motors() * columns, of.count(), of.lanes());
  for (int k = 0; k < of.count() && !kept.empty(); ++k) {
    kept.matrix(k, c.motors()) = of.matrix(k, n)(c.mechanism.actuated(), Eigen::all);
  }
  of = std::move(kept);
}

/// The same of columns, of each of so many matrices with so many rows that stand beside one another.
void keep_motor_columns(const System::Contents& c, LaneArray& of, int rows) {
  const int n = c.model.nv(), matrices = of.rows() / (n * rows);
  LaneArray kept(rows * c.motors() * matrices, of.count(), of.lanes());
  for (int k = 0; k < of.count() && !kept.empty(); ++k) {
    for (int i = 0; i < matrices; ++i) {
      kept.matrix(k, rows).middleCols(i * c.motors(), c.motors()) =
          of.matrix(k, rows).middleCols(i * n, n)(Eigen::all, c.mechanism.actuated());
    }
  }
  of = std::move(kept);
}

BatchReactions reactions_of(SystemBatch& batch, bool wrenches, LaneArray* by_loads, bool tree) {
  BatchDerivatives* const of_tree = tree && batch.parts().c.closed() ? &batch.d_tree : nullptr;
  if (!wrenches) return {nullptr, nullptr, of_tree, by_loads};
  return {&batch.d_loop_wrenches, &batch.d_joint_wrenches, of_tree, by_loads};
}

/// By nine numbers of each load of all states, where there are any.
bool is_loaded(const SystemBatch& batch) {
  return !batch.tree().load_values.empty();
}

}  // namespace

void inverse_dynamics_derivatives(SystemBatch& batch, bool wrenches, bool by_loads, bool tree) {
  SystemBatch::Parts& s = batch.parts();
  s.singles = 0;
  by_loads = by_loads && is_loaded(batch);
  if (!s.c.joined()) {
    inverse_dynamics_derivatives(s.c.model, s.tree(), batch.d_tau, wrenches ? &batch.d_joint_wrenches : nullptr);
    if (by_loads) load_derivatives(s.c.model, s.tree(), batch.d_tau_loads);
    return;
  }
  s.put_weights(batch.weights);
  const BatchReactions beside = reactions_of(batch, wrenches, by_loads ? &batch.d_tau_loads : nullptr, tree);
  if (s.c.contacts.empty()) {
    inverse_dynamics_derivatives(s.mechanism, batch.d_tau, beside);
  } else {
    inverse_dynamics_derivatives(s.mechanism, s.c.contacts, batch.d_tau, beside);
    if (s.c.closed()) {
      for (LaneArray* of : {&batch.d_tau.dq, &batch.d_tau.dv, &batch.d_tau.dx}) keep_motor_rows(s.c, *of);
      if (by_loads) keep_motor_rows(s.c, batch.d_tau_loads);
    }
  }
  s.singles = s.mechanism.singles();
}

void forward_dynamics_derivatives(SystemBatch& batch, bool wrenches, bool by_loads, bool tree) {
  SystemBatch::Parts& s = batch.parts();
  s.singles = 0;
  by_loads = by_loads && is_loaded(batch);
  BatchDerivatives* const of_joints = wrenches ? &batch.d_joint_wrenches : nullptr;
  if (s.c.given) {
    if (s.c.closed()) {
      throw InputError("derivatives of a model with closed loops are not known together with given accelerations");
    }
    hybrid_dynamics_derivatives(s.c.model, s.tree(), *s.c.given, batch.d_acceleration, of_joints);
    if (by_loads) hybrid_load_derivatives(s.c.model, s.tree(), *s.c.given, batch.d_acceleration_loads);
    return;
  }
  s.put_motor_torques();
  std::swap(s.tree().a, s.spare);  // accelerations come along
  const auto put_back = [&] { std::swap(s.tree().a, s.spare); };
  const BatchReactions beside = reactions_of(batch, wrenches, by_loads ? &batch.d_acceleration_loads : nullptr, tree);
  try {
    if (!s.c.joined()) {
      forward_dynamics_derivatives(s.c.model, s.tree(), batch.d_acceleration, of_joints);
      if (by_loads) forward_load_derivatives(s.c.model, s.tree(), batch.d_acceleration_loads);
    } else if (s.c.contacts.empty()) {
      forward_dynamics_derivatives(s.mechanism, batch.d_acceleration, beside);
    } else {
      forward_dynamics_derivatives(s.mechanism, s.c.contacts, batch.d_acceleration, beside);
    }
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
  if (!s.c.joined()) return;
  s.singles = s.mechanism.singles();
  if (!s.c.closed() || s.c.contacts.empty()) return;
  keep_motor_columns(s.c, batch.d_acceleration.dx, batch.system().nv());
  if (tree) keep_motor_columns(s.c, batch.d_tree.dx, s.c.model.nv());
  if (!wrenches) return;
  keep_motor_columns(s.c, batch.d_loop_wrenches.dx, 6), keep_motor_columns(s.c, batch.d_joint_wrenches.dx, 6);
}

}  // namespace verne
