// MuJoCo's own files, read by us and by MuJoCo: the same dynamics.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cstdio>
#include <filesystem>
#include <set>

#include "peers/agreement.h"
#include "peers/mujoco_model.h"
#include "verne/io/file.h"

namespace verne::test {
namespace {

using tinyxml2::XMLElement;

/// The same inertia as principal moments and a rotation: MuJoCo finds these itself, but to eight digits only.
void diagonalise(XMLElement& inertial) {
  const char* text = inertial.Attribute("fullinertia");
  if (!text) return;
  double i[6];
  ASSERT_EQ(std::sscanf(text, "%lf %lf %lf %lf %lf %lf", i, i + 1, i + 2, i + 3, i + 4, i + 5), 6);
  Eigen::Matrix3d I;
  I << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(I);
  Eigen::Matrix3d axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(0) *= -1;
  const Eigen::Quaterniond q(axes);
  const Eigen::Vector3d moments = solver.eigenvalues();
  char written[200];
  std::snprintf(written, sizeof written, "%.17g %.17g %.17g", moments[0], moments[1], moments[2]);
  inertial.SetAttribute("diaginertia", written);
  std::snprintf(written, sizeof written, "%.17g %.17g %.17g %.17g", q.w(), q.x(), q.y(), q.z());
  inertial.SetAttribute("quat", written);
  inertial.DeleteAttribute("fullinertia");
}

/// What dynamics without contacts does not need, and what is newer than the MuJoCo that we compare with. Shapes are
/// taken out where the body says what it weighs, and where they are meshes.
void simplify(XMLElement& element) {
  static const std::set<std::string> kUnneeded = {"asset",    "sensor", "keyframe", "contact", "tendon", "actuator",
                                                  "equality", "camera", "light",    "frame",   "option", "visual"};
  for (const char* attribute : {"gravcomp", "actuatorfrcrange", "actuatorfrclimited", "assetdir"})
    element.DeleteAttribute(attribute);
  const bool weighed = element.FirstChildElement("inertial");
  for (XMLElement* child = element.FirstChildElement(); child;) {
    XMLElement* const next = child->NextSiblingElement();
    const std::string name = child->Name();
    const bool shape = name == "geom" && (weighed || child->Attribute("mesh"));
    const bool in_default = std::string(element.Name()) == "default";
    const bool motors =
        in_default && (name == "general" || name == "position" || name == "motor" || name == "equality");
    if (kUnneeded.count(name) || shape || motors || (name == "mesh" || name == "material")) {
      element.DeleteChild(child);
    } else {
      simplify(*child);
      if (name == "inertial") diagonalise(*child);
    }
    child = next;
  }
}

/// The text for MuJoCo: neither constraints nor actuators act.
std::string simplified(const std::string& path) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.LoadFile(path.c_str()), tinyxml2::XML_SUCCESS);
  XMLElement& root = *document.RootElement();
  simplify(root);
  root.FirstChildElement("compiler")->SetAttribute("autolimits", "true");  // the newer default
  XMLElement* const option = root.InsertNewChildElement("option");
  XMLElement* const flag = option->InsertNewChildElement("flag");
  flag->SetAttribute("constraint", "disable");
  flag->SetAttribute("actuation", "disable");
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

/// The same for us: joints that the file couples move on their own, loops are open, and dry friction is a constraint of
/// MuJoCo's.
Model free_model(const std::string& path) {
  ModelSpec spec = load_spec(path);
  spec.loops.clear(), spec.home.clear();
  for (LinkSpec& link : spec.links) {
    link.joint.mimic.reset();
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = 0;
  }
  return build_model(std::move(spec));
}

/// Torques with springs and damping, and mass matrices: forward dynamics are made of them.
void expect_same_torques(peers::MujocoModel& peer, const Model& model) {
  std::mt19937_64 rng(7);
  Data<> data(model);
  const auto random = [&] {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(model.nv(), [&] { return random_number(rng, -3, 3); }));
  };
  for (int k = 0; k < 10; ++k) {
    expect_inverse_agreement(peer, model, data, random_configuration(model, rng), random(), random(), model.name());
  }
}

TEST(Mjcf, AgreesWithMujoco) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / ".." / "shared" / "robots" / "menagerie";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no robots at " << folder;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Model model = free_model(entry.path().string());
    std::string reason;
    auto peer = peers::MujocoModel::read(simplified(entry.path().string()), model, reason);
    if (!peer) {  // a body that moves has its mass from meshes alone
      EXPECT_NE(reason.find("mass and inertia of moving bodies"), std::string::npos) << reason;
      EXPECT_FALSE(model.joints_without_inertia().empty() && model.doubts().empty());
      continue;
    }
    expect_same_torques(*peer, model);
    ++files;
  }
  EXPECT_GE(files, 8);
}

/// Everything that the reader knows about masses, places and joints.
constexpr char kEverything[] = R"(<mujoco model="everything">
  <compiler angle="degree" eulerseq="XYz" autolimits="true" balanceinertia="true"/>
  <option gravity="0.1 -0.2 -9"/>
  <default>
    <joint damping="0.3" armature="0.5"/>
    <default class="springy"><joint stiffness="20" springref="15" axis="0 1 0"/></default>
    <default class="light"><geom density="200"/></default>
  </default>
  <worldbody>
    <body name="base" pos="0.1 0.2 0.3" euler="10 20 30">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" pos="0 0 0.02" axisangle="1 1 0 40"/>
      <body name="arm" pos="0.2 0 0" quat="0.9 0.1 0.2 0.3" childclass="springy">
        <joint name="a" type="hinge" pos="0.01 0.02 0.03" range="-90 90" ref="20"/>
        <joint name="b" type="slide" axis="1 2 0" class="main" ref="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
        <geom class="light" type="cylinder" size="0.04 0.1" pos="0 0.1 0" zaxis="1 0 1"/>
        <site name="tip" pos="0.3 0.1 0" xyaxes="0 1 0 -1 0 0.3"/>
        <body name="ball" pos="0.3 0.1 0">
          <joint name="c" type="ball" pos="0 0 0.02" class="main"/>
          <geom type="sphere" size="0.05" mass="1.5" pos="0.1 0 0"/>
          <geom type="ellipsoid" size="0.05 0.1 0.2" euler="30 0 0"/>
        </body>
      </body>
      <body name="other" xyaxes="0 1 0 0 0 1">
        <joint name="d" axis="0 0 2"/>
        <inertial pos="0.1 0 0" mass="2" diaginertia="0.01 0.02 0.5" euler="0 45 0"/>
        <body name="full" pos="0 0.2 0">
          <joint name="e" axis="1 0 0"/>
          <inertial pos="0 0.1 0" mass="1" fullinertia="0.02 0.03 0.04 0.001 0.002 -0.003"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

TEST(Mjcf, EverythingAgreesWithMujoco) {
  const Model model = build_model(read_spec(kEverything, "everything.xml"));
  EXPECT_EQ(model.nv(), 6 + 2 + 3 + 2);
  std::string text = kEverything, reason;
  const std::string flag = "<option><flag constraint=\"disable\"/></option>\n";
  text.insert(text.find("  <default>"), flag);
  auto peer = peers::MujocoModel::read(text, model, reason);
  ASSERT_TRUE(peer) << reason;
  expect_same_torques(*peer, model);
}

}  // namespace
}  // namespace verne::test
