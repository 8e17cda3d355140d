#include "io/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace verne {
namespace {

constexpr double kPi = std::numbers::pi;

double value(const std::string& text) {
  const Evaluated result = evaluate_expression(text);
  EXPECT_EQ(result.problem, "") << text;
  return result.value;
}

std::string problem(const std::string& text) {
  return evaluate_expression(text).problem;
}

TEST(Expression, Numbers) {
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value(" 1.25 "), 1.25);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("-2.5E+2"), -250);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("+7"), 7);
  EXPECT_EQ(value("0.1"), 0.1);
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(value("1 + 2*3 - 4/2"), 5);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("8/2/2"), 2);
  EXPECT_EQ(value("5-2-1"), 2);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_DOUBLE_EQ(value("sqrt(2)/2"), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(value("sin(pi/6) + cos( 60 deg )"), 1);
}

TEST(Expression, Angles) {
  EXPECT_EQ(value("pi"), kPi);
  EXPECT_EQ(value("-pi/2"), -kPi / 2);
  EXPECT_DOUBLE_EQ(value("2*pi/3"), 2 * kPi / 3);
  EXPECT_DOUBLE_EQ(value("90 deg"), kPi / 2);
  EXPECT_DOUBLE_EQ(value("90deg"), kPi / 2);
  EXPECT_DOUBLE_EQ(value("-90 deg"), -kPi / 2);
}

TEST(Expression, DegreesBelongToTheWholeProductBeforeThem) {
  EXPECT_DOUBLE_EQ(value("360/8 deg"), kPi / 4);
  EXPECT_DOUBLE_EQ(value("90 deg / 2"), kPi / 4);
  EXPECT_DOUBLE_EQ(value("pi + 90 deg"), 1.5 * kPi);
}

TEST(Expression, MayBeInfinite) {
  EXPECT_EQ(value("-inf"), -INFINITY);
  EXPECT_EQ(value("1/0"), INFINITY);
  EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
}

TEST(Expression, Problems) {
  EXPECT_EQ(problem("abc"), "unknown name 'abc'");
  EXPECT_EQ(problem(""), "it ends where a number is expected");
  EXPECT_EQ(problem("1 +"), "it ends where a number is expected");
  EXPECT_EQ(problem("(1"), "missing ')'");
  EXPECT_EQ(problem("sqrt 2"), "expected '(' after the function's name");
  EXPECT_EQ(problem("1.0abc"), "unexpected 'abc'");
  EXPECT_EQ(problem("1,5"), "unexpected ',5'");
  EXPECT_EQ(problem("2 pi"), "unexpected 'pi'");
  EXPECT_EQ(problem("90 deg deg"), "unexpected 'deg'");
  EXPECT_EQ(problem("nan"), "unknown name 'nan'");
  EXPECT_EQ(problem("1e999"), "the number is out of range");
  EXPECT_EQ(problem("*3"), "unexpected '*3'");
}

TEST(Expression, Parameters) {
  const std::map<std::string, double> names{{"u", 0.25}, {"load_mass", 3}, {"s", 4}};
  const auto with_names = [&](const std::string& text) { return evaluate_expression(text, {&names, true}); };
  EXPECT_EQ(with_names("1 - u").value, 0.75);
  EXPECT_EQ(with_names("2*load_mass/s").value, 1.5);
  EXPECT_DOUBLE_EQ(with_names("90 deg/s").value, kPi / 8);  // the parameter, not seconds
  EXPECT_EQ(with_names("load_mas").problem, "unknown name 'load_mas' (did you mean 'load_mass'?)");
  EXPECT_EQ(problem("u"), "unknown name 'u'");
  EXPECT_EQ(problem("sqr(2)"), "unknown name 'sqr' (did you mean 'sqrt'?)");
}

TEST(Expression, ParameterNames) {
  for (const char* name : {"u", "load_mass", "x2", "_", "m"}) EXPECT_TRUE(is_parameter_name(name)) << name;
  for (const char* name : {"", "2x", "a b", "a-b", "pi", "deg", "inf", "sqrt"}) {
    EXPECT_FALSE(is_parameter_name(name)) << name;
  }
}

TEST(Expression, UnitsFollowTheNumber) {
  const auto unit = [](const std::string& text) {
    const Evaluated result = evaluate_expression(text, {nullptr, true});
    EXPECT_EQ(result.problem, "") << text;
    return result.unit;
  };
  EXPECT_EQ(unit("10"), "");
  EXPECT_EQ(unit("0.5 s"), "s");
  EXPECT_EQ(unit("10Nm"), "Nm");
  EXPECT_EQ(unit("(2 + 3) N m"), "Nm");
  EXPECT_EQ(unit("10 N*m"), "Nm");
  EXPECT_EQ(unit("2*pi rad/s^2"), "rad/s2");
  EXPECT_EQ(unit("90 deg"), "deg");
  EXPECT_EQ(unit("90 deg / s^3"), "deg/s3");
  EXPECT_EQ(unit("90 deg / 2"), "deg");
  EXPECT_EQ(unit("0.3*cos(30 deg)"), "");
  EXPECT_DOUBLE_EQ(evaluate_expression("90 deg/s", {nullptr, true}).value, kPi / 2);
  EXPECT_EQ(evaluate_expression("90 deg/s").problem, "unknown name 's'");
  EXPECT_EQ(evaluate_expression("5 s").problem, "unexpected 's'");
  EXPECT_EQ(evaluate_expression("1,5", {nullptr, true}).problem, "unexpected ',5'");
}

TEST(Expression, DepthIsLimited) {
  EXPECT_EQ(value(std::string(50, '(') + "1" + std::string(50, ')')), 1);
  EXPECT_EQ(problem(std::string(100000, '(')), "nested too deeply");
  EXPECT_EQ(problem(std::string(100000, '-') + "1"), "nested too deeply");
}

}  // namespace
}  // namespace verne
