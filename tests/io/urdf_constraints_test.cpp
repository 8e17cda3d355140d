/// Loops and gears of URDF files, in the dialects that are in use.
#include <gtest/gtest.h>

#include <random>

#include "io/io_support.h"
#include "support/random_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

std::string body(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><origin xyz='0 0.1 0.2'/><mass value='2'/><inertia ixx='0.2' iyy='0.1' izz='0.2'/></inertial>"
         "</link>\n";
}
std::string revolute(const std::string& name, const std::string& parent, const std::string& child,
                     const std::string& attributes = "", const std::string& contents = "") {
  return "<joint name='" + name + "' type='continuous' " + attributes + "><parent link='" + parent +
         "'/><child link='" + child + "'/><origin xyz='0 0.1 -0.3' rpy='0.2 0 0.1'/><axis xyz='0 0 1'/>" + contents +
         "</joint>\n";
}
std::string robot_of(const std::string& contents) {
  return "<robot name='r'>\n" + contents + "</robot>\n";
}

// --- Loops ------------------------------------------------------------------------------------------------------

/// Two arms on a base, whose joints carry what `independent` says.
std::string two_arms(const std::string& constraint, const std::string& of_b = "") {
  return robot_of("<link name='base'/>" + body("a") + body("b") + revolute("ja", "base", "a") +
                  revolute("jb", "base", "b", of_b) + constraint);
}

struct Dialect {
  std::string text;
  LoopType type;
  bool along_y = true;  ///< z of both frames is y of the given ones
};

TEST(UrdfLoops, EveryDialectSaysTheSame) {
  const std::string ends =
      "<predecessor link='a'><origin xyz='1 2 3' rpy='0.1 0.2 0.3'/></predecessor>"
      "<successor link='b'><origin xyz='4 5 6'/></successor>";
  const std::string beside =
      "<parent link='a'/><parent_origin xyz='1 2 3' rpy='0.1 0.2 0.3'/>"
      "<child link='b'/><child_origin xyz='4 5 6'/>";
  const std::string links = "<link1 link='a' xyz='1 2 3' rpy='0.1 0.2 0.3'/><link2 link='b' xyz='4 5 6'/>";
  const std::string both_first = "<link1 link='a' xyz='1 2 3' rpy='0.1 0.2 0.3'/><link1 link='b' xyz='4 5 6'/>";
  const std::string axis = "<axis xyz='0 2 0'/>";
  const Dialect dialects[] = {
      {"<loop name='l' type='revolute'>" + ends + axis + "</loop>", LoopType::revolute},
      {"<loop name='l' type='continuous'>" + ends + axis + "</loop>", LoopType::revolute},
      {"<loop name='l' type='prismatic'>" + ends + axis + "</loop>", LoopType::prismatic},
      {"<loop name='l' type='planar'>" + ends + axis + "</loop>", LoopType::planar},
      {"<loop name='l' type='fixed'>" + ends + "</loop>", LoopType::rigid, false},
      {"<constraint name='l' type='revolute'>" + ends + axis + "</constraint>", LoopType::revolute},
      {"<constraint name='l' type='position'>" + ends + "</constraint>", LoopType::spherical, false},
      {"<loop_constraint name='l'>" + beside + "</loop_constraint>", LoopType::spherical, false},
      {"<loop_joint name='l' type='continuous'>" + links + axis + "</loop_joint>", LoopType::revolute},
      {"<loop_joint name='l' type='spherical'>" + both_first + "</loop_joint>", LoopType::spherical, false},
      {"<loop_joint name='l' type='revolute'>" + beside + axis + "</loop_joint>", LoopType::revolute},
  };
  for (const Dialect& dialect : dialects) {
    SCOPED_TRACE(dialect.text);
    const ModelSpec spec = read_sound(read_urdf, two_arms(dialect.text));
    EXPECT_EQ(warnings_of(read_urdf, two_arms(dialect.text)), "");
    ASSERT_EQ(spec.loops.size(), 1u);
    const LoopSpec& loop = spec.loops[0];
    EXPECT_EQ(loop.name, "l");
    EXPECT_EQ(loop.type, dialect.type);
    EXPECT_EQ(loop.b.link, "a");
    EXPECT_EQ(loop.a.link, "b");
    expect_near(loop.b.X_LF.p, {1, 2, 3}, 0, "b");
    expect_near(loop.a.X_LF.p, {4, 5, 6}, 0, "a");
    const Mat3<double> R = rotation_rpy({0.1, 0.2, 0.3});
    if (dialect.along_y) {
      expect_near(loop.b.X_LF.R * Vec3<double>{0, 0, 1}, R * Vec3<double>{0, 1, 0}, 1e-15, "z of b");
      expect_near(loop.a.X_LF.R * Vec3<double>{0, 0, 1}, {0, 1, 0}, 1e-15, "z of a");
    }
    // Whatever the axis, both frames are turned alike: those of a sliding joint must coincide.
    const Mat3<double> given = transpose(R) * loop.b.X_LF.R;
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(given.m[i], loop.a.X_LF.R.m[i], 1e-15);
    EXPECT_TRUE(spec.independent.empty());
    EXPECT_EQ(build_model(spec).loops().size(), 1u);
  }
}

TEST(UrdfLoops, IndependentJointsAreTheDrivenOnes) {
  const std::string loop =
      "<loop name='jb' type='fixed'><predecessor link='a'/><successor link='b'/></loop>";  // named as a joint
  const ModelSpec spec = read_sound(read_urdf, two_arms(loop, "independent='False'"));
  EXPECT_EQ(spec.independent, std::vector<std::string>{"ja"});
  EXPECT_FALSE(spec.links[2].joint.actuated);
  EXPECT_TRUE(spec.links[1].joint.actuated);
  EXPECT_EQ(spec.loops[0].name, "jb_");
  const std::string misspelt = two_arms(loop, "independent='fasle'");
  EXPECT_EQ(warnings_of(read_urdf, misspelt),
            "m:5: warning: joint 'jb': independent: expected true or false, found 'fasle': left out, for all joints\n");
  EXPECT_TRUE(read_sound(read_urdf, misspelt).independent.empty());
  // Without loops the word chooses followers of gears alone, and is told where there are none.
  EXPECT_EQ(warnings_of(read_urdf, two_arms("", "independent='false'")),
            "m:5: warning: not modelled: what moves joints that are not independent, as nothing in the file couples "
            "them to others: 1 joint ('jb')\n");
  EXPECT_TRUE(read_sound(read_urdf, two_arms("", "independent='false'")).links[2].joint.actuated);
}

TEST(UrdfLoops, Errors) {
  const auto errors = [](const std::string& constraint) { return errors_of(read_urdf, two_arms(constraint)); };
  EXPECT_EQ(errors("<loop name='l' type='revolut'><predecessor link='a'/><successor link='b'/></loop>"),
            "m:6: error: loop 'l': unknown type 'revolut' (did you mean 'revolute'?)\n");
  EXPECT_EQ(errors("<loop name='l'><predecessor link='a'/><successor link='b'/></loop>"),
            "m:6: error: loop 'l': attribute 'type' is missing\n");
  EXPECT_EQ(errors("<loop name='l' type='fixed'><predecessor link='a'/></loop>"),
            "m:6: error: loop 'l': <successor> is missing\n");
  EXPECT_EQ(errors("<loop name='l' type='revolute'><predecessor link='a'/><successor link='b'/><axis xyz='0 0 0'/>"
                   "</loop>"),
            "m:6: error: loop 'l': axis is zero: expected a direction such as 0 0 1\n");
  const std::string nowhere =
      two_arms("<loop name='l' type='fixed'><predecessor link='a'/><successor link='c'/></loop>");
  EXPECT_EQ(input_error([&] { build_model(read_sound(read_urdf, nowhere)); }),
            "m:6: error: loop 'l': a: link 'c' does not exist (did you mean 'a'?)");
}

// --- Gears ------------------------------------------------------------------------------------------------------

/// A leg whose motors for knee and ankle are in the thigh.
std::string leg(const std::string& couplings, const std::string& knee = "", const std::string& rotor = "") {
  return robot_of(body("thigh") + body("shank") + body("foot") + body("rotor1") + body("rotor2") +
                  "<link name='base'/>" + revolute("hip", "base", "thigh") + revolute("knee", "thigh", "shank", knee) +
                  revolute("ankle", "shank", "foot", knee) + revolute("turn1", "thigh", "rotor1", rotor) +
                  revolute("turn2", "thigh", "rotor2", rotor) + couplings);
}
const std::string kKneeGear =
    "<coupling name='g1'><predecessor link='shank'/><successor link='rotor1'/><ratio value='6'/></coupling>\n";
const std::string kAnkleGear =
    "<coupling name='g2'><predecessor link='foot'/><successor link='rotor2'/><ratio value='-4'/></coupling>\n";

TEST(UrdfGears, OneJointFollowsAnother) {
  const std::string dialects[] = {
      kKneeGear,
      "<constraint name='g1' type='rolling'><predecessor link='shank'/><successor link='rotor1'/><ratio value='6'/>"
      "</constraint>",
      "<joint_constraint name='g1'><parent link='shank'/><child link='rotor1'/><gear_ratio value='6'/>"
      "</joint_constraint>"};
  for (const std::string& dialect : dialects) {
    const ModelSpec spec = read_sound(read_urdf, leg(dialect));
    const JointSpec& rotor = spec.links[3].joint;
    ASSERT_TRUE(rotor.mimic) << dialect;
    EXPECT_EQ(rotor.mimic->joint, "knee");
    EXPECT_EQ(rotor.mimic->ratio, 6);
    EXPECT_EQ(build_model(spec).nv(), 4);
  }
  // Where the rotor is independent, the knee follows it.
  const ModelSpec turned = read_sound(read_urdf, leg(kKneeGear, "independent='false'", "independent='true'"));
  EXPECT_FALSE(turned.links[3].joint.mimic);
  ASSERT_TRUE(turned.links[1].joint.mimic);
  EXPECT_EQ(turned.links[1].joint.mimic->joint, "turn1");
  EXPECT_NEAR(turned.links[1].joint.mimic->ratio, 1.0 / 6, 1e-16);
}

/// Of the tree without gears, torques of all joints; with them, what reaches the independent ones: by the principle of
/// virtual work G^T tau, where the velocities of the tree are G times the independent ones.
void expect_virtual_work(const std::string& geared, const std::vector<std::string>& independent,
                         const Eigen::MatrixXd& G) {
  const Model tree = build_model(read_sound(read_urdf, leg("")));
  const Model model = build_model(read_sound(read_urdf, geared));
  ASSERT_EQ(model.nv(), static_cast<int>(independent.size()));
  std::mt19937_64 rng(3);
  for (int state = 0; state < 3; ++state) {
    const Eigen::VectorXd q = Eigen::VectorXd::NullaryExpr(G.cols(), [&] { return random_number(rng, -1, 1); });
    const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(G.cols(), [&] { return random_number(rng, -1, 1); });
    const Eigen::VectorXd a = Eigen::VectorXd::NullaryExpr(G.cols(), [&] { return random_number(rng, -1, 1); });
    const auto of_model = [&](const Eigen::VectorXd& x) {
      Eigen::VectorXd out(x.size());
      for (std::size_t k = 0; k < independent.size(); ++k) {
        out[model.joints()[static_cast<std::size_t>(model.joint(independent[k]))].v] = x[static_cast<Eigen::Index>(k)];
      }
      return out;
    };
    const char* const names[] = {"hip", "knee", "ankle", "turn1", "turn2"};
    const auto of_tree = [&](const Eigen::VectorXd& x) {
      const Eigen::VectorXd all = G * x;
      Eigen::VectorXd out(5);
      for (int k = 0; k < 5; ++k) out[tree.joints()[static_cast<std::size_t>(tree.joint(names[k]))].v] = all[k];
      return out;
    };
    Data data(model), tree_data(tree);
    Eigen::VectorXd tau(model.nv()), tree_tau(5), expected(5);
    inverse_dynamics(model, data, of_model(q), of_model(v), of_model(a), tau);
    inverse_dynamics(tree, tree_data, of_tree(q), of_tree(v), of_tree(a), tree_tau);
    for (int k = 0; k < 5; ++k) expected[k] = tree_tau[tree.joints()[static_cast<std::size_t>(tree.joint(names[k]))].v];
    const Eigen::VectorXd projected = of_model(G.transpose() * expected);
    EXPECT_LE((projected - tau).cwiseAbs().maxCoeff(), 1e-12 * projected.cwiseAbs().maxCoeff()) << geared;
  }
}

TEST(UrdfGears, AMotorBehindTwoJointsFollowsTheirSum) {
  // rows: hip, knee, ankle, turn1, turn2
  Eigen::MatrixXd G(5, 3);
  G << 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 6, 0, 0, -4, -4;
  expect_virtual_work(leg(kKneeGear + kAnkleGear), {"hip", "knee", "ankle"}, G);
  expect_virtual_work(leg(kAnkleGear + kKneeGear), {"hip", "knee", "ankle"}, G);
  // The other way round: turn1 = 6 knee, turn2 = -4 (knee + ankle).
  G << 1, 0, 0, 0, 1.0 / 6, 0, 0, -1.0 / 6, -0.25, 0, 1, 0, 0, 0, 1;
  for (const std::string& gears : {kKneeGear + kAnkleGear, kAnkleGear + kKneeGear}) {
    expect_virtual_work(leg(gears, "independent='false'"), {"hip", "turn1", "turn2"}, G);
  }
  EXPECT_EQ(warnings_of(read_urdf, leg(kAnkleGear)), "");
  std::string rubbing = leg(kAnkleGear);
  rubbing.replace(rubbing.rfind("</joint>"), 0, "<dynamics damping='1'/>");
  EXPECT_EQ(warnings_of(read_urdf, rubbing),
            "m:11: warning: not modelled: limits and friction of joint 'turn2', which follows 2 joints\n");
}

TEST(UrdfGears, WhoFollowsAJointThatIsHeldIsFixed) {
  const std::string again = "<coupling name='g3'><predecessor link='rotor1'/><successor link='shank'/></coupling>";
  const std::string text = leg(kKneeGear + again);
  const std::string finger =
      body("finger") + revolute("grip", "base", "finger", "", "<mimic joint='knee' offset='0.1'/>");
  const ModelSpec spec = read_sound(read_urdf, text.substr(0, text.rfind("</robot>")) + finger + "</robot>");
  EXPECT_EQ(build_model(spec).nv(), 3);  // hip, ankle, turn2
}

TEST(UrdfGears, OddOnes) {
  const std::string again = "<coupling name='g3'><predecessor link='rotor1'/><successor link='shank'/><ratio value='";
  EXPECT_EQ(warnings_of(read_urdf, leg(kKneeGear + again + "0.16666666666666666'/></coupling>")),
            "m:13: warning: coupling 'g3': says what others say already\n");
  EXPECT_EQ(warnings_of(read_urdf, leg(kKneeGear + again + "0.2'/></coupling>")),
            "m:10: warning: joint 'turn1': its couplings hold it at zero: it is fixed\n"
            "m:8: warning: joint 'knee': its couplings hold it at zero: it is fixed\n");
  EXPECT_EQ(errors_of(read_urdf, leg("<coupling name='g'><predecessor link='shank'/><successor link='x'/></coupling>")),
            "m:12: error: coupling 'g': there is no link 'x'\n");
  EXPECT_EQ(
      errors_of(read_urdf, robot_of(body("a") + body("b") + body("c") + revolute("k", "a", "c") +
                                    revolute("j", "a", "b", "", "<mimic joint='k'/>") +
                                    "<coupling name='g'><predecessor link='a'/><successor link='b'/></coupling>")),
      "m:7: error: coupling 'g': all joints that it couples follow others already\n");
}

}  // namespace
}  // namespace verne::test
