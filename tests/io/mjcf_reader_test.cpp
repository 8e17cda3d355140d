// MuJoCo's format: what is read, and what is wrong with a file. That the numbers are right: tests/peers/mjcf_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/complaint.h"
#include "verne/io/model_io.h"

namespace verne {
namespace {

ModelSpec read(const std::string& body, const std::string& rest = "", std::vector<Problem>* notes = nullptr) {
  return read_spec("<mujoco model=\"m\">\n<worldbody>\n" + body + "</worldbody>\n" + rest + "</mujoco>\n", "m.xml",
                   notes);
}
std::string errors(const std::string& body, const std::string& rest = "") {
  return test::complaint<InputError>([&] { read(body, rest); });
}

constexpr char kArm[] = R"(<body name="arm"><joint name="a" damping="2" frictionloss="3" armature="0.1" range="-90 90"/>
<geom size="0.1"/><body name="hand" pos="1 0 0"><joint name="b" type="slide" range="-1 2"/><geom size="0.1"/></body></body>
)";

TEST(MjcfReader, JointsAndLimits) {
  const ModelSpec spec = read(kArm, R"(<actuator><motor joint="a" gear="50" ctrlrange="-1 2"/></actuator>)");
  EXPECT_EQ(spec.name, "m");
  ASSERT_EQ(spec.links.size(), 2u);
  const JointSpec& a = spec.links[0].joint;
  EXPECT_EQ(a.type, JointType::revolute);
  EXPECT_DOUBLE_EQ(a.dofs[0].upper, M_PI / 2);
  EXPECT_EQ(a.dofs[0].viscous, 2);
  EXPECT_EQ(a.dofs[0].coulomb, 3);
  EXPECT_EQ(a.dofs[0].rotor_inertia, 0.1);
  EXPECT_EQ(a.dofs[0].effort_lower, -50);
  EXPECT_EQ(a.dofs[0].effort_upper, 100);
  EXPECT_TRUE(a.actuated);
  const JointSpec& b = spec.links[1].joint;
  EXPECT_EQ(b.dofs[0].upper, 2);  // a length
  EXPECT_FALSE(b.actuated);
  EXPECT_TRUE(read(kArm).links[1].joint.actuated);  // a file without actuators leaves it open
}

TEST(MjcfReader, SeveralBodiesStandOnAWorld) {
  const ModelSpec spec =
      read(R"(<body name="a"><freejoint/><geom size="1"/></body><body name="b"><geom size="1"/></body>)");
  ASSERT_EQ(spec.links.size(), 3u);
  EXPECT_EQ(spec.links[1].parent, spec.links[0].name);
  EXPECT_EQ(build_model(spec).nv(), 6);
}

TEST(MjcfReader, Couplings) {
  const Model model =
      build_model(read(kArm, R"(<equality><joint joint1="b" joint2="a" polycoef="0.1 0.5 0 0 0"/></equality>)"));
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(model.joints()[1].spec.mimic->ratio, 0.5);
  EXPECT_EQ(model.joints()[1].spec.mimic->offset, 0.1);
}

TEST(MjcfReader, LoopsAreClosedInThePoseOfTheFile) {
  const ModelSpec spec = read(R"(<body name="a"><joint name="a" axis="0 0 1"/><geom size="0.1"/></body>
<body name="b" pos="1 0 0" euler="0 0 90"><joint name="b" axis="0 0 1" ref="30"/><geom size="0.1"/></body>
)",
                              R"(<equality><connect body1="a" body2="b" anchor="0.5 0.2 0"/></equality>)");
  ASSERT_EQ(spec.loops.size(), 1u);
  EXPECT_EQ(spec.loops[0].type, LoopType::spherical);
  const Vec3<double>& there = spec.loops[0].b.X_LF.p;  // (-0.5, 0.2) from b, which is turned by 90 degrees
  EXPECT_NEAR(there.x, 0.2, 1e-15);
  EXPECT_NEAR(there.y, 0.5, 1e-15);
  ASSERT_EQ(spec.home.size(), 1u);
  EXPECT_EQ(spec.home[0].joint, "b");
  EXPECT_NEAR(spec.home[0].q[0], M_PI / 6, 1e-15);
}

TEST(MjcfReader, LoopsBetweenSites) {
  const std::string bodies = R"(<body name="a"><joint name="a"/><geom size="0.1"/><site name="tip" pos="1 0 0"/></body>
<site name="hook" pos="0.7 0.7 0"/>)";
  const ModelSpec spec = read(bodies, R"(<equality><connect site1="tip" site2="hook"/></equality>
<keyframe><key name="home" qpos="0.8"/></keyframe>)");
  ASSERT_EQ(spec.loops.size(), 1u);
  EXPECT_EQ(spec.loops[0].a.link, "a");
  EXPECT_EQ(spec.loops[0].a.X_LF.p.x, 1);
  EXPECT_EQ(spec.loops[0].b.link, "world");
  EXPECT_EQ(spec.loops[0].b.X_LF.p.y, 0.7);
  ASSERT_EQ(spec.home.size(), 1u);
  EXPECT_EQ(spec.home[0].q, std::vector<double>{0.8});
  EXPECT_EQ(errors(bodies, R"(<equality><weld site1="tip" site2="hok"/></equality>)"),
            "m.xml:5: error: weld: site2: there is no site 'hok'");
  EXPECT_EQ(errors(bodies, R"(<equality><weld body2="a"/></equality>)"), "m.xml:5: error: weld: body1 is missing");
  EXPECT_EQ(errors(bodies, R"(<equality><connect body1="a" body2="b"/></equality>)"),
            "m.xml:5: error: connect: there is no body 'b'");
  EXPECT_EQ(errors(bodies, R"(<equality><connect site1="tip" site2="hook"/></equality>
<keyframe><key name="home" qpos=""/></keyframe>)"),
            "m.xml:6: error: key 'home': qpos: expected 1 numbers, found ''");
}

TEST(MjcfReader, NamesOfTheFileComeFirst) {
  const ModelSpec spec = read(R"(<body name="a"><geom size="1"/><body name="b"><joint name="a_joint"/><geom size="1"/>
</body></body>)");
  EXPECT_EQ(spec.links[0].joint.name, "a_joint_");
  EXPECT_EQ(spec.links[1].joint.name, "a_joint");
}

TEST(MjcfReader, MotorsOfBalls) {
  const ModelSpec spec = read(R"(<body name="a"><joint name="a" type="ball"/><geom size="1"/></body>)",
                              R"(<actuator><motor joint="a" gear="0 -2 0" forcerange="-1 3"/></actuator>)");
  const std::vector<DofSpec>& dofs = spec.links[0].joint.dofs;
  EXPECT_EQ(dofs[0].effort_upper, kInfinity);
  EXPECT_EQ(dofs[1].effort_lower, -6);
  EXPECT_EQ(dofs[1].effort_upper, 2);
  EXPECT_FALSE(read(kArm, "<actuator/>").links[0].joint.actuated);  // an empty list drives nothing
}

TEST(MjcfReader, WhatIsNotUnderstoodIsSaid) {
  std::vector<Problem> notes;
  read(R"(<body name="a" gravcomp="1"><joint springdamper="1 1"/><geom type="mesh" mesh="x"/><composite/>
<body name="b"><joint type="ball" stiffness="1" range="0 1"/><geom size="1"/></body></body>
<body name="c"><joint type="free" armature="1"/><geom type="box" mesh="x"/></body>)",
       R"(<tendon><spatial name="t"/></tendon><actuator><adhesion body="a"/></actuator><flying/>)", &notes);
  std::string all;
  for (const Problem& note : notes) all += note.text + "\n";
  for (const char* part : {"inertia from a mesh, 2 times", "<composite> in a body", "<spatial> in <tendon>", "<flying>",
                           "gravcomp of a body", "springdamper of a joint", "stiffness of a ball joint",
                           "range of a ball joint", "armature of a free joint", "an actuator without a joint"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
}

TEST(MjcfReader, Problems) {
  EXPECT_EQ(errors(R"(<body name="a"><joint axis="0 0 nan"/><geom size="1"/></body>)"),
            "m.xml:3: error: joint: axis: expected finite numbers, found '0 0 nan'");
  EXPECT_EQ(errors(R"(<body name="a" quat="0 0 0 0"/>)"), "m.xml:3: error: body 'a': quat: the quaternion is zero");
  EXPECT_EQ(errors(R"(<body name="a" pos="1 2"/>)"), "m.xml:3: error: body 'a': pos: expected 3 numbers, found '1 2'");
  EXPECT_EQ(errors(R"(<body name="a"><joint type="hing"/></body>)"),
            "m.xml:3: error: joint: type: unknown joint type 'hing'");
  EXPECT_EQ(errors(R"(<body name="a"><geom class="heavy" size="1"/></body>)"),
            "m.xml:3: error: geom: there is no default class 'heavy'");
  EXPECT_EQ(errors(R"(<body name="a"><joint/><geom size="1" mass="-1"/><geom size="1" density="-1"/></body>)"),
            "m.xml:3: error: geom: mass: expected a number that is not negative\n"
            "m.xml:3: error: geom: density: expected a number that is not negative");
  const ModelSpec negative =
      read(R"(<body name="a"><joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>)");
  EXPECT_NE(test::complaint<InputError>([&] { build_model(negative); }).find("mass"), std::string::npos);
  EXPECT_EQ(errors("", ""), "m.xml: error: worldbody: there is no body");
  EXPECT_EQ(errors(kArm, R"(<actuator><motor joint="x"/></actuator>)"),
            "m.xml:6: error: motor: joint: there is no joint 'x'");
}

TEST(MjcfReader, Includes) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("verne_mjcf_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("part.xml", "<mujocoinclude>\n<body name=\"a\"><joint/><geom size=\"0.1\"/></body>\n</mujocoinclude>\n");
  write("good.xml", "<mujoco><worldbody><include file=\"part.xml\"/></worldbody></mujoco>");
  EXPECT_EQ(load_spec((folder / "good.xml").string()).links[0].name, "a");
  write("self.xml", "<mujoco>\n<include file=\"self.xml\"/></mujoco>");
  const std::string circle = test::complaint<InputError>([&] { load_spec((folder / "self.xml").string()); });
  EXPECT_NE(circle.find("self.xml:2: error: include: 'self.xml' is included twice, or includes itself"),
            std::string::npos)
      << circle;
  write("bad.xml", "<mujocoinclude>\n<body name=\"a\" pos=\"1\"/></mujocoinclude>");
  write("outer.xml", "<mujoco><worldbody><include file=\"bad.xml\"/></worldbody></mujoco>");
  const std::string inner = test::complaint<InputError>([&] { load_spec((folder / "outer.xml").string()); });
  EXPECT_NE(inner.find("bad.xml:2: error: body 'a': pos"), std::string::npos) << inner;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace verne
