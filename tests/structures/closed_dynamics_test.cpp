/// Mechanisms with closed loops against Lagrange's multipliers, and their derivatives against complex steps.
#include "structures/random_mechanisms.h"
#include "support/complaint.h"
#include "support/derivatives.h"

namespace verne::test {
namespace {

/// Closing tolerances: what is closed to 1e-13 and passes through J⁻¹ and M⁻¹.
constexpr double kClosing = 1e-9;

struct MechanismCase {
  std::string name;
  std::function<Model()> model;
};
void PrintTo(const MechanismCase& c, std::ostream* out) {
  *out << c.name;
}

std::vector<MechanismCase> mechanism_cases() {
  std::vector<MechanismCase> cases;
  for (const char* name : {"four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart", "hybrid"}) {
    cases.push_back({name, [name] { return shipped_model(name); }});
  }
  for (int k = 0; k < 16; ++k) {
    const auto type = static_cast<LoopType>(k % 8);
    cases.push_back({"closed_by_" + std::string(to_string(type)) + (k < 8 ? "" : "_again"), [type, k] {
                       std::mt19937_64 rng(100 + k + test_seed());
                       return sound_chain(rng, {{type, 1, 7}});
                     }});
  }
  // Two loops that share links: the second begins inside of the first.
  for (int k = 0; k < 8; ++k) {
    const auto first = static_cast<LoopType>(k), second = static_cast<LoopType>((3 * k + 1) % 8);
    cases.push_back({"closed_by_" + std::string(to_string(first)) + "_and_" + to_string(second), [first, second, k] {
                       std::mt19937_64 rng(200 + k + test_seed());
                       return sound_chain(rng, {{first, 1, 7}, {second, 5, 14}});
                     }});
  }
  // Only the free joint, which is driven, can be told by the rigid loop: the joints beside it are one too few.
  cases.push_back({"closed_over_a_driven_free_joint", [] {
                     std::mt19937_64 rng(217);
                     const Model model = sound_chain(rng, {{LoopType::rigid, 1, 7}, {LoopType::spherical, 5, 14}});
                     EXPECT_TRUE(model.spec().links[5].joint.type == JointType::free &&
                                 model.spec().links[5].joint.actuated);
                     return model;
                   }});
  return cases;
}

class ClosedDynamics : public testing::TestWithParam<MechanismCase> {
 protected:
  static constexpr double kStep = 0.01;  // random chains may be near the end of their reach
  const Model model_ = GetParam().model();
  const Mechanism mechanism_{model_};
  MechanismData<double> data_{mechanism_};
  std::mt19937_64 rng_{3};
  const ClosedState s_ = closed_state(mechanism_, rng_, kStep);
  const int n_ = model_.nv(), free_ = mechanism_.mobility(), motors_ = static_cast<int>(mechanism_.actuated().size());

  /// The closed configuration, moved along independent velocity k, or not at all for −1.
  ComplexVector assembled(MechanismData<Complex>& data, int k) const {
    Data<Complex> tree(model_);
    ComplexVector free_q(mechanism_.nq()), q(model_.nq());
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(n_);
    if (k >= 0) unit[mechanism_.independent()[std::size_t(k)]] = 1;
    const ComplexVector moved = stepped_configuration(model_, tree, s_.q, unit);
    for (int i = 0; i < mechanism_.nq(); ++i) free_q[i] = moved[mechanism_.independent_positions()[std::size_t(i)]];
    assemble(mechanism_, data, free_q, ComplexVector(s_.q.cast<Complex>()), q);
    return q;
  }
};
INSTANTIATE_TEST_SUITE_P(Mechanisms, ClosedDynamics, testing::ValuesIn(mechanism_cases()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(ClosedDynamics, MotionKeepsLoopsClosed) {
  require_closed(mechanism_, data_, s_.q, 1e-12);
  const Openings c = openings(model_, s_.q, s_.v);
  EXPECT_EQ(c.J.rows(), mechanism_.equations());
  EXPECT_EQ(n_ - mechanism_.rank(), free_);
  EXPECT_TRUE(close(c.J * s_.v, Eigen::VectorXd::Zero(c.J.rows()), kClosing, largest(s_.v)));
  EXPECT_TRUE(close(c.J * s_.a + c.drift, Eigen::VectorXd::Zero(c.J.rows()), kClosing, largest(s_.a)));
  Eigen::MatrixXd G(n_, free_);
  closed_jacobian(mechanism_, data_, s_.q, G);
  EXPECT_TRUE(close(G * s_.free_v, s_.v, kClosing));
}

TEST_P(ClosedDynamics, AccelerationsAsByLagrange) {
  const Loads<double> loads = random_loads(model_, rng_, 3);
  Eigen::VectorXd a(n_);
  forward_dynamics(mechanism_, data_, s_.q, s_.v, s_.tau, a, &loads);
  EXPECT_TRUE(close(a, lagrange_accelerations(mechanism_, s_, loads), 1e-8));
}

/// Without wrenches most states are eliminated sparsely, with them all as dense matrices.
TEST_P(ClosedDynamics, SparseAsDense) {
  const Loads<double> loads = random_loads(model_, rng_, 2);
  Eigen::VectorXd a(n_), dense_a(n_), tau(motors_), dense_tau(motors_);
  Matrix6X<double> loops(6, long(model_.loops().size()));
  forward_dynamics(mechanism_, data_, s_.q, s_.v, s_.tau, a, &loads);
  forward_dynamics(mechanism_, data_, s_.q, s_.v, s_.tau, dense_a, &loads, &loops);
  EXPECT_TRUE(close(a, dense_a, kClosing));
  if (motors_ < free_) return;
  inverse_dynamics(mechanism_, data_, s_.q, s_.v, s_.a, tau, &loads);
  inverse_dynamics(mechanism_, data_, s_.q, s_.v, s_.a, dense_tau, &loads, &loops);
  EXPECT_TRUE(close(tau, dense_tau, kClosing));
  // Into the memory of what is given.
  Eigen::VectorXd same = s_.v;
  forward_dynamics(mechanism_, data_, s_.q, same, s_.tau, same, &loads);
  EXPECT_EQ(same, a);
}

/// The wrenches of the loops, put on the tree as loads, leave exactly the motors' torques; tree joints bear the same.
TEST_P(ClosedDynamics, WrenchesHoldTheTree) {
  Eigen::VectorXd a(n_);
  Matrix6X<double> loops(6, long(model_.loops().size())), joints(6, long(model_.joints().size()));
  forward_dynamics(mechanism_, data_, s_.q, s_.v, s_.tau, a, nullptr, &loops, &joints);
  Data<double> tree(model_);
  const Kinematics<double> k = forward_kinematics(model_, tree, s_.q);
  Loads<double> loads;
  for (std::size_t i = 0; i < model_.loops().size(); ++i) {
    const LoopSpec& loop = model_.loops()[i];
    const WorldFrame<double> at = world_frame(model_, k, loop.a);
    const Eigen::Vector3d force = at.R * loops.col(long(i)).head(3), moment = at.R * loops.col(long(i)).tail(3);
    if (loop.a.link != "world") loads.add({model_.link(loop.a.link), force, moment, at.p, At::world});
    if (loop.b.link != "world") loads.add({model_.link(loop.b.link), -force, -moment, at.p, At::world});
  }
  const auto [torques, wrenches] = inverse_dynamics_and_wrenches(model_, tree, s_.q, s_.v, a, loads);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(n_);
  for (int m = 0; m < motors_; ++m) expected[mechanism_.actuated()[std::size_t(m)]] = s_.tau[m];
  const double scale = std::max(largest(loops), largest(wrenches));
  EXPECT_TRUE(close(torques, expected, kClosing, scale));
  EXPECT_TRUE(close(joints, wrenches, kClosing, scale));
  // The wrench does no work in the motion that the joint allows.
  const Openings c = openings(model_, s_.q, s_.v);
  const Eigen::VectorXd reaction =
      inverse_dynamics(model_, tree, s_.q, s_.v, a) - inverse_dynamics(model_, tree, s_.q, s_.v, a, loads);
  EXPECT_NEAR(reaction.dot(s_.v), 0, kClosing * scale);
}

TEST_P(ClosedDynamics, InverseUndoesForward) {
  Eigen::VectorXd a(n_), tau(motors_);
  forward_dynamics(mechanism_, data_, s_.q, s_.v, s_.tau, a);
  if (motors_ < free_) {
    EXPECT_NE(complaint<InputError>([&] { inverse_dynamics(mechanism_, data_, s_.q, s_.v, a, tau); }).find("actuators"),
              std::string::npos);
    return;
  }
  inverse_dynamics(mechanism_, data_, s_.q, s_.v, a, tau);
  Eigen::MatrixXd G(n_, free_), M(free_, free_);
  closed_jacobian(mechanism_, data_, s_.q, G);
  mass_matrix(mechanism_, data_, s_.q, M);
  Data<double> tree(model_);
  EXPECT_TRUE(close(M, G.transpose() * mass_matrix(model_, tree, s_.q) * G, 1e-12));
  const Eigen::MatrixXd actuators = G(mechanism_.actuated(), Eigen::all).transpose();
  EXPECT_TRUE(close(actuators * tau, actuators * s_.tau, 1e-8));
  EXPECT_LE(tau.norm(), s_.tau.norm() * (1 + 1e-8));
  if (motors_ == free_) {
    EXPECT_TRUE(close(tau, s_.tau, 1e-7, 10));
    return;
  }
  Eigen::MatrixXd idle(motors_, motors_ - free_);
  null_space_torques(mechanism_, data_, s_.q, idle);
  EXPECT_TRUE(close(actuators * idle, Eigen::MatrixXd::Zero(free_, idle.cols()), 1e-10, largest(actuators)));
  EXPECT_TRUE(close(idle.transpose() * tau, Eigen::VectorXd::Zero(idle.cols()), 1e-10, largest(tau)));
  // A motor of infinite weight does nothing that others can do.
  Eigen::VectorXd weighted(motors_);
  Values weights(Eigen::VectorXd::Ones(motors_).eval());
  weights[0] = 1e6;
  inverse_dynamics(mechanism_, data_, s_.q, s_.v, a, weighted, nullptr, nullptr, nullptr, &weights);
  EXPECT_TRUE(close(actuators * weighted, actuators * tau, 1e-7));
  EXPECT_LE(std::abs(weighted[0]), std::abs(tau[0]) + 1e-12);
}

/// Through assembly, motion and dynamics.
TEST_P(ClosedDynamics, DerivativesByComplexStep) {
  MechanismData<Complex> data(mechanism_);
  struct Results {
    ComplexVector tau, a, tree, motion, loops, joints, forward_loops, forward_joints;
  };
  const bool invertible = motors_ >= free_;
  const auto results = [&](int k, const Eigen::VectorXd& dv, const Eigen::VectorXd& dx, const Eigen::VectorXd& dtau) {
    const ComplexVector q = assembled(data, k);
    ComplexVector v(n_), a(n_), accelerations(n_);
    closed_motion(mechanism_, data, q, stepped(s_.free_v, dv), stepped(s_.free_a, dx), v, a);
    Results out{ComplexVector(motors_), ComplexVector(free_), {}, a, {}, {}, {}, {}};
    Matrix6X<Complex> loops(6, long(model_.loops().size())), joints(6, long(model_.joints().size()));
    forward_dynamics(mechanism_, data, q, v, stepped(s_.tau, dtau), accelerations, nullptr, &loops, &joints);
    out.tree = accelerations, out.forward_loops = loops.reshaped(), out.forward_joints = joints.reshaped();
    for (int i = 0; i < free_; ++i) out.a[i] = accelerations[mechanism_.independent()[std::size_t(i)]];
    if (invertible) inverse_dynamics(mechanism_, data, q, v, a, out.tau, nullptr, &loops, &joints);
    out.loops = loops.reshaped(), out.joints = joints.reshaped();
    return out;
  };
  Eigen::VectorXd a(n_);
  Eigen::MatrixXd a_dq(free_, free_), a_dv(free_, free_), a_dtau(free_, motors_);
  JointWrenchDerivatives joints(mechanism_), forward_joints(mechanism_, motors_);
  LoopWrenchDerivatives loops(mechanism_), forward_loops(mechanism_, motors_);
  TreeAccelerationDerivatives tree(mechanism_, motors_), motion(mechanism_, free_);
  forward_dynamics_derivatives(mechanism_, data_, s_.q, s_.v, s_.tau, a, a_dq, a_dv, a_dtau, nullptr, &forward_loops,
                               &forward_joints, &tree);
  Eigen::MatrixXd tau_dq(motors_, free_), tau_dv(motors_, free_), tau_da(motors_, free_);
  if (invertible)
    inverse_dynamics_derivatives(mechanism_, data_, s_.q, s_.v, s_.a, tau_dq, tau_dv, tau_da, nullptr, &loops, &joints,
                                 nullptr, &motion);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(free_), no_torque = Eigen::VectorXd::Zero(motors_);
  const auto compare = [&](const Matrix6X<double>& given, int k, const ComplexVector& reference, auto&& determined) {
    const Eigen::VectorXd expected = derivative(reference);
    const int count = int(expected.size() / 6), columns = int(given.cols() / count);
    for (int of = 0; of < count; ++of) {
      for (int i = 0; i < 6; ++i) {
        const double x = given(i, of * columns + k);
        EXPECT_EQ(std::isnan(x), !determined(of, i));
        if (std::isnan(x)) continue;
        EXPECT_TRUE(close(x, expected[6 * of + i], 1e-8, std::max(1.0, largest(expected)))) << of << " " << i;
      }
    }
  };
  const auto compare_loops = [&](const Matrix6X<double>& given, int k, const ComplexVector& reference) {
    compare(given, k, reference, [&](int loop, int i) { return mechanism_.loop_determined(loop, i); });
  };
  const auto compare_joints = [&](const Matrix6X<double>& given, int k, const ComplexVector& reference) {
    compare(given, k, reference, [&](int joint, int i) { return mechanism_.joint_determined(joint, i); });
  };
  for (int k = 0; k < free_; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(free_, k);
    const Results by_q = results(k, none, none, no_torque), by_v = results(-1, unit, none, no_torque),
                  by_a = results(-1, none, unit, no_torque);
    const double scale_q = std::max(1.0, largest(a_dq)), scale_v = std::max(1.0, largest(a_dv));
    EXPECT_TRUE(close(a_dq.col(k), derivative(by_q.a), 1e-8, scale_q)) << k;
    EXPECT_TRUE(close(a_dv.col(k), derivative(by_v.a), 1e-8, scale_v)) << k;
    EXPECT_TRUE(close(tree.dq.col(k), derivative(by_q.tree), 1e-8, std::max(1.0, largest(tree.dq)))) << k;
    EXPECT_TRUE(close(tree.dv.col(k), derivative(by_v.tree), 1e-8, std::max(1.0, largest(tree.dv)))) << k;
    compare_loops(forward_loops.dq, k, by_q.forward_loops);
    compare_loops(forward_loops.dv, k, by_v.forward_loops);
    compare_joints(forward_joints.dq, k, by_q.forward_joints);
    compare_joints(forward_joints.dv, k, by_v.forward_joints);
    if (!invertible) continue;
    EXPECT_TRUE(close(tau_dq.col(k), derivative(by_q.tau), 1e-8, std::max(1.0, largest(tau_dq)))) << k;
    EXPECT_TRUE(close(tau_dv.col(k), derivative(by_v.tau), 1e-8, std::max(1.0, largest(tau_dv)))) << k;
    EXPECT_TRUE(close(tau_da.col(k), derivative(by_a.tau), 1e-8)) << k;
    EXPECT_TRUE(close(motion.dq.col(k), derivative(by_q.motion), 1e-8, std::max(1.0, largest(motion.dq)))) << k;
    EXPECT_TRUE(close(motion.dv.col(k), derivative(by_v.motion), 1e-8, std::max(1.0, largest(motion.dv)))) << k;
    EXPECT_TRUE(close(motion.dx.col(k), derivative(by_a.motion), 1e-8)) << k;
    compare_loops(loops.dq, k, by_q.loops);
    compare_loops(loops.dv, k, by_v.loops);
    compare_loops(loops.dx, k, by_a.loops);
    compare_joints(joints.dq, k, by_q.joints);
    compare_joints(joints.dv, k, by_v.joints);
    compare_joints(joints.dx, k, by_a.joints);
  }
  for (int k = 0; k < motors_; ++k) {
    const Results by_tau = results(-1, none, none, Eigen::VectorXd::Unit(motors_, k));
    EXPECT_TRUE(close(a_dtau.col(k), derivative(by_tau.a), 1e-8, largest(a_dtau)));
    EXPECT_TRUE(close(tree.dx.col(k), derivative(by_tau.tree), 1e-8, largest(tree.dx)));
    compare_loops(forward_loops.dx, k, by_tau.forward_loops);
    compare_joints(forward_joints.dx, k, by_tau.forward_joints);
  }
}

/// With more motors than freedoms, some of which are dearer.
TEST_P(ClosedDynamics, WeightedTorquesByComplexStep) {
  if (motors_ < free_) GTEST_SKIP() << "has no torques";
  MechanismData<Complex> data(mechanism_);
  Values weights(motors_ == 0 ? Eigen::VectorXd() : random_values(rng_, motors_, 0.8));
  for (int k = 0; k < motors_; ++k) weights[k] += 1;
  const Loads<double> loads = random_loads(model_, rng_, 1);
  const auto tau = [&](int k, const Eigen::VectorXd& dv, const Eigen::VectorXd& da, const Loads<Complex>& acting) {
    const ComplexVector q = assembled(data, k);
    ComplexVector v(n_), a(n_), found(motors_);
    closed_motion(mechanism_, data, q, stepped(s_.free_v, dv), stepped(s_.free_a, da), v, a);
    inverse_dynamics<Complex>(mechanism_, data, q, v, a, found, &acting, nullptr, nullptr, &weights);
    return derivative(found);
  };
  Eigen::MatrixXd dq(motors_, free_), dv = dq, da = dq, by_loads(motors_, 9);
  inverse_dynamics_derivatives(mechanism_, data_, s_.q, s_.v, s_.a, dq, dv, da, &loads, nullptr, nullptr, &weights);
  load_derivatives(mechanism_, data_, s_.q, loads, by_loads, &weights);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(free_);
  const Loads<Complex> same = complex_loads(loads);
  const double size = std::max({1.0, largest(dq), largest(dv)});
  for (int k = 0; k < free_; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(free_, k);
    EXPECT_TRUE(close(dq.col(k), tau(k, none, none, same), 1e-8, size)) << k;
    EXPECT_TRUE(close(dv.col(k), tau(-1, unit, none, same), 1e-8, size)) << k;
    EXPECT_TRUE(close(da.col(k), tau(-1, none, unit, same), 1e-8, size)) << k;
  }
  for (int k = 0; k < 9; ++k) {
    Loads<Complex> moved = same;
    moved.values()[k] += Complex(0, kImaginaryStep);
    EXPECT_TRUE(close(by_loads.col(k), tau(-1, none, none, moved), 1e-8, size)) << k;
  }
  if (motors_ == 0) return;
  weights[0] = 0;
  EXPECT_THROW(load_derivatives(mechanism_, data_, s_.q, loads, by_loads, &weights), std::invalid_argument);
}

TEST_P(ClosedDynamics, LoadDerivativesByComplexStep) {
  MechanismData<Complex> data(mechanism_);
  const Loads<double> loads = random_loads(model_, rng_, 2);
  Eigen::MatrixXd dtau(motors_, 9 * loads.size()), da(free_, 9 * loads.size());
  const bool invertible = motors_ >= free_;
  if (invertible) {
    load_derivatives(mechanism_, data_, s_.q, loads, dtau);
  } else {
    EXPECT_THROW(load_derivatives(mechanism_, data_, s_.q, loads, dtau), InputError);
  }
  forward_load_derivatives(mechanism_, data_, s_.q, loads, da);
  const ComplexVector q = s_.q.cast<Complex>(), v = s_.v.cast<Complex>(), a = s_.a.cast<Complex>();
  for (int k = 0; k < 9 * loads.size(); ++k) {
    Loads<Complex> moved = complex_loads(loads);
    moved.values()[k] += Complex(0, kImaginaryStep);
    ComplexVector accelerations(n_), tau(motors_);
    forward_dynamics<Complex>(mechanism_, data, q, v, s_.tau.cast<Complex>(), accelerations, &moved);
    const Eigen::VectorXd all = derivative(accelerations);
    EXPECT_TRUE(close(da.col(k), all(mechanism_.independent()), 1e-8, std::max(1.0, largest(da)))) << k;
    if (!invertible) continue;
    inverse_dynamics<Complex>(mechanism_, data, q, v, a, tau, &moved);
    EXPECT_TRUE(close(dtau.col(k), derivative(tau), 1e-8, std::max(1.0, largest(dtau)))) << k;
  }
  EXPECT_THROW(forward_load_derivatives(mechanism_, data_, s_.q, loads, dtau.leftCols(3)), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
