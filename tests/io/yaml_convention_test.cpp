#include <gtest/gtest.h>

#include <random>

#include "io/io_support.h"
#include "support/paths.h"
#include "verne/io/model_io.h"
#include "verne/spatial/dh.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

ModelSpec arm(const std::string& convention) {
  return load_spec(source_dir() + "/tests/data/conventions/" + convention + ".yaml");
}

std::string convention_errors(const std::string& text) {
  return errors_of(read_yaml, text);
}

Transform<double> motion(const JointSpec& joint, double q) {
  switch (joint.type) {
    case JointType::revolute:
      return {rotation_about(joint.axis, q), {0, 0, 0}};
    case JointType::prismatic:
      return {Mat3<double>::identity(), joint.axis * q};
    default:
      return Transform<double>::identity();
  }
}

/// Inertia of each link and pose of the tool in the world, for one coordinate per joint of a serial arm.
struct Posture {
  std::vector<RigidInertia<double>> links;
  Transform<double> tool;
};

Posture posture(const ModelSpec& spec, const std::vector<double>& q) {
  Posture result;
  Transform<double> X_WL = Transform<double>::identity();
  for (std::size_t i = 1; i < spec.links.size(); ++i) {
    const LinkSpec& link = spec.links[i];
    X_WL = X_WL * link.X_PJ * motion(link.joint, q[i - 1]) * link.X_JL;
    result.links.push_back(X_WL * inertia_from_com(link.mass, link.com, link.inertia));
  }
  result.tool = X_WL * spec.frames.at(0).X_LF;
  return result;
}

class Conventions : public testing::TestWithParam<const char*> {};

TEST_P(Conventions, DescribeTheSameArm) {
  const ModelSpec reference = arm("tree"), spec = arm(GetParam());
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (int state = 0; state < 10; ++state) {
    std::vector<double> q(4, 0.0);
    if (state > 0) {
      for (double& value : q) value = angle(rng);
    }
    const Posture expected = posture(reference, q), found = posture(spec, q);
    expect_near(found.tool, expected.tool, 1e-14, "tool");
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string name = spec.links[i + 1].name;
      EXPECT_EQ(found.links[i].mass, expected.links[i].mass);
      expect_near(found.links[i].mc, expected.links[i].mc, 1e-14, name);
      expect_near(found.links[i].I, expected.links[i].I, 1e-13, name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arm, Conventions, testing::Values("dh", "mdh", "screw"));

TEST(DhConvention, TheTransformsMultiplyToTheTable) {
  const ModelSpec spec = arm("dh");
  const double quarter = std::acos(0.0);
  const LinkSpec &upper = spec.links[2], &boom = spec.links[3];
  expect_near(upper.X_PJ * upper.X_JL, dh_transform({0.5, 0, 0.1, -quarter}), 1e-15, "revolute");
  expect_near(upper.X_PJ, {rotation_z(-quarter), {0, 0, 0}}, 1e-15, "joint frame of a revolute joint");
  expect_near(boom.X_PJ * boom.X_JL, dh_transform({0, quarter, 0.3, quarter}), 1e-15, "prismatic");
  expect_near(boom.X_PJ, {rotation_z(quarter), {0, 0, 0.3}}, 1e-15, "joint frame of a prismatic joint");
}

TEST(ScrewConvention, HelicalJoint) {
  const ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
convention: screw
links:
  - {name: nut, joint: {type: helical}, screw: {omega: [0, 0, 1], v: [0, -2, 0.01]}, home: {xyz: [2, 0, 1]}, mass: 1}
  - {name: lid, joint: {type: fixed}, home: {xyz: [2, 1, 1]}, mass: 1}
)");
  EXPECT_NEAR(spec.links[1].joint.pitch, 0.01, 1e-17);
  expect_near(spec.links[1].X_PJ, {Mat3<double>::identity(), {2, 0, 0}}, 1e-15, "on the axis");
  expect_near(spec.links[2].X_PJ, {Mat3<double>::identity(), {0, 1, 0}}, 1e-15, "fixed to the nut");
}

TEST(ScrewConvention, Errors) {
  const auto with = [](const std::string& keys) {
    return convention_errors("format: verne-model/1\nconvention: screw\nlinks:\n  - {name: a, " + keys + "}");
  };
  EXPECT_EQ(with("joint: {type: revolute}, home: {}, screw: {omega: [0, 0, 2]}"),
            "m:4: error: link 'a': screw: omega: expected a vector of length 1, found length 2\n");
  EXPECT_EQ(with("joint: {type: revolute}, home: {}, screw: {v: [0, 0, 1]}"),
            "m:4: error: link 'a': screw: omega: expected a vector of length 1, found length 0\n");
  EXPECT_EQ(
      with("joint: {type: revolute}, home: {}, screw: {omega: [0, 0, 1], v: [0, 0, 0.5]}"),
      "m:4: error: link 'a': screw: omega and v must be at right angles for a revolute joint; with pitch 0.5 this "
      "is a helical joint\n");
  EXPECT_EQ(with("joint: {type: prismatic}, home: {}, screw: {omega: [0, 0, 1], v: [0, 0, 1]}"),
            "m:4: error: link 'a': screw: omega must be zero for a prismatic joint\n");
  EXPECT_EQ(with("joint: {type: fixed}, home: {}, screw: {omega: [0, 0, 1]}"),
            "m:4: error: link 'a': screw: a fixed joint has no screw\n");
  EXPECT_EQ(with("joint: {type: revolute}, screw: {omega: [0, 0, 1]}"), "m:4: error: link 'a': home is missing\n");
  EXPECT_EQ(with("joint: {type: revolute}, home: {}"), "m:4: error: link 'a': screw is missing\n");
  EXPECT_EQ(with("joint: {type: helical, pitch: 1}, home: {}, screw: {omega: [0, 0, 1]}"),
            "m:4: error: link 'a': joint: pitch: given by the screw\n");
}

}  // namespace
}  // namespace verne::test
