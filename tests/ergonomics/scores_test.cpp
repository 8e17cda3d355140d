// Scores of work against published worked examples.
#include <gtest/gtest.h>

#include "ergonomics/lifting.h"
#include "ergonomics/reba.h"
#include "ergonomics/rula.h"

namespace verne {
namespace {

/// The examples of publication 94-110 are in inches and pounds: its two forms of the equation are the same where an
/// inch is 2.5 cm and 51 lb are 23 kg.
constexpr double kInch = 0.025;

struct ManualExample {
  const char* name;
  double H, V, D, A, frequency, hours;
  int coupling;
  double multipliers[6];  ///< HM, VM, DM, AM, FM, CM
  double limit;           ///< lb
};

TEST(LiftingEquation, ExamplesOfTheManual) {
  const ManualExample examples[] = {
      {"loading punch press stock, origin", 23, 15, 49, 0, 0.2, 1, 1, {0.44, 0.89, 0.86, 1, 1, 0.95}, 16.3},
      {"loading punch press stock, destination", 23, 64, 49, 0, 0.2, 1, 1, {0.44, 0.75, 0.86, 1, 1, 1}, 14.5},
      {"loading supply rolls, origin", 15, 27, 17, 0, 0.2, 1, 2, {0.67, 0.98, 0.93, 1, 1, 0.9}, 28.0},
      {"loading supply rolls, destination", 20, 10, 17, 0, 0.2, 1, 2, {0.5, 0.85, 0.93, 1, 1, 0.9}, 18.1},
      {"loading bags into a hopper, origin", 18, 15, 21, 45, 0.2, 1, 1, {0.56, 0.89, 0.91, 0.86, 1, 0.95}, 18.9},
  };
  for (const ManualExample& e : examples) {
    SCOPED_TRACE(e.name);
    const RecommendedWeight w =
        recommended_weight({e.H * kInch, e.V * kInch, e.A}, {e.D * kInch, e.frequency, e.hours, e.coupling});
    const double multipliers[6] = {w.horizontal, w.vertical, w.distance, w.asymmetry, w.frequency, w.coupling};
    // The manual rounds to two digits, and 10/23 up to 0.44.
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(multipliers[k], e.multipliers[k], 0.0055) << k;
    double rounded = 1;
    for (const double m : e.multipliers) rounded *= m;
    EXPECT_NEAR(51 * rounded, e.limit, 0.06);
    double product = 23;
    for (const double m : multipliers) product *= m;
    EXPECT_DOUBLE_EQ(w.limit, product);
  }
}

TEST(LiftingEquation, InMetres) {
  // CCOHS, NIOSH lifting equation: boxes from a table to a shelf, 23 kg x 0.50 x 1.00 x 0.93 (it rounds to 0.95)
  const RecommendedWeight weight = recommended_weight({0.5, 0.75, 0}, {0.4, 0.2, 1, 1});
  EXPECT_DOUBLE_EQ(weight.horizontal, 0.5);
  EXPECT_DOUBLE_EQ(weight.vertical, 1);
  EXPECT_NEAR(weight.limit, 10.9, 0.25);
  // 12 kg, three times a minute
  EXPECT_NEAR(recommended_weight({0.25, 0.55, 0}, {0.95, 3, 0.75, 1}).limit, 15.7, 0.05);
}

TEST(LiftingEquation, WhereNothingMayBeLifted) {
  const LiftWork work{0.5, 0.2, 1, 0};
  EXPECT_DOUBLE_EQ(recommended_weight({0.25, 0.75, 0}, {0.25, 0.2, 1, 0}).limit, 23);
  EXPECT_EQ(recommended_weight({0.64, 0.75, 0}, work).limit, 0);
  EXPECT_EQ(recommended_weight({0.3, 1.76, 0}, work).limit, 0);
  EXPECT_EQ(recommended_weight({0.3, 0.75, 136}, work).limit, 0);
  EXPECT_EQ(recommended_weight({0.3, 0.75, 0}, {1.8, 0.2, 1, 0}).limit, 0);
  EXPECT_EQ(recommended_weight({0.3, 0.75, 0}, {0.5, 16, 1, 0}).limit, 0);
  EXPECT_EQ(recommended_weight({0.3, 0.7, 0}, {0.5, 13, 1, 0}).limit, 0);
  EXPECT_DOUBLE_EQ(recommended_weight({0.3, 0.75, 0}, {0.5, 13, 1, 0}).frequency, 0.34);
  EXPECT_DOUBLE_EQ(recommended_weight({0.3, 0.75, 0}, {0.5, 3.5, 8, 0}).frequency, 0.5);  // between rows
}

/// Entries of a table do not fall as any of its scores rises: a slip of the hand would show.
template <class Table>
void expect_growing(const Table& at, int a, int b, int c) {
  for (int i = 1; i <= a; ++i) {
    for (int j = 1; j <= b; ++j) {
      for (int k = 1; k <= c; ++k) {
        EXPECT_LE(at(i, j, k), at(i + 1, j, k)) << i << j << k;
        EXPECT_LE(at(i, j, k), at(i, j + 1, k)) << i << j << k;
        EXPECT_LE(at(i, j, k), at(i, j, k + 1)) << i << j << k;
      }
    }
  }
}

TEST(Rula, Tables) {
  for (int twist = 1; twist <= 2; ++twist) {
    expect_growing([&](int i, int j, int k) { return rula_table_a(i, j, k, twist); }, 6, 3, 4);
  }
  expect_growing([](int i, int j, int k) { return rula_table_b(i, j, k); }, 6, 6, 2);
  expect_growing([](int i, int j, int) { return rula_table_c(i, j); }, 8, 7, 1);
}

TEST(Reba, Tables) {
  expect_growing([](int i, int j, int k) { return reba_table_a(i, j, k); }, 5, 3, 4);
  expect_growing([](int i, int j, int k) { return reba_table_b(i, j, k); }, 6, 2, 3);
  expect_growing([](int i, int j, int) { return reba_table_c(i, j); }, 12, 12, 1);
}

TEST(Rula, AWorkerWhoReaches) {
  // A published assessment of a worker in a foundry: trunk 20 to 60 degrees bent, twisted and to the side: 5; neck in
  // its middle, both legs: table B gives 6; twice 1 for muscle use: 8.
  EXPECT_EQ(rula_table_b(1, 5, 1), 6);
  // By hand, from the worksheet: arms 50 degrees forwards, elbows at 80, wrists 20 bent; trunk 30 and neck 25 bent.
  BodyPosture p;
  p.trunk_flexion = 30, p.neck_flexion = 25;
  for (ArmPosture& arm : p.arms) arm.flexion = 50, arm.elbow = 80, arm.wrist_flexion = 20;
  RulaScores s = rula(p, 0, {});
  EXPECT_EQ(s.upper_arm, 3);
  EXPECT_EQ(s.lower_arm, 1);
  EXPECT_EQ(s.wrist, 3);
  EXPECT_EQ(s.arm, 4);
  EXPECT_EQ(s.neck, 3);
  EXPECT_EQ(s.trunk, 3);
  EXPECT_EQ(s.body, 4);
  EXPECT_EQ(s.score, 4);
  // With 6 kg, five times a minute: 1 for muscle use, 2 for the force: 7 and 7
  s = rula(p, 1, {6, 5});
  EXPECT_EQ(s.arm, 7);
  EXPECT_EQ(s.body, 7);
  EXPECT_EQ(s.score, 7);
  EXPECT_EQ(rula({}, 0, {}).score, 2);  // upright, arms hanging: the elbow is straight
}

TEST(Reba, PublishedPose) {
  // A published pose: neck 2, trunk 2, legs 2 give 4; upper arm 1, lower arm 2, wrist 3 (right) or 2 (left) give 3 and
  // 2; table C has 4 for both.
  EXPECT_EQ(reba_table_a(2, 2, 2), 4);
  EXPECT_EQ(reba_table_b(1, 2, 3), 3);
  EXPECT_EQ(reba_table_b(1, 2, 2), 2);
  EXPECT_EQ(reba_table_c(4, 3), 4);
  EXPECT_EQ(reba_table_c(4, 2), 4);
}

TEST(Reba, StoopedLift) {
  // By hand, from the worksheet: trunk 70, neck straight, knees 40: table A (4, 1, 2) = 5, 15 kg: 7; arms hang from a
  // trunk that is bent, 70 against it, elbows straight: table B (3, 2, 1) = 4, fair coupling: 5; table C: 9.
  BodyPosture p;
  p.trunk_flexion = 70, p.knees = {40, 40};
  for (ArmPosture& arm : p.arms) arm.flexion = 70;
  const RebaScores s = reba(p, 0, {15});
  EXPECT_EQ(s.body, 7);
  EXPECT_EQ(s.arm, 5);
  EXPECT_EQ(s.score, 9);
  EXPECT_EQ(reba_action_level(s.score), 3);
  EXPECT_EQ(reba(p, 0, {15, 5, true}).score, 11);
}

}  // namespace
}  // namespace verne
