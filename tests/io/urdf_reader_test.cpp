#include <gtest/gtest.h>

#include "io/io_support.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

std::string robot(const std::string& contents) {
  return "<robot name=\"r\">\n" + contents + "\n</robot>";
}
std::string two_links(const std::string& joint) {
  return robot("<link name=\"a\"/>\n<link name=\"b\"/>\n" + joint);
}
/// A joint from a to b that begins in line 4.
std::string joint(const std::string& type, const std::string& contents) {
  return two_links("<joint name=\"j\" type=\"" + type + "\"><parent link=\"a\"/><child link=\"b\"/>\n" + contents +
                   "</joint>");
}
std::string link(const std::string& contents) {
  return robot("<link name=\"a\">\n" + contents + "</link>");
}
std::string errors(const std::string& text) {
  return errors_of(read_urdf, text);
}
std::string warnings(const std::string& text) {
  return warnings_of(read_urdf, text);
}
ModelSpec read(const std::string& text) {
  return read_sound(read_urdf, text);
}

TEST(UrdfReader, LinksJointsAndLines) {
  const ModelSpec spec = read(joint("revolute",
                                    R"(<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="2" effort="5" velocity="3"/><dynamics damping="0.4" friction="0.6"/>)"));
  EXPECT_EQ(spec.name, "r");
  EXPECT_EQ(spec.file, "m");
  ASSERT_EQ(spec.links.size(), 2u);
  EXPECT_EQ(spec.links[0].parent, "");
  EXPECT_EQ(spec.links[0].joint.name, "root_joint");
  EXPECT_EQ(spec.links[0].joint.type, JointType::fixed);
  EXPECT_FALSE(spec.links[0].has_inertial);
  const LinkSpec& b = spec.links[1];
  EXPECT_EQ(b.line, 3);
  EXPECT_EQ(b.parent, "a");
  EXPECT_EQ(b.joint.line, 4);
  EXPECT_EQ(b.joint.name, "j");
  EXPECT_EQ(b.joint.type, JointType::revolute);
  expect_near(b.joint.axis, {0, 1, 0}, 0, "axis");
  expect_near(b.X_PJ, {rotation_rpy({0.1, 0.2, 0.3}), {1, 2, 3}}, 0, "origin");
  DofSpec dof;
  dof.lower = -1, dof.upper = 2, dof.velocity = 3, dof.effort_lower = -5, dof.effort_upper = 5;
  dof.viscous = 0.4, dof.coulomb = 0.6;
  expect_same(b.joint.dofs.at(0), dof, "dof");
}

TEST(UrdfReader, JointTypes) {
  const auto type = [](const char* word) { return read(joint(word, "<axis xyz='0 0 1'/>")).links[1].joint.type; };
  EXPECT_EQ(type("fixed"), JointType::fixed);
  EXPECT_EQ(type("continuous"), JointType::revolute);
  EXPECT_EQ(type("prismatic"), JointType::prismatic);
  EXPECT_EQ(type("floating"), JointType::free);
  EXPECT_EQ(type("planar"), JointType::planar);
}

TEST(UrdfReader, TheAxisIsXUnlessGiven) {
  expect_near(read(joint("continuous", "")).links[1].joint.axis, {1, 0, 0}, 0, "axis");
}

TEST(UrdfReader, AFixedJointMayHaveAnyAxis) {
  const std::string text = joint("fixed", "<axis xyz='0 0 0'/><limit lower='0' upper='0' effort='0' velocity='0'/>");
  EXPECT_EQ(warnings(text), "");
  expect_near(read(text).links[1].joint.axis, {0, 0, 1}, 0, "axis");
}

TEST(UrdfReader, Limits) {
  const auto dof = [](const std::string& limit) { return read(joint("revolute", limit)).links[1].joint.dofs.at(0); };
  EXPECT_EQ(dof("<limit upper='2' effort='1' velocity='1'/>").lower, 0);
  EXPECT_EQ(dof("<limit effort='0' velocity='0' lower='0' upper='1'/>").effort_upper, 0);
  EXPECT_EQ(dof("<limit effort='0' velocity='0' lower='0' upper='1'/>").velocity, 0);
  EXPECT_EQ(dof("<limit lower='0' upper='1'/>").effort_upper, kInfinity);
  EXPECT_EQ(dof("<limit lower='-inf' upper='1e16' effort='inf' velocity='1'/>").lower, -kInfinity);
  EXPECT_EQ(dof("<limit lower='-inf' upper='1e16' effort='inf' velocity='1'/>").upper, kInfinity);
  const auto turns = read(joint("continuous", "<limit lower='1' upper='2' effort='3' velocity='4'/>")).links[1].joint;
  EXPECT_EQ(turns.dofs.at(0).lower, -kInfinity);
  EXPECT_EQ(turns.dofs.at(0).velocity, 4);
}

TEST(UrdfReader, MissingLimitsAreWarnings) {
  EXPECT_EQ(warnings(joint("revolute", "")), "m:4: warning: joint 'j': <limit> is missing: the joint has no limits\n");
  EXPECT_EQ(warnings(joint("prismatic", "<limit effort='1' velocity='1'/>")),
            "m:5: warning: joint 'j': <limit>: neither lower nor upper is given: the joint has no position limits\n");
  EXPECT_EQ(warnings(joint("continuous", "")), "");
}

TEST(UrdfReader, InertialWithRotatedOrigin) {
  const LinkSpec a = read(link(R"(<inertial><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.4 0.5"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0.2" iyz="0.3"/></inertial>)"))
                         .links[0];
  EXPECT_TRUE(a.has_inertial);
  EXPECT_EQ(a.mass, 2);
  expect_near(a.com, {0.1, 0.2, 0.3}, 0, "com");
  expect_near(a.inertia, rotate(rotation_rpy({0.3, -0.4, 0.5}), Sym3<double>{1, 0.1, 0.2, 2, 0.3, 2.5}), 1e-15, "I");
}

TEST(UrdfReader, Mimic) {
  const auto following = [](const std::string& mimic) {
    return read(
        robot("<link name='a'/><link name='b'/><link name='c'/><joint name='k' type='continuous'><parent link='a'/>"
              "<child link='c'/></joint><joint name='j' type='continuous'><parent link='a'/><child link='b'/>" +
              mimic + "</joint>"));
  };
  const JointSpec spec = following("<mimic joint='k' multiplier='2' offset='-1'/>").links[1].joint;
  ASSERT_TRUE(spec.mimic);
  EXPECT_EQ(spec.mimic->joint, "k");
  EXPECT_EQ(spec.mimic->ratio, 2);
  EXPECT_EQ(spec.mimic->offset, -1);
  EXPECT_EQ(following("<mimic joint='k'/>").links[1].joint.mimic->ratio, 1);
}

TEST(UrdfReader, Visuals) {
  const auto visuals = read(link(R"(
    <visual><geometry><box size="1 2 3"/></geometry></visual>
    <visual name="v"><origin xyz="1 0 0"/><geometry><sphere radius="0.5"/></geometry></visual>
    <visual><geometry><cylinder radius="0.1" length="2"/></geometry></visual>
    <visual><geometry><mesh filename="package://x/y.stl" scale="2 2 2"/></geometry></visual>)"))
                           .links[0]
                           .visuals;
  ASSERT_EQ(visuals.size(), 4u);
  EXPECT_EQ(visuals[0].shape, VisualSpec::Shape::box);
  expect_near(visuals[0].size, {1, 2, 3}, 0, "box");
  EXPECT_EQ(visuals[1].shape, VisualSpec::Shape::sphere);
  EXPECT_EQ(visuals[1].X_LV.p.x, 1);
  EXPECT_EQ(visuals[2].shape, VisualSpec::Shape::cylinder);
  EXPECT_EQ(visuals[2].size.y, 2);
  EXPECT_EQ(visuals[3].mesh, "package://x/y.stl");
  EXPECT_EQ(visuals[3].size.x, 2);
}

TEST(UrdfReader, WhatIsNotReadIsSummedUp) {
  const std::string text =
      robot(R"(<link name="a"><visual><geometry><sphere radius="1"/></geometry></visual><collision/><collision/></link>
    <transmission/><gazebo/><sensor/>
    <sensor/><lnk name="b"/>)");
  EXPECT_EQ(warnings(text),
            "m:4: warning: not understood: <lnk> in <robot> (did you mean 'link'?)\n"
            "m:3: warning: not understood: <sensor> in <robot>, 2 times, first here\n"
            "m: warning: ignored, not needed here: <gazebo> (1), <transmission> (1)\n");
  EXPECT_EQ(warnings(link("<inertial><mass vaue='2' value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                          "iyz='0'/></inertial>")),
            "m:3: warning: not understood: attribute 'vaue' of <mass> (did you mean 'value'?)\n");
  EXPECT_EQ(warnings(joint("planar", "<dynamics damping='1'/>")),
            "m:4: warning: not modelled: <dynamics> of joint 'j', which is planar\n");
  EXPECT_EQ(warnings(joint("floating", "<limit effort='1' velocity='1'/>")),
            "m:4: warning: not understood: <limit> of joint 'j', which is free\n");
}

TEST(UrdfReader, TheRootJointGetsAFreeName) {
  const ModelSpec spec =
      read(two_links("<joint name='root_joint' type='fixed'><parent link='a'/><child link='b'/></joint>"));
  EXPECT_EQ(spec.links[0].joint.name, "root_joint_2");
}

/// What exporters and people write, and what can be meant by one thing only.
TEST(UrdfReader, HabitsOfRealFiles) {
  const std::string body = joint("continuous", "").substr(std::string("<robot name=\"r\">").size());
  const std::string header = "<?xml version=\"1.0\"?>\n";
  for (const std::string& before : {"<!-- made by hand -->\n" + header, "\n\n" + header, "\xEF\xBB\xBF" + header,
                                    header + "<!DOCTYPE robot>\n", "<!-- caf\xE9, in another encoding -->" + header}) {
    EXPECT_EQ(errors(before + "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\">" + body), "") << before;
  }
  const ModelSpec spec = read(joint("revolute",
                                    "<origin xyz='+1.\t .5\n  1e-3 ' rpy='0 0 0'/><axis xyz=' 0 0  2'/>"
                                    "<limit lower='1' upper='-1' effort='-3' velocity='0'/>"
                                    "<safety_controller k_velocity='1'/>"));
  expect_near(spec.links[1].X_PJ.p, {1, 0.5, 1e-3}, 0, "origin");
  EXPECT_EQ(spec.links[1].joint.axis.z, 2);
  EXPECT_EQ(spec.links[1].joint.dofs[0].lower, 1);
  EXPECT_EQ(spec.links[1].joint.dofs[0].effort_upper, -3);
  const ModelSpec diagonal =
      read(link("<inertial><mass value='1'/><inertia ixx='1' iyy='2' izz='3'/></inertial><visual><geometry>"
                "<mesh filename='package://r/a.dae'/></geometry></visual>"));
  EXPECT_EQ(diagonal.links[0].inertia.xy, 0);
  EXPECT_EQ(diagonal.links[0].inertia.zz, 3);
  const ModelSpec limited = read(joint("continuous", "<limit lower='-1' upper='1' effort='4' velocity='5'/>"));
  EXPECT_EQ(limited.links[1].joint.dofs[0].upper, kInfinity);
  EXPECT_EQ(limited.links[1].joint.dofs[0].effort_upper, 4);
}

/// What other programs open, too, although it says less than it should.
TEST(UrdfReader, WhatIsMissingOrTwiceIsAWarning) {
  EXPECT_EQ(warnings(link("<inertial/>")),
            "m:3: warning: link 'a': <inertial>: <mass> is missing: taken for zero\n"
            "m:3: warning: link 'a': <inertial>: <inertia> is missing or empty: taken for zero\n");
  EXPECT_EQ(warnings(link("<inertial><mass value='0'/><inertia/></inertial>")),
            "m:3: warning: link 'a': <inertial>: <inertia> is missing or empty: taken for zero\n");
  const std::string twice = joint("fixed", "<origin xyz='1 0 0'/><origin xyz='2 0 0'/>");
  EXPECT_EQ(warnings(twice), "m:5: warning: joint 'j': <origin> is given twice: the first counts\n");
  EXPECT_EQ(read(twice).links[1].X_PJ.p.x, 1);
  const std::string commas = joint("fixed", "<origin xyz='0.5, -1e-3, 2' rpy='0, 0, 0'/>");
  expect_near(read(commas).links[1].X_PJ.p, {0.5, -1e-3, 2}, 0, "origin");
  EXPECT_NE(errors(joint("fixed", "<origin xyz='0,5 1 2'/>")), "");
  EXPECT_NE(errors(joint("fixed", "<origin xyz='0 1 2,'/>")), "");
  EXPECT_EQ(read(joint("continuous", "<dynamics armature='0.3'/>")).links[1].joint.dofs[0].rotor_inertia, 0.3);
  EXPECT_EQ(read(joint("spherical", "")).links[1].joint.type, JointType::spherical);
  const ModelSpec turned = read(joint("fixed", "<origin xyz='1 2 3' quat_xyzw='0 0 0.6 0.8'/>"));
  expect_near(turned.links[1].X_PJ, {rotation_about({0, 0, 1}, 2 * std::atan2(0.6, 0.8)), {1, 2, 3}}, 1e-15, "pose");
}

/// Pictures and the extent of links need them; what is wrong with them concerns nobody.
TEST(UrdfReader, CollisionShapes) {
  const std::string mesh = "<visual><geometry><mesh filename='a.stl'/></geometry></visual>";
  const std::string ball = "<visual><geometry><sphere radius='0.1'/></geometry></visual>";
  const std::string collision =
      "<collision><origin xyz='1 0 0'/><geometry><cylinder radius='0.2' length='3'/></geometry><contact/></collision>"
      "<collision><geometry><mesh filename='b.stl'/></geometry></collision><collision><geometry/></collision>";
  EXPECT_EQ(warnings(link(mesh + collision)), "");
  for (const std::string& visual : {mesh, ball, std::string()}) {
    const LinkSpec found = read(link(visual + collision)).links[0];
    EXPECT_EQ(found.visuals.size(), visual.empty() ? 0u : 1u);
    ASSERT_EQ(found.collisions.size(), 2u);
    EXPECT_EQ(found.collisions[0].shape, VisualSpec::Shape::cylinder);
    EXPECT_EQ(found.collisions[0].X_LV.p.x, 1);
    EXPECT_EQ(found.collisions[0].size.y, 3);
    EXPECT_EQ(found.collisions[1].mesh, "b.stl");
  }
}

TEST(UrdfReader, Colours) {
  const std::string ball = "<geometry><sphere radius='1'/></geometry>";
  const auto visual = [&](const std::string& material) { return "<visual>" + ball + material + "</visual>"; };
  const auto visuals = read(link(visual("<material name='own'><color rgba='0.1 0.2 0.3 1'/></material>") +
                                 visual("<material name='own'/>") + visual("<material name='unknown'/>") +
                                 visual("<material name='x'><color rgba='1 2 x'/></material>") + visual("")))
                           .links[0]
                           .visuals;
  ASSERT_EQ(visuals.size(), 5u);
  for (int k = 0; k < 2; ++k) {
    ASSERT_TRUE(visuals[k].colour);
    expect_near(*visuals[k].colour, {0.1, 0.2, 0.3}, 0, "colour");
  }
  for (int k = 2; k < 5; ++k) EXPECT_FALSE(visuals[k].colour);
}

TEST(UrdfReader, PicturesAreNoErrors) {
  const auto shapes = [](const std::string& contents) {
    return read(link("<visual>" + contents + "</visual>")).links[0].visuals.size();
  };
  const auto geometry = [](const std::string& shape) { return "<geometry>" + shape + "</geometry>"; };
  for (const std::string& bad :
       {std::string(), geometry("<box/>"), geometry("<box size='1 1'/>"), geometry("<sphere radius='x'/>"),
        geometry("<mesh/>"), geometry("<mesh filename='a.stl' scale='1'/>"),
        "<origin xyz='1'/>" + geometry("<sphere radius='1'/>")}) {
    EXPECT_EQ(shapes(bad), 0u) << bad;
    EXPECT_TRUE(warnings(link("<visual>" + bad + "</visual>")).find("; the shape is left out\n") != std::string::npos)
        << bad;
  }
}

TEST(UrdfReader, FollowersThatCannotMoveAreFixed) {
  const auto leader = [](const std::string& type, const std::string& mimic) {
    return robot("<link name='a'/><link name='b'/><link name='c'/>\n<joint name='k' type='" + type +
                 "'><parent link='a'/><child link='c'/></joint>\n<joint name='j' type='continuous'><parent link='a'/>"
                 "<child link='b'/><origin xyz='1 0 0'/><axis xyz='0 0 2'/>" +
                 mimic + "</joint>");
  };
  const std::string zero = leader("continuous", "<mimic joint='k' multiplier='0' offset='0.5'/>");
  EXPECT_EQ(warnings(zero), "m:4: warning: joint 'j': mimic: multiplier is zero: this joint is fixed\n");
  EXPECT_EQ(read(zero).links[1].joint.type, JointType::fixed);
  expect_near(read(zero).links[1].X_PJ, {rotation_about({0, 0, 1}, 0.5), {1, 0, 0}}, 1e-15, "X_PJ");
  EXPECT_EQ(warnings(leader("fixed", "<mimic joint='k'/>")),
            "m:4: warning: joint 'j': mimic: 'k' does not move: this joint is fixed\n");
  // One after the other: b is held at 3 * (2 * 0 + 0.5) - 1.
  const ModelSpec chain = read(robot(
      "<link name='a'/><link name='b'/><link name='c'/><link name='d'/><joint name='j' type='prismatic'><parent "
      "link='a'/><child link='b'/><axis xyz='0 1 0'/><limit effort='1' velocity='1'/><mimic joint='k' multiplier='3' "
      "offset='-1'/></joint><joint name='k' type='continuous'><parent link='a'/><child link='c'/><mimic joint='l' "
      "multiplier='2' offset='0.5'/></joint><joint name='l' type='fixed'><parent link='a'/><child link='d'/></joint>"));
  EXPECT_EQ(chain.links[1].joint.type, JointType::fixed);
  expect_near(chain.links[1].X_PJ.p, {0, 0.5, 0}, 1e-15, "p");
  EXPECT_EQ(build_model(chain).nv(), 0);
  const std::string nobody = leader("continuous", "<mimic joint='l'/>");
  EXPECT_EQ(warnings(nobody), "m:4: warning: joint 'j': mimic: there is no joint 'l': this one moves by itself\n");
  EXPECT_FALSE(read(nobody).links[1].joint.mimic);
}

/// Limits that nothing can meet are written as they were read.
TEST(UrdfReader, OddLimitsComeBack) {
  const ModelSpec spec = read(joint("revolute", "<limit lower='1' upper='-1' effort='-3' velocity='-2'/>"));
  const ModelSpec back = read(write_urdf(spec));
  expect_same(spec.links[1].joint.dofs[0], back.links[1].joint.dofs[0], "dof");
  expect_same(spec.links[1].joint.dofs[0], read_sound(read_yaml, write_yaml(spec)).links[1].joint.dofs[0], "dof");
}

TEST(UrdfReader, LinesAreCountedThroughComments) {
  EXPECT_EQ(errors("<robot name='r'>\n<!-- one\ntwo -->\n<link/>\n</robot>"),
            "m:4: error: link: attribute 'name' is missing\n");
}

TEST(UrdfReaderErrors, NotUrdf) {
  EXPECT_EQ(errors(""), "m: error: not a model: the file has no XML element\n");
  EXPECT_EQ(errors("<mujoco/>"), "m:1: error: not URDF: expected <robot>, found 'mujoco'\n");
  EXPECT_EQ(errors("<!-- only a comment -->"), "m: error: not a model: the file has no XML element\n");
  EXPECT_NE(errors("name: yaml\n"), "");
  EXPECT_EQ(errors(std::string("<robot name='r'>\0</robot>", 25)),
            "m: error: the file contains a zero byte; it is not XML\n");
  EXPECT_EQ(errors("<robot name='r'><link name='a'/></robot>\n<robot/>"),
            "m:2: error: more than one XML element at the top: 'robot'\n");
  EXPECT_EQ(errors(robot("")), "m: error: robot: it has no links\n");
}

TEST(UrdfReaderErrors, CutOffAnywhere) {
  const std::string text = joint("revolute", "<limit lower='-1' upper='2' effort='5' velocity='3'/>");
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_NE(errors(text.substr(0, size)), "") << text.substr(0, size);
  }
  EXPECT_EQ(errors(text.substr(0, text.find("</robot>"))),
            "m:1: error: XML: an element is not closed as it should be; is the file cut off?\n");
}

TEST(UrdfReaderErrors, Xacro) {
  const std::string refusal = "error: this is xacro, not URDF: run `xacro FILE > robot.urdf` first\n";
  EXPECT_EQ(errors(robot("<xacro:macro name='x'/>")), "m:2: " + refusal);
  EXPECT_EQ(errors(robot("<link name='${prefix}_a'/>")), "m:2: " + refusal);
  EXPECT_EQ(errors(robot("<link name='a'/><gazebo reference='a'><plugin filename='$(env LIB)'/></gazebo>")), "");
  // What nothing depends on.
  EXPECT_EQ(errors(robot("<xacro:property name='x' value='${1}'/><xacro:arg name='y'/><link name='a'><visual><geometry>"
                         "<mesh filename='$(find x)/a.stl'/></geometry></visual></link>")),
            "");
  // xacro leaves its namespace in what it makes
  EXPECT_EQ(errors("<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='a'/></robot>"), "");
}

TEST(UrdfReaderErrors, Numbers) {
  const auto mass = [](const std::string& value) {
    return errors(link("<inertial><mass value='" + value +
                       "'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"));
  };
  EXPECT_EQ(mass("1.0abc"), "m:3: error: link 'a': <inertial>: <mass>: value: expected a number, found '1.0abc'\n");
  EXPECT_EQ(mass("1,5"), "m:3: error: link 'a': <inertial>: <mass>: value: expected a number, found '1,5'\n");
  EXPECT_EQ(mass("nan"), "m:3: error: link 'a': <inertial>: <mass>: value: expected a number, found 'nan'\n");
  EXPECT_EQ(mass("inf"), "m:3: error: link 'a': <inertial>: <mass>: value: expected a finite number, found 'inf'\n");
  EXPECT_EQ(errors(joint("continuous", "<axis xyz='0 1'/>")),
            "m:5: error: joint 'j': <axis>: xyz: expected three numbers, found '0 1'\n");
  EXPECT_EQ(errors(joint("continuous", "<origin xyz='0 1 x'/>")),
            "m:5: error: joint 'j': <origin>: xyz: expected three numbers, found '0 1 x'\n");
}

TEST(UrdfReaderErrors, MissingAndDoubledParts) {
  EXPECT_EQ(errors(robot("<link/>")), "m:2: error: link: attribute 'name' is missing\n");
  EXPECT_EQ(errors(link("<inertial><mass/><inertia ixx='1'/></inertial>")),
            "m:3: error: link 'a': <inertial>: <mass>: attribute 'value' is missing\n"
            "m:3: error: link 'a': <inertial>: <inertia>: attribute 'iyy' is missing\n"
            "m:3: error: link 'a': <inertial>: <inertia>: attribute 'izz' is missing\n");
  EXPECT_EQ(errors(two_links("<joint name='j' type='fixed'><parent link='a'/></joint>")),
            "m:4: error: joint 'j': <child> is missing\n");
  EXPECT_EQ(errors(joint("fixed", "<origin xyz='0 0 0' xyz='1 0 0'/>")),
            "m:5: error: XML: an attribute is malformed or given twice\n");
}

TEST(UrdfReaderErrors, Structure) {
  EXPECT_EQ(errors(robot("<link name='a'/>\n<link name='a'/>")),
            "m:3: error: link 'a': a link of this name exists already\n");
  EXPECT_EQ(errors(joint("revolut", "")),
            "m:4: error: joint 'j': unknown joint type 'revolut' (did you mean 'revolute'?)\n");
  EXPECT_EQ(
      errors(robot("<link name='arm'/>\n<joint name='j' type='fixed'><parent link='arm'/><child link='arn'/></joint>")),
      "m:3: error: joint 'j': child: unknown link 'arn' (did you mean 'arm'?)\n");
  EXPECT_EQ(errors(two_links("<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n"
                             "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>")),
            "m:5: error: joint 'k': link 'b' is already the child of joint 'j'\n");
}

}  // namespace
}  // namespace verne::test
