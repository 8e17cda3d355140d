/// Exit codes and files of commands whose standard output nobody reads, or is full.
#include "cli/program.h"

namespace verne::test {
namespace {

const std::string kTwoLinkModel = shipped("two_link");

/// `verne predict ... | head -1`: exit code and files are those of the result, whoever reads what is said about it.
TEST(CliResultStreams, ExitCodesAreThoseOfTheResult) {
  const Folder folder;
  const auto code = [&](std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), program());
    const Outcome read = run_command(arguments, input), closed = with_nobody_reading(arguments, input);
    EXPECT_EQ(closed.exit_code, read.exit_code) << arguments[1] << closed.err;
    EXPECT_EQ(closed.err, read.err) << arguments[1];
    return closed.exit_code;
  };
  const auto task = [&](const std::string& more) {
    return folder.write("task.yaml", "format: verne-task/1\nname: reach\nmodel: " + kTwoLinkModel + R"(
parameters: {goal: 1}
trajectory: {control_points: 6, nodes: 12}
duration: 1
minimize: [{effort: 1}]
subject_to:
  start: {position: {shoulder: 0, elbow: -2}}
  end: {position: {shoulder: goal, elbow: -1}}
refine: off
)" + more);
  };
  const auto predict = [&](const std::string& more, const std::string& out, std::vector<std::string> options = {}) {
    std::vector<std::string> arguments{"predict", task(more), "-o", folder.file(out)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return code(arguments);
  };
  const std::string few = "solver: {max_iterations: 2}\n";
  EXPECT_EQ(predict("", "good"), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("good/report.html")));
  EXPECT_EQ(predict(few, "bad"), 1);
  EXPECT_TRUE(std::filesystem::exists(folder.file("bad/report.html")));
  EXPECT_EQ(predict(few, "rows", {"--sweep", "goal=0.9:1:2"}), 1);
  EXPECT_TRUE(std::filesystem::exists(folder.file("rows/01/solution.json")));
  EXPECT_EQ(code({"check", kTwoLinkModel, "--states", "1", "--tolerance", "0", "--worst", folder.file("worst")}), 1);
  EXPECT_EQ(code({"check", kTwoLinkModel, "--states", "1"}), 0);
  EXPECT_EQ(code({"eval", kTwoLinkModel, "--want", "tau"}, "{\"v\": [1e200, 0]}\n"), 1);
  EXPECT_EQ(code({"eval", kTwoLinkModel, "--want", "tau"}, "{}\nnonsense\n"), 2);
  EXPECT_EQ(code({"eval", kTwoLinkModel, "--want", "tau"}, "{}\n"), 0);
  EXPECT_EQ(code({"simulate", kTwoLinkModel, "--time", "0.1", "-o", folder.file("moved")}), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("moved/report.html")));
  EXPECT_EQ(code({"report", folder.file("good"), folder.file("bad"), "-o", folder.file("both.html")}), 0);
  EXPECT_EQ(code({"plot", folder.file("good")}), 0);
  EXPECT_EQ(code({"convert", kTwoLinkModel, "-o", "-", "--to", "urdf"}), 0);
  EXPECT_EQ(code({"codegen", kTwoLinkModel, "-o", folder.file("code"), "--json"}), 0);
  EXPECT_EQ(code({"info", kTwoLinkModel}), 0);
  EXPECT_EQ(code({"--help"}), 0);
}

/// A disk that is full takes what is said, not what was found.
TEST(CliResultStreams, ResultsAreWholeWhereNothingCanBeSaid) {
  const Folder folder;
  EXPECT_EQ(shell("'" + program() + "' simulate '" + kTwoLinkModel + "' --time 0.1 -o '" + folder.file("out") +
                  "' >/dev/full")
                .exit_code,
            3);
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/report.html")));
  EXPECT_EQ(shell("'" + program() + "' check '" + kTwoLinkModel + "' --states 1 --tolerance 0 --worst '" +
                  folder.file("worst") + "' >/dev/full")
                .exit_code,
            3);
  EXPECT_TRUE(std::filesystem::exists(folder.file("worst")));
}

}  // namespace
}  // namespace verne::test
