#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.h"
#include "verne/base/error.h"
#include "verne/study/study.h"

namespace verne {
namespace {

using Method = SearchSpec::Method;

ParameterRange range_of(const char* name, double lower, double upper,
                        ParameterRange::Kind kind = ParameterRange::Kind::uniform) {
  ParameterRange range{name, kind};
  range.lower = lower, range.upper = upper;
  return range;
}

SampleSpec search_by(Method method, int count, std::vector<double> start = {}) {
  SampleSpec sample{SampleSpec::Kind::search, count};
  sample.search.method = method, sample.search.start = std::move(start), sample.search.result = "cost";
  return sample;
}

/// Where a search of a function goes, and the least value that it meets.
template <class Function>
std::pair<SamplePoints, double> searched(const std::vector<ParameterRange>& parameters, const SampleSpec& sample,
                                         const Function& function) {
  SamplePoints points = sample_points(parameters, sample);
  std::vector<double> results;
  double best = INFINITY;
  while (true) {
    const auto x = points.point(points.count() - 1);
    results.push_back(function(x));
    if (results.back() < best) best = results.back();
    const auto next = next_of_search(parameters, sample, results);
    if (!next) break;
    append_point(points, parameters, *next);
  }
  EXPECT_LE(points.count(), sample.count);
  return {points, best};
}

/// A valley with its least value, 1, at (1, 100).
double valley(std::span<const double> x) {
  const double u = x[0] - 1, v = std::log10(x[1]) - 2;
  return 1 + u * u + 3 * v * v + u * v + 0.3 * u * u * u * u;
}

TEST(Search, FindsTheLeastOfAValleyByEveryMethod) {
  const std::vector<ParameterRange> parameters{range_of("x", -1, 5),
                                               range_of("y", 1, 1e4, ParameterRange::Kind::log_uniform)};
  for (const Method method : {Method::bobyqa, Method::cobyla, Method::nelder_mead, Method::direct}) {
    const auto [points, best] = searched(parameters, search_by(method, 300), valley);
    EXPECT_NEAR(best, 1, 1e-4) << to_string(method);
    const auto again = searched(parameters, search_by(method, 300), valley).first;
    EXPECT_EQ(points.values, again.values) << to_string(method);
    for (int k = 0; k < points.count(); ++k) {
      EXPECT_TRUE(points.point(k)[0] >= -1 && points.point(k)[0] <= 5);
    }
  }
}

TEST(Search, BeginsWhereItIsTold) {
  const std::vector<ParameterRange> parameters{range_of("x", -1, 5), range_of("y", 1, 3)};
  const SamplePoints points = sample_points(parameters, search_by(Method::bobyqa, 10, {0.25, 1}));
  ASSERT_EQ(points.count(), 1);
  EXPECT_DOUBLE_EQ(points.point(0)[0], 0.5);
  EXPECT_DOUBLE_EQ(points.point(0)[1], 3);
}

TEST(Search, FailuresAndValuesThatDoNotChangeAreNoObstacles) {
  ParameterRange fixed{"z", ParameterRange::Kind::values};
  fixed.values = {7};
  const std::vector<ParameterRange> parameters{range_of("x", -1, 5), fixed};
  int seen = 0;
  const auto function = [&](std::span<const double> x) {
    EXPECT_EQ(x[1], 7);
    ++seen;
    return x[0] > 4 || seen == 1 ? NAN : (x[0] - 3) * (x[0] - 3);
  };
  EXPECT_NEAR(searched(parameters, search_by(Method::nelder_mead, 100), function).second, 0, 1e-5);
  EXPECT_GT(seen, 5);
  const std::vector<ParameterRange> nothing{fixed};
  EXPECT_EQ(searched(nothing, search_by(Method::bobyqa, 100), [](auto) { return 1.0; }).first.count(), 1);
}

/// -cost(x) = -(x - 2)² of as many points as it takes.
class ParabolaWork : public StudyWork {
 public:
  explicit ParabolaWork(bool motions) : motions_(motions) {}
  const std::vector<std::string>& columns() const override { return columns_; }
  bool has_motions() const override { return motions_; }
  PointResult compute(const PointInput& input) override {
    PointResult result;
    result.status = "solved", result.success = input.point != 4;
    result.cost = -(input.values[0] - 2) * (input.values[0] - 2);
    result.results = {result.cost, static_cast<double>(input.start.size())};
    result.used_start = !input.start.empty();
    if (input.motion_wanted) result.motion = std::string(input.start) + "m";
    return result;
  }

 private:
  std::vector<std::string> columns_{"height", "steps"};
  bool motions_;
};

TEST(Search, IsAStudyThatContinues) {
  const test::Folder folder;
  Study study;
  study.spec.name = "parabola";
  study.spec.parameters = {range_of("x", -1, 5)};
  study.spec.sample = search_by(Method::bobyqa, 60);
  study.spec.sample.search.result = "height", study.spec.sample.search.largest = true;
  study.points = sample_points(study.spec.parameters, study.spec.sample);
  study.work = std::make_shared<ParabolaWork>(true);
  const auto run = [&](const std::string& where, int stop_at = 1 << 30) {
    StudyOptions options;
    options.workers = 2;
    options.progress = [&](const StudyProgress& progress) { return progress.done < stop_at; };
    return run_study(study, folder.file(where), options);
  };
  const StudyOutcome whole = run("whole");
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.points.count(), static_cast<int>(whole.rows.size()));
  ASSERT_TRUE(whole.best.has_value());
  EXPECT_NEAR(whole.points.point(*whole.best)[0], 2, 1e-3);
  EXPECT_EQ(whole.unsolved, 1);
  for (const int stop : {1, 3, 4, 7}) EXPECT_FALSE(run("parts", stop).complete);
  EXPECT_TRUE(run("parts").complete);
  EXPECT_EQ(test::read_file(folder.file("parts/table.csv")), test::read_file(folder.file("whole/table.csv")));
}

TEST(Search, FindsTheDamperOfAPendulum) {
  const test::Folder folder;
  folder.write("p.yaml",
               "format: verne-model/1\nconvention: tree\nlinks:\n  - {name: arm, joint: {name: hinge, type: revolute,"
               " axis: [0, 0, 1]}, mass: 1, inertia: [0.5, 0.5, 0.5]}\n");
  // x(1) of I x'' = -k x - d x' after a blow is small where the damper is strong or the time is up.
  Study study = load_study(
      folder.write("s.yaml",
                   "format: verne-study/1\nsimulate: {model: p.yaml, time: 1, state: {v: [1]}}\n"
                   "parameters: {model.hinge.stiffness: {between: [0.5, 8]}}\n"
                   "search: {maximize: final_velocity.hinge, evaluations: 40, start: {model.hinge.stiffness: 1}}\n"
                   "report: [final_velocity.hinge]\n"));
  const StudyOutcome outcome = run_study(study, folder.file("out"), {});
  ASSERT_TRUE(outcome.best.has_value());
  EXPECT_NEAR(outcome.points.point(*outcome.best)[0], 0.5, 1e-3);  // v = cos(sqrt(k / I) t) falls with k
}

TEST(Search, MistakesAreNamed) {
  const test::Folder folder;
  folder.write("p.yaml",
               "format: verne-model/1\nconvention: tree\nlinks:\n  - {name: arm, joint: {name: hinge, type: revolute},"
               " mass: 1, inertia: [1, 1, 1]}\n");
  const auto problem = [&](const std::string& search, const std::string& range = "{between: [0, 1]}") {
    try {
      load_study(folder.write("s.yaml",
                              "format: verne-study/1\n"
                              "eval: {model: p.yaml, state: {q: [angle]}, want: [tau]}\n"
                              "parameters: {angle: " +
                                  range + "}\n" + search + "\n"));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem("search: {minimize: tau.hinge}"), "");
  const auto expect = [&](const std::string& found, const char* text) {
    EXPECT_NE(found.find(text), std::string::npos) << found;
  };
  expect(problem("search: {minimize: tau.hing}"),
         "s.yaml:4: error: search: there is no result 'tau.hing' (did you mean 'tau.hinge'?)");
  expect(problem("search: {}"), "expected either minimize or maximize");
  expect(problem("search: {minimize: tau.hinge, maximize: tau.hinge}"), "expected either minimize or maximize");
  expect(problem("search: {minimize: tau.hinge, method: newton}"), "one of bobyqa, cobyla, nelder_mead, direct");
  expect(problem("search: {minimize: tau.hinge, evaluations: 1e9}"), "a whole number from 1 to 2000");
  expect(problem("search: {minimize: tau.hinge, tolerance: 2}"), "a share of the ranges");
  expect(problem("search: {minimize: tau.hinge, start: {angle: 2}}"), "2 lies outside of 0 to 1");
  expect(problem("search: {minimize: tau.hinge, start: {angel: 0}}"), "there is no parameter 'angel'");
  expect(problem("search: {minimize: tau.hinge}", "{normal: [0, 1]}"), "a search needs between, log_between or one");
  expect(problem("search: {minimize: tau.hinge}", "{values: [1, 2]}"), "a search needs between, log_between or one");
  expect(problem("search: {minimize: tau.hinge}\nsample: {sobol: 4}"), "expected either sample or search");
}

}  // namespace
}  // namespace verne
