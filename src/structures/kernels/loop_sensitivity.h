/// How the equations of one loop and its wrench change when one of its ends moves (docs/theory/loops.md, section 5).
///
/// World axes about O. V, A of the links that a loop joins, w its wrench on a; a freedom s with its rates psi, psi2 and
/// `rate` as sensitivity.h has them. Freedoms that move both ends change nothing that is seen from a, so that all of
/// the following is of those that move a alone, and for those that move b alone the opposite:
///
///   (9a) the velocity of a in b, V_a − V_b, by        β = psi + s × V_b
///   (9b) its rate, A_a − A_b + V_a × V_b, by          γ = psi2 + s × A_b − V_b × psi − V_a × β
///   (9c) and by v: s, and                             rate − (V_a + V_b) × s
#pragma once

#include "dynamics/kernels/sensitivity.h"
#include "structures/kernels/closing_frames.h"

namespace verne {
inline namespace VERNE_ISA {

/// One loop at a state.
template <class S>
struct LoopMotion {
  Mat3<S> R;         // axes of a
  Vec3<S> r;         // its origin from O
  Vec3<S> parts[4];  // d, and the axes of b in those of a
  BodyRates<S> a, b;
  Vec3<S> u, w, dw;   // of a in b: velocity and angular velocity, rate of the latter; axes of a
  Vec3<S> rates[4];   // of the parts
  Vec3<S> pulls[4];   // what Cᵀ λ has for each part: the force, and what makes the moment with each axis
  Spatial<S> wrench;  // on a
  bool directions;

  VERNE_INLINE Spatial<S> seen(const Spatial<S>& x) const {
    return {transpose_times(R, x.linear + cross(x.angular, r)), transpose_times(R, x.angular)};
  }
  /// After R, r, parts, a and b are set.
  VERNE_INLINE void put_rates() {
    const Spatial<S> velocity = seen(a.V - b.V), change = seen(a.A - b.A + motion_cross(a.V, b.V));
    u = velocity.linear, w = velocity.angular, dw = change.angular;
    rates[0] = u - cross(w, parts[0]);
    for (int c = 1; c < 4 && directions; ++c) rates[c] = cross(parts[c], w);
  }
  /// From pulls.
  VERNE_INLINE void put_wrench() {
    Vec3<S> moment = cross(pulls[0], parts[0]);
    for (int c = 1; c < 4 && directions; ++c) moment += cross(pulls[c], parts[c]);
    const Vec3<S> force = R * pulls[0];
    wrench = {force, R * moment + cross(r, force)};
  }
};

/// Along one freedom of a: of the parts, of their rates and of their second rates by q, and of these by v.
template <class S>
struct LoopChange {
  Vec3<S> parts[4], rates[4], by_q[4], by_v[4];
  Vec3<S> moment;  // of the wrench at given multipliers, in the axes of a
};

template <class S>
VERNE_INLINE void put_loop_change(const LoopMotion<S>& m, const FreedomState<S>& f, LoopChange<S>& out) {
  const Spatial<S> beta = f.psi + motion_cross(f.s, m.b.V);  // (9a)
  const Spatial<S> gamma = f.psi2 + motion_cross(f.s, m.b.A) - motion_cross(m.b.V, f.psi) - motion_cross(m.a.V, beta);
  const Spatial<S> s = m.seen(f.s), b = m.seen(beta), g = m.seen(gamma);   // (9b)
  const Spatial<S> h = m.seen(f.rate - motion_cross(m.a.V + m.b.V, f.s));  // (9c)
  const Vec3<S>&d = m.parts[0], &d_rate = m.rates[0];
  const Vec3<S> dd = s.linear - cross(s.angular, d);
  const Vec3<S> dd_rate = b.linear - cross(b.angular, d) - cross(m.w, dd);
  out.parts[0] = dd, out.rates[0] = dd_rate;
  out.by_q[0] = g.linear - cross(g.angular, d) - cross(m.dw, dd) - cross(b.angular, d_rate) - cross(m.w, dd_rate);
  const Vec3<S> by_v = s.linear - cross(s.angular, d);  // of the rate of d
  out.by_v[0] = h.linear - cross(h.angular, d) - cross(s.angular, d_rate) - cross(m.w, by_v);
  out.moment = cross(m.pulls[0], dd);
  for (int c = 1; c < 4 && m.directions; ++c) {
    const Vec3<S>& x = m.parts[c];
    const Vec3<S> dx = cross(x, s.angular), dx_rate = cross(dx, m.w) + cross(x, b.angular);
    out.parts[c] = dx, out.rates[c] = dx_rate;
    out.by_q[c] = cross(dx_rate, m.w) + cross(m.rates[c], b.angular) + cross(dx, m.dw) + cross(x, g.angular);
    out.by_v[c] = cross(dx, m.w) + cross(m.rates[c], s.angular) + cross(x, h.angular);
    out.moment += cross(m.pulls[c], dx);
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
