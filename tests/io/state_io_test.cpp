#include "verne/io/state_io.h"

#include <gtest/gtest.h>

#include "io/io_support.h"

namespace verne::test {
namespace {

/// q: x y z, quaternion, angle, quaternion (12); v: 6 + 1 + 3 (10).
const Model& model() {
  static const Model kModel = build_model(read_sound(read_yaml, R"(format: verne-model/1
convention: tree
base: {type: free, name: trunk, mass: 1, inertia: [1, 1, 1]}
links:
  - {name: arm, joint: {name: elbow, type: revolute}, mass: 1, inertia: [1, 1, 1]}
  - {name: hand, joint: {name: wrist, type: spherical}, mass: 1, inertia: [1, 1, 1]}
)"));
  return kModel;
}

StateLine parse(const std::string& line) {
  return parse_state(line, model(), "in", 7);
}
std::string error(const std::string& line) {
  return input_error([&] { parse(line); });
}

TEST(StateIo, MissingArrays) {
  const StateLine state = parse("{}");
  EXPECT_EQ(state.q, (std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(state.v, std::vector<double>(10));
  EXPECT_EQ(state.a, std::vector<double>(10));
  EXPECT_EQ(state.tau, std::vector<double>(10));
  EXPECT_TRUE(state.loads.empty());
}

TEST(StateIo, WholeState) {
  const StateLine state = parse(
      R"({"q": [1, 2, 3, 0, 0.6, 0, 0.8, 0.5, 1, 0, 0, 0], "v": [1,2,3,4,5,6,7,8,9,1e1], "a": [0,0,0,0,0,0,0,0,0,-1],
          "tau": [0.1,0,0,0,0,0,0,0,0,0], "loads": [{"link": "hand", "force": [1, 2, 3]},
          {"link": "trunk", "at": "world", "point": [4, 5, 6], "moment": [7, 8, 9]}]})");
  EXPECT_EQ(state.q, (std::vector<double>{1, 2, 3, 0, 0.6, 0, 0.8, 0.5, 1, 0, 0, 0}));
  EXPECT_EQ(state.v[9], 10);
  EXPECT_EQ(state.a[9], -1);
  EXPECT_EQ(state.tau[0], 0.1);
  ASSERT_EQ(state.loads.size(), 2u);
  EXPECT_EQ(state.loads[0].site, model().link("hand"));
  EXPECT_FALSE(state.loads[0].world_point);
  EXPECT_EQ(state.loads[0].force.z, 3);
  EXPECT_EQ(state.loads[0].moment.x, 0);
  EXPECT_EQ(state.loads[1].site, model().link("trunk"));
  EXPECT_TRUE(state.loads[1].world_point);
  EXPECT_EQ(state.loads[1].point.y, 5);
  EXPECT_EQ(state.loads[1].moment.z, 9);
}

TEST(StateIo, Quaternions) {
  const auto with = [](const std::string& w) { return R"({"q": [0,0,0, 0,0,0,)" + w + ", 0, 0,0,0,1]}"; };
  EXPECT_EQ(parse(with("1.0000005")).q[6], 1);
  EXPECT_EQ(error(with("0")), "in:7: error: q[3], joint 'root_joint': the quaternion has length zero");
  EXPECT_EQ(error(with("1.1")),
            "in:7: error: q[3], joint 'root_joint': expected a quaternion of length 1, found length 1.1");
  EXPECT_EQ(error(R"({"q": [0,0,0, 0,0,0,1, 0, 0,0,0,0]})"),
            "in:7: error: q[8], joint 'wrist': the quaternion has length zero");
}

TEST(StateIoErrors, Arrays) {
  EXPECT_EQ(error(R"({"q": [1, 2]})"), "in:7: error: q: expected an array of 12 numbers, found an array of 2");
  EXPECT_EQ(error(R"({"v": 3})"), "in:7: error: v: expected an array of 10 numbers, found '3'");
  EXPECT_EQ(error(R"({"a": null})"), "in:7: error: a: expected an array of 10 numbers, found 'null'");
  EXPECT_EQ(error(R"({"tau": {"x": 1}})"), "in:7: error: tau: expected an array of 10 numbers, found an object");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,null,0,0,0,0,0]})"), "in:7: error: v[4]: expected a number, found 'null'");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,"1",0,0,0,0,0]})"), "in:7: error: v[4]: expected a number, found '\"1\"'");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,[1],0,0,0,0,0]})"), "in:7: error: v[4]: expected a number, found an array of 1");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,true,0,0,0,0,0]})"), "in:7: error: v[4]: expected a number, found 'true'");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,NaN,0,0,0,0,0]})"), "in:7: error: key 'v': not JSON at column 16");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,1e999,0,0,0,0,0]})"), "in:7: error: key 'v': a number is out of range");
}

TEST(StateIoErrors, Keys) {
  EXPECT_EQ(error(R"({"taw": []})"), "in:7: error: unknown key 'taw' (did you mean 'tau'?)");
  EXPECT_EQ(error(R"({"v": [0,0,0,0,0,0,0,0,0,0], "v": [1]})"), "in:7: error: key 'v' is given twice");
  EXPECT_EQ(error("[1]"), "in:7: error: expected a JSON object, found an array of 1");
}

TEST(StateIoErrors, Loads) {
  EXPECT_EQ(error(R"({"loads": {}})"), "in:7: error: loads: expected an array, found an object");
  EXPECT_EQ(error(R"({"loads": [3]})"), "in:7: error: loads[0]: expected an object, found '3'");
  EXPECT_EQ(error(R"({"loads": [{}]})"), "in:7: error: loads[0]: frame is missing");
  EXPECT_EQ(error(R"({"loads": [{"link": 3}]})"), "in:7: error: loads[0]: link: expected a name, found '3'");
  EXPECT_EQ(error(R"({"loads": [{"frame": "hand", "link": "hand"}]})"),
            "in:7: error: loads[0]: give either frame or link, not both");
  EXPECT_EQ(error(R"({"loads": [{"link": "hnad"}]})"), "in:7: error: loads[0]: link: unknown link or frame 'hnad'");
  EXPECT_EQ(error(R"({"loads": [{"link": "han"}]})"),
            "in:7: error: loads[0]: link: unknown link or frame 'han' (did you mean 'hand'?)");
  EXPECT_EQ(error(R"({"loads": [{"link": "hand", "at": "tip"}]})"),
            "in:7: error: loads[0]: at: expected \"frame\" or \"world\", found '\"tip\"'");
  EXPECT_EQ(error(R"({"loads": [{"link": "hand", "force": [1, 2]}]})"),
            "in:7: error: loads[0]: force: expected an array of 3 numbers, found an array of 2");
  EXPECT_EQ(error(R"({"loads": [{"link": "hand", "forse": [1, 2, 3]}]})"),
            "in:7: error: loads[0]: unknown key 'forse' (did you mean 'force'?)");
}

TEST(StateIoErrors, CutOffAnywhere) {
  const std::string line = R"({"v": [0,0,0,0,0,0,0,0,0,1.5], "loads": [{"link": "hand", "force": [1, 2, 3]}]})";
  parse(line);
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_NE(error(line.substr(0, size)).find("in:7: error: "), std::string::npos) << size;
  }
  EXPECT_EQ(error(line.substr(0, 10)), "in:7: error: key 'v': the JSON is cut off at the end of the line");
  EXPECT_EQ(error(line.substr(0, line.size() - 8)),
            "in:7: error: key 'force': the JSON is cut off at the end of the line");
  EXPECT_EQ(error(line + "}"), "in:7: error: key 'force': not JSON at column " + std::to_string(line.size() + 1));
}

TEST(StateIoErrors, DeepNesting) {
  EXPECT_NE(error(R"({"q": )" + std::string(100000, '[')), "");
  EXPECT_NE(error(R"({"q": )" + std::string(100000, '[') + std::string(100000, ']') + "}"), "");
}

}  // namespace
}  // namespace verne::test
