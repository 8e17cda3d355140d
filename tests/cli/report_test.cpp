#include "cli/program.h"
#include "report/made_up_solution.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

TEST(CliProgram, HelpOfReportViewAndPlot) {
  for (const char* command : {"report", "view", "plot"}) {
    const Outcome help = verne({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(contains(help.out, std::string("Examples:\n  verne ") + command)) << help.out;
  }
}

class CliReport : public ::testing::Test {
 protected:
  void SetUp() override {
    const Model arm = load_model(shipped("two_link"));
    for (const char* name : {"fast", "slow"}) {
      std::filesystem::create_directory(folder_.file(name));
      folder_.write(std::string(name) + "/solution.json", made_up_solution(arm, {.frames = 21}));
    }
  }
  Folder folder_;
};

#ifdef VERNE_HAVE_PAGE
TEST_F(CliReport, WritesOneFile) {
  const Outcome outcome = verne({"report", folder_.file("fast")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const std::string page = read_file(folder_.file("fast/report.html"));
  EXPECT_TRUE(contains(outcome.out, "report.html"));
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_FALSE(contains(page, "type=\"application/gzip\">@VERNE_PAYLOAD@"));
  // The same input gives the same bytes.
  ASSERT_EQ(verne({"report", folder_.file("fast"), "-o", folder_.file("again.html")}).exit_code, 0);
  EXPECT_EQ(read_file(folder_.file("again.html")), page);
}

TEST_F(CliReport, ComparesSeveral) {
  const Outcome outcome =
      verne({"report", folder_.file("fast"), folder_.file("slow/solution.json"), "-o", folder_.file("both.html")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "2 solutions")) << outcome.out;
}

#else
TEST_F(CliReport, SaysThatThereIsNoPage) {
  const Outcome outcome = verne({"report", folder_.file("fast")});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "VERNE_WEB")) << outcome.err;
}
#endif

TEST_F(CliReport, ComparesOnlyStrides) {
  folder_.write("people.csv", "percent,hip_flexion\n0,1\n100,2\n");
  folder_.write("words.csv", "percent,hip_flexion\n0,high\n");
  const Outcome none = verne({"report", folder_.file("fast"), "--compare", folder_.file("people.csv")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "solution.json: error: has no stride to compare")) << none.err;
  const Outcome bad = verne({"report", folder_.file("fast"), "--compare", folder_.file("words.csv")});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(contains(bad.err, "words.csv:2: error: 'hip_flexion': 'high' is not a number")) << bad.err;
}

TEST_F(CliReport, BadInput) {
  EXPECT_EQ(verne({"report"}).exit_code, 2);
  EXPECT_EQ(verne({"report", folder_.file("nowhere")}).exit_code, 2);
  EXPECT_EQ(verne({"report", folder_.file("")}).exit_code, 2);
  folder_.write("slow/solution.json", "{\"format\": \"verne-solution/7\"}");
  const Outcome version = verne({"report", folder_.file("slow")});
  EXPECT_EQ(version.exit_code, 2);
  EXPECT_TRUE(contains(version.err, "solution.json: error: format: expected \"verne-solution/1\"")) << version.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("slow/report.html")));
  EXPECT_EQ(verne({"report", folder_.file("fast"), "-o", folder_.file("no/such/page.html")}).exit_code, 3);
}

}  // namespace
}  // namespace verne::test
