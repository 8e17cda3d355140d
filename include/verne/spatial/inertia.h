/// Mass, first moment and second moment of a rigid body.
#pragma once

#include "verne/base/small_matrix.h"
#include "verne/spatial/transform.h"

namespace verne {
inline namespace VERNE_ISA {

/// Inertia of a rigid body about the origin of the frame it is expressed in: mass, m c and
/// I = I_com + m ([c]ᵀ[c]).
template <class S>
struct RigidInertia {
  S mass;      ///< m
  Vec3<S> mc;  ///< mass times centre of mass
  Sym3<S> I;   ///< about the origin of the frame

  /// No mass at all.
  VERNE_INLINE static RigidInertia zero() { return {S(0), Vec3<S>::zero(), Sym3<S>::zero()}; }
  /// Adds a body that is fixed to this one; both in the same frame.
  VERNE_INLINE RigidInertia& operator+=(const RigidInertia& b) {
    mass = mass + b.mass;
    mc += b.mc;
    I += b.I;
    return *this;
  }
};

/// (a·b) 1 − ½(a bᵀ + b aᵀ): the symmetric part of −[a][b]; with a = b = c it is the inertia of a unit mass at c.
template <class A, class B>
VERNE_INLINE Sym3<Product<A, B>> steiner(const Vec3<A>& a, const Vec3<B>& b) {
  const auto xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {yy + zz, (a.x * b.y + a.y * b.x) * -0.5, (a.x * b.z + a.z * b.x) * -0.5,
          xx + zz, (a.y * b.z + a.z * b.y) * -0.5, xx + yy};
}

/// The same body about a reference point that lies at −r from the old one (its mass moves by +r).
template <class S, class B>
VERNE_INLINE RigidInertia<Product<S, B>> shifted(const RigidInertia<S>& in, const Vec3<B>& r) {
  // I' = I + 2 sym(-[mc][r]) + m(-[r][r]) = I + steiner(2 mc + m r, r)
  const auto mr = r * in.mass;
  return {in.mass, in.mc + mr, in.I + steiner(in.mc + in.mc + mr, r)};
}

/// The body of frame B expressed in frame A, given X_AB.
template <class A, class S>
VERNE_INLINE RigidInertia<Product<A, S>> operator*(const Transform<A>& X, const RigidInertia<S>& in) {
  using P = Product<A, S>;
  return shifted(RigidInertia<P>{P(in.mass), X.R * in.mc, rotate(X.R, in.I)}, X.p);
}

/// From mass, centre of mass and inertia about the centre of mass.
VERNE_INLINE RigidInertia<double> inertia_from_com(double mass, const Vec3<double>& com,
                                                   const Sym3<double>& about_com) {
  return shifted(RigidInertia<double>{mass, Vec3<double>::zero(), about_com}, com);
}

}  // namespace VERNE_ISA
}  // namespace verne
