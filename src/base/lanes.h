/// A lane pack: one SIMD register that holds the same number of VERNE_LANES states.
///
/// Built on the compilers' vector extension rather than on a SIMD library: the same few lines serve every instruction
/// set and both compilers, and leave no symbols but those of this namespace in files built for wide instructions.
#pragma once

#include "base/scalar.h"

#ifndef VERNE_LANES
#define VERNE_LANES 2
#endif

namespace verne {
inline namespace VERNE_ISA {

struct Lanes {
  static constexpr int kCount = VERNE_LANES;
  typedef double Values __attribute__((vector_size(8 * VERNE_LANES)));
  typedef long long Bits __attribute__((vector_size(8 * VERNE_LANES)));
  Values v;

  Lanes() = default;
  VERNE_INLINE explicit Lanes(const Values& values) : v(values) {}
  VERNE_INLINE Lanes(double s) : v(s - Values{}) {}  // the same value in every lane
  VERNE_INLINE static Lanes load(const double* p) {
    Lanes lanes;
    __builtin_memcpy(&lanes, p, sizeof lanes);
    return lanes;
  }
};

VERNE_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  return Lanes(a.v + b.v);
}
VERNE_INLINE Lanes operator-(const Lanes& a, const Lanes& b) {
  return Lanes(a.v - b.v);
}
VERNE_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  return Lanes(a.v * b.v);
}
VERNE_INLINE Lanes operator/(const Lanes& a, const Lanes& b) {
  return Lanes(a.v / b.v);
}
VERNE_INLINE Lanes operator-(const Lanes& a) {
  return Lanes(-a.v);
}

VERNE_INLINE Lanes::Bits less(const Lanes& a, const Lanes& b) {
  return a.v < b.v;
}
VERNE_INLINE Lanes select(const Lanes::Bits& mask, const Lanes& a, const Lanes& b) {
  return Lanes((Lanes::Values)((mask & (Lanes::Bits)a.v) | (~mask & (Lanes::Bits)b.v)));
}
VERNE_INLINE Lanes square_root(const Lanes& a) {
  Lanes r;
  for (int k = 0; k < Lanes::kCount; ++k) r.v[k] = __builtin_sqrt(a.v[k]);
  return r;
}
VERNE_INLINE Lanes arc_tangent(const Lanes& y, const Lanes& x) {
  Lanes r;
  for (int k = 0; k < Lanes::kCount; ++k) r.v[k] = __builtin_atan2(y.v[k], x.v[k]);
  return r;
}

}  // namespace VERNE_ISA
}  // namespace verne
