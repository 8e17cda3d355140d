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

/// N numbers in a register.
template <int N>
struct Pack {
  static constexpr int kCount = N;
  typedef double Values __attribute__((vector_size(8 * N)));
  typedef long long Bits __attribute__((vector_size(8 * N)));
  Values v;

  Pack() = default;
  VERNE_INLINE explicit Pack(const Values& values) : v(values) {}
  VERNE_INLINE Pack(double s) : v(s - Values{}) {}  // the same value in every lane
  VERNE_INLINE static Pack load(const double* p) {
    Pack pack;
    __builtin_memcpy(&pack, p, sizeof pack);
    return pack;
  }

  friend VERNE_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend VERNE_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend VERNE_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend VERNE_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend VERNE_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }

  friend VERNE_INLINE Bits less(const Pack& a, const Pack& b) { return a.v < b.v; }
  friend VERNE_INLINE Pack select(const Bits& mask, const Pack& a, const Pack& b) {
    return Pack((Values)((mask & (Bits)a.v) | (~mask & (Bits)b.v)));
  }
};

template <int N>
VERNE_INLINE Pack<N> square_root(const Pack<N>& a) {
  Pack<N> r;
  for (int k = 0; k < N; ++k) r.v[k] = __builtin_sqrt(a.v[k]);
  return r;
}
template <int N>
VERNE_INLINE Pack<N> arc_tangent(const Pack<N>& y, const Pack<N>& x) {
  Pack<N> r;
  for (int k = 0; k < N; ++k) r.v[k] = __builtin_atan2(y.v[k], x.v[k]);
  return r;
}

/// As many states as the instruction set's widest register holds.
using Lanes = Pack<VERNE_LANES>;

}  // namespace VERNE_ISA
}  // namespace verne
