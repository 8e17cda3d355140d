#include "ergonomics/joint_muscles.h"

#include <cmath>

namespace verne {

namespace {

double inverse(double arm) {
  return arm > 0 ? 1 / arm : 0;
}

/// P₊ + P₋ = even · s + odd · M
struct PullOfPair {
  explicit PullOfPair(const MusclePair& pair)
      : even((inverse(pair.positive) + inverse(pair.negative)) / 2),
        odd((inverse(pair.positive) - inverse(pair.negative)) / 2) {}
  double even, odd;
};

double smooth_size(double moment) {
  return std::sqrt(moment * moment + JointMuscles::kSmooth * JointMuscles::kSmooth);
}

// docs/work.md, "Loads": sagittal arms of the back and the knee after the literature, all others are estimates.
constexpr MusclePair kNobody{0, 0};
constexpr MusclePair kBackSide{0.08, 0.08}, kBackTwist{0.10, 0.10}, kBackBend{0.06, 0.10};
constexpr MusclePair kHipRight{0.06, 0.065}, kHipLeft{0.065, 0.06}, kHipArms{0.045, 0.06};
constexpr MusclePair kKneeArms{0.045, 0.035};

}  // namespace

double JointMuscles::compression(const double* wrench) const {
  double sum = up * wrench[1];
  for (std::size_t k = 0; k < 3; ++k) {
    const PullOfPair pull(pairs[k]);
    const double moment = wrench[3 + k];
    sum += pull.even * smooth_size(moment) + pull.odd * moment;
  }
  return sum;
}

void JointMuscles::compression_derivatives(const double* wrench, double* first, double* second) const {
  for (std::size_t k = 0; k < 3; ++k) {
    first[k] = k == 1 ? up : 0;
    const PullOfPair pull(pairs[k]);
    const double moment = wrench[3 + k], s = smooth_size(moment);
    first[3 + k] = pull.even * moment / s + pull.odd;
    second[k] = pull.even * kSmooth * kSmooth / (s * s * s);
  }
}

double JointMuscles::shear(const double* wrench) const {
  return std::hypot(wrench[0], wrench[2]);
}

const std::array<JointMuscles, kMuscledJoints>& muscled_joints() {
  static const std::array<JointMuscles, kMuscledJoints> kAll{{
      {"l5s1", "L5/S1", "spine1_rotation", 1, {kBackSide, kBackTwist, kBackBend}},
      {"hip_r", "right hip", "hip_rotation_r", -1, {kHipRight, kNobody, kHipArms}},
      {"hip_l", "left hip", "hip_rotation_l", -1, {kHipLeft, kNobody, kHipArms}},
      {"knee_r", "right knee", "knee_flexion_r", -1, {kNobody, kNobody, kKneeArms}},
      {"knee_l", "left knee", "knee_flexion_l", -1, {kNobody, kNobody, kKneeArms}},
  }};
  return kAll;
}

}  // namespace verne
