/// The lifting equation of 1991: Waters, Putz-Anderson, Garg (1994), Applications manual for the revised NIOSH lifting
/// equation, DHHS (NIOSH) publication 94-110.
#pragma once

namespace verne {

/// Where the hands are as a lift begins or ends.
struct LiftPlace {
  double horizontal = 0;  ///< from the middle between the ankles to that between the hands, m
  double vertical = 0;    ///< of the hands above the floor, m
  double asymmetry = 0;   ///< between the line from ankles to hands and straight ahead, degrees
};

/// What both ends of a lift share.
struct LiftWork {
  double distance = 0;   ///< up or down, m
  double frequency = 0;  ///< lifts per minute
  double hours = 1;      ///< of work without a long rest: up to 1, 2 or 8
  int coupling = 1;      ///< of the hands: 0 good, 1 fair, 2 poor
};

/// RWL = LC HM VM DM AM FM CM
struct RecommendedWeight {
  double horizontal = 0, vertical = 0, distance = 0, asymmetry = 0, frequency = 0, coupling = 0;  ///< multipliers
  double limit = 0;                                                                               ///< kg
};

/// The weight that nearly all healthy people may lift there. Zero beyond what the equation allows.
RecommendedWeight recommended_weight(const LiftPlace& place, const LiftWork& work);

}  // namespace verne
