/// The angles that scores of work look at, and how large they have to be to count where the published methods give no
/// number. docs/work.md has the definitions.
#pragma once

#include <array>

namespace verne {

/// Of an arm, in degrees.
struct ArmPosture {
  double flexion = 0;    ///< of the upper arm against the trunk, forwards positive
  double abduction = 0;  ///< of the upper arm, outwards positive
  double raised = 0;     ///< of the shoulder
  double elbow = 0;
  double twist = 0;  ///< of the forearm, from the middle of its range
  double wrist_flexion = 0, wrist_deviation = 0;
  bool across_or_out = false;  ///< the hand is beyond the middle of the body, or out to its side
};

/// Of the body, in degrees. Right, then left.
struct BodyPosture {
  double trunk_flexion = 0, trunk_side = 0, trunk_twist = 0;  ///< against the vertical; twist against the pelvis
  double neck_flexion = 0, neck_side = 0, neck_twist = 0;     ///< against the trunk
  std::array<ArmPosture, 2> arms;
  std::array<double, 2> knees{};  ///< flexion
};

// Ours, where the methods say "upright", "twisted", "raised", …; degrees.
inline constexpr double kUpright = 5, kNeutralWrist = 5, kNoExtension = 5;
inline constexpr double kTwisted = 10, kSideBent = 10, kRaised = 10, kDeviated = 10;
inline constexpr double kAbducted = 20, kEndOfTwist = 60;

/// A score from 1 up to the largest that its table knows.
inline int within(int score, int most) {
  return score < 1 ? 1 : score > most ? most : score;
}

}  // namespace verne
