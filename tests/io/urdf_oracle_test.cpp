/// Our URDF reader against urdfdom, the reference implementation.
#ifdef VERNE_HAVE_URDFDOM
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>
#endif

#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#include "io/io_support.h"
#include "support/paths.h"
#include "support/real_robots.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

#ifdef VERNE_HAVE_URDFDOM

Vec3<double> to_vector(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}
Transform<double> to_transform(const urdf::Pose& pose) {
  const urdf::Rotation& q = pose.rotation;
  return {rotation_from_quaternion(q.x, q.y, q.z, q.w), to_vector(pose.position)};
}

void compare_inertial(const urdf::Link& theirs, const LinkSpec& ours) {
  ASSERT_EQ(static_cast<bool>(theirs.inertial), ours.has_inertial);
  if (!theirs.inertial) return;
  const urdf::Inertial& i = *theirs.inertial;
  const Sym3<double> I{i.ixx, i.ixy, i.ixz, i.iyy, i.iyz, i.izz};
  EXPECT_EQ(i.mass, ours.mass);
  expect_near(to_vector(i.origin.position), ours.com, 0, "com");
  expect_near(rotate(to_transform(i.origin).R, I), ours.inertia, 1e-13, "inertia");
}

void compare_limits(const urdf::Joint& theirs, const JointSpec& ours) {
  if (velocity_count(ours.type) != 1) return;
  const DofSpec& dof = ours.dofs.at(0);
  if (theirs.limits) {
    EXPECT_EQ(theirs.limits->effort, dof.effort_upper);
    EXPECT_EQ(theirs.limits->velocity, dof.velocity);
    if (theirs.type != urdf::Joint::CONTINUOUS) {
      EXPECT_EQ(theirs.limits->lower, dof.lower);
      EXPECT_EQ(theirs.limits->upper, dof.upper);
    }
  }
  EXPECT_EQ(theirs.dynamics ? theirs.dynamics->damping : 0, dof.viscous);
  EXPECT_EQ(theirs.dynamics ? theirs.dynamics->friction : 0, dof.coulomb);
  ASSERT_EQ(static_cast<bool>(theirs.mimic), ours.mimic.has_value());
  if (theirs.mimic) {
    EXPECT_EQ(theirs.mimic->joint_name, ours.mimic->joint);
    EXPECT_EQ(theirs.mimic->multiplier, ours.mimic->ratio);
    EXPECT_EQ(theirs.mimic->offset, ours.mimic->offset);
  }
}

void compare_joint(const urdf::Joint& theirs, const LinkSpec& ours) {
  static const std::map<int, JointType> kTypes = {
      {urdf::Joint::REVOLUTE, JointType::revolute},   {urdf::Joint::CONTINUOUS, JointType::revolute},
      {urdf::Joint::PRISMATIC, JointType::prismatic}, {urdf::Joint::FLOATING, JointType::free},
      {urdf::Joint::PLANAR, JointType::planar},       {urdf::Joint::FIXED, JointType::fixed}};
  EXPECT_EQ(theirs.name, ours.joint.name);
  EXPECT_EQ(theirs.parent_link_name, ours.parent);
  EXPECT_EQ(kTypes.at(theirs.type), ours.joint.type);
  expect_near(to_transform(theirs.parent_to_joint_origin_transform), ours.X_PJ, 1e-15, "origin");
  if (velocity_count(ours.joint.type) == 1) expect_near(to_vector(theirs.axis), ours.joint.axis, 0, "axis");
  compare_limits(theirs, ours.joint);
}

void compare_file(const std::string& path) {
  SCOPED_TRACE(path);
  const auto theirs = urdf::parseURDF(read_text_file(path));
  ASSERT_TRUE(theirs);
  const ModelSpec ours = load_spec(path);
  EXPECT_EQ(theirs->getName(), ours.name);
  ASSERT_EQ(theirs->links_.size(), ours.links.size());
  for (const LinkSpec& link : ours.links) {
    SCOPED_TRACE(link.name);
    const auto their_link = theirs->getLink(link.name);
    ASSERT_TRUE(their_link);
    compare_inertial(*their_link, link);
    EXPECT_EQ(their_link->visual_array.size(), link.visuals.size());
    EXPECT_EQ(their_link->collision_array.size(), link.collisions.size());
    ASSERT_EQ(static_cast<bool>(their_link->parent_joint), !link.parent.empty());
    if (their_link->parent_joint) compare_joint(*their_link->parent_joint, link);
  }
}

/// Changes one thing of a file at random: takes an attribute or element away, says it twice, gives it another value, or
/// adds what nobody knows.
void change_something(tinyxml2::XMLDocument& document, std::mt19937_64& rng) {
  std::vector<tinyxml2::XMLElement*> elements;
  const std::function<void(tinyxml2::XMLElement*)> gather = [&](tinyxml2::XMLElement* element) {
    elements.push_back(element);
    for (auto* child = element->FirstChildElement(); child; child = child->NextSiblingElement()) gather(child);
  };
  gather(document.RootElement());
  const auto pick = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(rng); };
  tinyxml2::XMLElement* const element = elements[1 + pick(elements.size() - 1)];
  std::vector<std::string> attributes;
  for (auto* a = element->FirstAttribute(); a; a = a->Next()) attributes.emplace_back(a->Name());
  const std::string attribute = attributes.empty() ? "name" : attributes[pick(attributes.size())];
  const char* const values[] = {"", "0", "-1", "1e-3", " 2 ", "0 0 0", " 1 2 3 ", "+1", "1e400", "inf", "0.5.5", "x"};
  switch (pick(6)) {
    case 0:
      element->DeleteAttribute(attribute.c_str());
      break;
    case 1:
      element->Parent()->DeleteChild(element);
      break;
    case 2:
      element->Parent()->InsertEndChild(element->DeepClone(&document));
      break;
    case 3:
      element->InsertNewChildElement("something_else")->SetAttribute("value", "1");
      element->SetAttribute("something", "else");
      break;
    default:
      element->SetAttribute(attribute.c_str(), values[pick(std::size(values))]);
  }
}

/// Of a changed file that urdfdom opens: what we find wrong, or "".
std::string our_errors(const std::string& text) {
  Diagnostics diagnostics;
  const ModelSpec spec = read_urdf(text, "", diagnostics);
  if (!diagnostics.errors().empty()) return messages(diagnostics.errors(), "error");
  try {
    build_model(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// What urdfdom opens although there are no numbers for dynamics in it. What is wrong in an <inertial> it complains of,
/// and goes on without.
bool cannot_be_computed(const std::string& errors) {
  for (const char* why : {"<inertial>", "expected a number that is not negative", "axis is zero", "an empty name"}) {
    if (errors.find(why) != std::string::npos) return true;
  }
  return false;
}

#else

void compare_file(const std::string&) {
  GTEST_SKIP() << "built without urdfdom (VERNE_PEERS)";
}

#endif

std::vector<std::string> urdf_files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf") files.push_back(entry.path().string());
  }
  return files;
}

const std::filesystem::path kSource = source_dir();

TEST(UrdfOracle, OwnFiles) {
  std::vector<std::string> files = urdf_files(kSource / "tests/data/urdf");
  ASSERT_FALSE(files.empty());
  for (const std::string& file : urdf_files(kSource / "tests/data/peers")) files.push_back(file);
  for (const std::string& file : files) compare_file(file);
}

TEST(UrdfOracle, OtherPeoplesFiles) {
  const auto files = urdf_files(kSource.parent_path() / "shared/vectors");
  if (files.empty()) GTEST_SKIP() << "the folder shared/vectors beside the project is not there";
  for (const std::string& file : files) compare_file(file);
}

TEST(UrdfOracle, RealRobots) {
  const std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  for (const std::string& file : files) compare_file(file);
}

/// Files with mistakes: what urdfdom opens, we open, but for what has no dynamics.
TEST(UrdfOracle, OpensWhatUrdfdomOpens) {
#ifdef VERNE_HAVE_URDFDOM
  const std::string text = read_text_file((kSource / "tests/data/urdf/gripper.urdf").string());
  std::mt19937_64 rng(17);
  const auto level = console_bridge::getLogLevel();
  console_bridge::setLogLevel(console_bridge::CONSOLE_BRIDGE_LOG_NONE);
  int opened = 0;
  for (int k = 0; k < 3000; ++k) {
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(text.c_str()), tinyxml2::XML_SUCCESS);
    for (int changes = 1 + k % 3; changes > 0; --changes) change_something(document, rng);
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    if (!urdf::parseURDF(printer.CStr())) continue;
    ++opened;
    const std::string errors = our_errors(printer.CStr());
    EXPECT_TRUE(errors.empty() || cannot_be_computed(errors)) << errors << "\n" << printer.CStr();
  }
  console_bridge::setLogLevel(level);
  EXPECT_GT(opened, 1000);
#else
  GTEST_SKIP() << "built without urdfdom (VERNE_PEERS)";
#endif
}

TEST(UrdfOracle, ReadsWhatWeWrite) {
#ifdef VERNE_HAVE_URDFDOM
  const ModelSpec spec = load_spec((kSource / "tests/data/conventions/dh.yaml").string());
  const auto theirs = urdf::parseURDF(write_urdf(spec));
  ASSERT_TRUE(theirs);
  EXPECT_EQ(theirs->links_.size(), spec.links.size() + spec.frames.size());
#else
  GTEST_SKIP() << "built without urdfdom (VERNE_PEERS)";
#endif
}

}  // namespace
}  // namespace verne::test
