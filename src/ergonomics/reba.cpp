#include "ergonomics/reba.h"

#include <algorithm>
#include <cmath>

namespace verne {

namespace {

/// [trunk][neck][legs]
constexpr int kRebaTableA[5][3][4] = {
    {{1, 2, 3, 4}, {1, 2, 3, 4}, {3, 3, 5, 6}}, {{2, 3, 4, 5}, {3, 4, 5, 6}, {4, 5, 6, 7}},
    {{2, 4, 5, 6}, {4, 5, 6, 7}, {5, 6, 7, 8}}, {{3, 5, 6, 7}, {5, 6, 7, 8}, {6, 7, 8, 9}},
    {{4, 6, 7, 8}, {6, 7, 8, 9}, {7, 8, 9, 9}},
};
/// [upper arm][lower arm][wrist]
constexpr int kRebaTableB[6][2][3] = {
    {{1, 2, 2}, {1, 2, 3}}, {{1, 2, 3}, {2, 3, 4}}, {{3, 4, 5}, {4, 5, 5}},
    {{4, 5, 5}, {5, 6, 7}}, {{6, 7, 8}, {7, 8, 8}}, {{7, 8, 8}, {8, 9, 9}},
};
/// [body][arm]
constexpr int kRebaTableC[12][12] = {
    {1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7},
    {1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8},
    {2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 8, 8},
    {3, 4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9},
    {4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9, 9},
    {6, 6, 6, 7, 8, 8, 9, 9, 10, 10, 10, 10},
    {7, 7, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11},
    {8, 8, 8, 9, 10, 10, 10, 10, 10, 11, 11, 11},
    {9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12},
    {10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 12},
    {11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12},
    {12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12},
};

int reba_trunk(const BodyPosture& p) {
  const double angle = p.trunk_flexion;
  const int score = angle > 60 ? 4 : angle > 20 || angle < -20 ? 3 : std::abs(angle) > kUpright ? 2 : 1;
  return score + (std::abs(p.trunk_twist) > kTwisted || std::abs(p.trunk_side) > kSideBent);
}

int reba_neck(const BodyPosture& p) {
  const int score = p.neck_flexion > 20 || p.neck_flexion < -kNoExtension ? 2 : 1;
  return score + (std::abs(p.neck_twist) > kTwisted || std::abs(p.neck_side) > kSideBent);
}

int reba_legs(const BodyPosture& p, const RebaWork& work) {
  const double knee = std::max(p.knees[0], p.knees[1]);
  const int bent = work.sitting ? 0 : knee > 60 ? 2 : knee > 30 ? 1 : 0;
  return (work.one_leg ? 2 : 1) + bent;
}

int reba_upper_arm(const ArmPosture& arm, bool supported) {
  const double angle = arm.flexion;
  const int score = angle > 90 ? 4 : angle > 45 ? 3 : std::abs(angle) > 20 ? 2 : 1;
  return within(score + (arm.abduction > kAbducted) + (arm.raised > kRaised) - supported, 6);
}

int reba_wrist(const ArmPosture& arm) {
  const int score = std::abs(arm.wrist_flexion) > 15 ? 2 : 1;
  return score + (std::abs(arm.wrist_deviation) > kDeviated || std::abs(arm.twist) > kEndOfTwist);
}

}  // namespace

int reba_table_a(int trunk, int neck, int legs) {
  return kRebaTableA[within(trunk, 5) - 1][within(neck, 3) - 1][within(legs, 4) - 1];
}
int reba_table_b(int upper_arm, int lower_arm, int wrist) {
  return kRebaTableB[within(upper_arm, 6) - 1][within(lower_arm, 2) - 1][within(wrist, 3) - 1];
}
int reba_table_c(int body, int arm) {
  return kRebaTableC[within(body, 12) - 1][within(arm, 12) - 1];
}

int reba_action_level(int score) {
  return score >= 11 ? 4 : score >= 8 ? 3 : score >= 4 ? 2 : score >= 2 ? 1 : 0;
}

RebaScores reba(const BodyPosture& posture, int side, const RebaWork& work) {
  const ArmPosture& arm = posture.arms[static_cast<std::size_t>(side)];
  RebaScores s;
  s.neck = reba_neck(posture);
  s.trunk = reba_trunk(posture);
  s.legs = reba_legs(posture, work);
  s.upper_arm = reba_upper_arm(arm, work.arms_supported);
  s.lower_arm = arm.elbow >= 60 && arm.elbow <= 100 ? 1 : 2;
  s.wrist = reba_wrist(arm);
  s.force = (work.load > 10 ? 2 : work.load >= 5 ? 1 : 0) + work.shock;
  s.activity = work.static_posture + (work.frequency > 4);
  s.body = reba_table_a(s.trunk, s.neck, s.legs) + s.force;
  s.arm = reba_table_b(s.upper_arm, s.lower_arm, s.wrist) + work.coupling;
  s.score = reba_table_c(s.body, s.arm) + s.activity;
  return s;
}

}  // namespace verne
