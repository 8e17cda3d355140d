/// Where `verne predict` writes, and what becomes of files that are there already.
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/program.h"

namespace verne::test {
namespace {

using nlohmann::json;

/// Any fixed, feasible motion: solved in a few iterations.
std::string task_named(const std::string& name) {
  return "format: verne-task/1\nname: " + name + "\nmodel: " + shipped("two_link") + R"(
parameters: {goal: 1}
trajectory: {control_points: 6, nodes: 12}
duration: 1
minimize: [{effort: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -2}}
  end: {position: {shoulder: goal, elbow: -1}}
refine: off
output: {samples: 5}
)";
}

const std::set<std::string> kResults{"solution.json", "timing.json", "motion.csv", "motion.sto", "summary.txt"};

class CliPredictFolder : public testing::Test {
 protected:
  Outcome predict(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"predict", folder_.write("task.yaml", task_named("reach")), "-o", out(""),
                                       "--no-report"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return verne(arguments);
  }
  std::string out(const std::string& name) const { return folder_.file("out/" + name); }
  std::set<std::string> files(const std::string& in = "") const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(out(in))) names.insert(entry.path().filename());
    return names;
  }
  Folder folder_;
};

TEST_F(CliPredictFolder, ANameStaysInTheFolder) {
  std::filesystem::create_directories(folder_.file("a/b"));
  const std::string outside = folder_.file("outside");
  std::string absolute = outside;
  std::replace(absolute.begin(), absolute.end(), '/', '_');
  const std::vector<std::pair<std::string, std::string>> names{
      {"../../x", "_._.._x"}, {outside, absolute}, {"..", "_."}, {"\"a\\nb\"", "a_b"}};
  for (const auto& [name, folder] : names) {
    folder_.write("a/b/task.yaml", task_named(name));
    const Outcome outcome =
        shell("cd '" + folder_.file("a/b") + "' && '" + program() + "' predict task.yaml --no-report");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder_.file("a/b/out/" + folder + "/solution.json"))) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(outside));
  EXPECT_EQ(folder_.count(), 1);  // a
  const auto in_b = std::filesystem::directory_iterator(folder_.file("a/b"));
  EXPECT_EQ(std::distance(in_b, std::filesystem::directory_iterator{}), 2);  // task.yaml and out
}

TEST_F(CliPredictFolder, AnEmptyNameIsRefused) {
  const std::string task = folder_.write("task.yaml", task_named("reach"));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"predict", task, "-o", ""},
                                                    {"report", folder_.file(""), "-o", ""},
                                                    {"plot", folder_.file(""), "-o", ""},
                                                    {"eval", shipped("two_link"), "--want", "tau", "-o", ""},
                                                    {"convert", shipped("two_link"), "-o", ""},
                                                    {"check", shipped("two_link"), "--worst", ""}}) {
    const Outcome outcome = verne(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments[0];
    EXPECT_NE(outcome.err.find("a name is expected, found ''"), std::string::npos) << outcome.err;
  }
}

TEST_F(CliPredictFolder, AnOldSweepDoesNotPassForTheNewRun) {
  ASSERT_EQ(predict({"--sweep", "goal=0.8:1.2:3"}).exit_code, 0);
  folder_.write("out/notes.txt", "mine");
  folder_.write("out/02/notes.txt", "mine");
  folder_.write("out/report.html", "old");
  ASSERT_EQ(predict().exit_code, 0);
  std::set<std::string> expected = kResults;
  expected.insert({"notes.txt", "02"});
  EXPECT_EQ(files(), expected);
  EXPECT_EQ(files("02"), (std::set<std::string>{"notes.txt"}));  // what is not ours stays
}

TEST_F(CliPredictFolder, AnOldRunDoesNotPassForTheNewSweep) {
  ASSERT_EQ(predict().exit_code, 0);
  ASSERT_EQ(predict({"--sweep", "goal=0.8:1.2:3"}).exit_code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"00", "01", "02", "front.json", "front.csv"}));
  folder_.write("out/00/report.html", "old");
  ASSERT_EQ(predict({"--sweep", "goal=0.8:1.2:2"}).exit_code, 0);
  EXPECT_EQ(files(), (std::set<std::string>{"00", "01", "front.json", "front.csv"}));
  EXPECT_EQ(files("00"), kResults);
  EXPECT_EQ(json::parse(read_file(out("front.json")))["rows"].size(), 2u);
}

/// Results that were moved elsewhere and linked back keep all they have, whatever comes to stand in their place: links
/// of rows and of files go, or stay where they do not stand for results.
TEST_F(CliPredictFolder, LinksAreNotFollowed) {
  namespace fs = std::filesystem;
  const fs::path sweep = folder_.file("sweep"), moved = folder_.file("moved");
  ASSERT_EQ(predict({"--sweep", "goal=0.8:1.2:3"}).exit_code, 0);
  fs::rename(out(""), sweep);
  const auto contents = [&] {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(moved)) {
      if (entry.is_regular_file()) texts[entry.path().string()] = read_file(entry.path().string());
    }
    return texts;
  };
  for (const bool rows : {true, false}) {
    for (const std::string& next : {std::string("one"), std::string("goal=0.9:1.1:2"), std::string("goal=0.9:1:4")}) {
      for (const std::string& gone : {out(""), moved.string()}) fs::remove_all(gone);
      fs::copy(sweep, moved, fs::copy_options::recursive);
      for (const auto& entry : fs::recursive_directory_iterator(moved)) {
        const fs::path back = out("") / fs::relative(entry.path(), moved);
        const bool is_row = entry.is_directory();
        if (rows && back.parent_path() != fs::path(out("")).parent_path()) continue;
        if (is_row && !rows) continue;
        fs::create_directories(back.parent_path());
        fs::create_symlink(entry.path(), back);
      }
      fs::create_directory_symlink(folder_.file("nowhere"), out("notes"));
      const std::map<std::string, std::string> before = contents();
      ASSERT_EQ(before.size(), 2 + 3 * kResults.size());
      const std::vector<std::string> more =
          next == "one" ? std::vector<std::string>{} : std::vector<std::string>{"--sweep", next};
      const Outcome outcome = predict(more);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(contents(), before) << next << rows;
      std::set<std::string> expected = kResults;
      if (next != "one") expected = {"00", "01", "front.json", "front.csv"};
      if (next.ends_with("4")) expected.insert({"02", "03"});
      expected.insert("notes");
      EXPECT_EQ(files(), expected) << next << rows;
      for (const std::string& name : expected) EXPECT_EQ(fs::is_symlink(out(name)), name == "notes") << next << rows;
    }
  }
}

/// What is in the way is found before the work, which may take hours, not after it.
TEST_F(CliPredictFolder, WhatStandsInTheWay) {
  namespace fs = std::filesystem;
  fs::create_directories(out("report.html"));
  const Outcome file = predict();
  EXPECT_EQ(file.exit_code, 3);
  EXPECT_TRUE(contains(file.err, "report.html: is a folder")) << file.err;
  EXPECT_EQ(files(), (std::set<std::string>{"report.html"}));
  fs::remove(out("report.html"));
  folder_.write("out/02", "mine");
  EXPECT_EQ(predict().exit_code, 0);
  const Outcome row = predict({"--sweep", "goal=0.8:1.2:3"});
  EXPECT_EQ(row.exit_code, 3);
  EXPECT_TRUE(contains(row.err, "02: is no folder")) << row.err;
  EXPECT_FALSE(fs::exists(out("00")));
}

/// A pipe in the place of a result would be waited for.
TEST_F(CliPredictFolder, APipeIsNotRead) {
  std::filesystem::create_directories(out(""));
  ASSERT_EQ(::mkfifo(out("front.json").c_str(), 0600), 0);
  EXPECT_EQ(predict().exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_fifo(out("front.json")));
}

TEST_F(CliPredictFolder, WhatIsNotOursStays) {
  std::filesystem::create_directories(out("00"));
  const std::set<std::string> foreign{"front.json", "front.csv", "report.html", "00/solution.json"};
  for (const std::string& name : foreign) folder_.write("out/" + name, "{\"format\":\"of somebody else\"}");
  ASSERT_EQ(predict().exit_code, 0);
  for (const std::string& name : foreign) EXPECT_TRUE(std::filesystem::exists(out(name))) << name;
}

TEST_F(CliPredictFolder, NamesDoNotSteerTheTerminal) {
  const std::string task = folder_.write("task.yaml", task_named("\"a\\x1b[31m\\u202Eb\""));
  const Outcome outcome = verne({"predict", task, "-o", out(""), "--no-report"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "a\\u001b[31m\\u202eb: solved");
  EXPECT_EQ(json::parse(read_file(out("solution.json")))["task"]["name"], "a\x1b[31m\u202Eb");
  EXPECT_EQ(read_file(out("motion.sto")).find("a\\u001b[31m\\u202eb\nversion=1\n"), 0u);
}

}  // namespace
}  // namespace verne::test
