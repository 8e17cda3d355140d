#include "io/named_state.h"

#include "io/io_support.h"
#include "support/complaint.h"
#include "support/paths.h"

namespace verne::test {
namespace {

Model two_link() {
  return load_model(source_dir() + "/models/two_link.yaml");
}

constexpr char kStates[] = R"(<robot name="two_link">
  <group name="arm"><chain base_link="base" tip_link="link2"/></group>
  <group_state name="folded" group="arm">
    <joint name="shoulder" value="0.5"/>
    <joint name="elbow" value=" -2 "/>
  </group_state>
  <group_state name="half" group="arm"><joint name="elbow" value="1"/></group_state>
  <disable_collisions link1="base" link2="link1" reason="Adjacent"/>
</robot>)";

TEST(NamedState, OfSrdf) {
  const Srdf srdf = read_srdf(kStates, "s", two_link());
  const std::vector<NamedState>& states = srdf.states;
  ASSERT_EQ(srdf.allowed.size(), 1u);
  EXPECT_EQ(srdf.allowed[0], (std::pair<std::string, std::string>("base", "link1")));
  ASSERT_EQ(states.size(), 2u);
  const NamedState& folded = find_state(states, "folded", "x");
  ASSERT_EQ(folded.joints.size(), 2u);
  EXPECT_EQ(folded.joints[1].joint, "elbow");
  EXPECT_EQ(folded.joints[1].q, std::vector<double>{-2});
  EXPECT_EQ(folded.line, 3);
  EXPECT_EQ(find_state(states, "half", "x").joints.size(), 1u);
  EXPECT_EQ(complaint<InputError>([&] { find_state(states, "haf", "--near"); }),
            "error: --near: there is no state 'haf' (did you mean 'half'?)");
}

TEST(NamedState, SrdfOfAnotherRobotAndOtherMistakes) {
  const auto said = [](const std::string& text) {
    return complaint<InputError>([&] { read_srdf(text, "s", two_link()); });
  };
  EXPECT_EQ(said("<robot name=\"panda\">\n<disable_collisions link1=\"panda_link0\" link2=\"panda_link1\"/>\n"
                 "<group_state name=\"ready\"><joint name=\"panda_joint1\" value=\"0\"/></group_state></robot>"),
            "s:1: error: is the SRDF of another robot, 'panda': the model has none of its links and joints");
  EXPECT_EQ(said("<robot>\n<disable_collisions link1=\"base\" link2=\"lin2\"/></robot>"),
            "s:2: error: the model has no link 'lin2' (did you mean 'link2'?)");
  EXPECT_EQ(said("<robot><group_state name=\"a\">\n<joint name=\"elbow\" value=\"0 1\"/></group_state></robot>"),
            "s:2: error: joint 'elbow': value: expected 1 number, found '0 1'");
  EXPECT_EQ(said("<robot><group_state>\n<joint name=\"elbow\" value=\"x\"/></group_state></robot>"),
            "s:1: error: <group_state> has no name\ns:2: error: joint 'elbow': value: expected 1 number, found 'x'");
  EXPECT_EQ(said("<robot><link name=\"base\"/></robot>"),
            "s:1: error: this is URDF, not SRDF: it has links and joints");
  EXPECT_EQ(said("<model/>"), "s:1: error: not SRDF: expected <robot>, found 'model'");
}

TEST(NamedState, OfMjcf) {
  const std::string text = R"(<mujoco><worldbody>
  <body name="a"><joint name="j" type="slide" axis="1 0 0"/><geom size="0.1"/>
    <body name="b"><joint name="k" type="ball"/><geom size="0.1"/></body>
  </body>
</worldbody>
<keyframe><key name="ready" qpos="0.25 1 0 0 0"/><key qpos="1 1 0 0 0"/><key name="short" qpos="1"/></keyframe></mujoco>)";
  const auto states = read_mjcf_states(text, "m.xml");
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].name, "ready");
  ASSERT_EQ(states[0].joints.size(), 2u);
  EXPECT_EQ(states[0].joints[0].q, std::vector<double>{0.25});
  EXPECT_EQ(states[0].joints[1].q, (std::vector<double>{0, 0, 0, 1})) << "x y z w";
  EXPECT_TRUE(read_mjcf_states("<robot/>", "m").empty());
}

}  // namespace
}  // namespace verne::test
