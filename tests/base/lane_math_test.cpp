/// Accuracy of the functions over lane packs, against long double (64-bit mantissa on x86).
#include "base/lane_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace verne::test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What the header promises. Over twenty million arguments the worst were 1.56, 2.40 and 1.38 ulp.
constexpr double kSincosUlps = 1.6, kSincosUlpsBeyond1000 = 2.5;
constexpr double kTanhUlps = 1.5;

/// Distance in units of the last place of `exact`.
double ulps(double found, long double exact) {
  const double rounded = std::abs(static_cast<double>(exact));
  const double unit = std::max(std::nextafter(rounded, kInf) - rounded, std::numeric_limits<double>::denorm_min());
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) / unit);
}

/// Random sizes over many orders of magnitude, and both signs.
std::vector<double> random_arguments(double smallest, double largest, int count) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> exponent(std::log(smallest), std::log(largest)), sign(-1, 1);
  std::vector<double> arguments;
  for (int k = 0; k < count; ++k) arguments.push_back(std::copysign(std::exp(exponent(rng)), sign(rng)));
  return arguments;
}

/// The doubles nearest to k π/2 and their neighbours, where sine or cosine nearly vanishes.
std::vector<double> near_quarter_turns() {
  std::vector<double> arguments;
  for (int k = -2000; k <= 2000; ++k) {
    const double x = static_cast<double>(k * (std::numbers::pi_v<long double> / 2));
    for (const double y : {std::nextafter(x, -kInf), x, std::nextafter(x, kInf)}) arguments.push_back(y);
  }
  for (const double k : {1048575.0, 1048576.0, 1048577.0}) {  // both sides of the end of the fast reduction
    arguments.push_back(k * (std::numbers::pi / 2));
    arguments.push_back(-k * (std::numbers::pi / 2));
  }
  return arguments;
}

/// Puts each argument into the second lane with another number before it, and hands the pair of results to `check`.
void for_each_sincos(const std::vector<double>& arguments, const std::function<void(double, double, double)>& check) {
  for (const double x : arguments) {
    Lanes pack(0.5), sine, cosine;
    pack.v[1] = x;
    sincos(pack, sine, cosine);
    check(x, sine.v[1], cosine.v[1]);
    EXPECT_EQ(sine.v[0], static_cast<double>(std::sin(0.5L)));  // whatever the neighbour is
  }
}

void expect_accurate_sincos(const std::vector<double>& arguments) {
  for_each_sincos(arguments, [&](double x, double sine, double cosine) {
    const double error = std::max(ulps(sine, std::sin(static_cast<long double>(x))),
                                  ulps(cosine, std::cos(static_cast<long double>(x))));
    EXPECT_LE(error, std::abs(x) < 1000 ? kSincosUlps : kSincosUlpsBeyond1000) << "at " << x;
  });
}

TEST(LaneMath, SincosOfEverydayAngles) {
  expect_accurate_sincos(random_arguments(1e-3, 1e3, 200000));
}

TEST(LaneMath, SincosOfTinyAngles) {
  expect_accurate_sincos(random_arguments(1e-300, 1e-3, 20000));
  expect_accurate_sincos({0.0, -0.0, std::numeric_limits<double>::denorm_min()});
}

TEST(LaneMath, SincosOfLargeAngles) {
  expect_accurate_sincos(random_arguments(1e3, 1.6e6, 50000));
  expect_accurate_sincos({1e5, -1e5});
}

TEST(LaneMath, SincosBeyondTheFastReduction) {
  expect_accurate_sincos(random_arguments(1.7e6, 1e300, 20000));
  expect_accurate_sincos({1e7, 1e22, 1e300, std::numeric_limits<double>::max()});
}

TEST(LaneMath, SincosNearQuarterTurns) {
  expect_accurate_sincos(near_quarter_turns());
}

TEST(LaneMath, SincosOfWhatIsNoAngle) {
  for_each_sincos({kNan, kInf, -kInf}, [](double, double sine, double cosine) {
    EXPECT_TRUE(std::isnan(sine));
    EXPECT_TRUE(std::isnan(cosine));
  });
}

TEST(LaneMath, SincosOfManyPacksIsThatOfEach) {
  const double values[] = {0.3, -2, 1e7, 4, kNan, 1e300};
  Lanes x[6], sine[6], cosine[6];
  for (int k = 0; k < 6; ++k) x[k] = Lanes(values[k]);
  sincos(x, sine, cosine, 6);
  for (int k = 0; k < 6; ++k) {
    double s, c;
    sincos(values[k], s, c);
    for (int lane = 0; lane < Lanes::kCount; ++lane) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(double(sine[k].v[lane])), std::bit_cast<std::uint64_t>(s)) << values[k];
      EXPECT_EQ(std::bit_cast<std::uint64_t>(double(cosine[k].v[lane])), std::bit_cast<std::uint64_t>(c)) << values[k];
    }
  }
}

void expect_accurate_tanh(const std::vector<double>& arguments) {
  for (const double x : arguments) {
    Lanes pack(-0.25);
    pack.v[1] = x;
    const double error = ulps(hyperbolic_tangent(pack).v[1], std::tanh(static_cast<long double>(x)));
    EXPECT_LE(error, kTanhUlps) << "at " << x;
  }
}

TEST(LaneMath, Tanh) {
  expect_accurate_tanh(random_arguments(1e-3, 30, 200000));
}

TEST(LaneMath, TanhOfTinyAndHuge) {
  expect_accurate_tanh(random_arguments(1e-300, 1e-3, 20000));
  expect_accurate_tanh({0.625, std::nextafter(0.625, 0.0), 19.9, 20, 20.1, 710, 1e5, 1e7, 1e300});
  EXPECT_EQ(hyperbolic_tangent(kInf), 1);
  EXPECT_EQ(hyperbolic_tangent(-kInf), -1);
  EXPECT_TRUE(std::isnan(hyperbolic_tangent(kNan)));
  EXPECT_FALSE(std::signbit(hyperbolic_tangent(0.0)));
  EXPECT_TRUE(std::signbit(hyperbolic_tangent(-0.0)));
}

TEST(LaneMath, OddAndEven) {
  for (const double x : random_arguments(1e-6, 1e3, 1000)) {
    double s, c, minus_s, minus_c;
    sincos(x, s, c);
    sincos(-x, minus_s, minus_c);
    EXPECT_EQ(minus_s, -s);
    EXPECT_EQ(minus_c, c);
    EXPECT_EQ(hyperbolic_tangent(-x), -hyperbolic_tangent(x));
  }
}

TEST(Lanes, SelectAndLessWorkLaneByLane) {
  Lanes a(1.0), b(2.0);
  a.v[1] = 3;
  const Lanes smaller = select(less(a, b), a, b);
  EXPECT_EQ(smaller.v[0], 1);
  EXPECT_EQ(smaller.v[1], 2);
  const Lanes with_nan = select(less(Lanes(kNan), b), a, b);  // a comparison with NaN is false
  EXPECT_EQ(with_nan.v[0], 2);
}

}  // namespace
}  // namespace verne::test
