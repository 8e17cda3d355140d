/// Elastic joints, flexible transmissions and moving bases: closed forms, limits and laws, on shipped models where
/// there are some.
#include "dynamics/hybrid.h"
#include "formulations/khalil_elastic.h"
#include "formulations/khalil_moving_base.h"
#include "formulations/khalil_support.h"
#include "io/io_support.h"
#include "support/compare.h"
#include "support/complex_step.h"
#include "support/paths.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

Model shipped_model(const std::string& name) {
  return load_model(source_dir() + "/models/" + name + ".yaml");
}

/// A bar on a hinge about z, in free space.
ModelSpec hinged_bar(double inertia) {
  ModelSpec spec;
  spec.name = "bar";
  spec.gravity = {0, 0, 0};
  spec.links.resize(2);
  spec.links[0].name = "base";
  spec.links[0].joint.name = "root";
  spec.links[1].name = "bar";
  spec.links[1].parent = "base";
  spec.links[1].joint.name = "hinge";
  spec.links[1].joint.type = JointType::revolute;
  spec.links[1].joint.dofs.resize(1);
  spec.links[1].mass = 1;
  spec.links[1].inertia = {inertia, 0, 0, inertia, 0, inertia};
  return spec;
}

Eigen::VectorXd one(double x) {
  return Eigen::VectorXd::Constant(1, x);
}

TEST(ElasticJoint, IsASpringWithItsRestAndItsDamping) {
  ModelSpec spec = hinged_bar(0.5);
  DofSpec& dof = spec.links[1].joint.dofs[0];
  dof.stiffness = 8, dof.rest = 0.3, dof.viscous = 0.7;
  const Model model = build_model(spec);
  Data<double> data(model);
  const double q = 1.1, v = -2, a = 3;
  EXPECT_NEAR(inverse_dynamics(model, data, one(q), one(v), one(a))[0], 0.5 * a + 8 * (q - 0.3) + 0.7 * v, 1e-14);
  EXPECT_NEAR(forward_dynamics(model, data, one(q), one(v), one(2))[0], (2 - 8 * (q - 0.3) - 0.7 * v) / 0.5, 1e-13);
  EXPECT_NEAR(gravity_torques(model, data, one(q))[0], 8 * (q - 0.3), 1e-14);
  const auto whole = whole_body_state(model, data, one(q), one(v), one(a));
  EXPECT_NEAR(whole.potential_energy, 4 * (q - 0.3) * (q - 0.3), 1e-14);
  EXPECT_NEAR(whole.kinetic_energy, 0.25 * v * v, 1e-14);
}

/// J θ̈ = τ_m − τ_s / N and I q̈ = τ_s with τ_s = k (θ / N − q) + d (θ̇ / N − q̇); the model's coordinates are x = θ / N
/// and q − x, its first torque is N τ_m.
TEST(FlexibleTransmission, HasTheEquationsOfMotorAndLink) {
  const std::string text = R"(format: verne-model/1
name: drive
convention: tree
gravity: [0, 0, 0]
links:
  - name: bar
    joint: {name: hinge, type: revolute, transmission: {stiffness: 300, damping: 2, ratio: 50, motor_inertia: 1e-4}}
    mass: 1
    inertia: [0.4, 0.4, 0.4]
)";
  const Model model = build_model(read_sound(read_yaml, text));
  ASSERT_EQ(model.nv(), 2);
  EXPECT_EQ(model.dof_names()[0], "hinge_motor");
  EXPECT_EQ(model.dof_names()[1], "hinge");
  EXPECT_TRUE(model.joints()[1].spec.actuated);
  EXPECT_FALSE(model.joints()[2].spec.actuated);
  Data<double> data(model);
  const double k = 300, d = 2, N = 50, J = 1e-4, I = 0.4;
  const double theta = 20, q = 0.35, theta_dot = 4, q_dot = -1, motor_torque = 0.2;
  const double spring = k * (theta / N - q) + d * (theta_dot / N - q_dot);
  const double theta_ddot = (motor_torque - spring / N) / J, q_ddot = spring / I;
  const Eigen::Vector2d x(theta / N, q - theta / N), v(theta_dot / N, q_dot - theta_dot / N);
  const Eigen::VectorXd found = forward_dynamics(model, data, x, v, Eigen::Vector2d(N * motor_torque, 0));
  EXPECT_TRUE(close(found, Eigen::Vector2d(theta_ddot / N, q_ddot - theta_ddot / N), kRounding));
}

/// The two-link arm of docs/model-format.md with a drive in its elbow.
TEST(FlexibleTransmission, IsTheSameInEveryConvention) {
  const std::string shoulder =
      "    joint: {name: shoulder, type: revolute}\n    mass: 0.5\n    inertia: [0.01, 0.1, 0.1]\n";
  const std::string elbow =
      "    joint: {name: elbow, type: revolute, transmission: {stiffness: 30, damping: 2, ratio: 5, motor_inertia: "
      "0.1}}\n"
      "    mass: 0.5\n    inertia: [0.01, 0.1, 0.1]\n";
  const auto arm = [&](const std::string& convention, const std::string& first, const std::string& second) {
    return build_model(read_sound(read_yaml, "format: verne-model/1\nname: arm\nconvention: " + convention +
                                                 "\ngravity: [0, -9, 0]\nlinks:\n  - name: link1\n" + shoulder + first +
                                                 "  - name: link2\n" + elbow + second));
  };
  const Model tree = arm("tree", "    com: [0.2, 0, 0]\n", "    com: [0.2, 0, 0]\n    pose: {xyz: [0.4, 0, 0]}\n");
  const Model others[] = {
      arm("dh", "    com: [-0.2, 0, 0]\n    dh: {a: 0.4}\n", "    com: [-0.2, 0, 0]\n    dh: {a: 0.4}\n"),
      arm("mdh", "    com: [0.2, 0, 0]\n    mdh: {}\n", "    com: [0.2, 0, 0]\n    mdh: {d: 0.4}\n"),
      arm("screw", "    screw: {omega: [0, 0, 1], v: [0, 0, 0]}\n    home: {xyz: [0.2, 0, 0]}\n",
          "    screw: {omega: [0, 0, 1], v: [0, -0.4, 0]}\n    home: {xyz: [0.6, 0, 0]}\n")};
  Data<double> data(tree);
  std::mt19937_64 rng(8);
  const State s = random_state(tree, rng);
  ASSERT_EQ(tree.nv(), 3);
  const Eigen::VectorXd expected = forward_dynamics(tree, data, s.q, s.v, s.tau);
  for (const Model& model : others) {
    Data<double> own(model);
    EXPECT_TRUE(close(forward_dynamics(model, own, s.q, s.v, s.tau), expected, kSolve));
  }
}

/// With the drives bent by what they transmit, the arm does the same as a rigid one but for the bend itself: τ / k.
TEST(FlexibleTransmission, OfGrowingStiffnessTendsToARigidJoint) {
  const ModelSpec elastic = load_spec(source_dir() + "/models/elastic_arm.yaml");
  ModelSpec rigid = elastic;
  for (LinkSpec& link : rigid.links) {  // the motors drive the arm itself
    if (link.joint.name != "shoulder" && link.joint.name != "elbow") continue;
    link.joint.type = JointType::fixed;
    link.joint.dofs.clear();
  }
  const Model rigid_arm = build_model(rigid);
  Data<double> rigid_data(rigid_arm);
  const Eigen::Vector3d q(0.4, -0.9, 0.1), v(0.5, -1, 0.3), tau(60, 20, 0);  // motors and the rod
  const Eigen::VectorXd a = forward_dynamics(rigid_arm, rigid_data, q, v, tau);
  const Eigen::VectorXd passed = tau - Eigen::VectorXd(Eigen::Vector3d(2 * v[0], 1 * v[1], 0));
  std::vector<double> errors;
  for (const double factor : {1e2, 1e3, 1e4}) {
    ModelSpec spec = elastic;
    std::vector<double> bends;
    for (LinkSpec& link : spec.links) {
      if (link.joint.name == "shoulder" || link.joint.name == "elbow") {
        const Eigen::Index i = link.joint.name == "shoulder" ? 0 : 1;
        const double rotor = rigid_arm.dofs()[static_cast<std::size_t>(i)].rotor_inertia;
        link.joint.dofs[0].stiffness *= factor;
        bends.push_back(-(passed[i] - rotor * a[i]) / link.joint.dofs[0].stiffness);
      }
    }
    const Model model = build_model(spec);
    Data<double> data(model);
    Eigen::VectorXd q5(5), v5(5), tau5(5), a5(5);
    q5 << q[0], bends[0], q[1], bends[1], q[2];
    v5 << v[0], 0, v[1], 0, v[2];
    tau5 << tau[0], 0, tau[1], 0, 0;
    a5 << a[0], 0, a[1], 0, a[2];
    errors.push_back(largest(forward_dynamics(model, data, q5, v5, tau5) - a5));
  }
  EXPECT_NEAR(std::log10(errors[0] / errors[1]), 1, 0.05);
  EXPECT_NEAR(std::log10(errors[1] / errors[2]), 1, 0.05);
  EXPECT_LT(errors[2], 1e-2);
}

/// The inverse model of [K10], section 6: motors are given their accelerations, what is elastic answers.
TEST(ElasticArm, HasKhalilsInverseModel) {
  const Model model = shipped_model("elastic_arm");
  fm::KhalilElasticTree robot{*fm::mdh_tree_of(model), {}};
  std::vector<int> motors;
  for (const DofSpec& dof : model.dofs()) {
    const bool elastic = dof.stiffness > 0;
    robot.springs.push_back(elastic ? std::optional(fm::KhalilSpring{dof.stiffness, dof.rest}) : std::nullopt);
  }
  for (const char* name : {"shoulder_motor", "elbow_motor"}) motors.push_back(model.joint(name));
  Data<double> data(model);
  std::mt19937_64 rng(5);
  for (int k = 0; k < 5; ++k) {
    const State s = random_state(model, rng);
    const fm::KhalilState<double> state{span_of(s.q), span_of(s.v)};
    const auto expected = fm::khalil_elastic<double>(robot, state, span_of(s.a));
    const HybridMotion<double> found =
        hybrid_motion(model, data, GivenAccelerations(model, motors), s.q, s.v, s.a, Eigen::VectorXd::Zero(5));
    EXPECT_TRUE(close(found.a, eigen(expected.qdd), kAgreement));
    for (const int motor : {0, 2}) {
      const double torque = expected.torque[static_cast<std::size_t>(motor)];
      EXPECT_TRUE(close(found.tau[motor], torque, kAgreement, largest(found.tau)));
    }
    expect_wrenches(model, found.wrenches, kAgreement,
                    [&](int body) { return expected.wrench[static_cast<std::size_t>(body) + 1]; });
  }
}

/// The moving-base inverse model of [K10], section 7: hinges are given, the head follows.
TEST(Eel, SwimsAsKhalilsInverseModelSays) {
  const Model model = shipped_model("eel");
  const fm::MdhTree tree = *fm::mdh_tree_of(model);
  ASSERT_EQ(tree.variables, 12);
  std::vector<int> hinges;
  for (int k = 1; k <= 12; ++k) hinges.push_back(model.joint("hinge" + std::to_string(k)));
  Data<double> data(model);
  std::mt19937_64 rng(6);
  for (int k = 0; k < 5; ++k) {
    const State s = random_state(model, rng);
    const Eigen::VectorXd q = s.q.tail(12), v = s.v.tail(12), a = s.a.tail(12);
    const auto expected =
        fm::khalil_moving_inverse<double>(tree, {span_of(q), span_of(v)}, khalil_base(model, s.q, s.v), span_of(a));
    const HybridMotion<double> found =
        hybrid_motion(model, data, GivenAccelerations(model, hinges), s.q, s.v, s.a, Eigen::VectorXd::Zero(18));
    EXPECT_TRUE(close(found.a.head(6), free_joint_acceleration(expected.base, s.v), kAgreement));
    EXPECT_TRUE(close(found.tau.tail(12), eigen(expected.torque), kAgreement));
    EXPECT_EQ(found.tau.head(6), Eigen::VectorXd::Zero(6));
  }
}

/// Momentum is conserved whatever the joints do, driven by torques or by given accelerations.
TEST(SpaceArm, ConservesMomentum) {
  const Model model = shipped_model("space_arm");
  Data<double> data(model);
  Data<std::complex<double>> complex_data(model);
  std::mt19937_64 rng(7);
  const std::vector<int> wrist{model.joint("wrist_pitch"), model.joint("wrist_yaw"), model.joint("wrist_roll")};
  for (const GivenAccelerations& given : {GivenAccelerations(model), GivenAccelerations(model, wrist)}) {
    State s = random_state(model, rng);
    s.tau.head(6).setZero();
    hybrid_dynamics(model, data, given, s.q, s.v, s.a, s.tau);
    ASSERT_GT(largest(s.a.head(6)), 1e-3);
    const ComplexVector q = stepped_configuration(model, complex_data, s.q, s.v);
    const auto moved = whole_body_state(model, complex_data, q, stepped(s.v, s.a), ComplexVector::Zero(model.nv()));
    const auto whole = whole_body_state(model, data, s.q, s.v, s.a);
    const double scale = model.mass() * largest(s.a);
    EXPECT_TRUE(close(derivative(moved.momentum), Eigen::Vector3d::Zero(), kSolve, scale));
    EXPECT_TRUE(close(derivative(moved.angular_momentum), Eigen::Vector3d::Zero(), kSolve, scale));
    EXPECT_TRUE(close(whole.com_acceleration, Eigen::Vector3d::Zero(), kSolve, largest(s.a)));
  }
}

}  // namespace
}  // namespace verne::test
