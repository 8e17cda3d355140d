#include <gtest/gtest.h>

#include <numbers>

#include "io/io_support.h"
#include "support/allocation_guard.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

constexpr double kPi = std::numbers::pi;

std::string errors(const std::string& text) {
  return errors_of(read_yaml, text);
}
ModelSpec read(const std::string& text) {
  return read_sound(read_yaml, text);
}
/// A model of convention tree; `rest` begins in line 3.
std::string tree(const std::string& rest) {
  return "format: verne-model/1\nconvention: tree\n" + rest;
}
/// One link named a with a revolute joint; `rest` are further keys of the link, beginning in line 6.
std::string link(const std::string& rest) {
  return tree("links:\n  - name: a\n    joint: {type: revolute}\n" + rest);
}
std::string joint(const std::string& keys) {
  return tree("links:\n  - name: a\n    joint: {" + keys + "}\n");
}
const LinkSpec& last(const ModelSpec& spec) {
  return spec.links.back();
}

TEST(YamlReader, DegreesAreForAngles) {
  const std::string sound[] = {
      joint("type: revolute, limits: {position: [-90 deg, 90 deg], velocity: 90 deg/s}, friction: {width: 1 deg}"),
      joint("type: cylindrical, limits: {position: [[-1, 1], [-90 deg, 90 deg]], velocity: [1, 90 deg]}"),
      joint("type: planar, limits: {velocity: [1, 1, 90 deg]}"),
      joint("type: free, limits: {velocity: [1, 1, 1, 90 deg, 90 deg, 90 deg]}"),
      link("    mass: 2*sin(30 deg)\n"),  // the sine is a number
  };
  for (const std::string& text : sound) EXPECT_EQ(errors(text), "");
  const std::string wrong[] = {
      joint("type: prismatic, limits: {position: [-1 deg, 1]}"),
      joint("type: prismatic, limits: {velocity: 1 deg}"),
      joint("type: cylindrical, limits: {position: [[-1, 1 deg], [-90 deg, 90 deg]]}"),
      joint("type: planar, limits: {velocity: [1 deg, 1, 1]}"),
      joint("type: free, limits: {velocity: [1, 1, 1 deg, 1, 1, 1]}"),
      joint("type: revolute, limits: {effort: 1 deg}"),
      joint("type: revolute, friction: {viscous: 1 deg}"),
      joint("type: revolute, rotor_inertia: 1 deg"),
      joint("type: revolute, mimic: {joint: b, ratio: 1 deg}"),
      joint("type: prismatic, mimic: {joint: b, offset: 1 deg}"),
      link("    mass: 5 deg\n"),
      link("    com: [1, 2 deg, 3]\n"),
      link("    pose: {xyz: [0, 0, 1 deg]}\n"),
      link("    visuals: [{sphere: {radius: 1 deg}}]\n"),
      tree("gravity: [0, 0, 9 deg]\nlinks: []\n"),
  };
  for (const std::string& text : wrong) {
    EXPECT_NE(errors(text).find("expected a number without a unit"), std::string::npos) << text << errors(text);
  }
  EXPECT_EQ(read(joint("type: revolute, mimic: {joint: b, offset: 180 deg}")).links.back().joint.mimic->offset, kPi);
}

TEST(YamlReader, WholeModel) {
  const ModelSpec spec = read(R"(format: verne-model/1
name: demo
source: |
  two lines
  of words
convention: tree
gravity: [0, 0, 0]
base: {type: free, name: trunk, joint: root, pose: {xyz: [0, 0, 1]}, mass: 5, inertia: [1, 1, 1]}
links:
  - name: thigh
    joint: {type: revolute, axis: [0, 1, 0]}
    pose: {xyz: [0, 0.1, 0], rpy: [0, 0, 90 deg]}
    mass: 2
  - name: shank
    joint: {name: knee, type: revolute}
  - name: arm
    parent: trunk
    joint: {type: fixed}
frames:
  - {name: tool, link: arm, pose: {xyz: [0, 0, 0.1]}}
contacts:
  - {name: heel, link: shank, point: [0, 0, -0.4]}
)");
  EXPECT_EQ(spec.name, "demo");
  EXPECT_EQ(spec.source, "two lines\nof words\n");
  EXPECT_EQ(spec.file, "m");
  expect_near(spec.gravity, {0, 0, 0}, 0, "gravity");
  ASSERT_EQ(spec.links.size(), 4u);
  EXPECT_EQ(spec.links[0].name, "trunk");
  EXPECT_EQ(spec.links[0].parent, "");
  EXPECT_EQ(spec.links[0].joint.name, "root");
  EXPECT_EQ(spec.links[0].joint.type, JointType::free);
  EXPECT_EQ(spec.links[0].X_PJ.p.z, 1);
  EXPECT_EQ(spec.links[0].mass, 5);
  EXPECT_EQ(spec.links[0].line, 8);
  EXPECT_EQ(spec.links[1].parent, "trunk");
  EXPECT_EQ(spec.links[1].joint.name, "thigh_joint");
  EXPECT_EQ(spec.links[1].line, 10);
  EXPECT_EQ(spec.links[1].joint.line, 11);
  EXPECT_TRUE(spec.links[1].has_inertial);
  expect_near(spec.links[1].X_PJ, {rotation_z(kPi / 2), {0, 0.1, 0}}, 1e-15, "pose");
  EXPECT_EQ(spec.links[2].parent, "thigh");
  EXPECT_EQ(spec.links[2].joint.name, "knee");
  EXPECT_FALSE(spec.links[2].has_inertial);
  EXPECT_EQ(spec.links[3].parent, "trunk");
  EXPECT_EQ(spec.frames.at(0).name, "tool");
  EXPECT_EQ(spec.frames.at(0).line, 20);
  EXPECT_EQ(spec.frames.at(0).X_LF.p.z, 0.1);
  EXPECT_EQ(spec.contacts.at(0).link, "shank");
  EXPECT_EQ(spec.contacts.at(0).point.z, -0.4);
}

TEST(YamlReader, Bases) {
  const auto base = [](const std::string& text) { return read(tree("links: []\n" + text)).links.at(0); };
  EXPECT_EQ(base("").name, "base");
  EXPECT_EQ(base("").joint.name, "root_joint");
  EXPECT_EQ(base("").joint.type, JointType::fixed);
  EXPECT_EQ(base("base: free").joint.type, JointType::free);
  EXPECT_FALSE(base("base: free").joint.actuated);
  EXPECT_EQ(base("base: {type: planar}").joint.type, JointType::planar);
  EXPECT_EQ(base("base: {joint: {name: r, type: revolute, axis: [1, 0, 0]}}").joint.axis.x, 1);
  EXPECT_EQ(errors(tree("links: []\nbase: floating")),
            "m:4: error: base: expected fixed, free or planar, found 'floating'\n");
  EXPECT_EQ(errors(tree("links: []\nbase: {type: fixed, joint: {type: free}}")),
            "m:4: error: base: type: the joint has a type already\n");
}

TEST(YamlReader, ContactsHaveTypes) {
  const auto contact = [](const std::string& keys) {
    return link("contacts:\n  - {name: c, link: a, " + keys + "}\n");
  };
  EXPECT_EQ(read(contact("point: [1, 0, 0]")).contacts.at(0).type, ContactType::point);
  const ContactSpec edge = read(contact("type: line, pose: {xyz: [1, 2, 3], rpy: [0, 0, 90 deg]}")).contacts.at(0);
  EXPECT_EQ(edge.type, ContactType::line);
  expect_near(Transform<double>{edge.R_LC, edge.point}, {rotation_z(kPi / 2), {1, 2, 3}}, 1e-15, "pose");
  EXPECT_EQ(read(contact("type: rigid")).contacts.at(0).type, ContactType::rigid);
  EXPECT_NE(errors(contact("type: flat")).find("contact 'c': type: expected point, line or rigid, found 'flat'"),
            std::string::npos);
  EXPECT_NE(errors(contact("point: [0, 0, 0], pose: {}")).find("give either point or pose, not both"),
            std::string::npos);
}

TEST(YamlReader, Limits) {
  const auto dof = [](const std::string& limits) {
    return last(read(joint("type: revolute, " + limits))).joint.dofs.at(0);
  };
  const DofSpec one = dof("limits: {position: [-pi, 90 deg], velocity: 2, effort: 10}");
  EXPECT_EQ(one.lower, -kPi);
  EXPECT_DOUBLE_EQ(one.upper, kPi / 2);
  EXPECT_EQ(one.velocity, 2);
  EXPECT_EQ(one.effort_lower, -10);
  EXPECT_EQ(one.effort_upper, 10);
  const DofSpec asymmetric = dof("limits: {effort: [-5, 12], position: [-inf, 1]}");
  EXPECT_EQ(asymmetric.effort_lower, -5);
  EXPECT_EQ(asymmetric.effort_upper, 12);
  EXPECT_EQ(asymmetric.lower, -kInfinity);
  EXPECT_EQ(dof("rotor_inertia: 0.2").rotor_inertia, 0.2);
  EXPECT_TRUE(last(read(joint("type: revolute"))).joint.dofs.empty());
}

TEST(YamlReader, LimitsOfSeveralDegreesOfFreedom) {
  const auto dofs = last(read(joint("type: universal, limits: {position: [[-1, 1], [-2, 2]], velocity: 3, "
                                    "effort: [[-1, 2], [-3, 4]]}, friction: {coulomb: [1, 2], viscous: 3, width: 0.1}, "
                                    "rotor_inertia: [5, 6]")))
                        .joint.dofs;
  ASSERT_EQ(dofs.size(), 2u);
  EXPECT_EQ(dofs[1].lower, -2);
  EXPECT_EQ(dofs[0].velocity, 3);
  EXPECT_EQ(dofs[1].velocity, 3);
  EXPECT_EQ(dofs[1].effort_upper, 4);
  EXPECT_EQ(dofs[1].coulomb, 2);
  EXPECT_EQ(dofs[0].viscous, 3);
  EXPECT_EQ(dofs[1].friction_width, 0.1);
  EXPECT_EQ(dofs[1].rotor_inertia, 6);
  EXPECT_EQ(last(read(joint("type: universal, limits: {effort: 7}"))).joint.dofs.at(1).effort_lower, -7);
  EXPECT_EQ(errors(joint("type: universal, limits: {effort: [5, 12]}")),
            "m:5: error: link 'a': joint: limits: effort: expected [lower, upper], found '5'\n"
            "m:5: error: link 'a': joint: limits: effort: expected [lower, upper], found '12'\n");
  EXPECT_EQ(errors(joint("type: universal, limits: {velocity: [1, 2, 3]}")),
            "m:5: error: link 'a': joint: limits: velocity: expected a number or a list of 2, found a list of 3\n");
}

TEST(YamlReader, JointExtras) {
  const JointSpec helical = last(read(joint("type: helical, pitch: 0.01, actuated: false"))).joint;
  EXPECT_EQ(helical.pitch, 0.01);
  EXPECT_FALSE(helical.actuated);
  const JointSpec follower = last(read(joint("type: revolute, mimic: {joint: other, ratio: 2, offset: 0.1}"))).joint;
  ASSERT_TRUE(follower.mimic);
  EXPECT_EQ(follower.mimic->joint, "other");
  EXPECT_EQ(follower.mimic->ratio, 2);
  EXPECT_EQ(follower.mimic->offset, 0.1);
  EXPECT_EQ(last(read(joint("type: universal, axis: [1, 0, 0], axis2: [0, 0, 1]"))).joint.axis2.z, 1);
}

TEST(YamlReader, Inertias) {
  const auto inertia = [](const std::string& text) { return last(read(link("    mass: 2\n    " + text))).inertia; };
  expect_near(inertia("inertia: [1, 2, 3]"), {1, 0, 0, 2, 0, 3}, 0, "diagonal");
  expect_near(inertia("inertia: [1, 2, 3, 4, 5, 6]"), {1, 4, 5, 2, 6, 3}, 0, "six numbers");
  expect_near(inertia("inertia: [[1, 4, 5], [4, 2, 6], [5, 6, 3]]"), {1, 4, 5, 2, 6, 3}, 0, "matrix");
  expect_near(inertia("com: [0.5, 0, 0]\n    inertia: [1, 2, 3]\n    about: origin"), {1, 0, 0, 1.5, 0, 2.5}, 1e-15,
              "about the origin");
  EXPECT_EQ(errors(link("    inertia: [[1, 4, 5], [0, 2, 6], [5, 6, 3]]")),
            "m:6: error: link 'a': inertia: the matrix is not symmetric\n");
  EXPECT_EQ(errors(link("    inertia: [1, 2]")),
            "m:6: error: link 'a': inertia: expected 3 or 6 numbers or 3 rows of 3 numbers, found a list of 2\n");
  EXPECT_EQ(errors(link("    about: center")), "m:6: error: link 'a': about: expected com or origin, found 'center'\n");
}

TEST(YamlReader, Springs) {
  const auto dofs = last(read(joint("type: cylindrical, stiffness: [3, 4], rest: [0.5, 90 deg]"))).joint.dofs;
  ASSERT_EQ(dofs.size(), 2u);
  EXPECT_EQ(dofs[0].stiffness, 3);
  EXPECT_EQ(dofs[1].stiffness, 4);
  EXPECT_EQ(dofs[0].rest, 0.5);
  EXPECT_NEAR(dofs[1].rest, kPi / 2, 1e-15);
  EXPECT_EQ(errors(joint("type: revolute, rest: 1")),
            "m:5: error: link 'a': joint: rest: means nothing without a stiffness\n");
  EXPECT_EQ(errors(joint("type: revolute, stiffness: [1, 2]")),
            "m:5: error: link 'a': joint: stiffness: expected a number or a list of 1, found a list of 2\n");
  EXPECT_NE(errors(joint("type: prismatic, stiffness: 1, rest: 90 deg")), "");
}

TEST(YamlReader, Ligaments) {
  const auto knee = last(read(joint("type: revolute, ligaments: {slack: [0, inf], stiffness: 9}"))).joint.dofs;
  ASSERT_EQ(knee.size(), 1u);
  EXPECT_EQ(knee[0].ligament, 9);
  EXPECT_EQ(knee[0].slack_lower, 0);
  EXPECT_EQ(knee[0].slack_upper, kInfinity);
  const auto two =
      last(read(joint("type: universal, ligaments: {slack: [[-1, 1], [-2, 90 deg]], stiffness: [3, 4]}"))).joint.dofs;
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].ligament, 4);
  EXPECT_NEAR(two[1].slack_upper, kPi / 2, 1e-15);
  EXPECT_EQ(errors(joint("type: revolute, ligaments: {slack: [0, 1]}")),
            "m:5: error: link 'a': joint: ligaments: stiffness is missing\n");
  EXPECT_EQ(errors(joint("type: revolute, ligaments: {slack: 1, stiffness: 2}")),
            "m:5: error: link 'a': joint: ligaments: slack: expected [lower, upper], found '1'\n");
}

TEST(YamlReader, Visuals) {
  const auto visuals = last(read(link(R"(    visuals:
      - capsule: {radius: 0.05, length: 0.3}
        pose: {xyz: [0, 0, 0.15]}
      - box: {size: [1, 2, 3]}
      - sphere: {radius: 2}
      - cylinder: {radius: 1, length: 4}
      - mesh: {file: x.stl}
)")))
                           .visuals;
  ASSERT_EQ(visuals.size(), 5u);
  EXPECT_EQ(visuals[0].size.y, 0.3);
  EXPECT_EQ(visuals[0].X_LV.p.z, 0.15);
  EXPECT_EQ(visuals[1].size.z, 3);
  EXPECT_EQ(visuals[2].shape, VisualSpec::Shape::sphere);
  EXPECT_EQ(visuals[3].shape, VisualSpec::Shape::cylinder);
  EXPECT_EQ(visuals[4].mesh, "x.stl");
  EXPECT_EQ(visuals[4].size.x, 1);
  EXPECT_EQ(errors(link("    visuals:\n      - box: {size: [1, 2, 3]}\n        sphere: {radius: 1}")),
            "m:7: error: link 'a': visuals: expected one of capsule, box, sphere, cylinder, mesh, found 2\n");
  EXPECT_EQ(errors(link("    visuals:\n      - capsule: {radius: 1}")),
            "m:7: error: link 'a': visuals: capsule: length is missing\n");
}

TEST(YamlReader, Poses) {
  const auto pose = [](const std::string& text) { return last(read(link("    pose: " + text))).X_PJ; };
  expect_near(pose("{quaternion: [0, 0, sqrt(2)/2, sqrt(2)/2]}"), {rotation_z(kPi / 2), {0, 0, 0}}, 1e-15, "q");
  EXPECT_EQ(errors(link("    pose: {quaternion: [0, 0, 0, 0]}")),
            "m:6: error: link 'a': pose: quaternion: the quaternion has length zero\n");
  EXPECT_EQ(
      errors(link("    pose: {quaternion: [0, 0, 0.7, 0.7]}")),
      "m:6: error: link 'a': pose: quaternion: expected a quaternion of length 1, found length 0.9899494936611665\n");
  EXPECT_EQ(errors(link("    pose: {rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}")),
            "m:6: error: link 'a': pose: give either rpy or quaternion, not both\n");
}

TEST(YamlReader, AnchorsAndAliases) {
  const ModelSpec spec =
      read(link("    com: &c [1, 2, 3]\n    mass: 1\n  - name: b\n    joint: {type: fixed}\n    com: *c\n"));
  expect_near(last(spec).com, {1, 2, 3}, 0, "com");
  EXPECT_NE(errors("a: &x [*x]"), "");
  EXPECT_NE(errors("a: *nobody"), "");
}

TEST(YamlReaderErrors, WrongTypes) {
  EXPECT_EQ(errors(link("    mass: abc")),
            "m:6: error: link 'a': mass: expected a number, found 'abc' (unknown name 'abc')\n");
  EXPECT_EQ(errors(link("    mass: [1]")), "m:6: error: link 'a': mass: expected a number, found a list of 1\n");
  EXPECT_EQ(errors(link("    mass:")), "m:6: error: link 'a': mass: expected a number, found nothing\n");
  EXPECT_EQ(errors(link("    mass: 1/0")), "m:6: error: link 'a': mass: expected a finite number, found '1/0'\n");
  EXPECT_EQ(errors(link("    com: [1, 2]")),
            "m:6: error: link 'a': com: expected a list of 3 numbers, found a list of 2\n");
  EXPECT_EQ(errors(link("    com: [1, 2, x]")),
            "m:6: error: link 'a': com: expected a number, found 'x' (unknown name 'x')\n");
  EXPECT_EQ(errors(link("    pose: 3")), "m:6: error: link 'a': pose: expected a map, found '3'\n");
  EXPECT_EQ(errors(joint("type: revolute, actuated: maybe")),
            "m:5: error: link 'a': joint: actuated: expected true or false, found 'maybe'\n");
  EXPECT_EQ(errors(tree("links: 3")), "m:3: error: links: expected a list, found '3'\n");
  EXPECT_EQ(errors(tree("links: [3]")), "m:3: error: link 1: expected a map, found '3'\n");
}

TEST(YamlReaderErrors, UnknownKeys) {
  EXPECT_EQ(errors(link("    masss: 1")), "m:6: error: link 'a': unknown key 'masss' (did you mean 'mass'?)\n");
  EXPECT_EQ(errors(joint("type: revolute, limit: {}")),
            "m:5: error: link 'a': joint: unknown key 'limit' (did you mean 'limits'?)\n");
  EXPECT_EQ(errors(joint("type: revolute, limits: {torque: 3}")),
            "m:5: error: link 'a': joint: limits: unknown key 'torque'\n");
  EXPECT_EQ(errors(tree("links: []\ngravty: [0, 0, 0]")),
            "m:4: error: unknown key 'gravty' (did you mean 'gravity'?)\n");
  EXPECT_EQ(errors(link("    dh: {a: 1}")),
            "m:6: error: link 'a': dh: belongs to convention dh, but this file's is tree\n");
}

TEST(YamlReaderErrors, MisplacedKeys) {
  EXPECT_EQ(errors(joint("type: revolute, pitch: 1")),
            "m:5: error: link 'a': joint: pitch: only a helical joint has a pitch\n");
  EXPECT_EQ(errors(joint("type: revolute, axis2: [0, 0, 1]")),
            "m:5: error: link 'a': joint: axis2: only a universal joint has a second axis\n");
  EXPECT_EQ(
      errors(joint("type: fixed, limits: {effort: 1}")),
      "m:5: error: link 'a': joint: a fixed joint has no limits, friction, rotor inertia, stiffness or ligaments\n");
  const std::string dh = "format: verne-model/1\nconvention: dh\nlinks:\n  - name: a\n    joint: {";
  EXPECT_EQ(errors(dh + "type: revolute, axis: [0, 0, 1]}\n    dh: {}"),
            "m:5: error: link 'a': joint: axis: given by convention dh\n");
  EXPECT_EQ(errors(dh + "type: spherical}\n    dh: {}"),
            "m:5: error: link 'a': joint: type: a spherical joint cannot be placed by convention dh\n");
  EXPECT_EQ(errors(dh + "type: revolute}\n"), "m:4: error: link 'a': dh is missing\n");
}

TEST(YamlReaderErrors, MissingKeys) {
  EXPECT_EQ(errors("name: x"),
            "m:1: error: format is missing\n"
            "m:1: error: convention is missing\n");
  EXPECT_EQ(errors("format: verne-model/2\nconvention: dhh\nlinks: []"),
            "m:1: error: format: expected 'verne-model/1', found 'verne-model/2'\n"
            "m:2: error: convention: expected dh, mdh, screw or tree, found 'dhh'\n");
  EXPECT_EQ(errors("format: verne-task/1\nmodel: arm.yaml\nduration: 1"),
            "m:1: error: expected a model ('verne-model/1'), found a task: `verne predict` takes tasks; a study names "
            "its task\n");
  EXPECT_EQ(errors(tree("")), "m:1: error: links is missing\n");
  EXPECT_EQ(errors(tree("links:\n  - joint: {type: fixed}")), "m:4: error: link 1: name is missing\n");
  EXPECT_EQ(errors(tree("links:\n  - name: a")), "m:4: error: link 'a': joint is missing\n");
  EXPECT_EQ(errors(joint("name: j")), "m:5: error: link 'a': joint: type is missing\n");
  EXPECT_EQ(errors(joint("type: revolut")),
            "m:5: error: link 'a': joint: type: unknown joint type 'revolut' (did you mean 'revolute'?)\n");
  EXPECT_EQ(errors(tree("links: []\nframes: [{pose: {}}]")),
            "m:4: error: frame 1: name is missing\nm:4: error: frame 1: link is missing\n");
}

TEST(YamlReaderErrors, Syntax) {
  EXPECT_EQ(errors(link("    mass: 1\n    mass: 2")), "m:7: error: key 'mass' is given twice, first in line 6\n");
  EXPECT_EQ(errors(""), "m: error: expected a map, found nothing\n");
  EXPECT_EQ(errors("just words"), "m:1: error: expected a map, found 'just words'\n");
  EXPECT_EQ(errors(tree("links: [\n")).substr(0, 14), "m:4: error: YA");
  EXPECT_EQ(errors(link("    mass: !number 3")), "m:6: error: tag '!number': tags are not understood\n");
  EXPECT_EQ(errors(tree("links: []\n---\n")), errors(tree("links: []\n"))) << "as messages end that are printed";
  EXPECT_EQ(errors(tree("links: []\n---\na: 1")), "m: error: more than one YAML document in the file\n");
  EXPECT_EQ(errors("? [a]\n: 1"), "m:1: error: YAML: expected a word as key, found a list of 1\n");
}

TEST(YamlReaderErrors, AbsurdSizes) {
  EXPECT_EQ(errors("a: " + std::string(40, '[')).find("nested too deeply") != std::string::npos, true);
  const long before = allocation_count();
  EXPECT_EQ(errors("a: 1\nb: " + std::string(4'000'000, '[')), "m:2: error: YAML: nested too deeply\n");
  EXPECT_LT(allocation_count() - before, 100'000);  // the parser has not looked at all of it
  EXPECT_NE(errors("a: " + std::string(100000, '[')), "");
  EXPECT_NE(errors("a: " + std::string(100000, '{')), "");
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + previous;
    for (int k = 0; k < 9; ++k) bomb += ", " + previous;
    bomb += "]\n";
  }
  EXPECT_NE(errors(bomb).find("too many values"), std::string::npos);
}

TEST(YamlReaderErrors, CutOffAnywhereDoesNoHarm) {
  const std::string text = link(
      "    pose: {xyz: [0, 0.1, 0], rpy: [0, 0, 90 deg]}\n    mass: 1\n    visuals:\n      - {box: {size: [1, 1, "
      "1]}}\n");
  for (std::size_t size = 0; size < text.size(); ++size) errors(text.substr(0, size));
}

}  // namespace
}  // namespace verne::test
