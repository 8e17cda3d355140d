/// `transmission: {...}` of joints, which makes two joints of one.
#include "io/io_support.h"

namespace verne::test {
namespace {

std::string in_tree(const std::string& rest) {
  return "format: verne-model/1\nconvention: tree\n" + rest;
}
/// Of a link with such a joint, in line 5.
std::string errors_of_joint(const std::string& keys) {
  return errors_of(read_yaml, in_tree("links:\n  - name: a\n    joint: {" + keys + "}\n"));
}

TEST(YamlTransmission, MakesAMotorJointAndAnElasticOne) {
  const ModelSpec spec = read_sound(read_yaml, in_tree(R"(links:
  - {name: a, joint: {type: revolute}, mass: 2}
  - name: b
    pose: {xyz: [1, 0, 0]}
    frame: {xyz: [0, 2, 0]}
    mass: 3
    joint:
      {name: j, type: revolute, axis: [0, 1, 0], rotor_inertia: 0.5, friction: {coulomb: 2}, limits: {effort: 9},
       transmission: {stiffness: 70, damping: 6, ratio: -10, motor_inertia: 0.01}}
)"));
  ASSERT_EQ(spec.links.size(), 4u);
  const LinkSpec &motor = spec.links[2], &driven = spec.links[3];
  EXPECT_EQ(motor.name, "b_motor");
  EXPECT_EQ(motor.parent, "a");
  EXPECT_EQ(motor.mass, 0);
  EXPECT_EQ(motor.X_PJ.p.x, 1);
  EXPECT_EQ(motor.X_JL.p.y, 0);
  EXPECT_EQ(motor.joint.name, "j_motor");
  EXPECT_EQ(motor.joint.axis.y, 1);
  EXPECT_EQ(motor.joint.dofs.at(0).rotor_inertia, 1.5);
  EXPECT_EQ(motor.joint.dofs[0].coulomb, 2);
  EXPECT_EQ(motor.joint.dofs[0].effort_upper, 9);
  EXPECT_EQ(driven.parent, "b_motor");
  EXPECT_EQ(driven.mass, 3);
  EXPECT_EQ(driven.X_PJ.p.x, 0);
  EXPECT_EQ(driven.X_JL.p.y, 2);
  EXPECT_EQ(driven.joint.name, "j");
  EXPECT_EQ(driven.joint.dofs.at(0).stiffness, 70);
  EXPECT_EQ(driven.joint.dofs[0].viscous, 6);
  EXPECT_EQ(driven.joint.dofs[0].coulomb, 0);
  EXPECT_FALSE(driven.joint.actuated);
}

TEST(YamlTransmission, ProblemsAreNamed) {
  const std::string at = "m:5: error: link 'a': joint: ";
  const auto errors_with = [](const std::string& more, const std::string& type = "revolute") {
    return errors_of_joint("type: " + type + ", transmission: {stiffness: 1, motor_inertia: 1" + more);
  };
  EXPECT_EQ(errors_of_joint("type: revolute, transmission: {ratio: 2}"),
            at + "transmission: stiffness is missing\n" + at + "transmission: motor_inertia is missing\n");
  EXPECT_EQ(errors_with(", ratio: 0}"), at + "transmission: ratio: is zero: the motor would not move the joint\n");
  EXPECT_EQ(errors_with(", damping: -1}"), at + "transmission: damping: expected a number that is not negative\n");
  EXPECT_EQ(errors_with("}, stiffness: 3"), at + "stiffness: cannot be given beside a transmission\n");
  EXPECT_EQ(errors_with("}, mimic: {joint: b}"), at + "mimic: cannot be given beside a transmission\n");
  EXPECT_EQ(errors_with("}", "spherical"),
            at + "transmission: only a joint with one degree of freedom has one, this is spherical\n");
  EXPECT_EQ(errors_of_joint("type: revolute, transmission: {stiffness: -1, motor_inertia: 0}"),
            at + "transmission: stiffness: expected a number greater than zero\n" + at +
                "transmission: motor_inertia: expected a number greater than zero\n");
  EXPECT_NE(
      errors_of(read_yaml,
                in_tree("base: {joint: {type: revolute, transmission: {stiffness: 1, motor_inertia: 1}}}\nlinks: []"))
          .find("unknown key 'transmission'"),
      std::string::npos);
}

}  // namespace
}  // namespace verne::test
