/// How tired muscles are after many repetitions, as a smooth function of what one of them asks for: docs/work.md.
///
/// The model of fatigue.h where the active part follows what is asked for, as it does within a tenth of a second while
/// that is no more than the capacity. Over a period, ∫ dA/dt = 0 leaves ∫ A dt = 10/(10 + F) ∫ load dt, and what is
/// tired follows T' = F A − R' T, with the rest of the period after the motion. With w = R (D + (r − 1) idle) and
/// g = r R rest, for a motion of duration D that asks for nothing during `idle`:
///
///   (1) C = F 10/(10 + F) ∫ load dt · φ(w),  φ(x) = (1 − e⁻ˣ)/x    tires, spread evenly over the motion
///   (2) T ← (e⁻ʷ T + C) e⁻ᵍ                                      once
///   (3) T = e^(−n s) T₀ + C e⁻ᵍ n φ(n s)/φ(s),  s = w + g          n times
#pragma once

#include <cmath>
#include <complex>
#include <optional>

#include "ergonomics/fatigue.h"
#include "verne/base/dual.h"

namespace verne {

inline constexpr double kTracking = 10;  ///< 1/s, of activation and relaxation

/// How often, with how much rest: after each time, or from one begin to the next.
struct Repetitions {
  double times = 1, rest = 0;
  std::optional<double> every{};
};

/// What decides which formula holds.
inline double plain(double x) {
  return x;
}
inline double plain(const std::complex<double>& x) {
  return x.real();
}
template <class T>
double plain(const Dual<T>& x) {
  return plain(x.value);
}

/// (1 − e⁻ˣ)/x
template <class S>
S mean_decay(const S& x) {
  using std::exp;
  if (std::abs(plain(x)) > 0.01) return (S(1.0) - exp(-x)) / x;
  S sum = S(1.0);
  for (int k = 7; k > 1; --k) sum = S(1.0) - x / S(static_cast<double>(k)) * sum;
  return sum;
}

/// (3); `asked`: ∫ load dt, s. `begun`: what was tired before.
template <class S>
S tired_after(const FatigueRates& rates, const Repetitions& repetitions, double begun, const S& asked, const S& idle,
              const S& duration) {
  using std::exp;
  const S rest = repetitions.every ? S(*repetitions.every) - duration : S(repetitions.rest), n = S(repetitions.times);
  const S w = S(rates.recovery) * (duration + S(rates.rest - 1) * idle);
  const S g = S(rates.rest * rates.recovery) * rest, s = w + g;
  const S tires = S(rates.fatigue * kTracking / (kTracking + rates.fatigue)) * asked * mean_decay(w);
  return exp(-(n * s)) * S(begun) + tires * exp(-g) * n * mean_decay(n * s) / mean_decay(s);
}

// Loads, parts x of a strength with the sign of the muscles, without kinks:

/// max(0, x), by a hundredth of the strength.
template <class S>
S smooth_load(const S& x) {
  using std::sqrt;
  return S(0.5) * (x + sqrt(x * x + S(1e-4)));
}
/// 1 at rest, 0 where something is asked for: half-way at 2 % of the strength.
template <class S>
S smooth_rest(const S& x) {
  using std::sqrt;
  const S from = x - S(0.02);
  return S(0.5) * (S(1.0) - from / sqrt(from * from + S(1e-4)));
}

}  // namespace verne
