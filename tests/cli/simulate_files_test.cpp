/// What `verne simulate` reads and writes: names, units and tables.
#include "cli/program.h"

namespace verne::test {
namespace {

using nlohmann::json;

class CliSimulatedFiles : public testing::Test {
 protected:
  Outcome simulate(const std::string& model, std::vector<std::string> more) const {
    more.insert(more.begin(), {"simulate", model, "-o", folder_.file("out")});
    return verne(more);
  }
  json solution() const { return json::parse(read_file(folder_.file("out/solution.json"))); }
  Folder folder_;
};

/// A free joint moves by velocities and is at a place: names and units say which.
TEST_F(CliSimulatedFiles, FreeJointsAreAtPlaces) {
  ASSERT_EQ(simulate(shipped("space_arm"), {"--time", "0.01", "--samples", "3", "--no-report"}).exit_code, 0);
  const json coordinates = solution()["coordinates"];
  const std::vector<const char*> positions{"x", "y", "z", "rx", "ry", "rz"},
      velocities{"vx", "vy", "vz", "wx", "wy", "wz"};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(coordinates[k]["name"], std::string("satellite_joint.") + velocities[k]);
    EXPECT_EQ(coordinates[k].value("position_name", ""), std::string("satellite_joint.") + positions[k]);
    EXPECT_EQ(coordinates[k]["unit"], k < 3 ? "m" : "rad");
    EXPECT_EQ(coordinates[k]["effort_unit"], k < 3 ? "N" : "N·m");
  }
  EXPECT_FALSE(coordinates[6].contains("position_name"));
  const auto plot = [&](const char* what, const char* joint) {
    return verne({"plot", folder_.file("out"), "--what", what, "--joints", joint});
  };
  const Outcome places = plot("positions", "satellite_joint.x"), speeds = plot("velocities", "satellite_joint.vx");
  EXPECT_TRUE(contains(places.out, "position (m)") && contains(places.out, "satellite_joint.x")) << places.err;
  EXPECT_TRUE(contains(speeds.out, "velocity (m/s)") && contains(speeds.out, "satellite_joint.vx")) << speeds.err;
  EXPECT_TRUE(contains(plot("torques", "satellite_joint.vx").out, "force (N)"));
  EXPECT_TRUE(contains(plot("positions", "satellite_joint.vx").err, "there is no joint 'satellite_joint.vx' to plot"));
}

/// Names that CSV must put in quotes, in what is written and in what is read; marks that editors put at the beginning.
TEST_F(CliSimulatedFiles, TablesOfOddNames) {
  const std::string model = folder_.write("odd.yaml", R"(format: verne-model/1
name: odd
convention: tree
links:
  - {name: a, joint: {name: 'x, the "long" way', type: prismatic, axis: [1, 0, 0]}, mass: 2}
  - {name: b, parent: a, joint: {name: "up\tand down", type: prismatic, axis: [0, 0, 1]}, mass: 1}
)");
  const std::string torques = "\xEF\xBB\xBFtime,\"x, the \"\"long\"\" way\"\r\n0,6\r\n";
  const Outcome pushed =
      simulate(model, {"--torques", folder_.write("push.csv", torques), "--no-report", "--samples", "3"});
  ASSERT_EQ(pushed.exit_code, 0) << pushed.err;
  const json out = solution();
  EXPECT_NEAR(out["q"].back()[0], 1, 1e-8);  // half of 6 N over 3 kg
  const std::string table = folder_.file("out/motion.csv");
  EXPECT_TRUE(contains(read_file(table), "time,\"q.x, the \"\"long\"\" way\",q.up")) << read_file(table);
  const std::string kept = folder_.write("motion.csv", read_file(table));
  const Outcome again = simulate(model, {"--torques", kept, "--no-report", "--samples", "3"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NEAR(solution()["q"].back()[0], 1, 1e-8);
  const auto refused = [&](const std::string& text) {
    const Outcome outcome = simulate(shipped("two_link"), {"--torques", folder_.write("t.csv", text)});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("time,tau.shoulder,elbow\n0,1,1\n"), "call this one 'tau.elbow'"));
  EXPECT_TRUE(contains(refused("time,elbow,elbow\n0,1,1\n"), "t.csv:1: error: there are two columns of 'elbow'"));
  EXPECT_TRUE(contains(refused("time,elbow,time\n0,1,1\n"), "two columns of 'time'"));
  EXPECT_TRUE(contains(refused("zeit,elbow\n0,1\n"), "begins with time, found 'zeit'"));
  EXPECT_TRUE(contains(refused(""), "t.csv: error: is empty"));
}

}  // namespace
}  // namespace verne::test
