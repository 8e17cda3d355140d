// Tiring and recovering muscles against an integrator with error control, and against what is known in closed form.
#include "ergonomics/fatigue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ergonomics/repeated_fatigue.h"
#include "simulate/integrator.h"

namespace verne {
namespace {

/// The model of the papers, written once more, integrated by CVODE from kink to kink of the load.
struct ByCvode {
  double F, R, r;
  std::vector<double> y{0, 0, 1};  ///< active, fatigued, resting
  double now = 0;
  void go_on(double until, const std::function<double(double)>& load, bool rest) {
    const auto rate = [&](double t, std::span<const double> state, std::span<double> out) {
      const double A = state[0], T = state[1], M = state[2], asked = load(t);
      double C = 0;
      if (A < asked) {
        C = M > asked - A ? 10 * (asked - A) : 10 * M;
      } else {
        C = 10 * (asked - A);
      }
      const double back = (rest ? r : 1) * R * T;
      out[0] = C - F * A, out[1] = F * A - back, out[2] = back - C;
    };
    Integrator integrator(3, rate, {1e-10, 1e-12}, Integrator::Formulas::backward);
    integrator.start(now, y);
    ASSERT_TRUE(integrator.advance(until));
    y.assign(integrator.state().begin(), integrator.state().end());
    now = until;
  }
};

TEST(Fatigue, LiftsAndRestsAsCvodeHasThem) {
  for (const char* joint : {"elbow_flexion_r", "spine1_flexion", "shoulder_abduction_l"}) {
    const FatigueRates& rates = rates_of(joint, true);
    ByCvode exact{rates.fatigue, rates.recovery, rates.rest};
    MuscleState state;
    for (int lift = 0; lift < 12; ++lift) {
      const double begin = exact.now;
      exact.go_on(
          begin + 2, [&](double t) { return 0.2 + 0.35 * (t - begin); }, false);
      state = tired_by(rates, state, 0.2, 0.9, 2);
      EXPECT_NEAR(state.active, exact.y[0], 1e-6) << joint << lift;
      EXPECT_NEAR(state.tired, exact.y[1], 1e-6) << joint << lift;
      exact.go_on(
          begin + 5, [](double) { return 0.0; }, true);
      state = tired_by(rates, state, 0, 0, 3);
      EXPECT_NEAR(state.active, exact.y[0], 1e-6) << joint << lift;
      EXPECT_NEAR(state.resting(), exact.y[2], 1e-6) << joint << lift;
    }
    EXPECT_LT(state.capacity(), 0.95);
  }
}

/// While the active part is held at `load`, T' = F load − R T: the capacity falls to the load at a known time.
TEST(Fatigue, EnduranceOfAHold) {
  const FatigueRates& rates = rates_of("neck_lower_flexion", true);
  for (const double load : {0.3, 0.5, 0.8}) {
    const double endurance = -std::log(1 - rates.recovery * (1 - load) / (rates.fatigue * load)) / rates.recovery;
    if (!std::isfinite(endurance)) continue;
    const auto tired_at = [&](double time) { return tired_by(rates, {load, 0}, load, load, time); };
    EXPECT_NEAR(tired_at(0.9 * endurance).active, load, 2e-3) << load;  // it can still
    EXPECT_LT(tired_at(1.3 * endurance).active, load - 0.02) << load;   // it cannot any more
    EXPECT_NEAR(tired_at(endurance).capacity(), load, 0.01) << load;
  }
}

/// In closed form, where the active part follows its load at once, and by CVODE with the whole model.
TEST(Fatigue, ManyRepetitionsInClosedForm) {
  for (const char* joint : {"elbow_flexion_r", "spine1_flexion", "knee_flexion_r"}) {
    const FatigueRates& rates = rates_of(joint, true);
    ByCvode exact{rates.fatigue, rates.recovery, rates.rest};
    const double begun = 0.1;
    exact.y = {0, begun, 1 - begun};
    for (int n = 0; n < 40; ++n) {  // 1 s up, 0.5 s idle, then a rest of 2.5 s
      const double begin = exact.now;
      exact.go_on(
          begin + 1, [&](double t) { return 0.2 + 0.3 * (t - begin); }, false);
      exact.go_on(
          begin + 4, [](double) { return 0.0; }, true);
    }
    const double asked = 0.35, idle = 0.5, duration = 1.5;
    const double rested = tired_after(rates, {40, 2.5}, begun, asked, idle, duration);
    const double every = tired_after(rates, {40, 0, 4.0}, begun, asked, idle, duration);
    EXPECT_NEAR(rested, exact.y[1], 0.02 * exact.y[1]) << joint;
    EXPECT_NEAR(every, rested, 1e-14) << joint;
  }
}

/// Once, without rest, it is the same as the linear equation T' = F a load − R T, whose solution is known.
TEST(Fatigue, OnceInClosedForm) {
  const FatigueRates& rates = rates_of("elbow_flexion_r", true);
  const double load = 0.4, time = 200, tires = rates.fatigue * 10 / (10 + rates.fatigue) * load;
  const double known = tires / rates.recovery * (1 - std::exp(-rates.recovery * time));
  EXPECT_NEAR(tired_after(rates, {}, 0, load * time, 0.0, time), known, 1e-14);
}

/// First derivatives by the complex step, second ones by the complex step of first ones.
TEST(Fatigue, DerivativesOfManyRepetitions) {
  using D = Dual<double>;
  using Z = std::complex<double>;
  const FatigueRates& rates = rates_of("shoulder_flexion_r", true);
  for (const double duration : {1.5, 900.0}) {  // both formulas of (1 − e⁻ˣ)/x
    const double at[] = {0.3 * duration, 0.4 * duration, duration};
    const Repetitions often{30, 0, 2 * duration};
    for (int i = 0; i < 3; ++i) {
      const auto along = [&](auto step) {
        using S = decltype(step);
        const auto input = [&](int n) { return S(at[n]) + (n == i ? step : S(0.0)); };
        return tired_after(rates, often, 0.05, input(0), input(1), input(2));
      };
      const double h = 1e-30;
      const double slope = along(D(0.0, 1.0)).slope;
      EXPECT_NEAR(slope, along(Z(0, h)).imag() / h, 1e-13 * std::abs(slope)) << i << duration;
      using DZ = Dual<Z>;
      const double bend = along(Dual<D>(D(0.0, 1.0), D(1.0))).slope.slope;
      EXPECT_NEAR(bend, along(DZ(Z(0, h), Z(1))).slope.imag() / h, 1e-11 * (std::abs(bend) + 1e-6)) << i << duration;
    }
  }
}

TEST(Fatigue, RestsWhereNothingIsAskedFor) {
  const FatigueRates& rates = rates_of("elbow_flexion_l", false);
  EXPECT_STREQ(rates.group, "elbow extensors");
  const MuscleState after = tired_by(rates, {0, 0.4}, 0, 0, 60);
  EXPECT_NEAR(after.tired, 0.4 * std::exp(-rates.rest * rates.recovery * 60), 1e-9);
}

TEST(Fatigue, GroupsThatTheTableLacksAreSaid) {
  EXPECT_FALSE(rates_of("hip_flexion_r", true).sure);
  EXPECT_STREQ(rates_of("hip_flexion_r", true).group, "muscles in general");
  EXPECT_FALSE(rates_of("spine1_flexion", false).sure);
  EXPECT_FALSE(rates_of("ankle_dorsiflexion_l", false).sure);
  EXPECT_TRUE(rates_of("ankle_dorsiflexion_l", true).sure);
  EXPECT_TRUE(rates_of("knee_flexion_l", false).sure);
}

}  // namespace
}  // namespace verne
