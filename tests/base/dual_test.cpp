// Dual numbers against derivatives by hand.
#include "verne/base/dual.h"

#include <gtest/gtest.h>

namespace verne {
namespace {

struct Derivatives {
  double value, first, second;
};
template <class Function>
Derivatives at(double x, Function f) {
  const auto y = f(Dual<Dual<double>>({x, 1.0}, {1.0, 0.0}));
  return {y.value.value, y.value.slope, y.slope.slope};
}
void expect(const Derivatives& found, double value, double first, double second) {
  EXPECT_NEAR(found.value, value, 1e-14 * (1 + std::abs(value)));
  EXPECT_NEAR(found.first, first, 1e-13 * (1 + std::abs(first)));
  EXPECT_NEAR(found.second, second, 1e-13 * (1 + std::abs(second)));
}

TEST(Dual, FirstAndSecondDerivatives) {
  constexpr double x = 0.7;
  const double s = std::sin(x), c = std::cos(x), e = std::exp(x), t = std::tan(x), h = std::tanh(x), r = 1 - x * x;
  expect(at(x, [](auto u) { return sin(u); }), s, c, -s);
  expect(at(x, [](auto u) { return cos(u); }), c, -s, -c);
  expect(at(x, [](auto u) { return tan(u); }), t, 1 + t * t, 2 * t * (1 + t * t));
  expect(at(x, [](auto u) { return exp(u); }), e, e, e);
  expect(at(x, [](auto u) { return log(u); }), std::log(x), 1 / x, -1 / (x * x));
  expect(at(x, [](auto u) { return sqrt(u); }), std::sqrt(x), 0.5 / std::sqrt(x), -0.25 / (x * std::sqrt(x)));
  expect(at(x, [](auto u) { return sinh(u); }), std::sinh(x), std::cosh(x), std::sinh(x));
  expect(at(x, [](auto u) { return cosh(u); }), std::cosh(x), std::sinh(x), std::cosh(x));
  expect(at(x, [](auto u) { return tanh(u); }), h, 1 - h * h, -2 * h * (1 - h * h));
  expect(at(x, [](auto u) { return asin(u); }), std::asin(x), 1 / std::sqrt(r), x / (r * std::sqrt(r)));
  expect(at(x, [](auto u) { return acos(u); }), std::acos(x), -1 / std::sqrt(r), -x / (r * std::sqrt(r)));
  expect(at(x, [](auto u) { return atan(u); }), std::atan(x), 1 / (1 + x * x), -2 * x / ((1 + x * x) * (1 + x * x)));
  expect(at(x, [](auto u) { return atan2(u, 2.0 - u); }), std::atan2(x, 2 - x), 2 / (x * x + (2 - x) * (2 - x)),
         -2 * (4 * x - 4) / std::pow(x * x + (2 - x) * (2 - x), 2));
  expect(at(-x, [](auto u) { return pow(u, 3); }), -x * x * x, 3 * x * x, -6 * x);
  expect(at(x, [](auto u) { return pow(u, u); }), std::pow(x, x), std::pow(x, x) * (std::log(x) + 1),
         std::pow(x, x) * ((std::log(x) + 1) * (std::log(x) + 1) + 1 / x));
  expect(at(-x, [](auto u) { return abs(u); }), x, -1, 0);
  expect(at(x, [](auto u) { return 1 / (1 + u * u) - 2 * u; }), 1 / (1 + x * x) - 2 * x,
         -2 * x / ((1 + x * x) * (1 + x * x)) - 2, (6 * x * x - 2) / std::pow(1 + x * x, 3));
}

}  // namespace
}  // namespace verne
