/// The derivatives as the library offers them: sweeps put together, friction, rotors and coupled joints included.
/// One function per entry of DerivativeTable, for one scalar S.
#pragma once

#include "dynamics/kernels/algorithms.h"
#include "dynamics/kernels/wrench_derivatives.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
struct DerivativeAlgorithms {
  using In = Inputs<S>;

  static void inverse_dynamics(const Tree& tree, const In& given, const Blocks<S>& tau, const Blocks<S>& wrenches,
                               S* memory) {
    Scratch<S> scratch(memory);
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, scratch);
    if (tree.coupled) {
      const long n = tree.nv;
      S* const full[3] = {scratch.zeros(n * n), scratch.zeros(n * n), scratch.zeros(n * n)};
      tree_torques(tree, in, work, {{full[0], 1, n}, {full[1], 1, n}, {full[2], 1, n}});
      for (int k = 0; k < 3; ++k) reduce_matrix(tree, full[k], tau[k], tau.ld);
    } else {
      for (int k = 0; k < 3 && has_unrelated_freedoms(tree); ++k) clear(tree.nv, tau.ld, tau[k]);
      tree_torques(tree, in, work, {{tau.dq, 1, tau.ld}, {tau.dv, 1, tau.ld}, {tau.dx, 1, tau.ld}});
    }
    if (wrenches.dq) joint_wrenches(tree, in, work, wrenches, scratch);
  }

  /// At the solution: `given.a` is a(q, v, tau).
  static void forward_dynamics(const Tree& tree, const In& given, const Blocks<S>& a, const Blocks<S>& wrenches,
                               S* memory) {
    Scratch<S> scratch(memory);
    const int n = tree.model_nv;
    S* const X = scratch.zeros(2 * n * n);  // rows [∂τ/∂q, ∂τ/∂v], then M⁻¹ times them
    S* const M = scratch.zeros(n * n);
    const DenseOrder<S> dense(n, scratch.take(n));
    Scratch<S> rest(scratch.take(0));
    if (tree.coupled) {
      inverse_dynamics(tree, given, a, {}, rest.take(0));  // into the results' own memory, for now
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          X[2 * n * i + j] = a.dq[j * a.ld + i], X[2 * n * i + n + j] = a.dv[j * a.ld + i];
          M[n * i + j] = a.dx[j * a.ld + i];
        }
      }
    } else {
      const In in = tree_inputs(tree, given, rest);
      const SensitivityWork<S> work = sensitivity_sweeps(tree, in, true, rest);
      tree_torques(tree, in, work, {{X, 2 * n, 1}, {X + n, 2 * n, 1}, {M, n, 1}});
    }
    const int* const order = tree.coupled ? dense.parent : tree.v_parent;
    factorize(n, order, M);
    solve_rows(n, order, M, 2 * n, X);
    for (long j = 0; j < n; ++j) {
      for (long i = 0; i < n; ++i) a.dq[j * a.ld + i] = -X[2 * n * i + j], a.dv[j * a.ld + i] = -X[2 * n * i + n + j];
    }
    invert(n, order, M, a.dx, static_cast<int>(a.ld));
    if (wrenches.dq) forward_wrenches(tree, given, a, wrenches, scratch.take(0));
  }

 private:
  static void tree_torques(const Tree& tree, const In& in, const SensitivityWork<S>& work,
                           const TorqueDerivatives<S>& out) {
    torque_derivatives(tree, work, out);
    for (int k = 0; k < tree.nv && tree.has_rotor; ++k) out.da(k, k) = out.da(k, k) + tree.rotor_inertia[k];
    for (int k = 0; k < tree.nv && tree.has_friction; ++k) {
      out.dv(k, k) = out.dv(k, k) + friction_slope(tree, k, in.v[k]);
    }
  }

  static void joint_wrenches(const Tree& tree, const In& in, const SensitivityWork<S>& work, const Blocks<S>& out,
                             Scratch<S> scratch) {
    const long full_size = 6 * tree.nv, size = 6 * tree.model_nv;
    S* const full[3] = {scratch.take(full_size), scratch.take(full_size), scratch.take(full_size)};
    for (int j = 0; j < tree.joint_count; ++j) {
      if (tree.coupled) {
        wrench_derivatives(tree, tree.joints[j], in, work, {full[0], full[1], full[2]});
        for (int k = 0; k < 3; ++k) reduce_columns(tree, 6, full[k], out[k] + j * size, 6);
      } else {
        wrench_derivatives(tree, tree.joints[j], in, work, {out.dq + j * size, out.dv + j * size, out.dx + j * size});
      }
    }
  }

  /// W(q, v, a(q, v, τ)): the chain rule on top of the derivatives at given a.
  static void forward_wrenches(const Tree& tree, const In& given, const Blocks<S>& a, const Blocks<S>& out, S* memory) {
    Scratch<S> scratch(memory);
    const long n = tree.model_nv;
    S* const unused = scratch.take(3 * n * n);
    S* const row = scratch.take(n);
    inverse_dynamics(tree, given, {unused, unused + n * n, unused + 2 * n * n, n}, out, scratch.take(0));
    for (long j = 0; j < tree.joint_count; ++j) {
      for (int component = 0; component < 6; ++component) {
        const long first = 6 * n * j + component;
        for (long k = 0; k < n; ++k) row[k] = out.dx[first + 6 * k];
        for (long c = 0; c < n; ++c) {
          S dq = out.dq[first + 6 * c], dv = out.dv[first + 6 * c], dtau(0);
          for (long k = 0; k < n; ++k) {
            dq = dq + row[k] * a.dq[c * a.ld + k];
            dv = dv + row[k] * a.dv[c * a.ld + k];
            dtau = dtau + row[k] * a.dx[c * a.ld + k];
          }
          out.dq[first + 6 * c] = dq, out.dv[first + 6 * c] = dv, out.dx[first + 6 * c] = dtau;
        }
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
