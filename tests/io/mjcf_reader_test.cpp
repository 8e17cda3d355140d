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

ModelSpec read(const std::string& body, const std::string& rest = "", std::vector<Diagnostic>* notes = nullptr) {
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
            "m.xml:5: error: connect: body2: there is no body 'b'");
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

std::string notes_of(const std::string& body, const std::string& rest = "") {
  std::vector<Diagnostic> notes;
  read(body, rest, &notes);
  std::string all;
  for (const Diagnostic& note : notes) all += to_string(note, is_not_modelled(note) ? "warning" : "note") + "\n";
  return all;
}

/// With the names of what they concern.
TEST(MjcfReader, WhatChangesTheDynamicsIsAWarning) {
  const std::string all =
      notes_of(R"(<body name="a" gravcomp="1"><joint name="j" springdamper="1 1"/><geom type="mesh" mesh="x"/>
<composite prefix="rope"/><body name="b"><joint name="k" type="ball" stiffness="1"/><geom type="mesh" mesh="x"/></body></body>
<body name="c"><joint name="l" type="free" armature="1" frictionloss="1" stiffness="2"/><geom size="1"/><plugin plugin="p"/></body>)",
               R"(<option density="1.2"/><tendon><spatial name="t" stiffness="3"/><fixed name="u"/></tendon>
<equality><joint joint1="j" polycoef="0 1 2"/><tendon name="e" tendon1="t"/></equality><deformable/>)");
  const std::string begin = "not modelled, although it changes the dynamics: ";
  for (const char* part :
       {"mass that follows from a mesh: 2 links ('a', 'b')", "gravcomp: 1 link ('a')", "springdamper: 1 joint ('j')",
        "stiffness of a ball joint: 1 joint ('k')", "armature of a free joint: 1 joint ('l')",
        "frictionloss of a free joint: 1 joint ('l')", "stiffness of a free joint: 1 joint ('l')",
        "bodies made by <composite>: 1 element ('rope')", "forces of a <plugin>: 1 plugin ('p')",
        "forces of the fluid around the bodies: 1 option ('density and viscosity')",
        "forces and limits of tendons: 1 tendon ('t')", "<tendon> in <equality>: 1 constraint ('e')",
        "deformable bodies"}) {
    EXPECT_NE(all.find(begin + part), std::string::npos) << part << " in\n" << all;
  }
  EXPECT_NE(all.find("m.xml:3: warning: " + begin + "gravcomp"), std::string::npos) << all;
}

TEST(MjcfReader, WhatDoesNotChangeTheDynamicsIsNone) {
  const std::string all =
      notes_of(R"(<body name="a"><geom type="mesh" mesh="x"/><body name="b"><joint name="j" springdamper="0 0"/>
<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom type="mesh" mesh="x"/><geom type="mesh" mesh="x" mass="0"/></body></body>
<body name="c" mocap="true"><geom size="1"/></body>)",
               R"(<option density="1.2"><flag passive="disable"/></option>
<tendon><fixed name="u"><joint joint="j" coef="1"/></fixed></tendon><actuator><adhesion body="a"/></actuator><flying/>)");
  EXPECT_EQ(all.find("warning"), std::string::npos) << all;
  for (const char* part : {"not understood: <flying>", "an actuator without a joint", "mocap of a body"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  }
}

TEST(MjcfReader, EachKindOfThingHasNamesOfItsOwn) {
  const std::string bodies =
      R"(<body name="a"><joint name="a"/><geom name="a" size="0.1"/><site name="a"/><site name="b"/></body>
<body name="b"><joint name="j"/><geom size="0.1"/></body>)";
  const std::string equality = R"(<equality><connect name="j" body1="a" body2="b" anchor="0 0 0"/></equality>)";
  const ModelSpec spec = read(bodies, equality);
  build_model(spec);
  EXPECT_EQ(spec.frames[0].name, "a_site");
  EXPECT_EQ(spec.frames[1].name, "b_site");
  EXPECT_EQ(spec.loops[0].name, "j_loop");
  const std::string notes = notes_of(bodies, equality);
  EXPECT_NE(notes.find("site 'b' is called 'b_site' here, as a body has its name"), std::string::npos) << notes;
  EXPECT_NE(notes.find("equality 'j' is called 'j_loop' here, as a joint has its name"), std::string::npos) << notes;
}

TEST(MjcfReader, RangesThatAreNone) {
  const DofSpec dof =
      read(R"(<body name="a"><joint type="slide" range="-inf 1e10" actuatorfrcrange="0 0"/><geom size="1"/></body>)")
          .links[0]
          .joint.dofs[0];
  EXPECT_EQ(dof.lower, -kInfinity);
  EXPECT_EQ(dof.upper, kInfinity);
  EXPECT_EQ(dof.effort_upper, kInfinity);
  EXPECT_EQ(read(R"(<body name="a"><joint range="0 0"/><geom size="1"/></body>)").links[0].joint.dofs[0].upper,
            kInfinity);
}

TEST(MjcfReader, AWorldWithoutBodies) {
  const Model model = build_model(read(R"(<geom type="plane" size="1 1 1"/><site name="s"/>)"));
  EXPECT_EQ(model.nv(), 0);
  EXPECT_EQ(model.links()[0].name, "world");
  EXPECT_EQ(build_model(read("")).nv(), 0);
}

/// q₁ − ref₁ = c₀ + c₁ (q₂ − ref₂): what is not given is 0 1 0 0 0.
TEST(MjcfReader, CouplingsOfAllForms) {
  const std::string bodies = R"(<body name="a"><joint name="a" ref="0.2" type="slide"/><geom size="0.1"/>
<body name="b"><joint name="b" ref="0.5" type="slide"/><geom size="0.1"/>
<body name="c"><joint name="c" type="slide"/><geom size="0.1"/></body></body></body>)";
  const auto follower = [&](const std::string& equality, std::size_t link) {
    const ModelSpec spec = read(bodies, "<equality>" + equality + "</equality>");
    build_model(spec);
    return spec.links[link].joint;
  };
  const MimicSpec shifted = *follower(R"(<joint joint1="b" joint2="a" polycoef="0.1"/>)", 1).mimic;
  EXPECT_EQ(shifted.ratio, 1);
  EXPECT_NEAR(shifted.offset, 0.5 + 0.1 - 0.2, 1e-15);
  // One joint that follows two: the second of these follows the first.
  const JointSpec other =
      follower(R"(<joint joint1="c" joint2="a" polycoef="0 2"/><joint joint1="c" joint2="b" polycoef="0 4"/>)", 0);
  ASSERT_TRUE(other.mimic);
  EXPECT_EQ(other.mimic->joint, "b");
  EXPECT_NEAR(other.mimic->ratio, 2, 1e-15);  // 2 (a − 0.2) = 4 (b − 0.5)
  EXPECT_NEAR(other.mimic->offset, 0.2 - 2 * 0.5, 1e-15);
  EXPECT_FALSE(follower(R"(<joint joint1="a" joint2="b"/><joint joint1="b" joint2="a"/>)", 1).mimic);  // said twice
  EXPECT_FALSE(follower(R"(<joint joint1="a" joint2="b" active="false"/>)", 0).mimic);
  // A joint that is held, and one that is coupled to it.
  const ModelSpec held =
      read(bodies,
           R"(<equality><joint joint1="b" joint2="a" polycoef="0 2"/><joint joint1="a" polycoef="0.1"/></equality>)");
  const Model model = build_model(held);
  EXPECT_EQ(model.nv(), 1);
  EXPECT_NEAR(held.links[0].X_JL.p.z, 0.1, 1e-15);  // 0.1 from the pose of the file
  EXPECT_NEAR(held.links[1].X_JL.p.z, 0.2, 1e-15);
  EXPECT_NE(notes_of(bodies, R"(<equality><joint joint1="a"/><joint joint1="a" polycoef="1"/></equality>)")
                .find("coupling that contradicts others: 1 joint ('a')"),
            std::string::npos);
}

TEST(MjcfReader, FollowersWithReferencesBesideLoops) {
  const ModelSpec spec =
      read(R"(<body name="a"><joint name="a" ref="30"/><geom size="0.1"/>
<body name="b" pos="1 0 0"><joint name="b" ref="40"/><geom size="0.1"/></body></body>
<body name="c" pos="1 1 0"><joint name="c" ref="50"/><geom size="0.1"/></body>)",
           R"(<equality><joint joint1="b" joint2="a"/><connect body1="b" body2="c" anchor="0.5 0 0"/></equality>)");
  build_model(spec);
  ASSERT_EQ(spec.home.size(), 2u);
  EXPECT_EQ(spec.home[0].joint, "a");
  EXPECT_EQ(spec.home[1].joint, "c");
}

TEST(MjcfReader, LoopsWithinABodyAreLeftOut) {
  const std::string bodies =
      R"(<body name="a"><joint/><geom size="0.1"/><body name="b"><geom size="0.1"/></body></body>)";
  const std::string equality = R"(<equality><weld name="w" body1="a" body2="b"/></equality>)";
  EXPECT_TRUE(read(bodies, equality).loops.empty());
  EXPECT_NE(notes_of(bodies, equality).find("loop 'w' joins what does not move, and is left out"), std::string::npos);
}

TEST(MjcfReader, DefaultsOfEqualitiesAndActuators) {
  const std::string bodies =
      R"(<body name="a"><joint name="a"/><geom size="0.1"/></body><body name="b"><joint name="b"/><geom size="0.1"/></body>)";
  const std::string off = R"(<default><equality active="false"/><position forcerange="-3 4"/></default>)";
  const ModelSpec spec = read(
      bodies, off + R"(<equality><connect body1="a" body2="b" anchor="0 0 0"/><joint joint1="a" joint2="b"/></equality>
<actuator><motor joint="a"/></actuator>)");
  EXPECT_TRUE(spec.loops.empty());
  EXPECT_FALSE(spec.links[1].joint.mimic);
  EXPECT_EQ(spec.links[1].joint.dofs[0].effort_upper, 4);  // all actuators share their defaults
}

TEST(MjcfReader, ActuationAndEqualitiesAreSwitchedOff) {
  const std::string rest =
      R"(<equality><connect body1="arm" body2="hand" anchor="0 0 0"/></equality><actuator><motor joint="a"/></actuator>)";
  const ModelSpec spec = read(kArm, R"(<option><flag equality="disable" actuation="disable"/></option>)" + rest);
  EXPECT_TRUE(spec.loops.empty());
  EXPECT_FALSE(spec.links[0].joint.actuated);
  EXPECT_TRUE(read(kArm, R"(<option><flag equality="disable" actuation="disable"/></option>
<option><flag equality="enable" actuation="enable"/></option>)" +
                             rest)
                  .links[0]
                  .joint.actuated);
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

/// Models of files that attach models.
class MjcfAttached : public ::testing::Test {
 protected:
  MjcfAttached() { std::filesystem::create_directories(folder_); }
  ~MjcfAttached() override { std::filesystem::remove_all(folder_); }
  void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string complaint(const std::string& text) const {
    return test::complaint<InputError>([&] { read_spec(text, (folder_ / "main.xml").string()); });
  }
  static std::string with(const std::string& model, const std::string& attach) {
    return "<mujoco><asset><model name=\"m\" file=\"" + model + "\"/></asset><worldbody>" + attach +
           "</worldbody></mujoco>";
  }

  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("verne_attach_" + std::to_string(::getpid()));
};

/// What names the parts that are attached comes along, what names others is left behind.
TEST_F(MjcfAttached, WithItsSections) {
  write("arm.xml",
        R"(<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/><body name="b"><joint name="k"/>
<geom size="0.1"/></body></body><body name="c"><joint name="l"/><geom size="0.1"/></body></worldbody>
<equality><joint joint1="k" joint2="j" polycoef="0 2"/><joint joint1="l" joint2="j"/></equality>
<actuator><motor joint="j" forcerange="-1 1"/><motor joint="l"/></actuator></mujoco>)");
  const ModelSpec spec =
      read_spec(with("arm.xml", R"(<attach model="m" body="a" prefix="x_"/><attach model="m" body="a" prefix="y_"/>)"),
                (folder_ / "main.xml").string());
  build_model(spec);
  ASSERT_EQ(spec.links.size(), 5u);
  EXPECT_EQ(spec.links[4].name, "y_b");
  EXPECT_EQ(spec.links[4].joint.mimic->joint, "y_j");
  EXPECT_EQ(spec.links[3].joint.dofs[0].effort_upper, 1);
  EXPECT_TRUE(spec.links[1].joint.actuated);
  EXPECT_FALSE(spec.links[2].joint.actuated);
  EXPECT_EQ(
      read_spec(with("arm.xml", R"(<attach model="m" prefix="z_"/>)"), (folder_ / "main.xml").string()).links.size(),
      4u);
}

TEST_F(MjcfAttached, Problems) {
  write("self.xml", with("self.xml", R"(<body name="a"><attach model="m" body="a" prefix="x"/></body>)"));
  write("plain.xml", R"(<mujoco><worldbody><body name="a" pos="1"/></worldbody></mujoco>)");
  for (const auto& [model, attach, text] :
       {std::tuple{"self.xml", R"(<attach model="m" body="a" prefix="x"/>)", "'m' attaches itself"},
        std::tuple{"none.xml", R"(<attach model="m" body="a" prefix="x"/>)", "none.xml"},
        std::tuple{"plain.xml", R"(<attach model="n" body="a" prefix="x"/>)", "there is no model 'n' in <asset>"},
        std::tuple{"plain.xml", R"(<attach model="m" body="b" prefix="x"/>)", "there is no body 'b' in model 'm'"},
        std::tuple{"plain.xml", R"(<attach model="m" body="a" prefix="x"/>)",
                   "plain.xml:1: error: body 'a': pos: expected 3"},
        std::tuple{"plain.xml", R"(<replicate count="1000000000"><body/></replicate>)",
                   "expected a number of copies up to"},
        std::tuple{"plain.xml", R"(<replicate count="1000"><replicate count="1000"><body/></replicate></replicate>)",
                   "more than 100000 elements in copies and attached models"}}) {
    const std::string found = complaint(with(model, attach));
    EXPECT_NE(found.find(text), std::string::npos) << text << " in\n" << found;
  }
}

}  // namespace
}  // namespace verne
