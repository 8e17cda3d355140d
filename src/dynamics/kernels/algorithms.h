/// The algorithms as the library offers them: kernels put together, coupled joints and friction included.
/// One function per entry of KernelTable, for one scalar S.
#pragma once

#include "dynamics/kernels/centroidal.h"
#include "dynamics/kernels/configuration.h"
#include "dynamics/kernels/control_terms.h"
#include "dynamics/kernels/coriolis.h"
#include "dynamics/kernels/factorization.h"
#include "dynamics/kernels/forward_dynamics.h"
#include "dynamics/kernels/gravity.h"
#include "dynamics/kernels/inverse_mass_matrix.h"
#include "dynamics/kernels/joint_wrenches.h"
#include "dynamics/kernels/sites.h"

namespace verne {
inline namespace VERNE_ISA {

/// The order in which factorize() takes out the freedoms of M: along the tree, one after the other where joints are
/// coupled and M has no structure. Freedoms of given acceleration stand apart, which leaves the factors of the other
/// rows and columns, M_ff; what solve() gives for them means nothing.
template <class S>
VERNE_INLINE const int* elimination_order(const Tree& tree, GivenFreedoms given, Scratch<S>& scratch) {
  if (!tree.coupled && !given.any()) return tree.v_parent;
  const auto before = [&](int k) { return tree.coupled ? k - 1 : tree.v_parent[k]; };
  int* const parent = reinterpret_cast<int*>(scratch.take(tree.model_nv));
  for (int k = 0; k < tree.model_nv; ++k) {
    int next = before(k);
    while (next >= 0 && given[next]) next = before(next);
    parent[k] = given[k] ? -1 : next;
  }
  return parent;
}

template <class S>
VERNE_INLINE WorldPose<S>* poses_of(const Tree& tree, const Inputs<S>& in, const Trig<S>& trig, Scratch<S>& scratch) {
  WorldPose<S>* const poses = scratch.template take<WorldPose<S>>(tree.body_count);
  world_poses(tree, in.q, trig, -1, poses);
  return poses;
}

template <class S>
VERNE_INLINE WorldMotion<S>* motions_of(const Tree& tree, const Inputs<S>& in, const WorldPose<S>* poses,
                                        Scratch<S>& scratch) {
  WorldMotion<S>* const motions = scratch.template take<WorldMotion<S>>(tree.body_count);
  world_motion(tree, poses, in.v, in.a, -1, motions);
  return motions;
}

/// Whether no body carries two others.
VERNE_INLINE bool is_chain(const Tree& tree) {
  for (int i = 1; i < tree.body_count; ++i) {
    if (tree.bodies[i].parent != i - 1) return false;
  }
  return true;
}

/// Poses of the bodies on the way to `target`; that of the first body gives O in any case.
template <class S>
VERNE_INLINE WorldPose<S>* poses_on_path(const Tree& tree, const Inputs<S>& in, int target, Scratch<S>& scratch) {
  const Trig<S> trig = trigonometry_on_path(tree, in.q, target, scratch);
  WorldPose<S>* const poses = scratch.template take<WorldPose<S>>(tree.body_count);
  poses[0].p = Vec3<S>::zero();
  world_poses(tree, in.q, trig, target, poses);
  return poses;
}

/// The outward sweep of sensitivity.h, for what needs no sums over subtrees; to all bodies or to `target` only.
template <class S>
VERNE_INLINE SensitivityWork<S> outward_sweep(const Tree& tree, const Inputs<S>& in, bool gravity, Scratch<S>& scratch,
                                              int target = -1) {
  SensitivityWork<S> work{};
  work.poses = target < 0 ? poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch)
                          : poses_on_path(tree, in, target, scratch);
  work.rates = scratch.template take<BodyRates<S>>(tree.body_count);
  work.freedoms = scratch.template take<FreedomState<S>>(tree.nv);
  sensitivity_forward(tree, in.v, in.a, gravity, target, work);
  return work;
}

/// Both sweeps of sensitivity.h.
template <class S>
VERNE_INLINE SensitivityWork<S> sensitivity_sweeps(const Tree& tree, const Inputs<S>& in, bool gravity,
                                                   Scratch<S>& scratch) {
  const int n = tree.body_count;
  SensitivityWork<S> work = outward_sweep(tree, in, gravity, scratch);
  work.composites = scratch.template take<Composite<S>>(n);
  if (in.load_count) {
    work.loads = scratch.template take<Spatial<S>>(n);
    work.responses = scratch.template take<LoadResponse<S>>(n);
    work.load_rows = scratch.template take<Spatial<S>>(tree.nv);
    gather_loads(tree, in, work.poses, work.loads, work.responses);
  }
  sensitivity_backward(tree, work);
  return work;
}

template <class S>
struct Algorithms {
  using In = Inputs<S>;

  static void inverse_dynamics(const Tree& tree, const In& given, S* tau, S* wrenches, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const Trig<S> trig = trigonometry(tree, in.q, scratch);
    const WorldPose<S>* const poses = in.load_count ? poses_of(tree, in, trig, scratch) : nullptr;
    S* const tree_tau = tree.coupled ? scratch.take(tree.nv) : tau;
    newton_euler(tree, in, trig, poses, tree_tau, wrenches, scratch);
    if (tree.coupled) reduce_vector(tree, tree_tau, tau);
  }

  static void forward_dynamics(const Tree& tree, const In& given, S* a, S* wrenches, Scratch<S> scratch) {
    if (tree.coupled) {
      coupled_dynamics(tree, given, {nullptr}, a, nullptr, wrenches, scratch);
    } else {
      articulated_body(tree, given, NoneGiven(), a, nullptr, wrenches, scratch);
    }
  }

  /// Of in.a only what `accelerations` flags is read, of in.tau only the rest; `a` and `tau` receive the others.
  static void hybrid_dynamics(const Tree& tree, const In& in, GivenFreedoms accelerations, S* a, S* tau, S* wrenches,
                              Scratch<S> scratch) {
    if (tree.coupled) {
      coupled_dynamics(tree, in, accelerations, a, tau, wrenches, scratch);
    } else {
      articulated_body(tree, in, accelerations, a, tau, wrenches, scratch);
    }
  }

  /// The same as inverse_dynamics() at rest, by sums of first moments alone.
  static void gravity_torques(const Tree& tree, const In& given, S* tau, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    S* const tree_tau = tree.coupled ? scratch.take(tree.nv) : tau;
    auto* const states = scratch.template take<GravityState<S>>(tree.body_count);
    S* const springs = tree.has_spring ? scratch.take(tree.nv) : nullptr;  // tau may be the memory of q
    for (int k = 0; k < tree.nv && springs; ++k) springs[k] = spring_torque(tree, k, in.q);
    verne::VERNE_ISA::gravity_torques(tree, in.q, trigonometry(tree, in.q, scratch), states, tree_tau);
    for (int k = 0; k < tree.nv && springs; ++k) tree_tau[k] = tree_tau[k] + springs[k];
    if (tree.coupled) reduce_vector(tree, tree_tau, tau);
  }

  static void mass_matrix(const Tree& tree, const In& given, S* M, int ld, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    if (tree.coupled) {
      S* const full = scratch.take(tree.nv * tree.nv);
      tree_mass_matrix(tree, in, full, tree.nv, scratch);
      reduce_matrix(tree, full, M, ld);
    } else {
      tree_mass_matrix(tree, in, M, ld, scratch);
    }
  }

  static void inverse_mass_matrix(const Tree& tree, const In& given, S* inverse, int ld, Scratch<S> scratch) {
    // Measured: factoring wins up to chains of 13 (one state, whose products wait for each other) and 16 (packs), and
    // of 18 where limbs branch, as in quadrupeds.
    constexpr int kFewFreedoms = 18, kShortChain = sizeof(S) == sizeof(double) ? 13 : 16;
    const int few = is_chain(tree) ? kShortChain : kFewFreedoms;
    if (!tree.coupled && tree.nv > few) return articulated_inverse(tree, given, inverse, ld, scratch);
    const int n = tree.model_nv;
    S* const M = scratch.take(n * n);
    mass_matrix(tree, given, M, n, scratch);
    const int* const order = elimination_order(tree, {nullptr}, scratch);
    factorize(n, order, M);
    invert(n, order, M, inverse, ld);
  }

  static void coriolis_matrix(const Tree& tree, const In& given, S* C, int ld, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const SensitivityWork<S> work = sensitivity_sweeps(tree, in, false, scratch);
    S* const full = scratch.take(tree.nv * tree.nv);
    coriolis_entries(tree, work, full);
    if (tree.coupled) {
      reduce_matrix(tree, full, C, ld);
    } else {
      for (long j = 0; j < tree.nv; ++j) {
        for (long i = 0; i < tree.nv; ++i) C[j * ld + i] = full[j * tree.nv + i];
      }
    }
  }

  static void kinematics(const Tree& tree, const In& given, S* poses, S* velocities, S* accelerations,
                         Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const Trig<S> trig = trigonometry(tree, in.q, scratch);
    WorldState<S>* const kept = scratch.template take<WorldState<S>>(tree.body_count);
    site_kinematics(tree, in.q, in.v, in.a, trig, kept, {poses, velocities, accelerations});
  }

  static void jacobian(const Tree& tree, const In& given, int site, S* J, S* rate, int ld, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const int body = tree.sites[site].body;
    const WorldPose<S>* const poses = body < 0 ? nullptr : poses_on_path(tree, in, body, scratch);
    WorldMotion<S>* const motions = rate ? scratch.template take<WorldMotion<S>>(tree.body_count) : nullptr;
    if (rate && body >= 0) world_motion(tree, poses, in.v, in.a, body, motions);
    if (!tree.coupled) return site_jacobian(tree, poses, motions, site, J, rate, ld);
    S* const full = scratch.take(6 * tree.nv);
    S* const full_rate = rate ? scratch.take(6 * tree.nv) : nullptr;
    site_jacobian(tree, poses, motions, site, full, full_rate, 6);
    reduce_columns(tree, 6, full, J, ld);
    if (rate) reduce_columns(tree, 6, full_rate, rate, ld);
  }

  static void control_terms(const Tree& tree, const In& given, const ControlBlocks<S>& out, Scratch<S> scratch) {
    In state = given;
    state.a = nullptr;
    const In in = tree_inputs(tree, state, scratch);
    const WorldPose<S>* const poses = poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch);
    const WorldMotion<S>* const motions = out.M ? motions_of(tree, in, poses, scratch) : nullptr;
    const int n = tree.body_count;
    const bool coupled = tree.coupled;
    S* const full_J = coupled ? scratch.take(6 * tree.nv) : nullptr;
    for (int k = 0; k < out.site_count; ++k) {
      S* const J = out.J + 6L * tree.model_nv * k;
      put_drift(tree, out.sites[k], poses, motions, out.poses + 12 * k, out.M ? out.drift + 6 * k : nullptr);
      site_jacobian<S>(tree, poses, nullptr, out.sites[k], coupled ? full_J : J, nullptr, 6, coupled || out.zeros);
      if (coupled) reduce_columns(tree, 6, full_J, J, 6);
    }
    if (!out.M) return;
    S* const bias = coupled ? scratch.take(tree.nv) : out.bias;
    const bool driven = passive_torques(tree, in, bias);  // no input is read after this: bias may be one of them
    torques_of_motion(tree, poses, motions, driven, scratch.template take<Spatial<S>>(n), bias);
    if (coupled) reduce_vector(tree, bias, out.bias);
    S* const M = coupled ? scratch.take(tree.nv * tree.nv) : out.M;
    auto* const freedoms = scratch.template take<Spatial<S>>(tree.nv);
    freedoms_about_roots(tree, poses, freedoms);
    mass_matrix_entries<true>(tree, poses, freedoms, scratch.template take<WorldInertia<S>>(n), M,
                              coupled ? tree.nv : out.ld);
    if (coupled) reduce_matrix(tree, M, out.M, static_cast<int>(out.ld));
  }

  static void whole_body(const Tree& tree, const In& given, S* out, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const WorldPose<S>* const poses = poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch);
    WholeBody<S>& whole = *reinterpret_cast<WholeBody<S>*>(out);
    whole = verne::VERNE_ISA::whole_body(tree, poses, motions_of(tree, in, poses, scratch));
    if (tree.has_spring) whole.potential = whole.potential + elastic_energy(tree, in.q);
  }

  static void centroidal_momentum_matrix(const Tree& tree, const In& given, S* A, int ld, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const WorldPose<S>* const poses = poses_of(tree, in, trigonometry(tree, in.q, scratch), scratch);
    S* const full = scratch.take(6 * tree.nv);
    verne::VERNE_ISA::centroidal_momentum_matrix(tree, poses, scratch.template take<WorldInertia<S>>(tree.body_count),
                                                 full);
    put_columns(tree, full, A, ld);
  }

  static void integrate(const Tree& tree, const S* q, const S* v, S* out) {
    for_each_own_joint(tree, [&](const TreeBody& b, int iq, int iv) { integrate_body(b, q + iq, v + iv, out + iq); });
  }

  static void difference(const Tree& tree, const S* q0, const S* q1, S* v) {
    for_each_own_joint(tree, [&](const TreeBody& b, int iq, int iv) { difference_body(b, q0 + iq, q1 + iq, v + iv); });
  }

 private:
  static void newton_euler(const Tree& tree, const In& in, const Trig<S>& trig, const WorldPose<S>* poses, S* tau,
                           S* wrenches, Scratch<S>& scratch) {
    const BodyForce<S>* const loads = body_loads(tree, in, poses, scratch);
    auto* const states = scratch.template take<NewtonEulerState<S>>(tree.body_count);
    auto* const motions = scratch.template take<BodyMotion<S>>(tree.body_count);
    newton_euler_forward(tree, in.q, in.v, in.a, trig, loads, wrenches && tree.has_merged, states, motions);
    const bool driven = passive_torques(tree, in, tau);  // no input is read after this: tau may be one of them
    newton_euler_backward(tree, states, driven, tau);
    if (wrenches) joint_wrenches(tree, in, poses, states, motions, wrenches);
  }

  static void articulated_inverse(const Tree& tree, const In& given, S* inverse, int ld, Scratch<S> scratch) {
    using V = typename ColumnBlock<S>::Value;
    const int n = tree.body_count;
    const WorldPose<S>* const poses = poses_of(tree, given, trigonometry(tree, given.q, scratch), scratch);
    const InverseWork<S> work{scratch.template take<CentralInertia<S>>(n),
                              scratch.template take<typename InverseWork<S>::Subtree>(n),
                              scratch.template take<FreedomGain<S>>(tree.nv)};
    articulate(tree, poses, work);
    const InverseColumns<S> columns{tree, work.freedoms, inverse, ld, scratch.template take<Spatial<V>>(n)};
    solve_inverse(columns, scratch.template take<V>(tree.nv));
  }

  static void tree_mass_matrix(const Tree& tree, const In& in, S* M, long ld, Scratch<S>& scratch) {
    auto* const poses = scratch.template take<WorldPose<S>>(tree.body_count);
    auto* const freedoms = scratch.template take<Spatial<S>>(tree.nv);
    placements(tree, in.q, trigonometry(tree.nq, in.q, scratch, coordinates_of_root(tree)), poses, freedoms);
    mass_matrix_entries<false>(tree, poses, freedoms, scratch.template take<WorldInertia<S>>(tree.body_count), M, ld);
  }

  static void put_columns(const Tree& tree, const S* full, S* out, int ld) {
    if (tree.coupled) {
      reduce_columns(tree, 6, full, out, ld);
      return;
    }
    for (long k = 0; k < tree.nv; ++k) {
      for (int i = 0; i < 6; ++i) out[k * ld + i] = full[6 * k + i];
    }
  }

  /// Not inlined: in one function with coupled joints it gets fewer registers (g++ 12, 10 % of the time).
  template <class Given>
  [[gnu::noinline]] static void articulated_body(const Tree& tree, const In& given, Given accelerations, S* a, S* tau,
                                                 S* wrenches, Scratch<S> scratch) {
    const In in = tree_inputs(tree, given, scratch);
    const Trig<S> trig = trigonometry(tree, in.q, scratch);
    const WorldPose<S>* const poses = in.load_count ? poses_of(tree, in, trig, scratch) : nullptr;
    const BodyForce<S>* const loads = body_loads(tree, in, poses, scratch);
    const int n = tree.body_count;
    int wide_count = 0;
    for (int i = 0; i < n; ++i) wide_count += is_wide(tree.bodies[i]);
    const ForwardDynamicsWork<S> work{scratch.template take<VelocityState<S>>(n),
                                      scratch.template take<ArticulatedInertia<S>>(n),
                                      scratch.template take<JointProjection<S>>(n),
                                      scratch.template take<WideProjection<S>>(wide_count),
                                      wide_count,
                                      scratch.template take<Spatial<S>>(n)};
    const S* const driving = driving_torques(tree, in, accelerations, scratch);
    velocity_sweep(tree, in.q, in.v, trig, work.states);
    if (accelerations.any()) add_given_accelerations(tree, accelerations, in.a, work.states);
    articulated_sweep(tree, accelerations, driving, loads, work);
    acceleration_sweep(tree, accelerations, work, wrenches != nullptr, a, tau);
    if (!wrenches) return;
    auto* const forces = scratch.template take<Spatial<S>>(n);
    forces_of_motion(tree, loads, work, forces);
    joint_wrenches(tree, in, poses, work, forces, wrenches);
  }

  /// Coupled joints: (1) of docs/theory/structures.md in independent coordinates, by factorizing M_ff; for wrenches and
  /// torques to be found one inverse pass more, which reads q and v again: `a` may be one of them.
  static void coupled_dynamics(const Tree& tree, const In& given, GivenFreedoms accelerations, S* a, S* tau,
                               S* wrenches, Scratch<S> scratch) {
    const int n = tree.model_nv;
    S* const M = scratch.take(n * n);
    S* const torques = scratch.take(n);
    S* const motion = scratch.take(n);
    S* const missing = scratch.take(n);
    const int* const order = elimination_order(tree, accelerations, scratch);
    In moving = given;
    moving.a = motion;
    for (int k = 0; k < n; ++k) motion[k] = accelerations[k] ? given.a[k] : S(0);
    inverse_dynamics(tree, moving, torques, nullptr, scratch);
    mass_matrix(tree, given, M, n, scratch);
    for (int k = 0; k < n; ++k) {
      missing[k] = accelerations[k] ? S(0) : (given.tau ? given.tau[k] : S(0)) - torques[k];
    }
    factorize(n, order, M);
    solve(n, order, M, missing);
    for (int k = 0; k < n; ++k) motion[k] = accelerations[k] ? motion[k] : missing[k];
    if (wrenches || accelerations.any()) inverse_dynamics(tree, moving, torques, wrenches, scratch);
    for (int k = 0; k < n; ++k) {
      if (accelerations[k]) {
        tau[k] = torques[k];
      } else {
        a[k] = motion[k];
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
