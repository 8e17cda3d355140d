/// `verne eval -i FILE.csv`: rows of a table are what lines of JSON are.
#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

Outcome eval_table(const Folder& folder, const std::string& model, const std::string& want, const std::string& table) {
  return verne({"eval", shipped(model), "--want", want, "-i", folder.write("states.csv", table)});
}

TEST(CliEvalTable, RowsAreLines) {
  const Folder folder;
  const Outcome table = eval_table(folder, "two_link", "tau,acceleration",
                                   "time,q.elbow,q.shoulder,com.x,v.elbow,a.elbow,tau.shoulder\n"
                                   "0, 0.2,0.1,9,3,4,5\n\n0.1,-0.2,-0.1,9,-3,-4,-5\n");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  const Outcome lines = verne({"eval", shipped("two_link"), "--want", "tau,acceleration"},
                              R"({"q":[0.1,0.2],"v":[0,3],"a":[0,4],"tau":[5,0]})"
                              "\n"
                              R"({"q":[-0.1,-0.2],"v":[0,-3],"a":[0,-4],"tau":[-5,0]})"
                              "\n");
  EXPECT_EQ(table.out, lines.out);
}

/// Positions of all joints of the tree choose the branch; the independent ones are exact.
TEST(CliEvalTable, OfLoops) {
  const Folder folder;
  const std::string header = "q.crank_joint,q.coupler_joint,q.rocker_joint,v.crank_joint,v.rocker_joint\n";
  const Outcome table = eval_table(folder, "four_bar", "tree", header + "1.0,-2.5,-2.0,0.5,7\n1.0,-0.6,1.4,0.5,7\n");
  ASSERT_EQ(table.exit_code, 0) << table.err;
  const Outcome lines =
      verne({"eval", shipped("four_bar"), "--want", "tree"}, R"({"q":[1.0],"v":[0.5],"guess":[1.0,-2.5,-2.0]})"
                                                             "\n"
                                                             R"({"q":[1.0],"v":[0.5],"guess":[1.0,-0.6,1.4]})"
                                                             "\n");
  EXPECT_EQ(table.out, lines.out);
  const auto answers = json_lines(table.out);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_LT(answers[0]["tree"]["q"][2], 0);
  EXPECT_GT(answers[1]["tree"]["q"][2], 0);
}

/// What a motion needs is what its file says.
TEST(CliEvalTable, TakesMotions) {
  const Folder folder;
  ASSERT_EQ(verne({"simulate", shipped("two_link"), "--time", "0.1", "--samples", "5", "--state", R"({"q":[0.3,-1]})",
                   "--no-report", "-o", folder.file("run")})
                .exit_code,
            0);
  const Outcome outcome = verne({"eval", shipped("two_link"), "--want", "tau", "-i", folder.file("run/motion.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto answers = json_lines(outcome.out);
  ASSERT_EQ(answers.size(), 5U);
  for (const Json& answer : answers) EXPECT_NEAR(answer["tau"][0].get<double>(), 0, 1e-6);  // it falls freely
}

TEST(CliEvalTable, SaysWhatIsWrong) {
  const Folder folder;
  const auto error = [&](const std::string& table) {
    const Outcome outcome = eval_table(folder, "two_link", "tau", table);
    EXPECT_EQ(outcome.exit_code, 2) << table;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(contains(error(""), "states.csv: error: is empty: expected a header"));
  EXPECT_TRUE(
      contains(error("time,x\n0,1\n"), "states.csv:1: error: there are no states: expected columns such as q."));
  EXPECT_TRUE(contains(error("q.ellbow\n0\n"),
                       "states.csv:1: error: column 'q.ellbow': there is no coordinate 'ellbow' "
                       "(did you mean 'elbow'?)"));
  EXPECT_TRUE(contains(error("q.elbow,q.elbow\n0,1\n"), "states.csv:1: error: "));
  EXPECT_TRUE(contains(error("q.elbow\n0\n0,1\n"), "states.csv:3: error: expected 1 values, found 2"));
  EXPECT_TRUE(contains(error("q.elbow\n0\nnan\n"), "states.csv:3: error: column 'q.elbow': expected a finite number"));
}

}  // namespace
}  // namespace verne::test
