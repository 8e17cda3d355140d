/// What is written and read again is the same model.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "io/io_support.h"
#include "io/trivial.h"
#include "support/paths.h"
#include "support/random_model.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

const std::string kSource = source_dir();

void expect_same_joint(const JointSpec& a, const JointSpec& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type, b.type) << a.name;
  EXPECT_EQ(a.actuated, b.actuated) << a.name;
  if (has_axis(a.type)) expect_near(a.axis, b.axis, 0, a.name + " axis");
  if (a.type == JointType::universal) expect_near(a.axis2, b.axis2, 0, a.name + " axis2");
  if (a.type == JointType::helical) expect_same(a.pitch, b.pitch, a.name + " pitch");
  ASSERT_EQ(a.mimic.has_value(), b.mimic.has_value()) << a.name;
  if (a.mimic) {
    EXPECT_EQ(a.mimic->joint, b.mimic->joint);
    expect_same(a.mimic->ratio, b.mimic->ratio, a.name + " ratio");
    expect_same(a.mimic->offset, b.mimic->offset, a.name + " offset");
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(velocity_count(a.type)); ++i) {
    expect_same(a.dofs.empty() ? DofSpec{} : a.dofs.at(i), b.dofs.empty() ? DofSpec{} : b.dofs.at(i), a.name);
  }
}

void expect_same_visual(const VisualSpec& a, const VisualSpec& b) {
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.mesh, b.mesh);
  expect_near(a.size, b.size, 0, "size");
  expect_near(a.X_LV, b.X_LV, 1e-15, "visual");
}

void expect_same_link(const LinkSpec& a, const LinkSpec& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.parent, b.parent) << a.name;
  expect_same_joint(a.joint, b.joint);
  expect_near(a.X_PJ, b.X_PJ, 1e-15, a.name + " X_PJ");
  expect_near(a.X_JL, b.X_JL, 1e-15, a.name + " X_JL");
  EXPECT_EQ(a.has_inertial, b.has_inertial) << a.name;
  expect_same(a.mass, b.mass, a.name + " mass");
  expect_near(a.com, b.com, 0, a.name + " com");
  expect_near(a.inertia, b.inertia, 0, a.name + " inertia");
  ASSERT_EQ(a.visuals.size(), b.visuals.size()) << a.name;
  for (std::size_t i = 0; i < a.visuals.size(); ++i) expect_same_visual(a.visuals[i], b.visuals[i]);
}

void expect_yaml_round_trip(const ModelSpec& spec) {
  const std::string text = write_yaml(spec);
  SCOPED_TRACE(text.substr(0, 2000));
  const ModelSpec back = read_sound(read_yaml, text);
  EXPECT_EQ(spec.name, back.name);
  EXPECT_EQ(spec.source, back.source);
  expect_near(spec.gravity, back.gravity, 0, "gravity");
  ASSERT_EQ(spec.links.size(), back.links.size());
  for (std::size_t i = 0; i < spec.links.size(); ++i) expect_same_link(spec.links[i], back.links[i]);
  ASSERT_EQ(spec.frames.size(), back.frames.size());
  for (std::size_t i = 0; i < spec.frames.size(); ++i) {
    EXPECT_EQ(spec.frames[i].name, back.frames[i].name);
    EXPECT_EQ(spec.frames[i].link, back.frames[i].link);
    expect_near(spec.frames[i].X_LF, back.frames[i].X_LF, 1e-15, spec.frames[i].name);
  }
  ASSERT_EQ(spec.contacts.size(), back.contacts.size());
  for (std::size_t i = 0; i < spec.contacts.size(); ++i) {
    EXPECT_EQ(spec.contacts[i].name, back.contacts[i].name);
    EXPECT_EQ(spec.contacts[i].link, back.contacts[i].link);
    EXPECT_EQ(spec.contacts[i].type, back.contacts[i].type);
    expect_near(spec.contacts[i].point, back.contacts[i].point, 0, spec.contacts[i].name);
    expect_near(Transform<double>{spec.contacts[i].R_LC, {0, 0, 0}}, {back.contacts[i].R_LC, {0, 0, 0}}, 1e-15,
                spec.contacts[i].name);
  }
  ASSERT_EQ(spec.loops.size(), back.loops.size());
  for (std::size_t i = 0; i < spec.loops.size(); ++i) {
    EXPECT_EQ(spec.loops[i].name, back.loops[i].name);
    EXPECT_EQ(spec.loops[i].type, back.loops[i].type);
    for (const auto end : {&LoopSpec::a, &LoopSpec::b}) {
      EXPECT_EQ((spec.loops[i].*end).link, (back.loops[i].*end).link);
      expect_near((spec.loops[i].*end).X_LF, (back.loops[i].*end).X_LF, 1e-15, spec.loops[i].name);
    }
  }
  ASSERT_EQ(spec.home.size(), back.home.size());
  for (std::size_t i = 0; i < spec.home.size(); ++i) {
    EXPECT_EQ(spec.home[i].joint, back.home[i].joint);
    EXPECT_EQ(spec.home[i].q, back.home[i].q);
  }
  EXPECT_EQ(spec.independent, back.independent);
}

/// In the world at home, everything is where it was; `back` may have more links (world, frames, contacts).
void expect_urdf_round_trip(const ModelSpec& spec) {
  const std::string text = write_urdf(spec);
  SCOPED_TRACE(text.substr(0, 2000));
  const ModelSpec back = read_sound(read_urdf, text);
  auto before = home_links(spec), after = home_links(back);
  std::map<std::string, const LinkSpec*> links;
  for (const LinkSpec& link : back.links) links[link.name] = &link;
  for (const LinkSpec& link : spec.links) {
    ASSERT_TRUE(links.count(link.name)) << link.name;
    const JointSpec& joint = links[link.name]->joint;
    const HomeLink &a = before[link.name], &b = after[link.name];
    EXPECT_EQ(joint.type, link.joint.type) << link.name;
    expect_near(b.X_WJ, a.X_WJ, 1e-13, link.name + " joint frame");
    expect_near(b.X_WL, a.X_WJ, 1e-13, link.name + " link frame");
    if (velocity_count(joint.type) == 1) expect_near(b.axis_W, a.axis_W, 1e-13, link.name + " axis");
    expect_same(links[link.name]->mass, link.mass, link.name + " mass");
    expect_near(b.inertia_W.mc, a.inertia_W.mc, 1e-12, link.name + " mc");
    expect_near(b.inertia_W.I, a.inertia_W.I, 1e-11, link.name + " inertia");
    EXPECT_EQ(joint.mimic.has_value(), link.joint.mimic.has_value()) << link.name;
  }
  for (const FrameSpec& frame : spec.frames) {
    expect_near(after[frame.name].X_WL, before[frame.link].X_WL * frame.X_LF, 1e-13, frame.name);
  }
  for (const ContactSpec& contact : spec.contacts) {
    expect_near(after[contact.name].X_WL.p, before[contact.link].X_WL * contact.point, 1e-13, contact.name);
  }
}

RandomTreeOptions everything(JointType root) {
  RandomTreeOptions options;
  options.root = root;
  options.fixed_joints = options.coupled_joints = options.friction = true;
  options.rotor_inertia = options.springs = true;
  return options;
}

TEST(YamlRoundTrip, RandomTrees) {
  std::mt19937_64 rng(11);
  for (const JointType root : {JointType::fixed, JointType::free, JointType::planar, JointType::revolute}) {
    for (int i = 0; i < 5; ++i) expect_yaml_round_trip(random_tree(rng, 12, everything(root)));
  }
}

TEST(YamlRoundTrip, LimitsNamesAndSource) {
  std::mt19937_64 rng(5);
  ModelSpec spec = random_tree(rng, 4);
  spec.name = "it's: a \"name\"\t#1";
  spec.links[1].joint.name = "null";
  spec.links[2].joint.name = "1e3";
  spec.links[3].joint.actuated = false;
  spec.contacts.push_back({"edge", spec.links[2].name, {1, 2, 3}, 0, ContactType::line, random_rotation(rng)});
  spec.contacts.push_back({"sole", spec.links[2].name, {1, 2, 3}, 0, ContactType::rigid});
  for (LinkSpec& link : spec.links) {
    link.joint.dofs.assign(static_cast<std::size_t>(velocity_count(link.joint.type)), DofSpec{});
    for (DofSpec& dof : link.joint.dofs) {
      dof.lower = -random_number(rng, 1, 2);
      dof.velocity = random_number(rng, 1, 2);
      dof.effort_upper = random_number(rng, 1, 2);
    }
    link.visuals.push_back({VisualSpec::Shape::mesh, random_pose(rng, 1), {1, 2, 3}, "a file.stl", {}});
    link.visuals.push_back({VisualSpec::Shape::capsule, random_pose(rng, 1), {1, 2, 0}, "", {}});
  }
  for (const char* source :
       {"", "plain", "two\nlines\n", " leading\n", "with\n\nblank\n", "a: b\n# c\n", "\n", "tab\tx\n"}) {
    spec.source = source;
    expect_yaml_round_trip(spec);
  }
}

TEST(UrdfRoundTrip, RandomTrees) {
  std::mt19937_64 rng(12);
  for (const JointType root : {JointType::fixed, JointType::free, JointType::planar}) {
    RandomTreeOptions options = everything(root);
    options.kinds = {JointType::revolute, JointType::prismatic, JointType::planar, JointType::free};
    for (int i = 0; i < 5; ++i) expect_urdf_round_trip(random_tree(rng, 12, options));
  }
}

TEST(UrdfRoundTrip, FileToFile) {
  const ModelSpec spec = load_spec(kSource + "/tests/data/urdf/gripper.urdf");
  std::vector<std::string> lost;
  const ModelSpec back = read_sound(read_urdf, write_urdf(spec, &lost));
  EXPECT_TRUE(lost.empty());
  ASSERT_EQ(back.links.size(), spec.links.size());
  for (std::size_t i = 0; i < spec.links.size(); ++i) {
    const LinkSpec &a = spec.links[i], &b = back.links[i];
    expect_same_joint(a.joint, b.joint);
    expect_near(a.X_PJ, b.X_PJ, 1e-15, a.name);
    expect_near(a.inertia, b.inertia, 0, a.name);
    expect_near(a.com, b.com, 0, a.name);
    ASSERT_EQ(a.visuals.size(), b.visuals.size());
  }
}

TEST(UrdfWriter, SaysWhatIsLost) {
  ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
source: somewhere
convention: dh
gravity: [0, 0, 0]
links:
  - name: a
    joint: {type: revolute, limits: {effort: [-5, 12]}, friction: {coulomb: 1, width: 0.1}, rotor_inertia: 0.2, actuated: false}
    dh: {a: 1}
    visuals: [{capsule: {radius: 0.1, length: 1}}]
  - {name: b, joint: {type: revolute, rotor_inertia: 1, stiffness: 3, ligaments: {slack: [-1, 1], stiffness: 9}}, dh: {a: 1}}
frames: [{name: a_joint, link: b}]
)");
  std::vector<std::string> lost;
  write_urdf(spec, &lost);
  EXPECT_EQ(lost,
            (std::vector<std::string>{
                "capsules, written as cylinders: a", "link frames, moved to the joint: a, b",
                "effort limits that differ by direction: a_joint", "width of the friction at rest: a_joint",
                "rotor inertia: a_joint, b_joint", "joints that are not actuated: a_joint", "stiffness: b_joint",
                "ligaments: b_joint", "names that are taken, with _ appended: a_joint", "gravity: 0 0 0", "source"}));
}

TEST(UrdfWriter, RefusesJointsThatUrdfDoesNotHave) {
  ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
convention: tree
links:
  - {name: a, joint: {type: spherical}}
  - {name: b, joint: {type: helical}}
)");
  EXPECT_EQ(input_error([&] { write_urdf(spec); }),
            "m:4: error: joint 'a_joint': URDF has no spherical joint\n"
            "m:5: error: joint 'b_joint': URDF has no helical joint");
}

TEST(RoundTrip, ShippedModels) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    const ModelSpec spec = load_spec(entry.path().string());
    expect_yaml_round_trip(spec);
    const bool in_urdf = std::none_of(spec.links.begin(), spec.links.end(),
                                      [](const LinkSpec& link) { return link.joint.type == JointType::universal; });
    const bool closes_from_zero = spec.loops.empty() || spec.home.empty();  // others are refused
    if (in_urdf && closes_from_zero) expect_urdf_round_trip(spec);
    ++count;
  }
  if (count == 0) GTEST_SKIP() << "no models";
}

}  // namespace
}  // namespace verne::test
