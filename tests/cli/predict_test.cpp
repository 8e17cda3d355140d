#include <csignal>
#include <set>
#include <thread>

#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

using nlohmann::json;

/// A quick minimum-time task for the two-link arm, and lines that replace or follow its own.
std::string two_link(const std::string& more = "", const std::string& effort = "10") {
  return "format: verne-task/1\nname: reach\nmodel: " + shipped("two_link") + R"(
parameters: {goal: 1}
trajectory: {control_points: 8, nodes: 24}
duration: {free: [0.1, 2], guess: 0.5}
minimize: [{time: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -2}}
  end: {position: {shoulder: goal, elbow: -1}}
  limits: {effort: )" +
         effort + "}\noutput: {samples: 21}\n" + more;
}

class CliPredict : public testing::Test {
 protected:
  Outcome predict(const std::string& task, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"predict", folder_.write("task.yaml", task), "-o", out(""), "--no-report"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return verne(arguments);
  }
  std::string out(const std::string& name) const { return folder_.file("out/" + name); }
  json solution(const std::string& name = "solution.json") const { return json::parse(read_file(out(name))); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    if (!std::filesystem::exists(out(""))) return names;
    for (const auto& entry : std::filesystem::directory_iterator(out(""))) names.insert(entry.path().filename());
    return names;
  }
  Folder folder_;
};

/// The two-link arm in a horizontal plane with a hand that turns and weighs nothing.
std::string arm_with_empty_hand(const std::string& inertia) {
  const auto link = [](const std::string& name, const std::string& parent, const std::string& body) {
    return "  - {name: " + name + ", parent: " + parent + ", joint: {type: revolute, name: " + name +
           "_joint, limits: {position: [-3, 3], effort: 10}}, pose: {xyz: [0.4, 0, 0]}" + body + "}\n";
  };
  return "format: verne-model/1\nname: arm\nconvention: tree\ngravity: [0, 0, 0]\nlinks:\n" +
         link("upper", "base", ", mass: 1, com: [0.2, 0, 0], inertia: [0.001, 0.01, 0.01]") +
         link("fore", "upper", ", mass: 1, com: [0.2, 0, 0], inertia: " + inertia) + link("hand", "fore", "");
}

std::string reach_with_hand(const std::string& model) {
  return "format: verne-task/1\nname: reach\nmodel: " + model + R"(
trajectory: {control_points: 8, nodes: 24}
duration: 1
minimize: [{effort: 1}, {smoothness: 1e-3}]
subject_to:
  start: {position: {upper_joint: 0, fore_joint: -2, hand_joint: 0}}
  end: {position: {upper_joint: 1, fore_joint: -1, hand_joint: 0.5}}
output: {samples: 21}
)";
}

TEST_F(CliPredict, GoesOnWhereAJointCarriesNothing) {
  const std::string model = folder_.write("arm.yaml", arm_with_empty_hand("[0.001, 0.01, 0.01]"));
  const Outcome outcome = predict(reach_with_hand(model));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "forward dynamics is impossible: 1 joint ('hand_joint')")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "not simulated, as a joint carries no inertia")) << outcome.out;
  const json result = solution();
  EXPECT_TRUE(result["verification"]["simulation_drift"].is_null());
  EXPECT_EQ(result["tau"].at(10).at(2), 0);
  EXPECT_NE(result["tau"].at(10).at(0), 0);
}

TEST_F(CliPredict, StrictRefusesDoubts) {
  const std::string model = folder_.write("arm.yaml", arm_with_empty_hand("[0.001, 0.01, 0.05]"));
  const Outcome outcome = predict(reach_with_hand(model), {"--strict"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "error: link 'fore': inertia breaks the triangle inequality")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "error: joint 'hand_joint': moves but carries no mass")) << outcome.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(CliPredict, LimitsThatNothingMeetsAreRefused) {
  std::string text = arm_with_empty_hand("[0.001, 0.01, 0.01]");
  text.replace(text.rfind("[-3, 3]"), 7, "[3, -3]");
  const Outcome outcome = predict(reach_with_hand(folder_.write("arm.yaml", text)));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "joint 'hand_joint': position limits: expected lower <= upper")) << outcome.err;
}

TEST_F(CliPredict, WritesEveryFile) {
  const Outcome outcome = predict(two_link());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(files(),
            (std::set<std::string>{"solution.json", "timing.json", "motion.csv", "motion.sto", "summary.txt"}));
  const json result = solution();
  EXPECT_EQ(result["format"], "verne-solution/1");
  EXPECT_EQ(result["status"], "solved");
  EXPECT_NEAR(result["duration"].get<double>(), 0.3929, 1e-3);
  EXPECT_GT(result["refinement_gap"].get<double>(), 0);
  EXPECT_LE(result["verification"]["limit_excess"].get<double>(), 1e-6);
  ASSERT_EQ(result["time"].size(), 21u);
  EXPECT_NEAR(result["q"].back()[1].get<double>(), -1, 1e-12);
  EXPECT_EQ(result["joints"], json({"shoulder", "elbow"}));
  EXPECT_EQ(result["joint_wrenches"]["elbow"].size(), 21u);
  EXPECT_FALSE(contains(read_file(out("solution.json")), "seconds"));  // timings are kept apart
  EXPECT_GT(json::parse(read_file(out("timing.json")))["solve_seconds"].get<double>(), 0);
  // The summary is also what is printed.
  const std::string summary = read_file(out("summary.txt"));
  EXPECT_EQ(outcome.out.substr(0, summary.size()), summary);
  EXPECT_TRUE(contains(outcome.out, ": motion.csv, motion.sto, solution.json, summary.txt, timing.json\n"))
      << outcome.out;
  EXPECT_EQ(summary.substr(0, 14), "reach: solved\n");
  EXPECT_TRUE(contains(summary, "finer curves           may change the cost by ")) << summary;
}

TEST_F(CliPredict, TablesHoldTheMotion) {
  ASSERT_EQ(predict(two_link()).exit_code, 0);
  const json result = solution();
  std::istringstream csv(read_file(out("motion.csv"))), sto(read_file(out("motion.sto")));
  std::string line;
  std::getline(csv, line);
  EXPECT_TRUE(
      contains(line, "time,q.shoulder,q.elbow,v.shoulder,v.elbow,a.shoulder,a.elbow,tau.shoulder,tau.elbow,fx."))
      << line;
  for (int row = 0; row <= 7; ++row) std::getline(csv, line);
  std::istringstream numbers(line);
  for (const json& expected : {result["time"][7], result["q"][7][0], result["q"][7][1], result["v"][7][0]}) {
    std::string cell;
    std::getline(numbers, cell, ',');
    EXPECT_EQ(std::stod(cell), expected.get<double>());
  }
  std::string header;
  while (std::getline(sto, line) && line != "endheader") header += line + "\n";
  EXPECT_EQ(header, "reach\nversion=1\nnRows=21\nnColumns=3\ninDegrees=no\n");
  std::getline(sto, line);
  EXPECT_EQ(line, "time\tshoulder\telbow");
  int rows = 0;
  while (std::getline(sto, line)) ++rows;
  EXPECT_EQ(rows, 21);
}

TEST_F(CliPredict, TheSameInputGivesTheSameBytes) {
  ASSERT_EQ(predict(two_link()).exit_code, 0);
  const std::string first = read_file(out("solution.json"));
  ASSERT_EQ(predict(two_link()).exit_code, 0);
  EXPECT_EQ(read_file(out("solution.json")), first);
}

TEST_F(CliPredict, StartsAreListed) {
  ASSERT_EQ(predict(two_link(), {"--starts", "3"}).exit_code, 0);
  ASSERT_EQ(solution()["starts"].size(), 3u);
}

TEST_F(CliPredict, TheCommandReproducesTheResult) {
  ASSERT_EQ(predict(two_link(), {"--set", "goal=0.7"}).exit_code, 0);
  const std::string first = read_file(out("solution.json")), command = solution()["command"];
  EXPECT_TRUE(contains(command, "--set goal=0.7")) << command;
  std::filesystem::remove_all(out(""));
  EXPECT_EQ(command, "verne predict task.yaml --set goal=0.7 -o out");  // no word of where this user keeps it
  const std::string there = "cd '" + folder_.file("") + "' && ";
  ASSERT_EQ(shell(there + program() + command.substr(5) + " --no-report").exit_code, 0) << command;
  EXPECT_EQ(read_file(out("solution.json")), first);
  EXPECT_NEAR(solution()["q"].back()[0].get<double>(), 0.7, 1e-12);
}

TEST_F(CliPredict, ProgressKeepsToOneLineOfTheTerminal) {
  const std::string task = folder_.write("task.yaml", two_link());
  constexpr unsigned short kColumns = 38;
  const Outcome outcome = on_terminal({program(), "predict", task, "-o", out(""), "--no-report"}, kColumns);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  const std::string begin = "\r\033[K";
  int lines = 0;
  for (std::size_t at = outcome.out.find(begin); at != std::string::npos; at = outcome.out.find(begin, at + 1)) {
    const std::size_t first = at + begin.size(), end = std::min(outcome.out.find('\r', first), outcome.out.size());
    if (!outcome.out.substr(first).starts_with("reach  round")) continue;
    EXPECT_LT(end - first, kColumns) << outcome.out.substr(first, end - first);
    ++lines;
  }
  EXPECT_GE(lines, 1) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "reach: \033[32msolved\033[0m")) << outcome.out;
}

TEST_F(CliPredict, Sweep) {
  const std::string task = two_link("refine: {knots: 1}\n");  // how fine curves are must not depend on the start
  const Outcome outcome = predict(task, {"--sweep", "goal=0.8:1.2:3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, ": 00, 01, 02, front.csv, front.json\n")) << outcome.out;
  EXPECT_EQ(files(), (std::set<std::string>{"00", "01", "02", "front.json", "front.csv"}));
  const json front = solution("front.json");
  EXPECT_EQ(front["format"], "verne-front/1");
  EXPECT_EQ(front["parameter"], "goal");
  ASSERT_EQ(front["rows"].size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const json& row = front["rows"][k];
    EXPECT_NEAR(row["value"].get<double>(), 0.8 + 0.2 * k, 1e-12);
    EXPECT_EQ(row["status"], "solved");
    const json one = solution(row["folder"].get<std::string>() + "/solution.json");
    EXPECT_EQ(one["duration"], row["duration"]);
    EXPECT_NEAR(one["q"].back()[0].get<double>(), 0.8 + 0.2 * k, 1e-9);
  }
  EXPECT_LT(front["rows"][0]["duration"], front["rows"][2]["duration"]);  // a longer way takes longer
  const std::string csv = read_file(out("front.csv"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "goal,status,duration,cost,time,limit_excess");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  // Later values start from the one before, and end where a start from scratch ends.
  ASSERT_EQ(predict(task, {"--set", "goal=1.2"}).exit_code, 0);
  EXPECT_NEAR(solution()["duration"].get<double>(), front["rows"][2]["duration"].get<double>(), 1e-6);
}

TEST_F(CliPredict, SweepOfTheTask) {
  const Outcome outcome = predict(two_link("sweep: {goal: {from: 0.9, to: 1, count: 2}}\n"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(solution("front.json")["rows"].size(), 2u);
}

TEST_F(CliPredict, WhatCannotBeMet) {
  // Too weak for the longest time that is allowed.
  const Outcome outcome = predict(two_link("", "0.05"));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "reach: not_found")) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "what could not be met\n  ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "  effort of elbow at ") && contains(outcome.out, " N·m, allowed -0.05\n"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, ", allowed ")) << outcome.out;
  // The least infeasible motion is there all the same, and says what it is.
  EXPECT_EQ(files().size(), 5u);
  const json result = solution();
  EXPECT_EQ(result["status"], "not_found");
  EXPECT_FALSE(result["conflict"]["certain"].get<bool>());
  ASSERT_FALSE(result["violations"].empty());
  for (const json& violation : result["violations"]) {
    EXPECT_NE(violation["constraint"], "");
    EXPECT_GT(std::abs(violation["value"].get<double>() - violation["bound"].get<double>()), 1e-6);
  }
  EXPECT_GT(result["verification"]["limit_excess"].get<double>(), 0.01);
}

TEST_F(CliPredict, WhatIsNotVerifiedIsNoSuccess) {
  const Outcome outcome = predict(two_link("refine: off\n"));  // limits are exceeded between the nodes, by a tenth
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "reach: not_verified")) << outcome.err;
  const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_EQ(first.find("reach: not_verified: effort of "), 0u) << first;
  EXPECT_TRUE(contains(first, " s is ") && contains(first, " N·m, asked for ")) << first;
  const json result = solution();
  EXPECT_EQ(result["status"], "not_verified");
  EXPECT_EQ("reach: not_verified: " + result["message"].get<std::string>(), first);
  ASSERT_FALSE(result["violations"].empty());
  EXPECT_GT(std::abs(result["violations"][0]["value"].get<double>()), 10.01);
}

TEST_F(CliPredict, AWarningForWhatIsTolerated) {
  const Outcome outcome = predict(two_link("refine: {tolerance: 1e-12, rounds: 4, knots: 0, switches: false}\n"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_EQ(outcome.out.find("reach: acceptable: warning: effort of "), 0u) << outcome.out;
  EXPECT_EQ(solution()["status"], "acceptable");
}

TEST_F(CliPredict, ErrorsOfFramesAreTold) {
  const std::string task = "format: verne-task/1\nname: point\nmodel: " + shipped("two_link") +
                           "\nduration: 1\nminimize: [{effort: 1}]\nsubject_to:\n  start: {position: 0}\n  frames: "
                           "[{frame: tool, position: [0.3, free, free], orientation: {rpy: [0, 0, 1]}}]\n";
  const Outcome outcome = predict(task);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "  frame tool at 1 s  off by ")) << outcome.out;
  const json frames = solution()["verification"]["frames"];
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0]["frame"], "tool");
  EXPECT_LT(frames[0]["position"].get<double>(), 1e-6);
  EXPECT_LT(frames[0]["angle"].get<double>(), 1e-6);
}

TEST_F(CliPredict, ComparesOnlySteps) {
  const std::string people = folder_.write("people.csv", "percent,hip_flexion\n0,1\n100,2\n");
  const Outcome outcome = predict(two_link(), {"--compare", people});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "error: --compare: the task has no gait cycle: no motion that ends as it began, or mirrored, farther on\n");
  EXPECT_TRUE(files().empty());
}

TEST_F(CliPredict, TooFewIterations) {
  const Outcome outcome = predict(two_link("solver: {max_iterations: 2}\n"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(solution()["status"], "iteration_limit");
  // What is not met is named, worst first.
  EXPECT_TRUE(contains(outcome.out.substr(0, outcome.out.find('\n')), "; not met: ")) << outcome.out;
}

// --- The environment ----------------------------------------------------------------------------------------------

TEST_F(CliPredict, AFolderThatCannotBe) {
  folder_.write("file", "");
  const std::string task = folder_.write("t.yaml", two_link());
  const Outcome below = verne({"predict", task, "-o", folder_.file("file/out")});
  EXPECT_EQ(below.exit_code, 3);
  EXPECT_TRUE(contains(below.err, "error: " + folder_.file("file/out"))) << below.err;
  EXPECT_EQ(below.out, "");  // found before the work
  EXPECT_EQ(verne({"predict", task, "-o", "/proc/none"}).exit_code, 3);
  EXPECT_EQ(verne({"predict", task, "-o", "/proc"}).exit_code, 3);
}

TEST_F(CliPredict, AFileThatCannotBeWritten) {
  std::filesystem::create_directories(out("motion.csv"));  // a folder has that name
  const Outcome outcome = predict(two_link());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "motion.csv")) << outcome.err;
  for (const std::string& name : files()) EXPECT_FALSE(contains(name, ".tmp")) << name;
}

/// Runs the program on a task that takes long, and sends a signal once it is at work.
class CliPredictStopped : public CliPredict {
 protected:
  /// Many cheap iterations: seven joints without second derivatives.
  static std::string long_task() {
    return "format: verne-task/1\nname: long\nmodel: " + shipped("arm7") + R"(
trajectory: {control_points: 30, nodes: 200}
parameters: {slow: 2.5}
duration: {free: [0.5, 10], guess: slow}
minimize: [{time: 1}]
subject_to:
  start: {position: [-1, 1, 0, -1, 0, 1, 0]}
  end: {position: [1, 1, 0, -1, 0, 1, 0]}
solver: {hessian: limited-memory, max_iterations: 100000, tolerance: 1e-14}
output: {samples: 11}
)";
  }
  int stopped_by(int signal, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command{program(), "predict", folder_.write("task.yaml", long_task()),
                                     "-o",      out(""),   "--no-report"};
    command.insert(command.end(), more.begin(), more.end());
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const pid_t process = start(command, null, null, null);
    // The folder is made just before the work begins.
    while (!std::filesystem::exists(out(""))) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(process, signal);
    int status = 0;
    ::waitpid(process, &status, 0);
    ::close(null);
    return exit_code_of(status);
  }
};

TEST_F(CliPredictStopped, AnInterruptKeepsTheBestSoFar) {
  EXPECT_EQ(stopped_by(SIGINT), 130);
  EXPECT_EQ(files().size(), 5u);
  const json result = solution();
  EXPECT_EQ(result["status"], "interrupted");
  EXPECT_EQ(result["q"].size(), 11u);
  EXPECT_TRUE(result["duration"].is_number());
}

TEST_F(CliPredictStopped, AnInterruptedSweepKeepsItsRows) {
  EXPECT_EQ(stopped_by(SIGTERM, {"--sweep", "slow=2:3:4"}), 128 + SIGTERM);
  const json rows = solution("front.json")["rows"];
  ASSERT_FALSE(rows.empty());
  EXPECT_LT(rows.size(), 4u);
  EXPECT_EQ(rows.back()["status"], "interrupted");
  EXPECT_TRUE(std::filesystem::exists(out(rows.back()["folder"].get<std::string>() + "/solution.json")));
}

// A limit on the size of files kills the program in the middle of one, at the same byte every time. What an earlier run
// left stays whole.
TEST_F(CliPredictStopped, KilledLeavesNothingHalfWritten) {
  std::string task = two_link();
  task.replace(task.find("samples: 21"), 11, "samples: 2001");
  ASSERT_EQ(predict(task).exit_code, 0);
  std::map<std::string, std::string> before;
  for (const std::string& name : files()) before[name] = read_file(out(name));
  for (const char* const blocks : {"16", "1024"}) {  // of 512 bytes
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const pid_t process = start({"/bin/sh", "-c", "ulimit -c 0; ulimit -f $0; exec \"$@\"", blocks, program(),
                                 "predict", folder_.file("task.yaml"), "-o", out(""), "--no-report"},
                                null, null, null);
    int status = 0;
    ::waitpid(process, &status, 0);
    ::close(null);
    EXPECT_EQ(exit_code_of(status), 128 + SIGXFSZ) << blocks;
    for (const auto& [name, text] : before) EXPECT_TRUE(read_file(out(name)) == text) << name;
    const std::set<std::string> left = files();
    EXPECT_EQ(std::count_if(left.begin(), left.end(), [](const auto& name) { return contains(name, ".tmp"); }), 1);
    for (const std::string& name : left) {
      if (contains(name, ".tmp")) std::filesystem::remove(out(name));
    }
  }
}

}  // namespace
}  // namespace verne::test
