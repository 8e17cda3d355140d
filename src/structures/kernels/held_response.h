/// How the accelerations of a tree and the contacts that are held on it answer each other, on the subtree responses of
/// forward dynamics (docs/theory/loops.md, section 6).
///
/// World axes about O. One row for each freedom, `ld` values, of which the first are one for each equation:
///
///   β   what the wrench of a unit multiplier does along a freedom of an articulated body
///   Y   J M⁻¹: accelerations by multipliers; B = Yᵀ Λ, where Λ = (J M⁻¹ Jᵀ)⁻¹
///   J   and how J a + γ changes by q and v; entries on the way from a contact to the root only
///
/// A contact's wrench turns with its link. Seen from there it does not change, so that it is a load without a response
/// (R(d) = 0 in section 3 of docs/theory/sensitivities.md), and needs no drive.
#pragma once

#include "dynamics/kernels/response_work.h"
#include "structures/kernels/contact_response.h"
#include "structures/kernels/positive_solution.h"

namespace verne {
inline namespace VERNE_ISA {

/// Values of a row: whole registers.
template <class S>
VERNE_INLINE constexpr int padded_equations(int equations) {
  constexpr int W = ColumnBlock<S>::kWidth;
  return (equations + W - 1) / W * W;
}

template <class S>
struct HeldRows {
  S *beta, *Y, *B, *J, *by_q, *by_v;  // nv rows each, and room for a register behind the last
  S* inverse;                         // Λ, m rows
  S *response, *lambda;               // m x m, lower triangle by rows; m
  long ld;
};

template <class S>
VERNE_INLINE HeldRows<S> take_held_rows(const ContactPlan& plan, S* memory) {
  constexpr int W = ColumnBlock<S>::kWidth;
  const long ld = padded_equations<S>(plan.equations), size = ld * plan.nv + W;
  S* next = memory;
  const auto take = [&](long count) { return (next += count) - count; };
  return {take(size), take(size),        take(size),    take(size), take(size),
          take(size), take(ld * ld + W), take(ld * ld), take(ld),   ld};
}

/// With the tree's freedoms about O and of one scalar S; N components of a drive.
template <class S, int N>
class HeldResponse {
 public:
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

  HeldResponse(const Tree& of, const ContactPlan& with, const ResponseWork<S, N>& w, const HeldRows<S>& rows)
      : tree(of), plan(with), work(w), held(rows) {}

  /// (14): λ. `a` holds the shares w of response_inwards(), to which those of the contacts' wrenches are added, as they
  /// are to the forces of the bodies on their way. Returns the quality.
  S solve(const S* v, S* a) const {
    put_accelerations(v, a);
    const long size = held.ld * tree.nv + W;
    for (long k = 0; k < size; ++k) held.beta[k] = held.Y[k] = S(0);
    for (int c = 0; c < plan.contact_count; ++c) hand_on(plan.contacts[c]);
    ContactPlan padded = plan;
    padded.ld = static_cast<int>(held.ld);
    const auto answer = [&](int i, int k) { return held.Y[held.ld * i + k]; };
    put_responses(padded, held.beta, answer, held.response);
    const int m = plan.equations;
    for (int i = 1; i < m; ++i) {
      for (int k = 0; k <= i; ++k) held.response[static_cast<long>(m) * i + k] = held.response[held.ld * i + k];
    }
    const S quality = PositiveSolution<S>::solve_positive(m, held.response, held.lambda);
    for (int c = 0; c < plan.contact_count; ++c) push(plan.contacts[c], a);
    return quality;
  }

  /// Y, Λ and B, after which `beta` is not needed.
  void put_answers(Spatial<V>* motions) const {
    const int m = plan.equations;
    for (int first = 0; first < m; first += W) answer(first, motions);
    for (int first = 0; first < m; first += W) invert(first);
    for (int k = 0; k < tree.nv; ++k) {
      const S* const y = held.Y + held.ld * k;
      for (int first = 0; first < m; first += W) {
        V sum(0.0);
        for (int r = 0; r < m; ++r) sum = sum + Block::load_padded(held.inverse + held.ld * r + first) * y[r];
        keep(sum, held.B + held.ld * k + first);
      }
    }
  }

  /// J, and how the accelerations of the contacts change with q and v at given a (11), once those of bodies are known.
  void put_rows() const {
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& at = plan.contacts[c];
      const Frame x = frame(at);
      const BodyRates<S>& rates = work.rates[at.frame.slot];
      const Spatial<S>&V_ = rates.V, &A = rates.A;
      const Vec3<S> speed = V_.linear + cross(V_.angular, x.r);
      const Vec3<S> acceleration = acceleration_at(rates, x.r);
      for (int i = at.last; i >= 0; i = tree.v_parent[i]) {
        const Spatial<S>& s = work.freedoms[i].s;
        const ColumnStart<S>& f = work.starts[i];
        const Vec3<S> dr = s.linear + cross(s.angular, x.r);
        const Spatial<S> dV = f.psi + motion_cross(s, V_);
        const Spatial<S> dA = f.psi2 - motion_cross(V_, f.psi) + motion_cross(s, A);
        const Spatial<S> dA_dv = f.rate - motion_cross(V_, s);
        // As site_derivatives(), seen from axes that turn with s.
        const Vec3<S> velocity = dV.linear + cross(dV.angular, x.r) + cross(V_.angular, dr);
        const Vec3<S> by_q = dA.linear + cross(dA.angular, x.r) + cross(A.angular, dr) + cross(dV.angular, speed) +
                             cross(V_.angular, velocity) + cross(acceleration, s.angular);
        const Vec3<S> by_v = dA_dv.linear + cross(dA_dv.angular, x.r) + cross(s.angular, speed) + cross(V_.angular, dr);
        const long row = held.ld * i + at.first;
        put(x, at.rows, dr, s.angular, held.J + row);
        put(x, at.rows, by_q, dA.angular + cross(A.angular, s.angular), held.by_q + row);
        put(x, at.rows, by_v, dA_dv.angular, held.by_v + row);
      }
    }
  }

  const Tree& tree;
  const ContactPlan& plan;
  const ResponseWork<S, N>& work;
  const HeldRows<S>& held;

 private:
  /// Axes of a contact, and its point from O.
  struct Frame {
    Mat3<S> R;
    Vec3<S> r;
  };
  VERNE_INLINE Frame frame(const HeldPlan& at) const {
    const double *const R = at.frame.R, *const p = at.frame.p;
    const WorldPose<S>& body = work.poses[at.frame.slot];
    return {body.R * Mat3<double>{{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}},
            body.p + body.R * Vec3<double>{p[0], p[1], p[2]} - work.poses[0].p};
  }
  /// Of a point of a body, without gravity.
  VERNE_INLINE Vec3<S> acceleration_at(const BodyRates<S>& rates, const Vec3<S>& r) const {
    const Spatial<S>&V_ = rates.V, &A = rates.A;
    return A.linear + vec3(tree.gravity) + cross(A.angular, r) + cross(V_.angular, V_.linear + cross(V_.angular, r));
  }
  /// A linear and an angular vector in the axes of a contact, as far as it holds them.
  VERNE_INLINE void put(const Frame& x, int rows, const Vec3<S>& linear, const Vec3<S>& angular, S* out) const {
    transpose_times(x.R, linear).store(out);
    const Vec3<S> turn = transpose_times(x.R, angular) * plan.length;
    for (int k = 3; k < rows; ++k) out[k] = turn[k - 3];
  }
  VERNE_INLINE static void keep(const V& x, S* out) { __builtin_memcpy(out, &x, sizeof x); }

  bool carries_contact(int body) const {
    for (int c = 0; c < plan.contact_count; ++c) {
      const int slot = plan.contacts[c].frame.slot;
      if (slot >= body && slot < tree.bodies[body].subtree_end) return true;
    }
    return false;
  }

  /// −a_C into `lambda`: of the contacts' frames when nothing holds them.
  void put_accelerations(const S* v, const S* w) const {
    const Vec3<S> zero = Vec3<S>::zero();
    const BodyRates<S> base{{zero, zero}, {{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, zero}};
    for (int i = 0; i < tree.body_count; ++i) {
      if (!carries_contact(i)) continue;
      const TreeBody& b = tree.bodies[i];
      Spatial<S> A = b.parent < 0 ? base.A : work.rates[b.parent].A;
      for (int k = b.v; k < b.v + b.nv; ++k) A = A + work.starts[k].psi * v[k];
      for (int k = b.v; k < b.v + b.nv; ++k) A = A + work.freedoms[k].s * (w[k] - pairing(work.freedoms[k].g, A));
      work.rates[i].A = A;
    }
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& at = plan.contacts[c];
      const Frame x = frame(at);
      const BodyRates<S>& rates = work.rates[at.frame.slot];
      put(x, at.rows, -acceleration_at(rates, x.r), -rates.A.angular, held.lambda + at.first);
    }
  }

  /// The wrenches of unit multipliers from the contact to the root: β, and D⁻¹ β in place of Y.
  void hand_on(const HeldPlan& at) const {
    const Frame x = frame(at);
    for (int first = 0; first < at.rows; first += W) {
      const int count = at.rows - first < W ? at.rows - first : W;
      Spatial<V> P{Vec3<V>::zero(), Vec3<V>::zero()};
      for (int lane = 0; lane < count; ++lane) {
        const int row = first + lane;
        if (row < 3) {
          const Vec3<S> axis = x.R.column(row);
          P = P + Block::place(Spatial<S>{axis, cross(x.r, axis)}, lane);
        } else {
          P.angular += Block::place(x.R.column(row - 3) * plan.length, lane);
        }
      }
      for (int k = at.last; k >= 0; k = tree.v_parent[k]) {
        const FreedomGain<S>& f = work.freedoms[k];
        const V u = pairing(f.s, P);
        const long row = held.ld * k + at.first + first;
        Block::store(u, count, W, held.beta + row);
        Block::store(u * f.inverse_D, count, W, held.Y + row);
        P = P - f.g * u;
      }
    }
  }

  /// Adds what λ does on its way to the root to the shares of the freedoms and the forces of the bodies.
  void push(const HeldPlan& at, S* w) const {
    const Frame x = frame(at);
    const S* const lambda = held.lambda + at.first;
    const Vec3<S> force = x.R * Vec3<S>::load(lambda);
    Vec3<S> moment = Vec3<S>::zero();
    for (int k = 3; k < at.rows; ++k) moment += x.R.column(k - 3) * (lambda[k] * plan.length);
    Spatial<S> p = Spatial<S>{force, moment + cross(x.r, force)} * S(-1.0);
    for (int i = at.frame.slot; i >= 0; i = tree.bodies[i].parent) {
      const TreeBody& b = tree.bodies[i];
      for (int k = b.v + b.nv - 1; k >= b.v; --k) {
        const FreedomGain<S>& f = work.freedoms[k];
        const S u = pairing(f.s, p);
        w[k] = w[k] - u * f.inverse_D;
        p = p - f.g * u;
      }
      if (b.parent < 0) return;
      work.subtrees[i].inertia.f += p.linear;
      work.subtrees[i].inertia.n += p.angular;
    }
  }

  /// Columns of Y from the shares of the freedoms, as (44).
  void answer(int first, Spatial<V>* motions) const {
    for (int i = 0; i < tree.body_count; ++i) {
      const TreeBody& b = tree.bodies[i];
      Spatial<V> x{Vec3<V>::zero(), Vec3<V>::zero()};
      if (b.parent >= 0) x = motions[b.parent];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const FreedomGain<S>& f = work.freedoms[k];
        S* const y = held.Y + held.ld * k + first;
        const V a = Block::load_padded(y) - pairing(f.g, x);
        keep(a, y);
        x = x + f.s * a;
      }
      motions[i] = x;
    }
  }

  /// Columns of Λ from the factors that solve_positive() leaves.
  void invert(int first) const {
    const int m = plan.equations;
    const auto at = [&](int i) { return held.inverse + held.ld * i + first; };
    for (int i = 0; i < m; ++i) {
      V x(0.0);
      if (i >= first && i < first + W) x = Block::place(S(1.0), i - first);
      for (int k = first; k < i; ++k) x = x - Block::load_padded(at(k)) * factor(i, k);
      keep(x, at(i));
    }
    for (int i = m - 1; i >= 0; --i) {
      V x = Block::load_padded(at(i)) * factor(i, i);
      for (int k = i + 1; k < m; ++k) x = x - Block::load_padded(at(k)) * factor(k, i);
      keep(x, at(i));
    }
  }
  VERNE_INLINE const S& factor(int i, int k) const { return held.response[static_cast<long>(plan.equations) * i + k]; }
};

}  // namespace VERNE_ISA
}  // namespace verne
