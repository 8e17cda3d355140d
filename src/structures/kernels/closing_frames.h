/// Ends of loops and contacts of several states at once: where they are, how they move, what holds them
/// (docs/theory/loops.md, sections 1 to 4).
#pragma once

#include "base/scalar.h"
#include "dynamics/kernels/factorization.h"
#include "structures/kernels/contact_response.h"
#include "verne/base/small_matrix.h"

namespace verne {
inline namespace VERNE_ISA {

/// A frame on a link, and the origin of the link.
template <class S>
struct ClosingFrame {
  Mat3<S> R;
  Vec3<S> p, origin;
};

/// Velocity, and the acceleration that it causes.
template <class S>
struct ClosingMotion {
  Vec3<S> v, omega, a, alpha;
};

/// A force and a moment.
template <class S>
struct ClosingWrench {
  Vec3<S> force, moment;
};

/// What an equation makes of the parts of s (1), or of their changes.
template <class Row, class S>
VERNE_INLINE S of_row(const Row& row, const Vec3<S>* parts) {
  S x = parts[row.part[0]][row.axis[0]] * row.coefficient[0];
  if (row.coefficient[1] != 0) x = x + parts[row.part[1]][row.axis[1]] * row.coefficient[1];
  return x;
}

template <class S>
class ClosingFrames {
 public:
  /// Places that a site has in the terms.
  static VERNE_INLINE const S* pose(const ClosingTerms& t, int slot) { return values(t.poses) + 12 * slot; }
  static VERNE_INLINE const S* jacobian(const ClosingTerms& t, int nv, int slot) {
    return values(t.J) + 6L * nv * slot;
  }
  static VERNE_INLINE const S* values(const double* p) { return reinterpret_cast<const S*>(p); }

  /// Without axes its rotation is not to be used.
  static VERNE_INLINE ClosingFrame<S> frame(const ClosingTerms& t, const ClosingEnd& end, bool with_axes = true) {
    const Mat3<double> R{{end.R[0], end.R[1], end.R[2], end.R[3], end.R[4], end.R[5], end.R[6], end.R[7], end.R[8]}};
    const Vec3<double> p{end.p[0], end.p[1], end.p[2]};
    if (end.slot < 0) {
      return {Mat3<S>::identity() * R, Vec3<S>{S(p.x), S(p.y), S(p.z)}, Vec3<S>::zero()};
    }
    const S* const at = pose(t, end.slot);
    Mat3<S> R_WL;
    for (int i = 0; i < 9; ++i) R_WL.m[i] = at[3 + i];
    const Vec3<S> origin = Vec3<S>::load(at);
    return {with_axes ? R_WL * R : R_WL, origin + R_WL * p, origin};
  }

  /// Of the frame; the drift of its link's origin is in the terms.
  template <class Reaches>
  static VERNE_INLINE ClosingMotion<S> motion(const ClosingTerms& t, int nv, const ClosingEnd& end,
                                              const ClosingFrame<S>& frame, const S* v, Reaches&& for_each_velocity) {
    ClosingMotion<S> m{Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero(), Vec3<S>::zero()};
    if (end.slot < 0) return m;
    const S* const J = jacobian(t, nv, end.slot);
    for_each_velocity([&](int k) {
      m.v += Vec3<S>::load(J + 6L * k) * v[k];
      m.omega += Vec3<S>::load(J + 6L * k + 3) * v[k];
    });
    const S* const drift = values(t.drifts) + 6 * end.slot;
    const Vec3<S> r = frame.p - frame.origin, spin = cross(m.omega, r);
    m.alpha = Vec3<S>::load(drift + 3);
    m.v += spin;
    m.a = Vec3<S>::load(drift) + cross(m.alpha, r) + cross(m.omega, spin);
    return m;
  }

  /// The unit vector of an axis times w.
  static VERNE_INLINE Vec3<S> axis_cross(int axis, const Vec3<S>& w) {
    const S zero(0);
    if (axis == 0) return {zero, -w.z, w.y};
    if (axis == 1) return {w.z, zero, -w.x};
    return {-w.y, w.x, zero};
  }

  /// (4) of one equation, world axes, about the origin of a.
  static VERNE_INLINE ClosingWrench<S> unit_wrench(const ClosingRow& row, const ClosingFrame<S>& a,
                                                   const Vec3<S>* parts) {
    Vec3<S> force = Vec3<S>::zero(), moment = Vec3<S>::zero();
    for (int k = 0; k < 2 && row.coefficient[k] != 0; ++k) {
      if (row.part[k] == 0) force += a.R.column(row.axis[k]) * row.coefficient[k];
      moment += axis_cross(row.axis[k], parts[row.part[k]]) * row.coefficient[k];
    }
    return {force, a.R * moment};
  }

  /// The same about the point `at`: without directions it is a force through the origin of b, since (R e) × d moves it
  /// there from that of a.
  struct UnitAt {
    ClosingWrench<S> wrench;
    Vec3<S> at;
  };
  static VERNE_INLINE UnitAt unit_at(const ClosingRow& row, const ClosingFrame<S>& a, const ClosingFrame<S>& b,
                                     bool directions, const Vec3<S>* parts) {
    if (directions) return {unit_wrench(row, a, parts), a.p};
    Vec3<S> force = a.R.column(row.axis[0]) * row.coefficient[0];
    if (row.coefficient[1] != 0) force += a.R.column(row.axis[1]) * row.coefficient[1];
    return {{force, Vec3<S>::zero()}, b.p};
  }

  /// A wrench on a in its axes as loads on both ends, as far as these are on links: force, moment, point. Returns where
  /// the next go.
  static VERNE_INLINE S* put_loads(const ClosingLoop& loop, const ClosingFrame<S>& a, const ClosingFrame<S>& b,
                                   const Vec3<S>& force_in_a, const Vec3<S>& moment_in_a, S* loads) {
    const Vec3<S> force = a.R * force_in_a, turn = a.R * moment_in_a;
    const auto put = [&](const ClosingEnd& end, const Vec3<S>& f, const Vec3<S>& n) {
      if (end.slot < 0) return;
      f.store(loads), n.store(loads + 3);
      for (int k = 0; k < 3; ++k) loads[6 + k] = S(end.p[k]);
      loads += 9;
    };
    put(loop.a, force, turn);
    put(loop.b, -force, -(turn + cross(a.p - b.p, force)));
    return loads;
  }

  /// s (1), of which directions may have no use
  static VERNE_INLINE void put_parts(const ClosingFrame<S>& a, const ClosingFrame<S>& b, bool directions,
                                     Vec3<S>* parts) {
    parts[0] = transpose_times(a.R, a.p - b.p);
    for (int j = 0; j < 3 && directions; ++j) parts[1 + j] = transpose_times(a.R, b.R.column(j));
  }

  /// s̈ at accelerations of zero (3)
  static VERNE_INLINE void put_drifts(const ClosingFrame<S>& a, const ClosingFrame<S>& b, const ClosingMotion<S>& of_a,
                                      const ClosingMotion<S>& of_b, bool directions, const Vec3<S>* parts,
                                      Vec3<S>* out) {
    const Vec3<S> u = transpose_times(a.R, of_a.v - of_b.v - cross(of_b.omega, a.p - b.p));
    const Vec3<S> omega = transpose_times(a.R, of_a.omega - of_b.omega);
    const Vec3<S> omega_a = transpose_times(a.R, of_a.omega), alpha_a = transpose_times(a.R, of_a.alpha);
    const Vec3<S> alpha = transpose_times(a.R, of_a.alpha - of_b.alpha) - cross(omega_a, omega);
    const Vec3<S>& d = parts[0];
    const Vec3<S> d_rate = u - cross(omega, d);
    out[0] = transpose_times(a.R, of_a.a - of_b.a) - cross(omega_a, d_rate) * 2.0 - cross(alpha_a, d) -
             cross(omega_a, cross(omega_a, d));
    for (int j = 1; j < 4 && directions; ++j) {
      out[j] = cross(parts[j], alpha) + cross(cross(parts[j], omega), omega);
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
