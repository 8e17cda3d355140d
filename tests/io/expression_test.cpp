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

TEST(Expression, DepthIsLimited) {
  EXPECT_EQ(value(std::string(50, '(') + "1" + std::string(50, ')')), 1);
  EXPECT_EQ(problem(std::string(100000, '(')), "nested too deeply");
  EXPECT_EQ(problem(std::string(100000, '-') + "1"), "nested too deeply");
}

}  // namespace
}  // namespace verne
