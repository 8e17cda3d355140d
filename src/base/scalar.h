/// What a kernel may ask of its scalar besides + - * /: written once for double, for lane packs (src/base/lanes.h) and,
/// outside the files for wide instruction sets, for complex numbers. No kernel branches on a value of S.
#pragma once

#include "verne/base/isa.h"

#if VERNE_ISA_IS_BASELINE
#include <cmath>
#include <complex>
#endif

namespace verne {
inline namespace VERNE_ISA {

VERNE_INLINE double square_root(double x) {
  return __builtin_sqrt(x);
}
VERNE_INLINE bool less(double a, double b) {
  return a < b;
}
VERNE_INLINE double select(bool mask, double a, double b) {
  return mask ? a : b;
}
VERNE_INLINE double arc_tangent(double y, double x) {
  return __builtin_atan2(y, x);
}

#if VERNE_ISA_IS_BASELINE
using Complex = std::complex<double>;
// Comparisons look at the real part, and nothing conjugates: every function is the analytic continuation of the real
// one, as the complex step needs it.
inline Complex square_root(const Complex& x) {
  return std::sqrt(x);
}
inline bool less(const Complex& a, const Complex& b) {
  return a.real() < b.real();
}
inline Complex select(bool mask, const Complex& a, const Complex& b) {
  return mask ? a : b;
}
/// atan2 and its first-order continuation: d atan2(y, x) = (x dy − y dx) / (x² + y²)
inline Complex arc_tangent(const Complex& y, const Complex& x) {
  const double a = x.real(), b = y.real();
  return {std::atan2(b, a), (a * y.imag() - b * x.imag()) / (a * a + b * b)};
}
#endif

}  // namespace VERNE_ISA
}  // namespace verne
