/// Motions and forces of six components in world axes about one point O, the place of the first body's origin (section
/// 1 of docs/theory/sensitivities.md). `Spatial` serves for both.
#pragma once

#include "dynamics/kernels/world.h"

namespace verne {
inline namespace VERNE_ISA {

/// Motion cross product a × b.
template <class S>
VERNE_INLINE Spatial<S> motion_cross(const Spatial<S>& a, const Spatial<S>& b) {
  return {cross(a.angular, b.linear) + cross(a.linear, b.angular), cross(a.angular, b.angular)};
}
/// Force cross product a ×* f.
template <class S>
VERNE_INLINE Spatial<S> force_cross(const Spatial<S>& a, const Spatial<S>& f) {
  return {cross(a.angular, f.linear), cross(a.angular, f.angular) + cross(a.linear, f.linear)};
}
template <class S>
VERNE_INLINE Spatial<S> operator+(const Spatial<S>& a, const Spatial<S>& b) {
  return {a.linear + b.linear, a.angular + b.angular};
}
template <class S>
VERNE_INLINE Spatial<S> operator-(const Spatial<S>& a, const Spatial<S>& b) {
  return {a.linear - b.linear, a.angular - b.angular};
}
template <class A, class B>
VERNE_INLINE Spatial<Product<A, B>> operator*(const Spatial<A>& a, const B& s) {
  return {a.linear * s, a.angular * s};
}

/// x, kept in registers where there are enough of them: g++ loads it again for every use otherwise, and a load of a
/// wide pack costs as much as a product.
template <class T>
VERNE_INLINE const T& held(const T& x) {
  return x;
}
#ifdef __AVX512F__
VERNE_INLINE Vec3<Lanes> held(const Vec3<Lanes>& x) {
  Vec3<Lanes> y = x;
  asm("" : "+v"(y.x.v), "+v"(y.y.v), "+v"(y.z.v));
  return y;
}
VERNE_INLINE Spatial<Lanes> held(const Spatial<Lanes>& x) {
  return {held(x.linear), held(x.angular)};
}
#endif

template <class A, class B>
VERNE_INLINE Product<A, B> pairing(const Spatial<A>& a, const Spatial<B>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}
/// Number of freedoms of a floating base that stands in O: there S = (z; 0) for the first three and (0; z) for the
/// others, psi = 0, and psi2 = (−g × z; 0) for the others.
VERNE_INLINE int floating_freedoms(const Tree& tree) {
  return tree.body_count > 0 && tree.bodies[0].kind == JointKind::free ? 6 : 0;
}

}  // namespace VERNE_ISA
}  // namespace verne
