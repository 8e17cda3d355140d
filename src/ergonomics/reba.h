/// REBA: Hignett, McAtamney (2000), Rapid entire body assessment (REBA), Applied Ergonomics 31, 201–205.
#pragma once

#include "ergonomics/posture.h"

namespace verne {

/// What a posture does not tell.
struct RebaWork {
  double load = 0;              ///< kg
  double frequency = 0.2;       ///< per minute
  bool static_posture = false;  ///< held for longer than a minute
  bool shock = false;           ///< the load comes suddenly
  bool arms_supported = false;  ///< or the person leans
  bool one_leg = false;         ///< bears the weight, or the stance is unstable
  bool sitting = false;
  int coupling = 1;  ///< of the hands: 0 good, 1 fair, 2 poor, 3 unacceptable
};

/// Of one side.
struct RebaScores {
  int neck = 1, trunk = 1, legs = 1;
  int upper_arm = 1, lower_arm = 1, wrist = 1;
  int force = 0, activity = 0;
  int body = 1, arm = 1;  ///< of tables A and B, with force and coupling
  int score = 1;          ///< 1 to 15
};

/// Tables A, B and C. Scores beyond the tables count as their last ones.
int reba_table_a(int trunk, int neck, int legs);
int reba_table_b(int upper_arm, int lower_arm, int wrist);
int reba_table_c(int body, int arm);

/// From 0, no action is needed, to 4, it is needed now.
int reba_action_level(int score);

/// Of side 0 (right) or 1.
RebaScores reba(const BodyPosture& posture, int side, const RebaWork& work);

}  // namespace verne
