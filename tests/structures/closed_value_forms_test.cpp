/// Value forms of mechanisms and contacts give what the in-place functions give, bit for bit.
#include "dynamics/hybrid.h"
#include "structures/contact_derivatives.h"
#include "structures/mechanism_support.h"

namespace verne::test {
namespace {

/// Components that nothing determines are not numbers in both.
bool same_or_unknown(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
}
bool same_or_unknown(const ReactionDerivatives& a, const ReactionDerivatives& b) {
  return same_or_unknown(a.dq, b.dq) && same_or_unknown(a.dv, b.dv) && same_or_unknown(a.dx, b.dx);
}

TEST(ClosedValueForms, OfMechanisms) {
  const Model model = shipped_model("five_bar");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(3);
  const ClosedState s = closed_state(mechanism, rng, 0.1);
  const Loads<double> loads = random_loads(model, rng, 2);
  const int n = model.nv(), mobility = mechanism.mobility();
  const auto actuated = static_cast<int>(mechanism.actuated().size());

  Eigen::VectorXd q(model.nq()), v(n), a(n), tau(actuated), forces(mobility);
  assemble(mechanism, data, s.free_q, mechanism.home().eigen(), q);
  EXPECT_EQ(assemble(mechanism, data, s.free_q, mechanism.home().eigen()), q);
  closed_motion(mechanism, data, s.q, s.free_v, s.free_a, v, a);
  const ClosedMotion<double> motion = closed_motion(mechanism, data, s.q, s.free_v, s.free_a);
  EXPECT_TRUE(motion.v == v && motion.a == a);
  Eigen::MatrixXd G(n, mobility), M(mobility, mobility);
  closed_jacobian(mechanism, data, s.q, G);
  EXPECT_EQ(closed_jacobian(mechanism, data, s.q), G);
  mass_matrix(mechanism, data, s.q, M);
  EXPECT_EQ(mass_matrix(mechanism, data, s.q), M);
  generalized_forces(mechanism, data, s.q, s.v, s.a, forces, &loads);
  EXPECT_EQ(generalized_forces(mechanism, data, s.q, s.v, s.a, loads), forces);

  Matrix6X<double> of_loops(6, model.loops().size()), of_joints(6, model.joints().size());
  inverse_dynamics(mechanism, data, s.q, s.v, s.a, tau, &loads, &of_loops, &of_joints);
  const ClosedTorques<double> torques = inverse_dynamics_and_wrenches(mechanism, data, s.q, s.v, s.a, loads);
  EXPECT_TRUE(torques.tau == tau && torques.loop_wrenches == of_loops && torques.joint_wrenches == of_joints);
  // Without wrenches other sums are taken.
  inverse_dynamics(mechanism, data, s.q, s.v, s.a, tau, &loads);
  EXPECT_EQ(inverse_dynamics(mechanism, data, s.q, s.v, s.a, loads), tau);
  inverse_dynamics(mechanism, data, s.q, s.v, s.a, tau);
  EXPECT_EQ(inverse_dynamics(mechanism, data, s.q, s.v, s.a), tau);
  forward_dynamics(mechanism, data, s.q, s.v, s.tau, a, &loads, &of_loops, &of_joints);
  const ClosedAccelerations<double> driven = forward_dynamics_and_wrenches(mechanism, data, s.q, s.v, s.tau, loads);
  EXPECT_TRUE(driven.a == a && driven.loop_wrenches == of_loops && driven.joint_wrenches == of_joints);
  forward_dynamics(mechanism, data, s.q, s.v, s.tau, a, &loads);
  EXPECT_EQ(forward_dynamics(mechanism, data, s.q, s.v, s.tau, loads), a);
}

TEST(ClosedValueForms, OfDerivatives) {
  const Model model = shipped_model("five_bar");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(4);
  const ClosedState s = closed_state(mechanism, rng, 0.1);
  const Loads<double> loads = random_loads(model, rng, 2);
  const int m = mechanism.mobility(), actuated = static_cast<int>(mechanism.actuated().size());

  LoopWrenchDerivatives of_loops(mechanism);
  JointWrenchDerivatives of_joints(mechanism);
  Eigen::MatrixXd dq(actuated, m), dv = dq, da = dq;
  inverse_dynamics_derivatives(mechanism, data, s.q, s.v, s.a, dq, dv, da, &loads, &of_loops, &of_joints);
  const ClosedTorqueDerivatives torques = inverse_dynamics_derivatives(mechanism, data, s.q, s.v, s.a, loads);
  EXPECT_TRUE(torques.dq == dq && torques.dv == dv && torques.da == da);
  EXPECT_TRUE(same_or_unknown(torques.loop_wrenches, of_loops) && same_or_unknown(torques.joint_wrenches, of_joints));

  LoopWrenchDerivatives driven_loops(mechanism, actuated);
  JointWrenchDerivatives driven_joints(mechanism, actuated);
  Eigen::VectorXd a(model.nv());
  Eigen::MatrixXd a_dq(m, m), a_dv = a_dq, a_dtau(m, actuated);
  forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, a, a_dq, a_dv, a_dtau, &loads, &driven_loops,
                               &driven_joints);
  const ClosedAccelerationDerivatives driven = forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, loads);
  EXPECT_TRUE(driven.a == a && driven.dq == a_dq && driven.dv == a_dv && driven.dtau == a_dtau);
  EXPECT_TRUE(same_or_unknown(driven.loop_wrenches, driven_loops) &&
              same_or_unknown(driven.joint_wrenches, driven_joints));

  Eigen::MatrixXd by_loads(actuated, 18), a_by_loads(m, 18);
  load_derivatives(mechanism, data, s.q, loads, by_loads);
  EXPECT_EQ(load_derivatives(mechanism, data, s.q, loads), by_loads);
  forward_load_derivatives(mechanism, data, s.q, loads, a_by_loads);
  EXPECT_EQ(forward_load_derivatives(mechanism, data, s.q, loads), a_by_loads);
}

TEST(ClosedValueForms, OfDerivativesWithContacts) {
  const Model model = shipped_model("quadruped");
  const Mechanism mechanism(model);
  ContactData data(mechanism);
  std::mt19937_64 rng(4);
  State s = random_state(model, rng);
  s.tau.head<6>().setZero();
  const Loads<double> loads = random_loads(model, rng, 2);
  const std::vector<int> held{0, 1, 3};
  const int n = model.nv();

  LoopWrenchDerivatives driven_loops(mechanism, n, held.size());
  JointWrenchDerivatives driven_joints(mechanism, n);
  Eigen::VectorXd a(n);
  Eigen::MatrixXd dq(n, n), dv = dq, dx = dq;
  forward_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.tau, a, dq, dv, dx, &loads, &driven_loops,
                               &driven_joints);
  const ClosedAccelerationDerivatives driven =
      forward_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.tau, loads);
  EXPECT_TRUE(driven.a == a && driven.dq == dq && driven.dv == dv && driven.dtau == dx);
  EXPECT_TRUE(same_or_unknown(driven.loop_wrenches, driven_loops) &&
              same_or_unknown(driven.joint_wrenches, driven_joints));

  LoopWrenchDerivatives of_loops(mechanism, mechanism.mobility(), held.size());
  JointWrenchDerivatives of_joints(mechanism);
  inverse_dynamics_derivatives(mechanism, data, held, s.q, s.v, a, dq, dv, dx, &loads, &of_loops, &of_joints);
  const ClosedTorqueDerivatives torques = inverse_dynamics_derivatives(mechanism, data, held, s.q, s.v, a, loads);
  EXPECT_TRUE(torques.dq == dq && torques.dv == dv && torques.da == dx);
  EXPECT_TRUE(same_or_unknown(torques.loop_wrenches, of_loops) && same_or_unknown(torques.joint_wrenches, of_joints));

  Eigen::MatrixXd by_loads(n, 18);
  load_derivatives(mechanism, data, held, s.q, loads, by_loads);
  EXPECT_EQ(load_derivatives(mechanism, data, held, s.q, loads), by_loads);
  forward_load_derivatives(mechanism, data, held, s.q, loads, by_loads);
  EXPECT_EQ(forward_load_derivatives(mechanism, data, held, s.q, loads), by_loads);

  Data<double> tree(model);
  const std::vector<int> joints{0};
  const GivenAccelerations given(model, joints);
  hybrid_load_derivatives(model, tree, given, s.q, loads, by_loads);
  EXPECT_EQ(hybrid_load_derivatives(model, tree, given, s.q, loads), by_loads);
}

// With one actuator too many there is a torque that only stresses the mechanism, and weights share out the rest.
TEST(ClosedValueForms, OfRedundantActuation) {
  ModelSpec spec = load_spec(source_dir() + "/models/five_bar.yaml");
  for (LinkSpec& link : spec.links) link.joint.actuated = true;
  const Model model = build_model(spec);
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  std::mt19937_64 rng(3);
  const ClosedState s = closed_state(mechanism, rng, 0.1);
  const auto actuated = static_cast<int>(mechanism.actuated().size());
  ASSERT_GT(actuated, mechanism.mobility());
  Eigen::MatrixXd idle(actuated, actuated - mechanism.mobility());
  null_space_torques(mechanism, data, s.q, idle);
  EXPECT_EQ(null_space_torques(mechanism, data, s.q), idle);
  const Values weights(Eigen::VectorXd::LinSpaced(actuated, 1, 3));
  Eigen::VectorXd tau(actuated);
  inverse_dynamics(mechanism, data, s.q, s.v, s.a, tau, nullptr, nullptr, nullptr, &weights);
  EXPECT_EQ(inverse_dynamics(mechanism, data, s.q, s.v, s.a, {}, &weights), tau);
}

TEST(ClosedValueForms, OfContacts) {
  const Model model = shipped_model("quadruped");
  const Mechanism mechanism(model);
  ContactData data(mechanism);
  std::mt19937_64 rng(3);
  State s = random_state(model, rng);
  s.tau.head<6>().setZero();  // nothing drives the trunk
  const Loads<double> loads = random_loads(model, rng, 2);
  const std::vector<int> held{0, 3};
  Matrix6X<double> of_loops(6, 2), of_joints(6, model.joints().size());
  Eigen::VectorXd a(model.nv()), tau(model.nv());
  forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, a, &loads, &of_loops, &of_joints);
  const ClosedAccelerations<double> driven =
      forward_dynamics_and_wrenches(mechanism, data, held, s.q, s.v, s.tau, loads);
  EXPECT_TRUE(driven.a == a && driven.loop_wrenches == of_loops && driven.joint_wrenches == of_joints);
  forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, a, &loads);
  EXPECT_EQ(forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, loads), a);
  // Two feet cannot give any motion of the base: one that they did give is possible again.
  inverse_dynamics(mechanism, data, held, s.q, s.v, a, tau, &loads, &of_loops, &of_joints);
  const ClosedTorques<double> torques = inverse_dynamics_and_wrenches(mechanism, data, held, s.q, s.v, a, loads);
  EXPECT_TRUE(torques.tau == tau && torques.loop_wrenches == of_loops && torques.joint_wrenches == of_joints);
  inverse_dynamics(mechanism, data, held, s.q, s.v, a, tau, &loads);
  EXPECT_EQ(inverse_dynamics(mechanism, data, held, s.q, s.v, a, loads), tau);
}

}  // namespace
}  // namespace verne::test
