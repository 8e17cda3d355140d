/// What is written as MJCF and read again moves as before. That MuJoCo reads it: tests/peers/mjcf_test.cpp.
#include <gtest/gtest.h>

#include <random>

#include "io/io_support.h"
#include "structures/mechanism_support.h"
#include "support/random_model.h"
#include "support/real_robots.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"

namespace verne::test {
namespace {

/// Relative to the largest entry: poses pass through quaternions, inertias through principal axes.
constexpr double kTolerance = 1e-11;

Model through_mjcf(const ModelSpec& spec) {
  return build_model(read_sound(read_mjcf, write_mjcf(spec)));
}

template <class Block>
void expect_close(const Block& a, const Block& b) {
  ASSERT_EQ(a.rows(), b.rows());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), kTolerance * a.cwiseAbs().maxCoeff());
}

/// Torques and mass matrices; and that the torques of the one accelerate the other in the same way.
void expect_same_motion(const Model& a, const Model& b) {
  ASSERT_EQ(a.nq(), b.nq());
  ASSERT_EQ(a.nv(), b.nv());
  std::mt19937_64 rng(41);
  Data data_a(a), data_b(b);
  const int n = a.nv();
  for (int state = 0; state < 3; ++state) {
    const Eigen::VectorXd q = random_configuration(a, rng);
    const Eigen::VectorXd v = random_values(rng, n, 2), acceleration = random_values(rng, n, 2);
    const Eigen::VectorXd tau = inverse_dynamics(a, data_a, q, v, acceleration);
    expect_close<Eigen::VectorXd>(tau, inverse_dynamics(b, data_b, q, v, acceleration));
    expect_close<Eigen::MatrixXd>(mass_matrix(a, data_a, q), mass_matrix(b, data_b, q));
    if (!a.joints_without_inertia().empty()) continue;
    // The condition of the mass matrix is the model's: what counts are the torques of the acceleration that is found.
    const Eigen::VectorXd found = forward_dynamics(b, data_b, q, v, tau);
    EXPECT_LE((inverse_dynamics(a, data_a, q, v, found) - tau).cwiseAbs().maxCoeff(), 1e-9 * tau.cwiseAbs().maxCoeff());
  }
}

/// Joints keep their names and limits, links theirs where they weigh something; frames are where they were.
void expect_same_names(const Model& a, const Model& b) {
  for (const Joint& joint : a.joints()) {
    if (velocity_count(joint.spec.type) != 1) continue;
    const Joint& other = b.joints()[static_cast<std::size_t>(b.joint(joint.spec.name))];
    EXPECT_EQ(other.v, joint.v) << joint.spec.name;
    EXPECT_EQ(other.coupled(), joint.coupled()) << joint.spec.name;
    EXPECT_EQ(other.spec.actuated, joint.spec.actuated) << joint.spec.name;
    if (joint.spec.dofs.empty()) continue;
    DofSpec expected = joint.spec.dofs[0];
    expected.velocity = kInfinity;
    if (expected.lower >= expected.upper) expected.lower = -kInfinity, expected.upper = kInfinity;
    if (!(expected.effort_lower < expected.effort_upper)) {
      expected.effort_lower = -kInfinity, expected.effort_upper = kInfinity;
    }
    if (!joint.spec.actuated) expected.effort_lower = -kInfinity, expected.effort_upper = kInfinity;
    if (expected.stiffness == 0) expected.rest = 0;
    expect_same(expected, other.spec.dofs.empty() ? DofSpec{} : other.spec.dofs[0], joint.spec.name);
  }
  for (const Link& link : a.links()) {
    if (link.mass == 0) continue;
    EXPECT_EQ(b.links()[static_cast<std::size_t>(b.link(link.name))].mass, link.mass) << link.name;
  }
  Data data_a(a), data_b(b);
  std::mt19937_64 rng(43);
  const Eigen::VectorXd q = random_configuration(a, rng);
  const Kinematics<double> there = forward_kinematics(a, data_a, q), back = forward_kinematics(b, data_b, q);
  for (const FrameSpec& frame : a.frames()) {
    const int i = a.site(frame.name), k = b.site(frame.name);
    EXPECT_LE((there.position(i) - back.position(k)).norm(), 1e-12) << frame.name;
    EXPECT_LE((there.rotation(i) - back.rotation(k)).norm(), 1e-12) << frame.name;
  }
}

TEST(MjcfRoundTrip, RandomTrees) {
  std::mt19937_64 rng(42);
  RandomTreeOptions options;
  options.kinds = {JointType::revolute,  JointType::prismatic, JointType::helical,  JointType::cylindrical,
                   JointType::universal, JointType::planar,    JointType::spherical};
  options.fixed_joints = options.coupled_joints = options.springs = true;
  for (const JointType root : {JointType::fixed, JointType::free, JointType::spherical, JointType::helical}) {
    options.root = root;
    for (int i = 0; i < 5; ++i) {
      ModelSpec spec = random_tree(rng, 12, options);
      for (LinkSpec& link : spec.links) {
        link.joint.actuated = random_number(rng, 0, 1) < 0.5;
        const double viscous = random_number(rng, 0, 1), other = random_number(rng, 0, 1);
        for (DofSpec& dof : link.joint.dofs) {
          dof.viscous = viscous;
          if (link.joint.type != JointType::free) dof.coulomb = dof.rotor_inertia = other;
          if (link.joint.type == JointType::spherical) continue;
          dof.lower = -random_number(rng, 1, 2), dof.effort_upper = random_number(rng, 1, 2);
        }
      }
      const Model model = build_model(spec), back = through_mjcf(spec);
      expect_same_motion(model, back);
      expect_same_names(model, back);
    }
  }
}

TEST(MjcfRoundTrip, ShippedModels) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml" || entry.path().stem() == "hybrid") continue;
    SCOPED_TRACE(entry.path().filename().string());
    ModelSpec spec = load_spec(entry.path().string());
    for (LinkSpec& link : spec.links) {
      for (DofSpec& dof : link.joint.dofs) dof.friction_width = 0;
    }
    const Model model = build_model(spec), back = through_mjcf(spec);
    expect_same_motion(model, back);
    expect_same_names(model, back);
    ++count;
  }
  EXPECT_GE(count, 20);
}

/// Closed states of the mechanism that was written are closed states of the one that is read, which moves as freely.
TEST(MjcfRoundTrip, Loops) {
  for (const char* name : {"four_bar", "five_bar", "slider_crank", "sr400", "delta", "gough_stewart"}) {
    SCOPED_TRACE(name);
    const Mechanism mechanism(shipped_model(name)), back(through_mjcf(mechanism.model().spec()));
    EXPECT_EQ(back.mobility(), mechanism.mobility());
    MechanismData<double> data(back);
    std::mt19937_64 rng(44);
    for (int k = 0; k < 3; ++k) {
      const ClosedState state = closed_state(mechanism, rng, 0.1);
      require_closed(back, data, state.q, state.v, state.a, 1e-8);
    }
  }
}

TEST(MjcfRoundTrip, RealRobots) {
  std::vector<std::string> files = real_urdf_files();
  VERNE_SKIP_WITHOUT_ROBOTS(files);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    const Model model = load_model(file), back = through_mjcf(model.spec());
    expect_same_motion(model, back);
    expect_same_names(model, back);
  }
}

TEST(MjcfRoundTrip, Menagerie) {
  const std::filesystem::path folder = source_dir() + "/../shared/robots/menagerie";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no robots at " << folder;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Model model = load_model(entry.path().string()), back = through_mjcf(model.spec());
    expect_same_motion(model, back);
    expect_same_names(model, back);
    EXPECT_EQ(model.loops().size(), back.loops().size());
    ++files;
  }
  EXPECT_GE(files, 9);
}

/// As the tree would have it, but a free body stands in the world: coordinates keep their order.
TEST(MjcfWriter, FreeBodiesOnAFixedBase) {
  const ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
convention: tree
base: {name: base, pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.1, 0.2, 0.3]}}
links:
  - {name: ball, parent: base, mass: 1, com: [0.1, 0, 0], inertia: [1, 2, 2.5], pose: {xyz: [1, 0, 0]}, joint: {type: free}}
  - {name: arm, parent: base, mass: 1, com: [0.1, 0, 0], inertia: [1, 2, 2.5], joint: {type: revolute}}
)");
  expect_same_motion(build_model(spec), through_mjcf(spec));
}

TEST(MjcfWriter, SaysWhatIsLost) {
  ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
source: somewhere
convention: tree
base: {name: world}
links:
  - {name: massless, parent: world, joint: {type: revolute, limits: {velocity: 1}}}
  - {name: a, parent: massless, mass: 1, inertia: [1, 1, 1], joint: {type: universal, axis: [1, 0, 0]}}
  - {name: mount, parent: a, joint: {type: fixed, name: glue}}
  - name: b
    parent: mount
    mass: 1
    inertia: [1, 1, 1]
    joint: {type: spherical}
    visuals: [{mesh: {file: b.stl}}, {sphere: {radius: 0}}]
  - {name: c, parent: b, mass: 1, inertia: [1, 1, 1], joint: {type: revolute, limits: {effort: 0}, friction: {coulomb: 1, width: 0.1}}}
contacts: [{name: toe, link: c}]
)");
  const auto b = std::ranges::find(spec.links, "b", &LinkSpec::name);
  b->joint.dofs.resize(3), b->joint.dofs[1].viscous = 1;
  std::vector<std::string> lost;
  write_mjcf(spec, &lost);
  EXPECT_EQ(
      lost,
      (std::vector<std::string>{
          "names of fixed joints", "universal joints, written as several: a_joint", "contacts, written as sites: toe",
          "velocity limits: massless_joint", "links without mass, whose joints are in the next body: massless",
          "friction and rotor inertia that are not the same along all axes of the body or the world: b_joint",
          "meshes: b", "shapes without volume: b", "width of the friction at rest: c_joint",
          "effort limits that leave no room: c_joint", "source"}));
}

TEST(MjcfWriter, RefusesLoopsThatItCannotClose) {
  for (const char* type : {"prismatic", "cylindrical", "planar", "point_on_line", "universal"}) {
    const ModelSpec spec = read_sound(read_yaml, std::string(R"(format: verne-model/1
convention: tree
links:
  - {name: a, mass: 1, inertia: [1, 1, 1], joint: {type: free}}
loops: [{name: rail, type: )") + type + R"(, a: {link: a}, b: {link: world}}]
)");
    EXPECT_EQ(input_error([&] { write_mjcf(spec); }),
              std::string("m:5: error: loop 'rail': MJCF cannot close loops by ") + type + " joints: write YAML");
  }
}

TEST(MjcfWriter, RefusesFreeJointsOnMovingLinks) {
  const ModelSpec spec = read_sound(read_yaml, R"(format: verne-model/1
convention: tree
links:
  - {name: a, mass: 1, inertia: [1, 1, 1], joint: {type: revolute}}
  - {name: b, parent: a, mass: 1, inertia: [1, 1, 1], joint: {type: free}}
)");
  EXPECT_EQ(input_error([&] { write_mjcf(spec); }),
            "m:5: error: joint 'b_joint': MJCF has free joints in the world only, not on link 'a'");
}

}  // namespace
}  // namespace verne::test
