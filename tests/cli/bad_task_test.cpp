/// Every kind of bad task or usage: exit code 2, a message with file, line and what is wrong, and no folder.
#include "cli/program.h"

namespace verne::test {
namespace {

struct BadTask {
  const char* name;  ///< of the test
  std::string text;
  int line;               ///< 0: none
  const char* complaint;  ///< part of the message
};

void PrintTo(const BadTask& task, std::ostream* out) {
  *out << task.text;
}

/// A sound task on eight lines, but for `rest`, which begins in line 6.
std::string task(const std::string& rest, const std::string& minimize = "[{time: 1}]") {
  return "format: verne-task/1\nmodel: " + shipped("two_link") + "\nduration: free\nminimize: " + minimize +
         "\n# what is tried:\n" + rest;
}

const std::vector<BadTask> kBadTasks{
    {"Empty", "", 0, "expected a map, found nothing"},
    {"Truncated", task("subject_to: {start: {position: [0"), 6, ""},
    {"NotATask", "format: verne-model/1\n", 1, "expected a task ('verne-task/1'), found a model"},
    {"UnknownKey", task("subject_too: {}\n"), 6, "did you mean 'subject_to'?"},
    {"UnknownCost", task("", "[{tim: 1}]"), 4, "did you mean 'time'?"},
    {"UnknownJoint", task("subject_to:\n  start: {position: {elbo: 0}}\n"), 7, "did you mean 'elbow'?"},
    {"UnknownFrame", task("subject_to:\n  frames: [{frame: tol, position: [0, 0, 0]}]\n"), 7, "did you mean 'tool'?"},
    {"MissingMesh", task("scene:\n  objects:\n    a: {mesh: {file: nowhere.stl}}\n"), 8,
     "objects: a: 'nowhere.stl' cannot be used: there is no such file"},
    {"MissingMap", task("scene:\n  objects:\n    a: {octomap: {file: nowhere.bt}}\n"), 8,
     "objects: a: 'nowhere.bt' cannot be used: there is no such file"},
    {"UnknownContact",
     task("scene:\n  objects: {a: {sphere: {radius: 0.1}, pose: {xyz: [3, 0, 0]}}}\n  "
          "allowed_contacts: [[a, link3]]\n"),
     8, "no link or object is called 'link3'"},
    {"StartInCollision",
     task("scene:\n  objects: {a: {sphere: {radius: 0.1}, pose: {xyz: [0.8, 0, 0]}}}\n"
          "subject_to:\n  start: {position: [0, 0]}\n"),
     9, "'a' and 'link2' overlap by "},
    {"WrongUnit", task("subject_to:\n  start: {position: {elbow: 3 m}}\n"), 7, "expected a number in rad"},
    {"ForceForTorque", task("subject_to:\n  limits: {effort: {elbow: 5 N}}\n"), 7, "expected a number in N m"},
    {"OutsideOfLimits", task("subject_to:\n  start: {position: {elbow: 9}}\n"), 7, "outside of its limits"},
    {"ConflictWithPeriod", task("subject_to:\n  start: {position: 0}\n  end: {position: 1}\n  periodic: true\n"), 8,
     "must change by 0"},
    {"FewerNodesThanControlPoints", task("trajectory: {control_points: 20, nodes: 15}\n"), 6,
     "fewer nodes (15) than control points (20)"},
    {"TimeWithoutLimits", task("subject_to: {limits: {effort: none}}\n"), 4, "time has no minimum"},
    {"TooManyConditions",
     task("trajectory: {control_points: 5}\nsubject_to:\n  start: {position: 0, acceleration: 0}\n"
          "  end: {position: 0, acceleration: 0}\n"),
     6, "more than its 5 control points"},
    {"NegativeWeight", task("", "[{time: -1}]"), 4, "not negative"},
    {"NoNumber", task("solver: {tolerance: .nan}\n"), 6, "tolerance"},
    {"LongDuration", task("").replace(task("").find("free"), 4, "1e300"), 3, "duration: expected a number below 1e30"},
    {"VeryLongDuration", task("").replace(task("").find("free"), 4, "1e7"), 3,
     "duration: expected at most 1e+06, found '1e7'"},
    {"LongFreeDuration", task("").replace(task("").find("free"), 4, "{free: [1, 1e9]}"), 3,
     "free: expected at most 1e+06"},
    {"AnyTolerance", task("solver: {tolerance: 1e29}\n"), 6, "solver: tolerance: expected at most 0.01"},
    {"AnyExcess", task("refine: {tolerance: 5}\n"), 6, "refine: tolerance: expected at most 1"},
    {"AnyTime", task("solver: {max_seconds: 1e10}\n"), 6, "max_seconds: expected at most 1e+09"},
    {"LargeWeight", task("", "[{time: 1e20}]"), 4, "weight: expected at most 1e+12"},
    {"WeightInDegrees", task("", "[{time: 5 deg}]"), 4, "expected a number without a unit, found '5 deg'"},
    {"ManySamples", task("output: {samples: 1000000}\n"), 6, "samples: expected a whole number from 2 to "},
    {"NotUtf8", task("description: a\xFF\n"), 6, "expected UTF-8 text, found the byte \\xff"},
    {"NoModel", "format: verne-task/1\nmodel: none.yaml\nduration: 1\nminimize: []\n", 2, "'none.yaml' cannot be used"},
};

class CliBadTask : public testing::TestWithParam<BadTask> {};

TEST_P(CliBadTask, IsRefused) {
  const Folder folder;
  const std::string path = folder.write("task.yaml", GetParam().text);
  const Outcome outcome = verne({"predict", path, "-o", folder.file("out")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  const std::string where = path + ":" + (GetParam().line > 0 ? std::to_string(GetParam().line) + ": error: " : "");
  EXPECT_NE(outcome.err.find(where), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().complaint), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

INSTANTIATE_TEST_SUITE_P(Files, CliBadTask, testing::ValuesIn(kBadTasks),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CliBadTask, BadUsage) {
  const Folder folder;
  const std::string path = folder.write("task.yaml", task("parameters: {goal: 1}\n"));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--set", "goa=2"}, "there is no parameter 'goa' (did you mean 'goal'?)"},
      {{"--set", "goal"}, "expected NAME=VALUE"},
      {{"--set", "goal=much"}, "'much' is not a number"},
      {{"--set", "goal=nan"}, "'nan' is not a number"},
      {{"--sweep", "other=0:1:3"}, "there is no parameter 'other'"},
      {{"--sweep", "goal=0:1"}, "expected NAME=START:STOP:COUNT"},
      {{"--sweep", "goal=0:1:1"}, "expected a count from 2 to 1000"},
      {{"--sweep", "goal=0:1:2.5"}, "expected a count from 2 to 1000"},
      {{"--starts", "0"}, "--starts"},
      {{"--process", "2"}, "--process"},
  };
  for (const auto& [more, complaint] : cases) {
    std::vector<std::string> arguments{"predict", path, "-o", folder.file("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = verne(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << more[1];
    EXPECT_NE(outcome.err.find(complaint), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder.file("out"))) << more[1];
  }
  EXPECT_EQ(verne({"predict"}).exit_code, 2);
  EXPECT_EQ(verne({"predict", "no/such/task.yaml"}).exit_code, 2);
  EXPECT_EQ(verne({"predict", folder.file("")}).exit_code, 2);
}

}  // namespace
}  // namespace verne::test
