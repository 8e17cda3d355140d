/// Derivatives of many states against those of single ones, and of kernels against the general method.
#include "structures/mechanism_batch_derivatives.h"

#include "structures/contact_derivatives.h"
#include "structures/contact_support.h"
#include "structures/mechanism_batch_support.h"
#include "structures/random_mechanisms.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

class MechanismDerivatives : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Shipped, MechanismDerivatives,
                         testing::Values("four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart",
                                         "hybrid", "two_link"),
                         [](const auto& of) { return of.param; });

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

/// The three blocks of a state, where there are any.
template <class Of>
void expect_near(const BatchDerivatives& of, int k, const Of& expected, const std::string& where) {
  const auto block = [&](const LaneArray& given, const Eigen::MatrixXd& wanted, const char* by) {
    ASSERT_EQ(given.rows(), wanted.size()) << where;
    if (wanted.size() > 0) expect_near(given.matrix(k, int(wanted.rows())), wanted, where + by);
  };
  block(of.dq, expected.dq, " dq"), block(of.dv, expected.dv, " dv"), block(of.dx, expected.dx, " dx");
}
/// Of torques or accelerations.
struct Found {
  Eigen::MatrixXd dq, dv, dx;
};

TEST_P(MechanismDerivatives, WrenchesAndDerivativesAreThoseOfSingleStates) {
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
    Found tau_by{Eigen::MatrixXd(motors, free), Eigen::MatrixXd(motors, free), Eigen::MatrixXd(motors, free)};
    LoopWrenchDerivatives of_loops(mechanism);
    JointWrenchDerivatives of_joints(mechanism);
    inverse_dynamics_derivatives(mechanism, data, s.q, s.v, s.a, tau_by.dq, tau_by.dv, tau_by.dx, &loads, &of_loops,
                                 &of_joints);
    expect_near(d, k, tau_by, "d_tau");
    expect_near(d_loops, k, of_loops, "loops"), expect_near(d_joints, k, of_joints, "joints");
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
    Found a_by{Eigen::MatrixXd(free, free), Eigen::MatrixXd(free, free), Eigen::MatrixXd(free, motors)};
    LoopWrenchDerivatives of_loops(mechanism, motors);
    JointWrenchDerivatives of_joints(mechanism, motors);
    forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, a, a_by.dq, a_by.dv, a_by.dx, &loads, &of_loops,
                                 &of_joints);
    expect_near(d, k, a_by, "d_acceleration"), expect_near(batch.tree.a.get(k), a, "a");
    expect_near(d_loops, k, of_loops, "loops"), expect_near(d_joints, k, of_joints, "joints");
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

/// All that is differentiated of one state.
struct AllDerivatives {
  AllDerivatives(const Mechanism& of, bool inverse)
      : a(of.model().nv()),
        loops(of, inputs(of, inverse)),
        joints(of, inputs(of, inverse)),
        tree(of, inputs(of, inverse)) {
    const Eigen::Index rows = inverse ? std::ssize(of.actuated()) : of.mobility();
    found = {Eigen::MatrixXd(rows, of.mobility()), Eigen::MatrixXd(rows, of.mobility()),
             Eigen::MatrixXd(rows, inputs(of, inverse))};
  }
  static Eigen::Index inputs(const Mechanism& of, bool inverse) {
    return inverse ? of.mobility() : std::ssize(of.actuated());
  }
  /// By kernels, or by the general method, which is asked where the three matrices stand differently in memory.
  void compute(const Mechanism& mechanism, MechanismData<double>& data, const ClosedState& s,
               const Loads<double>& loads, bool inverse, bool general) {
    Eigen::MatrixXd apart(2 * found.dv.rows() + 2, found.dv.cols());
    MatrixOut<double> dv = general ? MatrixOut<double>(apart.topRows(found.dv.rows())) : MatrixOut<double>(found.dv);
    if (inverse) {
      inverse_dynamics_derivatives(mechanism, data, s.q, s.v, s.a, found.dq, dv, found.dx, &loads, &loops, &joints,
                                   nullptr, &tree);
      a = s.a;
    } else {
      forward_dynamics_derivatives(mechanism, data, s.q, s.v, s.tau, a, found.dq, dv, found.dx, &loads, &loops, &joints,
                                   &tree);
    }
    if (general) found.dv = apart.topRows(found.dv.rows());
  }

  Found found;
  Eigen::VectorXd a;
  LoopWrenchDerivatives loops;
  JointWrenchDerivatives joints;
  TreeAccelerationDerivatives tree;
};

template <class Of>
void expect_all_near(const Of& given, const Of& expected, const std::string& where) {
  expect_near(given.dq, expected.dq, where + " dq"), expect_near(given.dv, expected.dv, where + " dv");
  expect_near(given.dx, expected.dx, where + " dx");
}

/// The kernels, for one state and many, against the general method, which has complex steps as its oracle as they have
/// (closed_dynamics_test.cpp).
void expect_kernel_derivatives(const Model& model, bool inverse, std::string where) {
  where += inverse ? ", inverse" : ", forward";
  const Mechanism mechanism(model);
  if (inverse && std::ssize(mechanism.actuated()) < mechanism.mobility()) return;
  std::mt19937_64 rng(27 + test_seed());
  const Loads<double> loads = random_loads(model, rng, 2);
  MechanismData<double> data(mechanism);
  std::vector<ClosedState> states;
  std::vector<AllDerivatives> expected;
  for (int k = 0; k < kBatchStates; ++k) {
    const ClosedState& s = states.emplace_back(closed_state(mechanism, rng, 0.05));
    AllDerivatives& e = expected.emplace_back(mechanism, inverse);
    e.compute(mechanism, data, s, loads, inverse, true);
    AllDerivatives d(mechanism, inverse);
    d.compute(mechanism, data, s, loads, inverse, false);
    expect_near(d.a, e.a, where + " a");
    expect_all_near(d.found, e.found, where);
    expect_all_near<ReactionDerivatives>(d.loops, e.loops, where + " loops");
    expect_all_near<ReactionDerivatives>(d.joints, e.joints, where + " joints");
    expect_all_near(d.tree, e.tree, where + " tree");
  }
  for (const BatchOptions& options : batch_options()) {
    MechanismBatch batch(mechanism, kBatchStates, options);
    batch.tree.set_loads(loads);
    for (int k = 0; k < kBatchStates; ++k) put_state(batch, k, states[std::size_t(k)]);
    BatchDerivatives d, d_loops, d_joints, d_tree;
    const BatchReactions extras{&d_loops, &d_joints, &d_tree};
    inverse ? inverse_dynamics_derivatives(batch, d, extras) : forward_dynamics_derivatives(batch, d, extras);
    EXPECT_LE(batch.singles(), inverse ? kBatchStates : 1) << where << options.instruction_set;
    for (int k = 0; k < kBatchStates; ++k) {
      const AllDerivatives& e = expected[std::size_t(k)];
      const std::string here = where + ", batch of " + options.instruction_set;
      expect_near(batch.tree.a.get(k), e.a, here + " a");
      expect_near(d, k, e.found, here), expect_near(d_loops, k, e.loops, here + " loops");
      expect_near(d_joints, k, e.joints, here + " joints"), expect_near(d_tree, k, e.tree, here + " tree");
    }
  }
}
TEST_P(MechanismDerivatives, DerivativesInKernels) {
  for (const bool inverse : {false, true}) expect_kernel_derivatives(shipped_model(GetParam()), inverse, GetParam());
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
    const Model model = sound_chain(rng, {{type, 1, 7}, {T::spherical, 5, 11}}, tree);
    for (const bool inverse : {false, true}) expect_kernel_derivatives(model, inverse, to_string(type));
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
      expect_near(d, k, Found{dq, dv, dtau}, "d_acceleration"), expect_near(batch.tree.a.get(k), found, "a");
      expect_near(d_loops, k, expected, "loops"), expect_near(d_joints, k, expected_joints, "joints");
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
