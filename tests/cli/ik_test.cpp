#include <cmath>

#include "cli/program.h"

namespace verne::test {
namespace {

const std::vector<std::string> kPuma{"--frame", "tool", "--position", "0.5,0.1,0.2", "--rpy", "0,3.1,0"};

Outcome ik(const std::string& model, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"ik", shipped(model)});
  return verne(arguments);
}

std::vector<std::string> with(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

TEST(CliIk, PosturesReachThePlaceByEval) {
  const Outcome outcome = ik("puma560", with(kPuma, {"--json"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto postures = nlohmann::json::parse(outcome.out);
  ASSERT_GE(postures.size(), 2u);
  double before = 0;
  for (const auto& posture : postures) {
    EXPECT_LT(posture["position_error"], 1e-9);
    EXPECT_LT(posture["angle_error"], 1e-9);
    const Outcome pose =
        verne({"eval", shipped("puma560"), "--want", "pose:tool"}, nlohmann::json{{"q", posture["q"]}}.dump());
    const auto position = nlohmann::json::parse(pose.out)["pose:tool"]["position"];
    EXPECT_NEAR(position[0], 0.5, 1e-8);
    EXPECT_NEAR(position[1], 0.1, 1e-8);
    EXPECT_NEAR(position[2], 0.2, 1e-8);
    double sum = 0;
    for (const double q : posture["q"]) sum += q * q;
    EXPECT_GE(sum, before) << "the nearest to home, which is zero, comes first";
    before = sum;
  }
  const auto two = nlohmann::json::parse(ik("puma560", with(kPuma, {"--json", "--count", "2"})).out);
  EXPECT_EQ(two, (nlohmann::json{postures[0], postures[1]}));
}

TEST(CliIk, NearIsJsonOrAFile) {
  const auto postures = nlohmann::json::parse(ik("puma560", with(kPuma, {"--json"})).out);
  const nlohmann::json& last = postures.back()["q"];
  const Folder folder;
  for (const std::string& near :
       {last.dump(), nlohmann::json{{"q", last}}.dump(), folder.write("q.json", last.dump() + "\n")}) {
    const auto first =
        nlohmann::json::parse(ik("puma560", with(kPuma, {"--json", "--count", "1", "--near", near})).out);
    ASSERT_EQ(first.size(), 1u);
    for (std::size_t i = 0; i < last.size(); ++i) EXPECT_NEAR(first[0]["q"][i], last[i], 1e-8);
  }
}

TEST(CliIk, NearAStateOfAnSrdf) {
  const Folder folder;
  const std::string srdf = folder.write(
      "a.srdf",
      "<robot name=\"x\"><group_state name=\"bent\"><joint name=\"elbow\" value=\"-1.5\"/></group_state></robot>");
  const std::vector<std::string> goal{"--frame", "tool",    "--position", "0.4,0.4,0", "--srdf",
                                      srdf,      "--count", "1",          "--json"};
  const auto found = nlohmann::json::parse(ik("two_link", with(goal, {"--near", "bent"})).out);
  EXPECT_NEAR(found[0]["q"][1], -M_PI / 2, 1e-9);
  const Outcome other = verne({"ik", shipped("arm7"), "--frame", "tool", "--position", "0,0,1", "--srdf", srdf});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "is the SRDF of another robot, 'x'")) << other.err;
}

TEST(CliIk, SceneIsNotTouched) {
  const std::vector<std::string> goal{"--frame", "tool", "--position", "0.5,0,0.6", "--rpy", "0,1.5,0", "--json"};
  const auto origins = [](const nlohmann::json& q) {
    const Outcome poses = verne({"eval", shipped("arm7"), "--want", "link_poses"}, nlohmann::json{{"q", q}}.dump());
    return nlohmann::json::parse(poses.out)["link_poses"];
  };
  const auto first = nlohmann::json::parse(ik("arm7", goal).out);
  const auto elbow = origins(first[0]["q"])["link4"]["position"];
  const Folder folder;
  const auto scene_around = [&](const nlohmann::json& center) {
    return folder.write("scene.yaml", "format: verne-scene/1\nobjects:\n  ball: {sphere: {radius: 0.1}, pose: {xyz: " +
                                          center.dump() + "}}\n");
  };
  const auto around =
      nlohmann::json::parse(ik("arm7", with(goal, {"--count", "3", "--scene", scene_around(elbow)})).out);
  ASSERT_EQ(around.size(), 3u);
  for (const auto& posture : around) {
    const auto poses = origins(posture["q"]);
    for (const auto& [link, pose] : poses.items()) {
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) square += std::pow(double(pose["position"][k]) - double(elbow[k]), 2);
      EXPECT_GT(square, 0.01) << link;
    }
  }
  const Outcome inside = ik("arm7", with(goal, {"--scene", scene_around({0.5, 0, 0.6})}));
  EXPECT_EQ(inside.exit_code, 1);
  EXPECT_EQ(inside.out, "[]\n");
  EXPECT_TRUE(contains(inside.err, "not reached without collision")) << inside.err;
  EXPECT_TRUE(contains(inside.err, "'ball'")) << inside.err;
  const Outcome bad =
      ik("arm7", with(goal, {"--scene", folder.write("bad.yaml", "format: verne-scene/1\nobject: {}\n")}));
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(contains(bad.err, "unknown key 'object' (did you mean 'objects'?)")) << bad.err;
}

TEST(CliIk, TellsThatAnSrdfMayAllowIt) {
  const Folder folder;
  const std::string shape = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
  const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  const auto slide = [](const std::string& name, const std::string& parent, const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"prismatic\"><parent link=\"" + parent + "\"/><child link=\"" + child +
           "\"/><axis xyz=\"0 0 1\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>";
  };
  const std::string model =
      folder.write("m.urdf", "<robot name=\"m\"><link name=\"base\">" + shape + "</link><link name=\"mid\">" +
                                 inertial + "</link><link name=\"tip\">" + inertial + shape + "</link>" +
                                 slide("a", "base", "mid") + slide("b", "mid", "tip") + "</robot>");
  const std::string scene = folder.write("s.yaml", "format: verne-scene/1\nobjects: {}\n");
  const std::string srdf = folder.write(
      "m.srdf", "<robot name=\"m\"><disable_collisions link1=\"base\" link2=\"tip\" reason=\"Never\"/></robot>");
  const std::vector<std::string> asked{"ik", model, "--frame", "tip", "--position", "0,0,0.05", "--scene", scene};
  const Outcome touching = verne(asked);
  EXPECT_EQ(touching.exit_code, 1);
  EXPECT_TRUE(contains(touching.err, "touch (--srdf FILE tells which links may)")) << touching.err;
  EXPECT_EQ(verne(with(asked, {"--srdf", srdf})).exit_code, 0);
}

TEST(CliIk, TableForPeople) {
  const Outcome outcome = ik("two_link", {"--frame", "tool", "--position", "0.4,0.4,0"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "shoulder")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "1.570796")) << outcome.out;
}

TEST(CliIk, FloatingBase) {
  const Outcome outcome = ik("two_link", {"--floating-base", "--frame", "tool", "--position", "-5,3,1", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)[0]["q"].size(), 9u);
}

TEST(CliIk, OutOfReachSaysByHowMuch) {
  const Outcome outcome = ik("two_link", {"--frame", "tool", "--position", "2,0,0", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "[]\n");
  EXPECT_TRUE(contains(outcome.err, "misses by 1.2 m")) << outcome.err;
}

TEST(CliIk, BadInputIsOneClearLine) {
  struct BadInput {
    std::vector<std::string> arguments;
    const char* said;
  };
  for (const auto& [arguments, said] : std::vector<BadInput>{
           {{"--frame", "tol", "--position", "0,0,0"}, "did you mean 'tool'?"},
           {{"--frame", "tool", "--position", "0,0"}, "--position has 2 numbers, expected three"},
           {{"--frame", "tool", "--position", "0,x,0"}, "--position: 'x' is no number"},
           {{"--frame", "tool", "--position", "0,inf,0"}, "--position: 'inf' is not finite"},
           {{"--frame", "tool", "--position", "0,0,0", "--rpy", "1"}, "--rpy has 1 number, expected three"},
           {{"--frame", "tool", "--position", "0,0,0", "--count", "0"}, "--count"},
           {{"--frame", "tool", "--position", "0,0,0", "--near", "[1,2]"}, "--near"},
           {{"--frame", "tool", "--position", "0,0,0", "--near", "missing.json"}, "missing.json"},
           {{"--frame", "tool", "--position", "0,0,0", "--near", "ready"}, "--near: there is no state 'ready'"},
           {{"--frame", "tool"}, "--position"},
           {{"--position", "0,0,0"}, "--frame"}}) {
    const Outcome outcome = ik("arm7", arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, said)) << outcome.err;
  }
}

}  // namespace
}  // namespace verne::test
