#include "ergonomics/rula.h"

#include <cmath>

namespace verne {

namespace {

/// [upper arm][lower arm][2 (wrist - 1) + wrist twist - 1]
constexpr int kRulaTableA[6][3][8] = {
    {{1, 2, 2, 2, 2, 3, 3, 3}, {2, 2, 2, 2, 3, 3, 3, 3}, {2, 3, 3, 3, 3, 3, 4, 4}},
    {{2, 3, 3, 3, 3, 4, 4, 4}, {3, 3, 3, 3, 3, 4, 4, 4}, {3, 4, 4, 4, 4, 4, 5, 5}},
    {{3, 3, 4, 4, 4, 4, 5, 5}, {3, 4, 4, 4, 4, 4, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}},
    {{4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 5, 5, 5, 6, 6}},
    {{5, 5, 5, 5, 5, 6, 6, 7}, {5, 6, 6, 6, 6, 7, 7, 7}, {6, 6, 6, 7, 7, 7, 7, 8}},
    {{7, 7, 7, 7, 7, 8, 8, 9}, {8, 8, 8, 8, 8, 9, 9, 9}, {9, 9, 9, 9, 9, 9, 9, 9}},
};
/// [neck][2 (trunk - 1) + legs - 1]
constexpr int kRulaTableB[6][12] = {
    {1, 3, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7}, {2, 3, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7}, {3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7},
    {5, 5, 5, 6, 6, 7, 7, 7, 7, 7, 8, 8}, {7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9},
};
/// [arm][body]
constexpr int kRulaTableC[8][7] = {
    {1, 2, 3, 3, 4, 5, 5}, {2, 2, 3, 4, 4, 5, 5}, {3, 3, 3, 4, 4, 5, 6}, {3, 3, 3, 4, 5, 6, 6},
    {4, 4, 4, 5, 6, 7, 7}, {4, 4, 5, 6, 6, 7, 7}, {5, 5, 6, 6, 7, 7, 7}, {5, 5, 6, 7, 7, 7, 7},
};

int rula_upper_arm(const ArmPosture& arm, bool supported) {
  const double angle = arm.flexion;
  const int score = angle > 90 ? 4 : angle > 45 ? 3 : std::abs(angle) > 20 ? 2 : 1;
  return within(score + (arm.raised > kRaised) + (arm.abduction > kAbducted) - supported, 6);
}

int rula_wrist(const ArmPosture& arm) {
  const double angle = std::abs(arm.wrist_flexion);
  const int score = angle > 15 ? 3 : angle > kNeutralWrist ? 2 : 1;
  return score + (std::abs(arm.wrist_deviation) > kDeviated);
}

int rula_neck(const BodyPosture& p) {
  const double angle = p.neck_flexion;
  const int score = angle < -kNoExtension ? 4 : angle > 20 ? 3 : angle > 10 ? 2 : 1;
  return score + (std::abs(p.neck_twist) > kTwisted) + (std::abs(p.neck_side) > kSideBent);
}

int rula_trunk(const BodyPosture& p) {
  const double angle = std::abs(p.trunk_flexion);
  const int score = angle > 60 ? 4 : angle > 20 ? 3 : angle > kUpright ? 2 : 1;
  return score + (std::abs(p.trunk_twist) > kTwisted) + (std::abs(p.trunk_side) > kSideBent);
}

int rula_force(const RulaWork& work, bool repeated) {
  if (work.shock) return 3;
  if (work.load < 2) return 0;
  const bool lasting = repeated || work.static_posture;
  if (work.load <= 10) return lasting ? 2 : 1;
  return lasting ? 3 : 2;
}

}  // namespace

int rula_table_a(int upper_arm, int lower_arm, int wrist, int wrist_twist) {
  const int column = 2 * (within(wrist, 4) - 1) + within(wrist_twist, 2) - 1;
  return kRulaTableA[within(upper_arm, 6) - 1][within(lower_arm, 3) - 1][column];
}
int rula_table_b(int neck, int trunk, int legs) {
  return kRulaTableB[within(neck, 6) - 1][2 * (within(trunk, 6) - 1) + within(legs, 2) - 1];
}
int rula_table_c(int arm, int body) {
  return kRulaTableC[within(arm, 8) - 1][within(body, 7) - 1];
}

RulaScores rula(const BodyPosture& posture, int side, const RulaWork& work) {
  const ArmPosture& arm = posture.arms[static_cast<std::size_t>(side)];
  RulaScores s;
  s.upper_arm = rula_upper_arm(arm, work.arms_supported);
  s.lower_arm = (arm.elbow >= 60 && arm.elbow <= 100 ? 1 : 2) + arm.across_or_out;
  s.wrist = rula_wrist(arm);
  s.wrist_twist = std::abs(arm.twist) > kEndOfTwist ? 2 : 1;
  s.neck = rula_neck(posture);
  s.trunk = rula_trunk(posture);
  s.legs = work.legs_supported ? 1 : 2;
  const bool repeated = work.frequency > 4;
  s.muscle_use = repeated || work.static_posture;
  s.force = rula_force(work, repeated);
  const int added = s.muscle_use + s.force;
  s.arm = rula_table_a(s.upper_arm, s.lower_arm, s.wrist, s.wrist_twist) + added;
  s.body = rula_table_b(s.neck, s.trunk, s.legs) + added;
  s.score = rula_table_c(s.arm, s.body);
  return s;
}

}  // namespace verne
