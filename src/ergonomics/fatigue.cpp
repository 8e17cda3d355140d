#include "ergonomics/fatigue.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ergonomics/repeated_fatigue.h"

namespace verne {

namespace {

// Longest steps, s: rates have a kink where all that rests is called up, not so at rest.
constexpr double kLongestStep = 0.002, kLongestAtRest = 0.01;

constexpr const char* kRakshit = "Rakshit et al. 2021";
constexpr const char* kFreyLaw = "Frey-Law et al. 2012, r of Looft et al. 2018, recalled";

constexpr FatigueRates kAnkleUp{"ankle dorsiflexors", 0.00828, 0.00204, 7.07, kRakshit, true};
constexpr FatigueRates kAnkleDown{"ankle plantarflexors",
                                  0.00695,
                                  0.00096,
                                  15,
                                  "Rakshit et al. 2021, which has no r: that of muscles in general",
                                  false};
constexpr FatigueRates kElbowBend{"elbow flexors", 0.01703, 0.00494, 4.68, kRakshit, true};
constexpr FatigueRates kElbowStretch{"elbow extensors", 0.01559, 0.00125, 25.52, kRakshit, true};
constexpr FatigueRates kWrist{"wrist and grip", 0.01235, 0.00135, 12.51, kRakshit, true};
constexpr FatigueRates kKneeStretch{"knee extensors", 0.00825, 0.00076, 14.85, kRakshit, true};
constexpr FatigueRates kKneeBend{
    "knee flexors", 0.00825, 0.00076, 14.85, "Rakshit et al. 2021, of the knee as a whole", true};
constexpr FatigueRates kTrunk{"trunk", 0.00755, 0.00075, 15, kFreyLaw, false};
constexpr FatigueRates kShoulder{"shoulder", 0.01820, 0.00168, 15, kFreyLaw, false};
constexpr FatigueRates kGeneral{"muscles in general", 0.00970, 0.00091, 15, "the table has none of their own", false};

struct GroupOfJoint {
  std::string_view begins;  ///< the joint's name
  const FatigueRates *positive, *negative;
};
constexpr GroupOfJoint kGroups[] = {
    {"ankle_dorsiflexion", &kAnkleUp, &kAnkleDown},
    {"elbow_flexion", &kElbowBend, &kElbowStretch},
    {"wrist", &kWrist, &kWrist},
    {"knee_flexion", &kKneeBend, &kKneeStretch},
    {"spine", &kTrunk, &kTrunk},
    {"shoulder", &kShoulder, &kShoulder},
};

}  // namespace

void fatigue_rate(const FatigueRates& rates, const MuscleState& state, double load, double& active, double& tired) {
  const double missing = load - state.active;
  const double drive = kTracking * (missing > 0 ? std::min(missing, std::max(0.0, state.resting())) : missing);
  const double recovery = load > 0 ? rates.recovery : rates.rest * rates.recovery;
  active = drive - rates.fatigue * state.active;
  tired = rates.fatigue * state.active - recovery * state.tired;
}

MuscleState tired_by(const FatigueRates& rates, MuscleState state, double load_from, double load_to, double seconds) {
  const int steps = std::max(
      1, static_cast<int>(std::ceil(seconds / (load_from > 0 || load_to > 0 ? kLongestStep : kLongestAtRest))));
  const double h = seconds / steps;
  for (int k = 0; k < steps; ++k) {
    const auto load = [&](double part) { return load_from + (k + part) / steps * (load_to - load_from); };
    double a[4], t[4];
    const auto at = [&](double step, int from) {
      return MuscleState{state.active + step * a[from], state.tired + step * t[from]};
    };
    fatigue_rate(rates, state, load(0), a[0], t[0]);
    fatigue_rate(rates, at(h / 2, 0), load(0.5), a[1], t[1]);
    fatigue_rate(rates, at(h / 2, 1), load(0.5), a[2], t[2]);
    fatigue_rate(rates, at(h, 2), load(1), a[3], t[3]);
    state.active += h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
    state.tired += h / 6 * (t[0] + 2 * t[1] + 2 * t[2] + t[3]);
  }
  return state;
}

const FatigueRates& rates_of(const char* joint, bool positive) {
  const std::string_view name = joint;
  for (const GroupOfJoint& group : kGroups) {
    if (name.starts_with(group.begins)) return positive ? *group.positive : *group.negative;
  }
  return kGeneral;
}

bool is_general(const FatigueRates& rates) {
  return &rates == &kGeneral;
}

}  // namespace verne
