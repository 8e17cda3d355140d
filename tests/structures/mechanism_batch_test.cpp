/// Lanes against single states, which have oracles of their own.
#include "structures/mechanism_batch_derivatives.h"

#include "structures/contact_derivatives.h"
#include "structures/contact_support.h"
#include "structures/loop_system.h"
#include "structures/mechanism_batch_support.h"
#include "structures/random_mechanisms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

class MechanismBatches : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shipped, MechanismBatches,
                         testing::Values("four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart",
                                         "hybrid", "two_link"),
                         [](const auto& of) { return of.param; });

TEST_P(MechanismBatches, AreSingleStates) {
  const Mechanism mechanism(shipped_model(GetParam()));
  const Model& model = mechanism.model();
  for (const BatchOptions& options : batch_options()) {
    std::mt19937_64 rng(21 + test_seed());
    MechanismBatch batch(mechanism, kBatchStates, options);
    const Loads<double> loads = random_loads(model, rng, 2);
    batch.tree.set_loads(loads);
    std::vector<ClosedState> states;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states.emplace_back(closed_state(mechanism, rng, 0.05)));
    forward_dynamics(batch);
    EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
    MechanismData<double> data(mechanism);
    Eigen::VectorXd a(model.nv());
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      forward_dynamics<double>(mechanism, data, s.q, s.v, s.tau, a, &loads);
      EXPECT_TRUE(close(batch.tree.a.get(k), a, 1e-9)) << options.instruction_set << k;
    }
    if (int(mechanism.actuated().size()) < mechanism.mobility()) continue;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states[std::size_t(k)]);
    inverse_dynamics(batch);
    EXPECT_EQ(batch.singles(), 0) << options.instruction_set;
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      Eigen::VectorXd tau(s.tau.size());
      inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a, tau, &loads);
      EXPECT_TRUE(close(batch.tau.get(k), tau, 1e-9)) << options.instruction_set << k;
    }
  }
}

/// Motors that are not the independent coordinates, and more of them than freedoms.
TEST(MechanismBatch, OtherMotors) {
  ModelSpec spec = shipped_model("five_bar").spec();
  for (LinkSpec& link : spec.links) link.joint.actuated = true;
  for (const bool redundant : {true, false}) {
    if (!redundant) {
      int motors = 0;
      for (auto link = spec.links.rbegin(); link != spec.links.rend(); ++link) link->joint.actuated = motors++ < 2;
    }
    const Mechanism mechanism(build_model(spec));
    std::mt19937_64 rng(22 + test_seed());
    MechanismBatch batch(mechanism, kBatchStates);
    MechanismData<double> data(mechanism);
    std::vector<ClosedState> states;
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states.emplace_back(closed_state(mechanism, rng, 0.05)));
    inverse_dynamics(batch);
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedState& s = states[std::size_t(k)];
      Eigen::VectorXd tau(s.tau.size());
      inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a, tau);
      EXPECT_TRUE(close(batch.tau.get(k), tau, 1e-8)) << k;
    }
  }
}

TEST(MechanismBatch, ContactsAreSingleStates) {
  for (int kind = 0; kind < 3; ++kind) {
    std::mt19937_64 rng(std::mt19937_64::result_type(23 + kind) + test_seed());
    const Model model = kind == 2 ? shipped_model("humanoid") : build_model(chain_in_contact(rng, kind == 1));
    const Mechanism mechanism(model);
    std::vector<int> held{2, 0, 1};
    if (kind == 2) {
      held.clear();
      for (std::size_t k = 0; k < model.contacts().size(); ++k) {
        if (model.contacts()[k].type == ContactType::rigid) held.push_back(int(k));
      }
    }
    ContactData data(mechanism);
    for (const BatchOptions& options : batch_options()) {
      MechanismBatch batch(mechanism, kBatchStates, options);
      const Loads<double> loads = random_loads(model, rng, 2);
      batch.tree.set_loads(loads);
      std::vector<State> states;
      for (int k = 0; k < kBatchStates; ++k) {
        const State& s = states.emplace_back(random_state(model, rng));
        batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.tau.set(k, s.tau);
      }
      forward_dynamics(batch, held);
      EXPECT_EQ(batch.singles(), 0) << kind << options.instruction_set;
      const Eigen::MatrixXd found = batch.tree.a.matrix();
      forward_dynamics(batch, held, true);
      EXPECT_EQ(batch.singles(), kind == 1 ? kBatchStates : 0) << kind << options.instruction_set;
      for (int k = 0; k < kBatchStates; ++k) {
        const State& s = states[std::size_t(k)];
        Eigen::VectorXd a(model.nv());
        Matrix6X<double> contacts(6, long(held.size())), joints(6, long(model.joints().size()));
        forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, a, &loads, &contacts, &joints);
        EXPECT_TRUE(close(found.col(k), a, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.tree.a.get(k), a, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.loop_wrenches.matrix(k, 6), contacts, 1e-8)) << kind << options.instruction_set << k;
        EXPECT_TRUE(close(batch.tree.joint_wrenches.matrix(k, 6), joints, 1e-8)) << kind << k;
      }
    }
  }
}

/// What the chosen order cannot do is done as for single states, and refused as there.
TEST(MechanismBatch, DifficultStates) {
  const Mechanism mechanism(shipped_model("four_bar"));
  std::mt19937_64 rng(24);
  MechanismBatch batch(mechanism, 3);
  for (int k = 0; k < 3; ++k) put_state(batch, k, closed_state(mechanism, rng, 0.05));
  inverse_dynamics(batch);
  EXPECT_EQ(batch.singles(), 0);
  batch.tree.q.set(1, Eigen::VectorXd::Constant(mechanism.model().nq(), std::nan("")));
  const std::string refused = complaint<InputError>([&] { inverse_dynamics(batch); });
  EXPECT_NE(refused.find("state 1: "), std::string::npos) << refused;

  // Four corners of a foot: which of them carries what is not determined.
  const Model model = shipped_model("humanoid");
  const Mechanism walker(model);
  std::vector<int> corners;
  for (std::size_t k = 0; k < model.contacts().size(); ++k) {
    const ContactSpec& contact = model.contacts()[k];
    if (contact.link == model.contacts()[0].link && contact.type == ContactType::point) corners.push_back(int(k));
  }
  MechanismBatch walking(walker, 2);
  const State s = random_state(model, rng);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  for (int k = 0; k < 2; ++k) walking.tree.q.set(k, s.q), walking.tree.tau.set(k, s.tau);
  forward_dynamics(walking, corners);
  EXPECT_EQ(walking.singles(), 2);
  ContactData data(walker);
  Eigen::VectorXd a(model.nv());
  forward_dynamics(walker, data, corners, s.q, rest, s.tau, a);
  EXPECT_TRUE(close(walking.tree.a.get(1), a, 1e-9));
  const std::vector<int> unknown{99};
  EXPECT_THROW(forward_dynamics(walking, unknown), std::invalid_argument);
}

/// Entries of a state as a matrix; NaN is like NaN, all else exactly the same.
testing::AssertionResult same_entries(const LaneArray& of, int k, const Eigen::Ref<const Eigen::MatrixXd>& expected) {
  if (of.rows() != expected.size()) return testing::AssertionFailure() << of.rows() << " rows, not " << expected.size();
  if (of.rows() == 0) return testing::AssertionSuccess();
  const Eigen::MatrixXd given = of.matrix(k, int(expected.rows()));
  const auto equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  for (Eigen::Index i = 0; i < given.size(); ++i) {
    if (!equal(given(i), Eigen::MatrixXd(expected)(i)))
      return testing::AssertionFailure() << given << "\nis not\n" << expected;
  }
  return testing::AssertionSuccess();
}
void expect_same(const BatchDerivatives& of, int k, const ReactionDerivatives& expected) {
  EXPECT_TRUE(same_entries(of.dq, k, expected.dq));
  EXPECT_TRUE(same_entries(of.dv, k, expected.dv));
  EXPECT_TRUE(same_entries(of.dx, k, expected.dx));
}

/// Relative to the largest entry; NaN is like NaN.
void expect_near(const Eigen::Ref<const Eigen::MatrixXd>& given, const Eigen::Ref<const Eigen::MatrixXd>& expected,
                 const std::string& where) {
  const auto numbers = [](const Eigen::MatrixXd& x) {
    return Eigen::MatrixXd(x.unaryExpr([](double entry) { return std::isnan(entry) ? 0 : entry; }));
  };
  EXPECT_EQ((given.array() == given.array()).count(), (expected.array() == expected.array()).count()) << where;
  EXPECT_TRUE(close(numbers(given), numbers(expected), 10 * kSolve, std::max(kSmall, largest(numbers(expected)))))
      << where;
}

TEST_P(MechanismBatches, WrenchesAndDerivativesAreThoseOfSingleStates) {
  const Mechanism mechanism(shipped_model(GetParam()));
  const Model& model = mechanism.model();
  const int motors = int(mechanism.actuated().size()), free = mechanism.mobility();
  ASSERT_GE(motors, free);
  std::mt19937_64 rng(25 + test_seed());
  const Loads<double> loads = random_loads(model, rng, 2);
  MechanismBatch batch(mechanism, kBatchStates, {.threads = 3});
  batch.tree.set_loads(loads);
  std::vector<ClosedState> states;
  for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states.emplace_back(closed_state(mechanism, rng, 0.05)));
  MechanismData<double> data(mechanism);
  Matrix6X<double> loops(6, long(model.loops().size())), joints(6, long(model.joints().size()));
  Eigen::VectorXd tau(motors), a(model.nv());
  BatchDerivatives d, d_loops, d_joints;

  inverse_dynamics_derivatives(batch, d, {&d_loops, &d_joints});
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states[std::size_t(k)];
    Eigen::MatrixXd dq(motors, free), dv = dq, da = dq;
    LoopWrenchDerivatives of_loops(mechanism);
    JointWrenchDerivatives of_joints(mechanism);
    inverse_dynamics_derivatives(mechanism, data, s.q, s.v, s.a, dq, dv, da, &loads, &of_loops, &of_joints);
    EXPECT_TRUE(same_entries(d.dq, k, dq) && same_entries(d.dv, k, dv) && same_entries(d.dx, k, da)) << k;
    expect_same(d_loops, k, of_loops), expect_same(d_joints, k, of_joints);
  }
  const int alone = model.loops().empty() ? kBatchStates : 0;
  inverse_dynamics(batch, true);
  EXPECT_EQ(batch.singles(), alone);
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states[std::size_t(k)];
    inverse_dynamics<double>(mechanism, data, s.q, s.v, s.a, tau, &loads, &loops, &joints);
    expect_near(batch.tau.get(k), tau, "tau");
    if (loops.cols() > 0) expect_near(batch.loop_wrenches.matrix(k, 6), loops, "loops");
    expect_near(batch.tree.joint_wrenches.matrix(k, 6), joints, "joints");
    batch.tau.set(k, s.tau);
  }
  forward_dynamics_derivatives(batch, d, {&d_loops, &d_joints});
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states[std::size_t(k)];
    Eigen::MatrixXd dq(free, free), dv = dq, dtau(free, motors);
    LoopWrenchDerivatives of_loops(mechanism, motors);
    JointWrenchDerivatives of_joints(mechanism, motors);
    forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, a, dq, dv, dtau, &loads, &of_loops, &of_joints);
    EXPECT_TRUE(same_entries(d.dq, k, dq) && same_entries(d.dv, k, dv) && same_entries(d.dx, k, dtau)) << k;
    EXPECT_EQ(batch.tree.a.get(k), a);
    expect_same(d_loops, k, of_loops), expect_same(d_joints, k, of_joints);
  }
  forward_dynamics(batch, true);
  EXPECT_EQ(batch.singles(), alone);
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states[std::size_t(k)];
    forward_dynamics<double>(mechanism, data, s.q, s.v, s.tau, a, &loads, &loops, &joints);
    expect_near(batch.tree.a.get(k), a, "a");
    if (loops.cols() > 0) expect_near(batch.loop_wrenches.matrix(k, 6), loops, "loops");
    expect_near(batch.tree.joint_wrenches.matrix(k, 6), joints, "joints");
  }
}

/// The kernels, for one state and many, against the general method, which computes them where the wrenches of joints
/// are wanted, too, and has complex steps as its oracle (closed_dynamics_test.cpp).
void expect_kernel_derivatives(const Model& model, const std::string& where) {
  const Mechanism mechanism(model);
  const int motors = int(mechanism.actuated().size()), free = mechanism.mobility();
  std::mt19937_64 rng(27 + test_seed());
  const Loads<double> loads = random_loads(model, rng, 2);
  MechanismData<double> data(mechanism);
  JointWrenchDerivatives joints(mechanism, motors);
  std::vector<ClosedState> states;
  std::vector<ClosedAccelerationDerivatives> expected;
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states.emplace_back(closed_state(mechanism, rng, 0.05));
    auto& e = expected.emplace_back(mechanism, motors);
    forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, e.a, e.dq, e.dv, e.dtau, &loads, &e.loop_wrenches,
                                 &e.joint_wrenches);
    ClosedAccelerationDerivatives d(mechanism, motors);
    forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, d.a, d.dq, d.dv, d.dtau, &loads, &d.loop_wrenches);
    expect_near(d.a, e.a, where + " a");
    expect_near(d.dq, e.dq, where + " dq"), expect_near(d.dv, e.dv, where + " dv");
    expect_near(d.dtau, e.dtau, where + " dtau");
    expect_near(d.loop_wrenches.dq, e.loop_wrenches.dq, where + " wrenches dq");
    expect_near(d.loop_wrenches.dv, e.loop_wrenches.dv, where + " wrenches dv");
    expect_near(d.loop_wrenches.dx, e.loop_wrenches.dx, where + " wrenches dtau");
  }
  for (const BatchOptions& options : batch_options()) {
    MechanismBatch batch(mechanism, kBatchStates, options);
    batch.tree.set_loads(loads);
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states[std::size_t(k)]);
    BatchDerivatives d, d_loops;
    forward_dynamics_derivatives(batch, d, {&d_loops});
    EXPECT_LE(batch.singles(), 1) << where << options.instruction_set;
    for (int k = 0; k < kBatchStates; ++k) {
      const ClosedAccelerationDerivatives& e = expected[std::size_t(k)];
      const std::string here = where + ", batch of " + options.instruction_set;
      expect_near(batch.tree.a.get(k), e.a, here + " a");
      expect_near(d.dq.matrix(k, free), e.dq, here + " dq"), expect_near(d.dv.matrix(k, free), e.dv, here + " dv");
      expect_near(d.dx.matrix(k, free), e.dtau, here + " dtau");
      if (model.loops().empty()) continue;
      expect_near(d_loops.dq.matrix(k, 6), e.loop_wrenches.dq, here + " wrenches dq");
      expect_near(d_loops.dv.matrix(k, 6), e.loop_wrenches.dv, here + " wrenches dv");
      expect_near(d_loops.dx.matrix(k, 6), e.loop_wrenches.dx, here + " wrenches dtau");
    }
  }
}
TEST_P(MechanismBatches, DerivativesInKernels) {
  expect_kernel_derivatives(shipped_model(GetParam()), GetParam());
}
TEST(MechanismBatch, DerivativesOfAllKindsOfLoopsInKernels) {
  using J = JointType;
  using T = LoopType;
  // Of few freedoms: others are not for lanes.
  const RandomTreeOptions tree{
      .kinds = {J::revolute, J::prismatic, J::helical}, .chain = true, .friction = true, .rotor_inertia = true};
  for (const T type :
       {T::revolute, T::prismatic, T::cylindrical, T::planar, T::point_on_line, T::universal, T::spherical, T::rigid}) {
    std::mt19937_64 rng(28 + test_seed());
    expect_kernel_derivatives(sound_chain(rng, {{type, 1, 7}, {T::spherical, 5, 11}}, tree), to_string(type));
  }
}

/// On a tree, and on a mechanism with loops.
TEST(MechanismBatch, ContactWrenchesAndDerivatives) {
  for (const bool loops : {false, true}) {
    std::mt19937_64 rng(26 + test_seed());
    ModelSpec spec = loops ? shipped_model("gough_stewart").spec() : chain_in_contact(rng, true);
    if (loops) spec.contacts = {{"touch", "platform", {0.02, 0.03, 0.01}, 0}};
    const Mechanism mechanism(build_model(spec));
    const Model& model = mechanism.model();
    const std::vector<int> held = loops ? std::vector<int>{0} : std::vector<int>{2, 0, 1};
    const int n = model.nv(), free = mechanism.mobility(), states = 5;
    const Loads<double> loads = random_loads(model, rng, 1);
    MechanismBatch batch(mechanism, states, {.threads = 2});
    batch.tree.set_loads(loads);
    std::vector<State> at;
    for (int k = 0; k < states; ++k) {
      State s = random_state(model, rng);
      if (loops) {
        const ClosedState closed = closed_state(mechanism, rng, 0.05);
        s.q = closed.q, s.v = closed.v, s.a = closed.a;
      }
      batch.tree.q.set(k, s.q), batch.tree.v.set(k, s.v), batch.tree.a.set(k, s.a), batch.tree.tau.set(k, s.tau);
      at.push_back(s);
    }
    ContactData data(mechanism);
    BatchDerivatives d, d_loops, d_joints;
    Matrix6X<double> of_loops(6, long(model.loops().size() + held.size())), of_joints(6, long(model.joints().size()));
    Eigen::VectorXd found(n);
    const std::size_t contacts = held.size();

    forward_dynamics_derivatives(batch, held, d, {&d_loops, &d_joints});
    for (int k = 0; k < states; ++k) {
      const State& s = at[std::size_t(k)];
      Eigen::MatrixXd dq(free, free), dv = dq, dtau(free, n);
      LoopWrenchDerivatives expected(mechanism, n, contacts);
      JointWrenchDerivatives expected_joints(mechanism, n);
      forward_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.tau, found, dq, dv, dtau, &loads, &expected,
                                   &expected_joints);
      EXPECT_TRUE(same_entries(d.dq, k, dq) && same_entries(d.dv, k, dv) && same_entries(d.dx, k, dtau)) << k;
      expect_same(d_loops, k, expected), expect_same(d_joints, k, expected_joints);
      EXPECT_EQ(batch.tree.a.get(k), found);
    }
    forward_dynamics(batch, held, true);
    for (int k = 0; k < states; ++k) {
      const State& s = at[std::size_t(k)];
      forward_dynamics(mechanism, data, held, s.q, s.v, s.tau, found, &loads, &of_loops, &of_joints);
      EXPECT_EQ(batch.tree.a.get(k), found);
      EXPECT_TRUE(same_entries(batch.loop_wrenches, k, of_loops)) << k;
      EXPECT_TRUE(same_entries(batch.tree.joint_wrenches, k, of_joints)) << k;
      batch.tree.a.set(k, s.a);
    }
    inverse_dynamics_derivatives(batch, held, d, {&d_loops});
    for (int k = 0; k < states; ++k) {
      const State& s = at[std::size_t(k)];
      Eigen::MatrixXd dq(n, free), dv = dq, da = dq;
      LoopWrenchDerivatives expected(mechanism, free, contacts);
      inverse_dynamics_derivatives(mechanism, data, held, s.q, s.v, s.a, dq, dv, da, &loads, &expected);
      EXPECT_TRUE(same_entries(d.dq, k, dq) && same_entries(d.dv, k, dv) && same_entries(d.dx, k, da)) << k;
      expect_same(d_loops, k, expected);
    }
    inverse_dynamics(batch, held, true);
    for (int k = 0; k < states; ++k) {
      const State& s = at[std::size_t(k)];
      inverse_dynamics(mechanism, data, held, s.q, s.v, s.a, found, &loads, &of_loops, &of_joints);
      EXPECT_EQ(batch.tree.tau.get(k), found);
      EXPECT_TRUE(same_entries(batch.loop_wrenches, k, of_loops)) << k;
    }
    // The first state that has no answer is named, on whatever thread it is.
    const Eigen::VectorXd unknown = Eigen::VectorXd::Constant(model.nq(), std::nan(""));
    if (loops) {
      batch.tree.q.set(1, unknown), batch.tree.q.set(4, unknown);
      const std::string refused = complaint<InputError>([&] { inverse_dynamics_derivatives(batch, held, d); });
      EXPECT_EQ(refused, "error: state 1: the configuration is not finite");
    }
    const std::vector<int> wrong{99};
    EXPECT_THROW(inverse_dynamics(batch, wrong), std::invalid_argument);
  }
}

}  // namespace
}  // namespace verne::test
