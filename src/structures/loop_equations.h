/// The equations of a loop (docs/theory/loops.md).
///
/// With frames a and b of the cut joint, d = R_aᵀ (p_a − p_b) and x, y, z the axes of b seen in a, every equation is
/// linear with constant coefficients in s = (d, x, y, z): φ = C s. Hence φ̇ = C ṡ and φ̈ = C s̈ for every kind of joint,
/// and the wrench of multipliers λ on a is (f, f × d + Σ g_c × c), where f and g_c are the parts of Cᵀ λ.
#pragma once

#include <array>
#include <span>

#include "verne/base/export.h"
#include "verne/base/small_matrix.h"
#include "verne/model/spec.h"

namespace verne {

/// Parts of s.
enum LoopPart { kApart, kX, kY, kZ };

/// coefficient s[part][axis], and a second term for the equations about turning.
struct LoopTerm {
  LoopPart part;
  int axis;
  double coefficient;
};
struct LoopEquation {
  const char* name;
  bool length;  ///< in metres, not the sine of an angle
  LoopTerm terms[2];
};

/// Those of a kind of joint, 2 to 6.
VERNE_API std::span<const LoopEquation> loop_equations(LoopType type);

/// s of a state that is not mirrored: each part listed must point the same way as the axis of a.
std::span<const LoopPart> loop_directions(LoopType type);

template <class S>
using LoopState = std::array<Vec3<S>, 4>;

template <class S>
S value_of(const LoopEquation& equation, const LoopState<S>& s) {
  const auto term = [&](const LoopTerm& t) { return s[t.part][t.axis] * t.coefficient; };
  return term(equation.terms[0]) + term(equation.terms[1]);
}

/// A frame in the world: pose, velocity, acceleration, world axes.
template <class S>
struct FrameMotion {
  Vec3<S> p;
  Mat3<S> R;
  Vec3<S> v, omega, a, alpha;
};

/// The frame X_LF of a link that moves so.
template <class S>
FrameMotion<S> frame_on(const FrameMotion<S>& link, const Transform<double>& X_LF) {
  const Vec3<S> r = link.R * X_LF.p, spin = cross(link.omega, r);
  return {
      link.p + r, link.R * X_LF.R, link.v + spin, link.omega, link.a + cross(link.alpha, r) + cross(link.omega, spin),
      link.alpha};
}

/// (1)
template <class S>
LoopState<S> loop_state(const FrameMotion<S>& a, const FrameMotion<S>& b) {
  const auto seen = [&](int j) { return transpose_times(a.R, b.R.column(j)); };
  return {transpose_times(a.R, a.p - b.p), seen(0), seen(1), seen(2)};
}

/// ṡ for a relative velocity u and ω of a's origin in b, axes of a (2).
template <class S>
LoopState<S> loop_rate(const LoopState<S>& s, const Vec3<S>& u, const Vec3<S>& omega) {
  return {u - cross(omega, s[kApart]), cross(s[kX], omega), cross(s[kY], omega), cross(s[kZ], omega)};
}

template <class S>
struct RelativeVelocity {
  Vec3<S> u, omega;
};
template <class S>
RelativeVelocity<S> relative_velocity(const FrameMotion<S>& a, const FrameMotion<S>& b) {
  return {transpose_times(a.R, a.v - b.v - cross(b.omega, a.p - b.p)), transpose_times(a.R, a.omega - b.omega)};
}

/// s̈ (3)
template <class S>
LoopState<S> loop_acceleration(const LoopState<S>& s, const FrameMotion<S>& a, const FrameMotion<S>& b) {
  const RelativeVelocity<S> relative = relative_velocity(a, b);
  const Vec3<S>& omega = relative.omega;
  const LoopState<S> rate = loop_rate(s, relative.u, omega);
  const Vec3<S> omega_a = transpose_times(a.R, a.omega), alpha_a = transpose_times(a.R, a.alpha);
  const Vec3<S> alpha = transpose_times(a.R, a.alpha - b.alpha) - cross(omega_a, omega);
  const Vec3<S>& d = s[kApart];
  const auto turned = [&](LoopPart c) { return cross(s[c], alpha) + cross(rate[c], omega); };
  return {transpose_times(a.R, a.a - b.a) - cross(omega_a, rate[kApart]) * 2.0 - cross(alpha_a, d) -
              cross(omega_a, cross(omega_a, d)),
          turned(kX), turned(kY), turned(kZ)};
}

/// A force and a moment at a's origin, in a's axes.
template <class S>
struct LoopWrench {
  Vec3<S> force, moment;
};

/// That of one multiplier an equation, on a (4).
template <class S, class T>
LoopWrench<Product<S, T>> loop_wrench(std::span<const LoopEquation> equations, const LoopState<S>& s, const T* lambda) {
  using P = Product<S, T>;
  LoopState<P> g{Vec3<P>::zero(), Vec3<P>::zero(), Vec3<P>::zero(), Vec3<P>::zero()};
  for (const LoopEquation& equation : equations) {
    for (const LoopTerm& t : equation.terms) g[t.part][t.axis] += P(*lambda * t.coefficient);
    ++lambda;
  }
  LoopWrench<P> wrench{g[kApart], Vec3<P>::zero()};
  for (const LoopPart part : {kApart, kX, kY, kZ}) wrench.moment += cross(g[part], s[part]);
  return wrench;
}

}  // namespace verne
