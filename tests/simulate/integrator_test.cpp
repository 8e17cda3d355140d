#include "simulate/integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace verne {
namespace {

using State = std::vector<double>;

constexpr Integrator::Tolerances kFine{1e-11, 1e-13};

void oscillate(double, std::span<const double> y, std::span<double> rate) {
  rate[0] = y[1], rate[1] = -y[0];
}

constexpr Integrator::Formulas kFormulas[] = {Integrator::Formulas::backward, Integrator::Formulas::adams,
                                              Integrator::Formulas::runge_kutta, Integrator::Formulas::automatic};

TEST(Integrator, ErrorFollowsTheTolerance) {
  for (const Integrator::Formulas formulas : kFormulas) {
    double last = 1;
    for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
      Integrator integrator(2, oscillate, {tolerance, tolerance}, formulas);
      integrator.start(0, State{0, 1});
      ASSERT_TRUE(integrator.advance(20));
      const double error = std::hypot(integrator.state()[0] - std::sin(20.0), integrator.state()[1] - std::cos(20.0));
      EXPECT_LT(error, 3e3 * tolerance);  // a few hundred steps add up
      EXPECT_LT(error, last / 50);
      last = error;
    }
  }
}

/// An error per step of order nine: a tolerance of a millionth needs steps 6 times as many.
TEST(Integrator, ExplicitStepsAreOfOrderEight) {
  long steps[2] = {};
  for (const bool fine : {false, true}) {
    const double tolerance = fine ? 1e-13 : 1e-7;
    Integrator integrator(2, oscillate, {tolerance, tolerance}, Integrator::Formulas::runge_kutta);
    integrator.start(0, State{0, 1});
    ASSERT_TRUE(integrator.advance(200));
    steps[fine] = integrator.steps().of_explicit;
  }
  EXPECT_GT(steps[0], 50);
  EXPECT_LT(steps[1], 8 * steps[0]);
}

/// The rates of time alone: the method's error estimate is none of the quadrature formula by chance.
TEST(Integrator, RatesOfTimeAlone) {
  for (const Integrator::Formulas formulas : kFormulas) {
    Integrator integrator(
        1, [](double t, std::span<const double>, std::span<double> rate) { rate[0] = 1 / (1 + 400 * t * t); }, kFine,
        formulas);
    integrator.start(-1, State{0});
    ASSERT_TRUE(integrator.advance(1));
    EXPECT_NEAR(integrator.state()[0], std::atan(20.0) / 10, 1e-9);
  }
}

/// A function that dips below zero within one long step, and comes back.
TEST(Integrator, SeesDipsWithinAStep) {
  Integrator integrator(
      1, [](double, std::span<const double>, std::span<double> rate) { rate[0] = 1; }, kFine,
      Integrator::Formulas::runge_kutta);
  integrator.watch(
      1, [](double, std::span<const double> y, std::span<double> values) { values[0] = (y[0] - 40) * (y[0] - 60); });
  integrator.start(0, State{0});
  EXPECT_FALSE(integrator.advance(100));
  ASSERT_TRUE(integrator.at_event());
  EXPECT_NEAR(integrator.time(), 40, 1e-11);
  EXPECT_EQ(integrator.crossed()[0], -1);
}

/// What the formulas of Adams are for: many entries, and no Jacobian by differences.
TEST(Integrator, AdamsAsksForFewerRatesOfManyEntries) {
  constexpr int kPairs = 50;
  int rates[2] = {};
  for (const Integrator::Formulas formulas : {Integrator::Formulas::backward, Integrator::Formulas::adams}) {
    int& count = rates[formulas == Integrator::Formulas::adams];
    const auto each = [&](double t, std::span<const double> y, std::span<double> rate) {
      for (std::size_t k = 0; k < kPairs; ++k) oscillate(t, y.subspan(2 * k, 2), rate.subspan(2 * k, 2));
      ++count;
    };
    Integrator integrator(2 * kPairs, each, kFine, formulas);
    integrator.start(0, State(2 * kPairs, 1));
    ASSERT_TRUE(integrator.advance(1));
    EXPECT_NEAR(integrator.state()[0], std::cos(1.0) + std::sin(1.0), 1e-9);
  }
  EXPECT_LT(rates[1], rates[0] / 2) << rates[0];
}

TEST(Integrator, AStiffEquationAsFastAsOthers) {
  for (const Integrator::Formulas formulas : {Integrator::Formulas::backward, Integrator::Formulas::automatic}) {
    // y is pulled onto cos t within a microsecond; explicit methods need a step for each of these.
    int rates = 0;
    Integrator integrator(
        1,
        [&](double t, std::span<const double> y, std::span<double> rate) {
          rate[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
          ++rates;
        },
        {1e-8, 1e-10}, formulas);
    integrator.start(0, State{2});
    ASSERT_TRUE(integrator.advance(10));
    EXPECT_NEAR(integrator.state()[0], std::cos(10.0), 1e-7);
    EXPECT_LT(rates, 5000);
  }
}

void expect_to_end_where_it_is_told_to(Integrator::Formulas formulas) {
  double latest = 0;
  Integrator integrator(
      1,
      [&](double t, std::span<const double>, std::span<double> rate) {
        latest = std::max(latest, t);
        rate[0] = t < 1 ? 1 : -1;
      },
      kFine, formulas);
  integrator.start(0, State{0});
  ASSERT_TRUE(integrator.advance(1));
  EXPECT_LE(latest, 1);
  EXPECT_NEAR(integrator.state()[0], 1, 1e-11);
  ASSERT_TRUE(integrator.advance(1));  // no way to go
  // Anew at the jump, and then on from there
  integrator.start(1, State{1});
  ASSERT_TRUE(integrator.advance(1.5));
  ASSERT_TRUE(integrator.advance(2));
  EXPECT_NEAR(integrator.state()[0], 0, 1e-11);
}

TEST(Integrator, EndsWhereItIsToldTo) {
  for (const Integrator::Formulas formulas : kFormulas) expect_to_end_where_it_is_told_to(formulas);
}

void expect_to_say_when_it_cannot_go_on(Integrator::Formulas formulas) {
  Integrator blow_up(
      1, [](double, std::span<const double> y, std::span<double> rate) { rate[0] = y[0] * y[0]; }, kFine, formulas);
  blow_up.start(0, State{1});  // 1 / (1 − t)
  EXPECT_TRUE(blow_up.advance(0.9));
  EXPECT_FALSE(blow_up.advance(1.1));
  blow_up.start(0, State{-1});  // and can start again
  EXPECT_TRUE(blow_up.advance(1));
  EXPECT_NEAR(blow_up.state()[0], -0.5, 1e-9);
  Integrator undefined(
      1, [](double, std::span<const double>, std::span<double> rate) { rate[0] = NAN; }, kFine, formulas);
  undefined.start(0, State{1});
  EXPECT_FALSE(undefined.advance(1));
  Integrator throws(
      1, [](double, std::span<const double>, std::span<double>) { throw std::out_of_range("far"); }, kFine, formulas);
  throws.start(0, State{1});
  EXPECT_THROW(throws.advance(1), std::out_of_range);
}

TEST(Integrator, SaysWhenItCannotGoOn) {
  for (const Integrator::Formulas formulas : kFormulas) expect_to_say_when_it_cannot_go_on(formulas);
}

/// Of several functions the one that crosses first ends it, and is told with its direction; so is one after a start()
/// at its zero.
void expect_to_tell_which_function_crossed(Integrator::Formulas formulas) {
  constexpr double kPi = 3.141592653589793;
  Integrator integrator(2, oscillate, kFine, formulas);  // sin t, cos t
  const auto both = [](double, std::span<const double> y, std::span<double> values) {
    values[0] = y[0] - 0.5, values[1] = y[1];
  };
  const auto expect = [&](double at, int first, int second) {
    EXPECT_FALSE(integrator.advance(20));
    ASSERT_TRUE(integrator.at_event());
    EXPECT_NEAR(integrator.time(), at, 1e-8);
    EXPECT_NEAR(integrator.state()[0], std::sin(at), 1e-8);
    EXPECT_EQ(integrator.crossed()[0], first);
    EXPECT_EQ(integrator.crossed()[1], second);
    integrator.start(integrator.time(), State(integrator.state().begin(), integrator.state().end()));
  };
  integrator.watch(2, both);
  integrator.start(0, State{0, 1});
  expect(kPi / 6, 1, 0);
  expect(kPi / 2, 0, -1);
  expect(5 * kPi / 6, -1, 0);
  expect(3 * kPi / 2, 0, 1);
  // One direction of each; a function that starts at its zero counts when it comes back.
  using enum Integrator::Crossing;
  constexpr Integrator::Crossing kDirections[] = {falling, rising};
  integrator.watch(2, both, kDirections);
  integrator.start(kPi / 2, State{1, 0});
  expect(5 * kPi / 6, -1, 0);
  expect(3 * kPi / 2, 0, 1);
  expect(2 * kPi + 5 * kPi / 6, -1, 0);
  // Nothing any more, and what it throws comes out.
  integrator.watch(0, nullptr);
  integrator.start(0, State{0, 1});
  EXPECT_TRUE(integrator.advance(20));
  EXPECT_FALSE(integrator.at_event());
  EXPECT_TRUE(integrator.crossed().empty());
  integrator.watch(
      1, [](double, std::span<const double>, std::span<double>) { throw std::out_of_range("seen too much"); });
  integrator.start(0, State{0, 1});
  EXPECT_THROW(integrator.advance(1), std::out_of_range);
}

TEST(Integrator, TellsWhichFunctionCrossed) {
  for (const Integrator::Formulas formulas : kFormulas) expect_to_tell_which_function_crossed(formulas);
}

}  // namespace
}  // namespace verne
