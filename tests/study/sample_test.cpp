#include "verne/study/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "verne/base/error.h"
#include "verne/study/sensitivity.h"

namespace verne {
namespace {

using Kind = SampleSpec::Kind;

ParameterRange uniform(const std::string& name, double lower, double upper) {
  ParameterRange range{name};
  range.lower = lower, range.upper = upper;
  return range;
}
std::vector<ParameterRange> ranges(int count) {
  std::vector<ParameterRange> out;
  for (int k = 0; k < count; ++k) out.push_back(uniform("p" + std::to_string(k), -1, 3));
  return out;
}
ParameterRange normal(double mean, double deviation) {
  ParameterRange range{"n"};
  range.kind = ParameterRange::Kind::normal;
  range.mean = mean, range.deviation = deviation;
  return range;
}

TEST(Sample, SobolPointsAreANet) {
  // Of 256 points of a net in two dimensions, each box of area 1/256 whose sides are powers of 1/2 holds one.
  for (const unsigned long long seed : {1, 2, 77}) {
    const SamplePoints points = sample_points(ranges(2), {Kind::sobol, 256, seed});
    for (int power = 0; power <= 8; ++power) {
      const int across = 1 << power, down = 256 >> power;
      std::set<int> boxes;
      for (int k = 0; k < points.count(); ++k) {
        const auto u = points.shares(k);
        boxes.insert(static_cast<int>(u[0] * across) * down + static_cast<int>(u[1] * down));
      }
      EXPECT_EQ(boxes.size(), 256u) << power;
    }
  }
}

TEST(Sample, SeedsGiveOtherPointsAndTheSameOnesAgain) {
  for (const Kind kind : {Kind::sobol, Kind::latin_hypercube, Kind::random, Kind::saltelli, Kind::morris}) {
    const auto first = sample_points(ranges(3), {kind, 16, 1}), again = sample_points(ranges(3), {kind, 16, 1});
    EXPECT_EQ(first.values, again.values);
    EXPECT_NE(first.values, sample_points(ranges(3), {kind, 16, 2}).values) << to_string(kind);
    EXPECT_EQ(first.count(), sample_size(ranges(3), {kind, 16, 1}));
    for (const double share : first.unit) EXPECT_TRUE(share > 0 && share < 1);
  }
}

TEST(Sample, LatinHypercubesHaveOnePointInEachLayer) {
  constexpr int kCount = 37;
  const SamplePoints points = sample_points(ranges(4), {Kind::latin_hypercube, kCount, 5});
  for (int c = 0; c < 4; ++c) {
    std::set<int> layers;
    for (int k = 0; k < kCount; ++k)
      layers.insert(static_cast<int>(points.shares(k)[static_cast<std::size_t>(c)] * kCount));
    EXPECT_EQ(layers.size(), std::size_t{kCount});
  }
}

TEST(Sample, GridsRunFromEndToEnd) {
  std::vector<ParameterRange> parameters{uniform("a", 0, 2), {"b", ParameterRange::Kind::values, {7, 9}}};
  const SamplePoints points = sample_points(parameters, {Kind::grid, 3});
  EXPECT_EQ(points.values, (std::vector<double>{0, 7, 0, 9, 1, 7, 1, 9, 2, 7, 2, 9}));
}

TEST(Sample, MorrisPathsChangeOneParameterAtATimeByHalfOfItsRange) {
  const SamplePoints points = sample_points(ranges(3), {Kind::morris, 20, 3});
  for (int path = 0; path < 20; ++path) {
    std::set<std::size_t> changed;
    for (int step = 0; step < 3; ++step) {
      const auto from = points.shares(4 * path + step), to = points.shares(4 * path + step + 1);
      for (std::size_t c = 0; c < 3; ++c) {
        if (from[c] == to[c]) continue;
        EXPECT_DOUBLE_EQ(std::abs(to[c] - from[c]), 0.5);
        EXPECT_TRUE(changed.insert(c).second);
      }
    }
    EXPECT_EQ(changed.size(), 3u);
  }
}

TEST(Sample, ValuesOfDistributionsHaveTheirShareBelow) {
  ParameterRange cut = normal(3, 0.2);
  cut.lower = 2.9, cut.upper = 3.5;
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (const double u : {1e-6, 0.01, 0.3, 0.5, 0.97, 1 - 1e-9}) {
    EXPECT_NEAR(below((normal(3, 0.2).at(u) - 3) / 0.2), u, 1e-14);
    const double from = below(-0.5), to = below(2.5);
    EXPECT_NEAR((below((cut.at(u) - 3) / 0.2) - from) / (to - from), u, 1e-13);
    ParameterRange decades{"d", ParameterRange::Kind::log_uniform};
    decades.lower = 0.1, decades.upper = 1000;
    EXPECT_NEAR(std::log(decades.at(u) / 0.1) / std::log(1e4), u, 1e-14);
  }
}

TEST(Sample, TooManyPointsAreRefused) {
  EXPECT_THROW(sample_points(ranges(4), {Kind::grid, 1000}), InputError);
  EXPECT_EQ(sample_size(ranges(4), {Kind::grid, 1000}), 1e12);
}

TEST(Sample, PointsOfAFile) {
  const SamplePoints points = read_points("p1,p0\n1,2\n3,4\n", "f.csv", ranges(2));
  EXPECT_EQ(points.values, (std::vector<double>{2, 1, 4, 3}));
  EXPECT_EQ(points.unit, (std::vector<double>{0, 0, 1, 1}));
  for (const char* bad : {"p0\n1\n", "p0,p1,p2\n1,2,3\n", "p0,p1\n1,x\n", "p0,p1\n1\n", "p0,p1\n", "p0,p1\n1,inf\n"}) {
    EXPECT_THROW(read_points(bad, "f.csv", ranges(2)), InputError) << bad;
  }
}

/// Results of a function at all points.
template <class F>
std::vector<double> results_of(const SamplePoints& points, const F& f) {
  std::vector<double> results;
  for (int k = 0; k < points.count(); ++k) results.push_back(f(points.point(k)));
  return results;
}

TEST(Sensitivity, SobolIndicesOfIshigamisFunction) {
  constexpr double kPi = 3.14159265358979323846, a = 7, b = 0.1;
  const std::vector<ParameterRange> parameters{uniform("x", -kPi, kPi), uniform("y", -kPi, kPi),
                                               uniform("z", -kPi, kPi)};
  const SamplePoints points = sample_points(parameters, {Kind::saltelli, 8192});
  const auto indices =
      sobol_indices(points, results_of(points, [&](const auto& x) {
                      return std::sin(x[0]) + a * std::pow(std::sin(x[1]), 2) + b * std::pow(x[2], 4) * std::sin(x[0]);
                    }));
  const double v1 = 0.5 * std::pow(1 + b * std::pow(kPi, 4) / 5, 2), v2 = a * a / 8;
  const double v13 = b * b * std::pow(kPi, 8) * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  const double first[] = {v1 / v, v2 / v, 0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(indices[c].first, first[c], 0.005) << c;
    EXPECT_NEAR(indices[c].total, total[c], 0.005) << c;
    EXPECT_EQ(indices[c].rows, 8192);
  }
}

TEST(Sensitivity, PointsWithoutResultsAreLeftOut) {
  const SamplePoints points = sample_points(ranges(2), {Kind::saltelli, 256});
  auto results = results_of(points, [](const auto& x) { return x[0] + 2 * x[1]; });
  results[5] = NAN;
  const auto indices = sobol_indices(points, results);
  EXPECT_EQ(indices[0].rows + indices[1].rows, 2 * 256 - (5 % 4 < 2 ? 2 : 1));
  EXPECT_NEAR(indices[0].total, 0.2, 0.02);
  EXPECT_NEAR(indices[1].first, 0.8, 0.03);
}

TEST(Sensitivity, MorrisMeasuresOfALinearFunctionAreItsSlopes) {
  const SamplePoints points = sample_points(ranges(3), {Kind::morris, 10});
  const auto measures = morris_measures(points, results_of(points, [](const auto& x) { return x[0] - 3 * x[1]; }));
  const double width = 4, slopes[] = {1, -3, 0};
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(measures[c].mean, slopes[c] * width, 1e-12);
    EXPECT_NEAR(measures[c].mean_size, std::abs(slopes[c]) * width, 1e-12);
    EXPECT_NEAR(measures[c].deviation, 0, 1e-6);
    EXPECT_EQ(measures[c].effects, 10);
  }
}

}  // namespace
}  // namespace verne
