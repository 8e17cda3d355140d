/// How the strength of hips, knees and ankles depends on angle and speed.
///
///   Anderson, Madigan, Nussbaum (2007), J. Biomechanics 40, 3105–3113: maximum voluntary joint torque as a function of
///   joint angle and angular velocity, tables 2 and 3 (means of ten men and ten women of each age).
#pragma once

#include <cmath>

namespace verne {

/// Of the muscles that turn a joint one way. c1, their largest torque, is left to the model.
struct StrengthShape {
  double width, best;           ///< C2; C3, the angle of most strength, rad
  double three_quarters, half;  ///< C4 and C5: at these speeds so much is left, rad/s
  double lengthening;           ///< C6, s/rad
};

/// Whom the table measured: men or women, of 18 to 25, 55 to 65 or more than 65 years.
struct StrengthGroup {
  bool female = false;
  int age = 0;  ///< 0 to 2
};

/// Of the freedom of a person's joint, "hip_flexion_r" and so on; null where the table has none. `flexion`: of the
/// muscles that bend the hip and the knee, or lift the toes.
const StrengthShape* strength_shape(const char* joint, bool flexion, const StrengthGroup& group);

/// The part of the largest torque at rest that muscles give at an angle, when they shorten at a speed (longer: below
/// zero):
///
///   cos(C2 (θ − C3)) · (2 C4 C5 + |ω| (C5 − 3 C4)) / (2 C4 C5 + |ω| (2 C5 − 4 C4)), times 1 − C6 ω where ω < 0
///
/// The kinks at rest are rounded off over 0.05 rad/s. It is never less than a little: where either factor vanishes it
/// goes on above zero.
template <class S>
S strength_part(const StrengthShape& shape, const S& angle, const S& shortening) {
  using std::cos, std::sqrt;
  constexpr double kRound = 0.05, kLeast = 0.05;
  const auto positive = [](const S& x) { return (x + sqrt(x * x + S(kLeast * kLeast))) * S(0.5); };
  const double c4 = shape.three_quarters, c5 = shape.half;
  const S round = sqrt(shortening * shortening + S(kRound * kRound)), size = round - S(kRound);
  const S of_speed = (S(2 * c4 * c5) + size * S(c5 - 3 * c4)) / (S(2 * c4 * c5) + size * S(2 * c5 - 4 * c4));
  const S longer = S(1.0) + (round - shortening) * S(shape.lengthening / 2);
  return positive(cos((angle - S(shape.best)) * S(shape.width))) * positive(of_speed) * longer;
}

}  // namespace verne
