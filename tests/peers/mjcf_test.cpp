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
#include "structures/mechanism_support.h"
#include "support/real_robots.h"
#include "verne/io/file.h"
#include "verne/model/repair.h"

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
      EXPECT_FALSE(model.joints_without_inertia().empty() && model.plausibility_warnings().empty());
      continue;
    }
    expect_same_torques(*peer, model);
    ++files;
  }
  EXPECT_GE(files, 8);
}

/// A written file for MuJoCo: constraints do not act, and loops, which it says as sites that newer ones than this know,
/// are taken out.
std::string unconstrained(std::string text) {
  const std::size_t begin = text.find("<equality>"), end = text.find("</equality>");
  if (end != std::string::npos) text.erase(begin, end + 11 - begin);
  return text.insert(text.find("<worldbody"), "<option><flag constraint=\"disable\" actuation=\"disable\"/></option>");
}

/// What a model is compared by: MuJoCo has couplings, loops and dry friction as constraints only.
Model unconstrained(ModelSpec spec) {
  spec.loops.clear(), spec.home.clear(), spec.independent.clear();
  for (LinkSpec& link : spec.links) {
    link.joint.mimic.reset();
    for (DofSpec& dof : link.joint.dofs) dof.coulomb = 0;
  }
  return build_model(std::move(spec));
}

TEST(MjcfWriter, MujocoReadsShippedModels) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml" || entry.path().stem() == "hybrid") continue;  // free on a moving link
    SCOPED_TRACE(entry.path().filename().string());
    const Model model = unconstrained(load_spec(entry.path().string()));
    std::string reason;
    auto peer = peers::MujocoModel::read(unconstrained(write_mjcf(model.spec())), model, reason);
    ASSERT_TRUE(peer) << reason;
    expect_same_torques(*peer, model);
    ++files;
  }
  EXPECT_GE(files, 20);
}

/// With physical inertias, as it refuses others.
TEST(MjcfWriter, MujocoReadsRealRobots) {
  const std::vector<std::string> robots = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(robots);
  int files = 0;
  for (const std::string& file : robots) {
    SCOPED_TRACE(file);
    ModelSpec spec = load_spec(file);
    repair_inertias(spec);
    const Model model = unconstrained(spec);
    std::string reason;
    std::vector<std::string> lost;
    auto peer = peers::MujocoModel::read(unconstrained(write_mjcf(model.spec(), &lost)), model, reason);
    const bool refused =
        std::ranges::any_of(lost, [](const auto& l) { return l.find("refuses") != std::string::npos; });
    EXPECT_EQ(!peer, refused) << reason;
    if (!peer) continue;
    expect_same_torques(*peer, model);
    ++files;
  }
  EXPECT_GE(files, 12);
}

/// Joints of every kind but free ones that do not stand in the world, with rotors, springs, damping, fixed links.
TEST(MjcfWriter, MujocoReadsRandomTrees) {
  std::mt19937_64 rng(31);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute,  JointType::prismatic, JointType::cylindrical,
                   JointType::universal, JointType::planar,    JointType::spherical};
  options.fixed_joints = options.springs = true;
  for (const JointType root : {JointType::fixed, JointType::free, JointType::spherical, JointType::revolute}) {
    options.root = root;
    for (int i = 0; i < 3; ++i) {
      ModelSpec spec = random_tree(rng, 10, options);
      for (LinkSpec& link : spec.links) {
        const double viscous = random_number(rng, 0, 1), rotor = random_number(rng, 0, 1);
        for (DofSpec& dof : link.joint.dofs) {
          dof.viscous = viscous, dof.rotor_inertia = link.joint.type == JointType::free ? 0 : rotor;
        }
      }
      const Model model = build_model(spec);
      std::string reason;
      auto peer = peers::MujocoModel::read(unconstrained(write_mjcf(spec)), model, reason);
      ASSERT_TRUE(peer) << reason;
      expect_same_torques(*peer, model);
    }
  }
}

/// A bar on a hinge and a body that floats, joined in different ways.
std::string joined(const std::string& equality) {
  return R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="bar" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3"><joint name="hinge" axis="1 2 3"/><geom size="0.1"/></body>
    <body name="floating" pos="0.3 0 0.5" euler="0.3 -0.2 0.1"><geom size="0.1"/>
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><joint name="z" type="slide"/>
      <joint name="rx" axis="1 0 0"/><joint name="ry" axis="0 1 0"/><joint name="rz"/></body>
    </worldbody><equality>)" +
         equality + "</equality></mujoco>";
}

TEST(Mjcf, LoopsCloseWhereMujocoClosesThem) {
  for (const char* equality :
       {R"(<connect body1="bar" body2="floating" anchor="0.2 0.1 0"/>)",
        R"(<connect body1="floating" anchor="0.2 0.1 0"/>)", R"(<weld body1="bar" body2="floating"/>)",
        R"(<weld body1="bar" body2="floating" relpose="0.1 0.2 -0.1 0.9 0.1 0.2 0.3"/>)",
        R"(<weld body1="bar" body2="floating" anchor="0.1 0 0.2" relpose="0.1 0.2 -0.1 0.9 0.1 0.2 0.3"/>)",
        R"(<weld body1="floating" anchor="0.1 0 0.2"/>)",
        R"(<weld body1="floating" body2="bar" relpose="0 0.2 0 1 0 0 0.5"/>)"}) {
    SCOPED_TRACE(equality);
    const std::string text = joined(equality);
    const Model model = build_model(read_spec(text, "joined.xml"));
    std::string reason;
    auto peer = peers::MujocoModel::read(text, model, reason);
    ASSERT_TRUE(peer) << reason;
    const Mechanism mechanism(model);
    std::mt19937_64 rng(3);
    const ClosedState state = closed_state(mechanism, rng, 0.5);
    EXPECT_LE(peer->equality_violation(state.q), 1e-9);
    EXPECT_GE(peer->equality_violation(random_configuration(model, rng)), 1e-3);
  }
}

/// Everything that the reader knows about masses, places and joints.
constexpr char kEverything[] = R"(<mujoco model="everything">
  <compiler angle="degree" eulerseq="XYz" autolimits="true" balanceinertia="true" inertiagrouprange="0 3"/>
  <option gravity="0.1 -0.2 -9"/>
  <default>
    <joint damping="0.3" armature="0.5"/>
    <default class="springy"><joint stiffness="20" springref="15" axis="0 1 0"/></default>
    <default class="light"><geom density="200"/></default>
  </default>
  <worldbody>
    <body name="base" pos="0.1 0.2 0.3" euler="10 20 30">
      <joint name="base" type="free" armature="0"/>
      <geom type="box" size="0.2 0.1 0.05" pos="0 0 0.02" axisangle="1 1 0 40"/>
      <geom type="sphere" size="0.3" group="4"/>
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
          <body name="impossible" pos="0 0.1 0">
            <joint name="f" axis="0 1 0"/>
            <inertial pos="0 0.1 0" mass="1" fullinertia="0.02 0.03 0.14 0.001 0.002 -0.003"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

TEST(Mjcf, EverythingAgreesWithMujoco) {
  const Model model = build_model(read_spec(kEverything, "everything.xml"));
  EXPECT_EQ(model.nv(), 6 + 2 + 3 + 3);
  std::string text = kEverything, reason;
  const std::string flag = "<option><flag constraint=\"disable\"/></option>\n";
  text.insert(text.find("  <default>"), flag);
  auto peer = peers::MujocoModel::read(text, model, reason);
  ASSERT_TRUE(peer) << reason;
  expect_same_torques(*peer, model);
}

}  // namespace
}  // namespace verne::test
