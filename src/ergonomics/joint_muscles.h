/// What a joint of a person bears with the pull of its muscles: docs/work.md has the model, the arms and their sources.
#pragma once

#include <array>

namespace verne {

/// A pair of opposing muscles for one component M of a joint's moment, without co-contraction. With
///   s = sqrt(M² + ε²), P₊ = (s + M) / 2 r₊, P₋ = (s − M) / 2 r₋
/// both pull (P ≥ 0), give the moment exactly (r₊ P₊ − r₋ P₋ = M), and are smooth where it changes sign.
struct MusclePair {
  double positive = 0, negative = 0;  ///< arms r, m, of the muscle for M > 0 and for M < 0; 0: there is none
};

/// Muscles along the axis of a bone: x forwards, y up, z to the right.
struct JointMuscles {
  const char* name = "";              ///< as tasks and results have it: l5s1, hip_r, …
  const char* title = "";             ///< for people
  const char* joint = "";             ///< whose wrench is that on the bone, in its axes
  int up = 1;                         ///< 1: the bone stands on the joint, -1: it hangs from it
  std::array<MusclePair, 3> pairs{};  ///< for moments about x, y, z

  static constexpr double kSmooth = 1;  ///< ε, N m

  /// Pressure along the bone, N, positive when pressed; `wrench`: what the joint exerts on the bone, N and N m.
  double compression(const double* wrench) const;
  /// Its derivatives by the six components, and the second ones, of which all but these are zero.
  void compression_derivatives(const double* wrench, double* first, double* second) const;
  /// Force across the bone, N: muscles along it have none.
  double shear(const double* wrench) const;
};

/// Those that a person has: L5/S1, hips, knees.
inline constexpr int kMuscledJoints = 5;
const std::array<JointMuscles, kMuscledJoints>& muscled_joints();

}  // namespace verne
