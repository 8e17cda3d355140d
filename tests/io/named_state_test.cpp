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
  ASSERT_EQ(srdf.contacts.allowed.size(), 1u);
  EXPECT_EQ(srdf.contacts.allowed[0], (std::pair<std::string, std::string>("base", "link1")));
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
  Srdf of_file;
  add_mjcf(text, "m.xml", of_file);
  const std::vector<NamedState>& states = of_file.states;
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0].name, "ready");
  ASSERT_EQ(states[0].joints.size(), 2u);
  EXPECT_EQ(states[0].joints[0].q, std::vector<double>{0.25});
  EXPECT_EQ(states[0].joints[1].q, (std::vector<double>{0, 0, 0, 1})) << "x y z w";
  Srdf none;
  add_mjcf("<robot/>", "m", none);
  EXPECT_TRUE(none.states.empty());
}

TEST(NamedState, ContactsOfMjcf) {
  const std::string text = R"(<mujoco><worldbody>
  <body name="a"><joint name="j"/><geom name="a1" size="0.1" contype="2" conaffinity="4"/>
    <geom size="0.1" contype="0" conaffinity="0"/><geom name="a3" size="0.1" contype="0" conaffinity="0"/>
    <body name="b"><joint name="k"/><geom name="b1" size="0.1" contype="4294967295"/></body></body>
</worldbody>
<contact><exclude body1="a" body2="b"/><pair geom1="a3" geom2="b1"/></contact></mujoco>)";
  Srdf found;
  add_mjcf(text, "m.xml", found);
  ASSERT_EQ(found.contacts.allowed.size(), 1u);
  EXPECT_EQ(found.contacts.allowed[0], (std::pair<std::string, std::string>("a", "b")));
  constexpr std::uint64_t kPair = std::uint64_t{1} << 32;
  const std::vector<ContactRules::Mask> of_a{{2, 4}, {kPair, kPair}}, of_b{{0xffffffff | kPair, 1 | kPair}};
  EXPECT_EQ(found.contacts.masks["a"], of_a) << "a shape for pictures alone is none, but in a pair";
  EXPECT_EQ(found.contacts.masks["b"], of_b);
}

TEST(NamedState, JointsToTheWorldAreNotOfTheModel) {
  const Model model = two_link();
  const Srdf srdf = read_srdf(
      "<robot name=\"r\"><virtual_joint name=\"world\" type=\"floating\" parent_frame=\"map\" child_link=\"base\"/>"
      "<group_state name=\"s\"><joint name=\"world\" value=\"0 0 0 0 0 0 1\"/><joint name=\"elbow\" "
      "value=\"1\"/></group_state></robot>",
      "s", model);
  ASSERT_EQ(srdf.states.size(), 1u);
  EXPECT_EQ(srdf.states[0].joints.size(), 1u);
}

TEST(NamedState, PosturesOfFiles) {
  const Model model = two_link();
  const auto elbow = [&](const std::string& text) {
    const NamedState state = read_posture(text, model, "f");
    return state.joints.at(1).q.at(0);
  };
  EXPECT_EQ(elbow("[1, 2]"), 2);
  EXPECT_EQ(elbow("{\"q\": [1, 3], \"other\": 0}"), 3);
  EXPECT_EQ(elbow("[{\"q\": [1, 4], \"position_error\": 0}, {\"q\": [0, 0]}]"), 4);
  EXPECT_EQ(elbow("{\"q\": [[0, 0], [1, 5]]}"), 5);
  const auto said = [&](const std::string& text) {
    return complaint<InputError>([&] { read_posture(text, model, "f"); });
  };
  EXPECT_TRUE(said("[1]").starts_with("f: error: ")) << said("[1]");
  EXPECT_EQ(said("{}"), "f: error: expected positions: an array, or an object with q");
  EXPECT_EQ(said("x"), "f:1: error: not JSON (or cut off) at byte 1");
}

}  // namespace
}  // namespace verne::test
