/// Sine, cosine and hyperbolic tangent over lane packs, branch-free but for arguments beyond reach, which go to libm.
///
/// sincos: reduction x = n π/2 + r by Cody and Waite's split of π/2 into 33 + 33 + 53 bits, exact for |n| < 2^20, then
/// the minimax polynomials for |r| <= π/4 whose coefficients fdlibm publishes (k_sin.c, k_cos.c). Error below 1.6 ulp
/// of the result for |x| < 1000 and 2.5 ulp beyond, next to multiples of π/2 too; tests/base/lane_math_test.cpp
/// measures it. tanh: rational approximation of Cody and Waite for |x| < 0.625 (coefficients as in Cephes tanh.c), 1 −
/// 2/(e^{2x} + 1) beyond; error below 1.5 ulp.
#pragma once

#include "base/lanes.h"

namespace verne {
inline namespace VERNE_ISA {

namespace detail {

// Adding it to |n| < 2^51 rounds to the nearest integer and leaves that integer in the low bits.
constexpr double kRoundingShift = 6755399441055744.0;

template <int N>
VERNE_INLINE void sincos_beyond_reach(const Pack<N>& x, const typename Pack<N>::Bits& beyond, Pack<N>& sine,
                                      Pack<N>& cosine) {
  for (int k = 0; k < N; ++k) {
    if (beyond[k]) sine.v[k] = __builtin_sin(x.v[k]), cosine.v[k] = __builtin_cos(x.v[k]);
  }
}

template <int N>
VERNE_INLINE bool any(const typename Pack<N>::Bits& mask) {
  long long bits = 0;
  for (int k = 0; k < N; ++k) bits |= mask[k];
  return bits != 0;
}

}  // namespace detail

/// Without the check of the range; returns where the result is not to be used.
template <int N>
VERNE_INLINE typename Pack<N>::Bits sincos_within_reach(const Pack<N>& x, Pack<N>& sine, Pack<N>& cosine) {
  using V = typename Pack<N>::Values;
  using I = typename Pack<N>::Bits;
  const V shifted = x.v * 0.63661977236758134308 + detail::kRoundingShift;
  const V n = shifted - detail::kRoundingShift;
  const V r =
      ((x.v - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
  const V z = r * r;
  const V s = r + r * z *
                      (-1.66666666666666324348e-01 +
                       z * (8.33333333332248946124e-03 +
                            z * (-1.98412698298579493134e-04 +
                                 z * (2.75573137070700676789e-06 +
                                      z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const V c =
      (1.0 - 0.5 * z) + z * z *
                            (4.16666666666666019037e-02 +
                             z * (-1.38888888888741095749e-03 +
                                  z * (2.48015872894767294178e-05 +
                                       z * (-2.75573143513906633035e-07 +
                                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const I quadrant = (I)shifted;
  const I odd = -(quadrant & 1);
  const I sine_sign = (quadrant & 2) << 62;
  const I cosine_sign = ((quadrant + 1) & 2) << 62;
  sine.v = (V)((I)select(odd, Pack<N>(c), Pack<N>(s)).v ^ sine_sign);
  cosine.v = (V)((I)select(odd, Pack<N>(s), Pack<N>(c)).v ^ cosine_sign);
  return (n > 1048576.0) | (n < -1048576.0);
}

template <int N>
VERNE_INLINE void sincos(const Pack<N>& x, Pack<N>& sine, Pack<N>& cosine) {
  const typename Pack<N>::Bits beyond = sincos_within_reach(x, sine, cosine);
  if (__builtin_expect(detail::any<N>(beyond), 0)) detail::sincos_beyond_reach(x, beyond, sine, cosine);
}

/// Sine and cosine of `count` packs, the range checked once for all of them.
template <int N>
VERNE_INLINE void sincos(const Pack<N>* x, Pack<N>* sine, Pack<N>* cosine, int count) {
  typename Pack<N>::Bits beyond{};
  for (int k = 0; k < count; ++k) beyond |= sincos_within_reach(x[k], sine[k], cosine[k]);
  if (__builtin_expect(detail::any<N>(beyond), 0)) {
    for (int k = 0; k < count; ++k) sincos(x[k], sine[k], cosine[k]);
  }
}

/// e^x for |x| < 700.
template <int N>
VERNE_INLINE Pack<N> exponential(const Pack<N>& x) {
  using V = typename Pack<N>::Values;
  using I = typename Pack<N>::Bits;
  const V shifted = x.v * 1.44269504088896340736 + detail::kRoundingShift;
  const V n = shifted - detail::kRoundingShift;
  const V r = (x.v - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  V sum = V{} + 1.0 / 6227020800.0;  // Taylor series to r^13 / 13!
  constexpr double kReciprocals[] = {1.0 / 479001600.0,
                                     1.0 / 39916800.0,
                                     1.0 / 3628800.0,
                                     1.0 / 362880.0,
                                     1.0 / 40320.0,
                                     1.0 / 5040.0,
                                     1.0 / 720.0,
                                     1.0 / 120.0,
                                     1.0 / 24.0,
                                     1.0 / 6.0,
                                     0.5,
                                     1.0,
                                     1.0};
  for (const double c : kReciprocals) sum = sum * r + c;
  const I power = (((I)shifted) << 52) + ((I)(V{} + 1.0));  // 2^n
  return Pack<N>(sum * (V)power);
}

template <int N>
VERNE_INLINE Pack<N> hyperbolic_tangent(const Pack<N>& x) {
  using V = typename Pack<N>::Values;
  using I = typename Pack<N>::Bits;
  const I sign = (I)x.v & (I)(-(V{}));
  const V size = (V)((I)x.v ^ sign);
  const Pack<N> clamped = select(size < 20.0, Pack<N>(size), Pack<N>(20.0));  // tanh(20) rounds to 1
  const V large = 1.0 - 2.0 / (exponential(Pack<N>(clamped.v + clamped.v)).v + 1.0);
  const V z = clamped.v * clamped.v;
  const V p = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;
  const V q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3;
  const V small = size + size * z * (p / q);
  const Pack<N> result = select(size < 0.625, Pack<N>(small), Pack<N>(large));
  return select(x.v == x.v, Pack<N>((V)((I)result.v | sign)), x);  // NaN stays NaN
}

// One state: the same code in the first of two lanes, so that `double` and packs agree.
VERNE_INLINE double hyperbolic_tangent(double x) {
  return hyperbolic_tangent(Pack<2>(x)).v[0];
}
VERNE_INLINE void sincos(double x, double& sine, double& cosine) {
  Pack<2> s, c;
  sincos(Pack<2>(x), s, c);
  sine = s.v[0], cosine = c.v[0];
}

#if VERNE_ISA_IS_BASELINE
inline void sincos(const Complex& x, Complex& sine, Complex& cosine) {
  sine = std::sin(x), cosine = std::cos(x);
}
inline Complex hyperbolic_tangent(const Complex& x) {
  return std::tanh(x);
}
#endif

}  // namespace VERNE_ISA
}  // namespace verne
