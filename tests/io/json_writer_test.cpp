#include "verne/io/json_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "io/number.h"

namespace verne {
namespace {

TEST(JsonWriter, ObjectsAndArrays) {
  JsonWriter json;
  const double row_major[] = {1, 2, 3, 4, 5, 6};
  json.begin_object().key("name").value("a \"b\"\n").key("ok").value(true).key("n").value(3);
  json.key("M").rows(row_major, 3).key("empty").begin_array().end_array().end_object();
  EXPECT_EQ(json.text(), R"({"name":"a \"b\"\u000a","ok":true,"n":3,"M":[[1,2,3],[4,5,6]],"empty":[]})");
  json.clear();
  json.values({});
  EXPECT_EQ(json.text(), "[]");
}

TEST(JsonWriter, WhatJsonDoesNotHaveIsNull) {
  JsonWriter json;
  const double values[] = {NAN, INFINITY, -INFINITY, 1};
  json.values(values);
  EXPECT_EQ(json.text(), "[null,null,null,1]");
}

TEST(JsonWriter, NumbersReadBackExactly) {
  std::mt19937_64 rng(7);
  std::vector<double> numbers = {0, -0.0, 0.1, 1e300, 5e-324, std::numeric_limits<double>::max(), 1.0 / 3};
  while (numbers.size() < 2000) {
    const auto number = std::bit_cast<double>(rng());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  JsonWriter json;
  json.values(numbers);
  EXPECT_EQ(nlohmann::json::parse(json.text()).get<std::vector<double>>(), numbers);
  for (const double number : numbers) EXPECT_EQ(parse_number(format_number(number)), number);
  EXPECT_EQ(format_number(0.1), "0.1");
}

TEST(JsonWriter, AlwaysWritesUtf8ThatSteersNothing) {
  const std::string name = "ü \x1b[31m \u202E \xC2\x9B \"\\";
  JsonWriter json;
  json.begin_object().key(name).value("a\xFF\xE2\x82z").end_object();
  EXPECT_EQ(json.text(), R"({"ü \u001b[31m \u202e \u009b \"\\":"a\ufffd\ufffd\ufffdz"})");
  EXPECT_EQ(nlohmann::json::parse(json.text())[name], "a\uFFFD\uFFFD\uFFFDz");
}

TEST(JsonWriter, CountsWhatBecomesNull) {
  JsonWriter json;
  const double numbers[] = {1, NAN, INFINITY};
  json.values(numbers);
  EXPECT_EQ(json.text(), "[1,null,null]");
  EXPECT_EQ(json.nulls(), 2);
  json.clear();
  EXPECT_EQ(json.nulls(), 0);
}

TEST(Number, WholeTextOrNothing) {
  EXPECT_EQ(parse_number(" 1.5\n"), 1.5);
  EXPECT_EQ(parse_number("+2"), 2);
  EXPECT_EQ(parse_number("inf"), INFINITY);
  for (const char* bad : {"", " ", "1.0abc", "1,5", "1 2", "--1", "+-1", "0x10", "1e999", "abc", "."}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
}

TEST(Number, Quaternions) {
  double nearly[] = {0, 0, 0.6, 0.8 + 5e-7};
  EXPECT_FALSE(normalise_quaternion(nearly));
  EXPECT_DOUBLE_EQ(std::hypot(nearly[2], nearly[3]), 1);
  double zero[] = {0, 0, 0, 0}, off[] = {0, 0, 0, 1.5}, nan[] = {0, 0, 0, NAN};
  EXPECT_EQ(normalise_quaternion(zero), "the quaternion has length zero");
  EXPECT_EQ(normalise_quaternion(off), "expected a quaternion of length 1, found length 1.5");
  EXPECT_TRUE(normalise_quaternion(nan));
}

TEST(Number, QuotesAreShortAndPrintable) {
  EXPECT_EQ(in_quotes("a\nb"), "'a\\u000ab'");
  EXPECT_LT(in_quotes(std::string(1000, 'x')).size(), 80u);
  std::string umlauts;  // two bytes each: none is cut in two
  for (int k = 0; k < 100; ++k) umlauts += "ü";
  EXPECT_EQ(in_quotes("x" + umlauts), "'x" + umlauts.substr(0, 58) + "...'");
  EXPECT_EQ(in_quotes(umlauts), "'" + umlauts.substr(0, 60) + "...'");
}

}  // namespace
}  // namespace verne
