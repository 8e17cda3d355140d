#include "cli/program.h"
#include "report/made_up_solution.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

class CliPlot : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("solution.json", made_up_solution(load_model(shipped("two_link")), {.frames = 21}));
  }
  Folder folder_;
};

TEST_F(CliPlot, WritesADrawing) {
  const Outcome outcome =
      verne({"plot", folder_.file(""), "--what", "joint_forces", "--width", "84", "-o", folder_.file("fig.svg")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string drawing = read_file(folder_.file("fig.svg"));
  EXPECT_TRUE(contains(drawing, "width=\"84mm\"")) << drawing.substr(0, 200);
  EXPECT_TRUE(contains(drawing, "internal joint force (N)"));
  const Outcome direct = verne({"plot", folder_.file("solution.json"), "--what", "joint_forces", "--width", "84"});
  EXPECT_EQ(direct.out, drawing);
}

TEST_F(CliPlot, ListsEndWhereTheyEnd) {  // what follows them is the folder
  const Outcome before = verne({"plot", "--joints", "shoulder,elbow", folder_.file("")});
  EXPECT_EQ(before.exit_code, 0) << before.err;
  EXPECT_EQ(before.out, verne({"plot", folder_.file(""), "--joints", "shoulder,elbow"}).out);
}

TEST_F(CliPlot, BadInput) {
  const Outcome what = verne({"plot", folder_.file(""), "--what", "torque"});
  EXPECT_EQ(what.exit_code, 2);
  EXPECT_TRUE(contains(what.err, "did you mean 'torques'?")) << what.err;
  EXPECT_EQ(verne({"plot", folder_.file("")}).exit_code, 0);
  const Outcome joint = verne({"plot", folder_.file(""), "--joints", "sholder"});
  EXPECT_EQ(joint.exit_code, 2);
  EXPECT_TRUE(contains(joint.err, "there is no joint 'sholder' to plot (did you mean 'shoulder'?)")) << joint.err;
  EXPECT_EQ(verne({"plot", folder_.file("nowhere")}).exit_code, 2);
  EXPECT_EQ(verne({"plot", folder_.file(""), "--width", "0"}).exit_code, 2);
  EXPECT_EQ(verne({"plot", folder_.file(""), "-o", folder_.file("no/such.svg")}).exit_code, 3);
}

}  // namespace
}  // namespace verne::test
