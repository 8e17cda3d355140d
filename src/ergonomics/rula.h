/// RULA: McAtamney, Corlett (1993), RULA: a survey method for the investigation of work-related upper limb disorders,
/// Applied Ergonomics 24, 91–99.
#pragma once

#include "ergonomics/posture.h"

namespace verne {

/// What a posture does not tell.
struct RulaWork {
  double load = 0;              ///< kg
  double frequency = 0.2;       ///< per minute
  bool static_posture = false;  ///< held for longer than a minute
  bool shock = false;           ///< the load comes suddenly
  bool arms_supported = false;  ///< or the person leans
  bool legs_supported = true;   ///< and both alike
};

/// Of one side.
struct RulaScores {
  int upper_arm = 1, lower_arm = 1, wrist = 1, wrist_twist = 1;
  int neck = 1, trunk = 1, legs = 1;
  int muscle_use = 0, force = 0;
  int arm = 1, body = 1;  ///< of tables A and B, with muscle use and force
  int score = 1;          ///< 1 to 7
};

/// Tables A, B and C. Scores beyond the tables count as their last ones.
int rula_table_a(int upper_arm, int lower_arm, int wrist, int wrist_twist);
int rula_table_b(int neck, int trunk, int legs);
int rula_table_c(int arm, int body);

/// Of side 0 (right) or 1.
RulaScores rula(const BodyPosture& posture, int side, const RulaWork& work);

}  // namespace verne
