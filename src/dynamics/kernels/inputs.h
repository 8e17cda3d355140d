/// What a kernel is given: states of the model, expanded to coordinates of the tree.
#pragma once

#include "dynamics/kernel_table.h"
#include "dynamics/kernels/joint.h"

namespace verne {
inline namespace VERNE_ISA {

/// G x + offset
template <class S>
VERNE_INLINE const S* expanded(const TreeCoupling* map, int count, const S* x, bool with_offset, Scratch<S>& scratch) {
  S* const out = scratch.take(count);
  for (int k = 0; k < count; ++k) out[k] = x[map[k].source] * map[k].ratio + (with_offset ? map[k].offset : 0.0);
  return out;
}

/// The inputs in tree coordinates: zeros filled in, coupled joints expanded (q = G q_independent + offset).
template <class S>
VERNE_INLINE Inputs<S> tree_inputs(const Tree& tree, const Inputs<S>& in, Scratch<S>& scratch) {
  Inputs<S> out = in;
  if (!in.v || !in.a) {
    const S* const zeros = scratch.zeros(tree.nv);
    if (!in.v) out.v = zeros;
    if (!in.a) out.a = zeros;
  }
  if (tree.coupled) {
    out.q = expanded(tree.q_coupling, tree.nq, in.q, true, scratch);
    if (in.v) out.v = expanded(tree.v_coupling, tree.nv, in.v, false, scratch);
    if (in.a) out.a = expanded(tree.v_coupling, tree.nv, in.a, false, scratch);
  }
  return out;
}

/// Gᵀ x, from tree to model velocities.
template <class S>
VERNE_INLINE void reduce_vector(const Tree& tree, const S* x, S* out) {
  for (int k = 0; k < tree.model_nv; ++k) out[k] = S(0);
  for (int k = 0; k < tree.nv; ++k) {
    const TreeCoupling& c = tree.v_coupling[k];
    out[c.source] = out[c.source] + x[k] * c.ratio;
  }
}

/// X G for a matrix with `rows` rows, column-major.
template <class S>
VERNE_INLINE void reduce_columns(const Tree& tree, int rows, const S* x, S* out, int ld) {
  for (int k = 0; k < tree.model_nv; ++k) {
    for (int i = 0; i < rows; ++i) out[static_cast<long>(k) * ld + i] = S(0);
  }
  for (int k = 0; k < tree.nv; ++k) {
    const TreeCoupling& c = tree.v_coupling[k];
    S* const column = out + static_cast<long>(c.source) * ld;
    for (int i = 0; i < rows; ++i) column[i] = column[i] + x[static_cast<long>(k) * rows + i] * c.ratio;
  }
}

/// Gᵀ X G
template <class S>
VERNE_INLINE void reduce_matrix(const Tree& tree, const S* x, S* out, int ld) {
  for (int j = 0; j < tree.model_nv; ++j) {
    for (int i = 0; i < tree.model_nv; ++i) out[static_cast<long>(j) * ld + i] = S(0);
  }
  for (int j = 0; j < tree.nv; ++j) {
    const TreeCoupling& cj = tree.v_coupling[j];
    for (int i = 0; i < tree.nv; ++i) {
      const TreeCoupling& ci = tree.v_coupling[i];
      S& entry = out[static_cast<long>(cj.source) * ld + ci.source];
      entry = entry + x[static_cast<long>(j) * tree.nv + i] * (ci.ratio * cj.ratio);
    }
  }
}

/// The Coulomb part of friction for a coefficient of 1.
template <class S>
VERNE_INLINE S unit_coulomb(const Tree& tree, int k, const S& v) {
  const double width = tree.friction_width[k];
  if (width > 0) return hyperbolic_tangent(v * (1 / width));
  const S zero(0.0);
  return select(less(zero, v), S(1.0), select(less(v, zero), S(-1.0), zero));
}

/// coulomb tanh(v / width) + viscous v of tree velocity k; width 0 means sign(v) with sign(0) = 0.
template <class S>
VERNE_INLINE S friction(const Tree& tree, int k, const S& v) {
  const S viscous = v * tree.viscous[k];
  return tree.coulomb[k] == 0 ? viscous : viscous + unit_coulomb(tree, k, v) * tree.coulomb[k];
}

/// x where it is positive, else zero.
template <class S>
VERNE_INLINE S positive_part(const S& x) {
  const S zero(0.0);
  return select(less(zero, x), x, zero);
}

/// By how much the coordinate of tree velocity k is above the range where its ligaments are slack, or, negative, below
/// it (docs/theory/structures.md, eq. 13).
template <class S>
VERNE_INLINE S overstretch(const Tree& tree, int k, const S* q) {
  S x(0.0);
  const S& at = q[tree.v_position[k]];
  if (!__builtin_isinf(tree.slack_upper[k])) x = positive_part(at - tree.slack_upper[k]);
  if (!__builtin_isinf(tree.slack_lower[k])) x = x - positive_part(S(tree.slack_lower[k]) - at);
  return x;
}

/// What the spring and the ligaments of tree velocity k take (docs/theory/structures.md, eq. 8 and 14).
template <class S>
VERNE_INLINE S spring_torque(const Tree& tree, int k, const S* q) {
  const S linear = (q[tree.v_position[k]] - tree.rest[k]) * tree.stiffness[k];
  if (tree.ligament[k] == 0) return linear;
  const S x = overstretch(tree, k, q);
  return linear + x * x * x * tree.ligament[k];
}

/// d spring_torque / dq (eq. 10 and 16)
template <class S>
VERNE_INLINE S spring_slope(const Tree& tree, int k, const S* q) {
  if (tree.ligament[k] == 0) return S(tree.stiffness[k]);
  const S x = overstretch(tree, k, q);
  return x * x * (3 * tree.ligament[k]) + tree.stiffness[k];
}

/// d² spring_torque / dq² (eq. 16)
template <class S>
VERNE_INLINE S spring_curvature(const Tree& tree, int k, const S* q) {
  if (tree.ligament[k] == 0) return S(0);
  return overstretch(tree, k, q) * (6 * tree.ligament[k]);
}

/// What they hold (eq. 9 and 15).
template <class S>
VERNE_INLINE S spring_energy(const Tree& tree, int k, const S* q) {
  const S way = q[tree.v_position[k]] - tree.rest[k];
  const S linear = way * way * (0.5 * tree.stiffness[k]);
  if (tree.ligament[k] == 0) return linear;
  const S x = overstretch(tree, k, q);
  return linear + x * x * (x * x) * (0.25 * tree.ligament[k]);
}

/// (9) what rotors, friction and springs take; false without writing where the model has none. `tau` may be the memory
/// of in.q, in.v or in.a: all that entry k needs is read before it is written.
template <class S>
VERNE_INLINE bool passive_torques(const Tree& tree, const Inputs<S>& in, S* tau) {
  if (!tree.has_rotor && !tree.has_friction && !tree.has_spring) return false;
  for (int k = 0; k < tree.nv; ++k) {
    S taken = in.a[k] * tree.rotor_inertia[k];
    if (tree.has_friction) taken = taken + friction(tree, k, in.v[k]);
    if (tree.has_spring) taken = taken + spring_torque(tree, k, in.q);
    tau[k] = taken;
  }
  return true;
}

/// The freedoms whose accelerations are given in place of their torques, a flag for each velocity of the model.
struct GivenFreedoms {
  const char* flags;  // null: none

  VERNE_INLINE bool any() const { return flags != nullptr; }
  VERNE_INLINE bool operator[](int k) const { return flags && flags[k]; }
};

/// The same where it is known beforehand that there are none: what is for them is not compiled.
struct NoneGiven {
  VERNE_INLINE constexpr bool any() const { return false; }
  VERNE_INLINE constexpr bool operator[](int) const { return false; }
};

/// What friction and springs leave of the torques of a tree without coupled joints. Where the acceleration is given the
/// torque is still to be found: there it is what they and the rotor take, below zero.
template <class S, class Given>
VERNE_INLINE const S* driving_torques(const Tree& tree, const Inputs<S>& in, Given given, Scratch<S>& scratch) {
  const S* const tau = in.tau ? in.tau : scratch.zeros(tree.nv);
  if (!tree.has_friction && !tree.has_spring && !given.any()) return tau;
  S* const driving = scratch.take(tree.nv);
  for (int k = 0; k < tree.nv; ++k) {
    S left = given[k] ? in.a[k] * -tree.rotor_inertia[k] : tau[k];
    if (tree.has_friction) left = left - friction(tree, k, in.v[k]);
    if (tree.has_spring) left = left - spring_torque(tree, k, in.q);
    driving[k] = left;
  }
  return driving;
}

/// d friction / dv
template <class S>
VERNE_INLINE S friction_slope(const Tree& tree, int k, const S& v) {
  S slope(tree.viscous[k]);
  if (tree.coulomb[k] != 0 && tree.friction_width[k] > 0) {
    const double width = tree.friction_width[k];
    const S t = hyperbolic_tangent(v * (1 / width));
    slope = slope + (S(1.0) - t * t) * (tree.coulomb[k] / width);
  }
  return slope;
}

/// d² friction / dv²
template <class S>
VERNE_INLINE S friction_curvature(const Tree& tree, int k, const S& v) {
  if (tree.coulomb[k] == 0 || tree.friction_width[k] <= 0) return S(0);
  const double width = tree.friction_width[k];
  const S t = hyperbolic_tangent(v * (1 / width));
  return (t * t - S(1.0)) * t * (2 * tree.coulomb[k] / (width * width));
}

}  // namespace VERNE_ISA
}  // namespace verne
