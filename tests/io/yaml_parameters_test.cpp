#include <gtest/gtest.h>

#include "verne/base/error.h"
#include "verne/io/model_io.h"

namespace verne {
namespace {

constexpr char kNamedNumbers[] = R"(format: verne-model/1
parameters: {length: 0.4, half: length/2, turn: 90 deg}
convention: tree
gravity: [0, 0, -half]
links:
  - name: arm
    joint: {name: hinge, type: revolute, axis: [0, 1, 0], limits: {position: [-turn, turn], effort: 10*length}}
    pose: {rpy: [turn, 0, 0]}
    mass: 1
    com: [0, 0, half]
    inertia: [0.1, 0.1, 0.1]
  - name: hand
    joint: {name: wrist, type: revolute, axis: [0, 1, 0]}
    pose: {xyz: [0, 0, length]}
frames:
  - {name: tip, link: hand, pose: {xyz: [0, 0, half]}}
loops:
  - {name: pin, type: spherical, a: {link: hand, pose: {xyz: [0, 0, half]}}, b: {link: world, pose: {xyz: [length, 0, 0]}}}
home: {hinge: turn/2}
)";

TEST(YamlParameters, AnyNumberMayUseThem) {
  const ModelSpec plain = read_spec(kNamedNumbers, "arm.yaml"),
                  longer = read_spec(kNamedNumbers, "arm.yaml", nullptr, {{"length", 1}});
  for (const auto& [spec, length] : {std::pair(&plain, 0.4), std::pair(&longer, 1.0)}) {
    const LinkSpec& arm = spec->links[1];
    EXPECT_DOUBLE_EQ(spec->gravity.z, -length / 2);
    EXPECT_DOUBLE_EQ(arm.com.z, length / 2);
    EXPECT_DOUBLE_EQ(arm.joint.dofs[0].effort_upper, 10 * length);
    EXPECT_DOUBLE_EQ(arm.joint.dofs[0].upper, 1.5707963267948966);
    EXPECT_DOUBLE_EQ(spec->links[2].X_PJ.p.z, length);
    EXPECT_DOUBLE_EQ(spec->frames[0].X_LF.p.z, length / 2);
    EXPECT_DOUBLE_EQ(spec->loops[0].b.X_LF.p.x, length);
    EXPECT_DOUBLE_EQ(spec->home[0].q[0], 1.5707963267948966 / 2);
  }
  const ModelSpec half = read_spec(kNamedNumbers, "arm.yaml", nullptr, {{"half", 3}});
  EXPECT_DOUBLE_EQ(half.gravity.z, -3);
  EXPECT_DOUBLE_EQ(half.links[2].X_PJ.p.z, 0.4);
}

std::string problem_with(const std::string& text, const std::string& file,
                         const std::map<std::string, double>& parameters) {
  try {
    read_spec(text, file, nullptr, parameters);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(YamlParameters, WhatIsNotThereIsNamed) {
  EXPECT_EQ(problem_with(kNamedNumbers, "arm.yaml", {{"lengt", 1}}),
            "arm.yaml: error: there is no parameter 'lengt' (did you mean 'length'?)");
  const std::string urdf = "<robot name='r'><link name='base'/></robot>";
  EXPECT_NE(problem_with(urdf, "r.urdf", {{"length", 1}}).find("only YAML models have any"), std::string::npos);
  std::string text = kNamedNumbers;
  text.replace(text.find("length: 0.4"), 11, "pi: 3");
  EXPECT_NE(problem_with(text, "arm.yaml", {}).find("'pi' cannot name a parameter"), std::string::npos);
  text = kNamedNumbers;
  text.replace(text.find("com: [0, 0, half]"), 17, "com: [0, 0, hlf]");
  EXPECT_NE(problem_with(text, "arm.yaml", {}).find("link 'arm': com: expected a number, found 'hlf'"),
            std::string::npos)
      << problem_with(text, "arm.yaml", {});
}

}  // namespace
}  // namespace verne
