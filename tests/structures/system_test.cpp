/// One type for trees, loops, contacts and given accelerations: each question, of one state and of many, against the
/// others and against central differences along the system's own coordinates.
#include "verne/structures/system.h"

#include "structures/batch_assembly.h"
#include "structures/random_mechanisms.h"
#include "structures/system_support.h"
#include "support/complaint.h"
#include "verne/structures/system_batch.h"

namespace verne::test {
namespace {

void put(SystemBatch& batch, int k, const FreeState& s) {
  batch.q().set(k, s.q), batch.v().set(k, s.v), batch.a().set(k, s.a), batch.tau().set(k, s.tau);
}

Loads<double> two_loads(const Model& model, std::mt19937_64& rng) {
  return random_loads(model, rng, 2);
}

/// Rows of a state against a matrix of a single one, where NaN is like NaN.
testing::AssertionResult same_numbers(const LaneArray& of, int k, const MatrixView& expected, double tolerance) {
  if (of.rows() != expected.size()) return testing::AssertionFailure() << of.rows() << " rows, not " << expected.size();
  const Eigen::VectorXd found = of.get(k);
  const double scale = std::max(1.0, expected.array().isNaN().select(0, expected).cwiseAbs().sum());
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    const double wanted = expected.data()[i];
    if (std::isnan(wanted) && std::isnan(found[i])) continue;
    if (!(std::abs(found[i] - wanted) <= tolerance * scale))
      return testing::AssertionFailure() << "row " << i << ": " << found[i] << ", not " << wanted;
  }
  return testing::AssertionSuccess();
}
testing::AssertionResult same_numbers(const LaneArray& of, int k, const VectorView& expected, double tolerance) {
  return same_numbers(of, k, MatrixView(expected.data(), expected.size(), 1), tolerance);
}
void expect_same(const BatchDerivatives& of, int k, const DerivativeViews& expected, double tolerance) {
  EXPECT_TRUE(same_numbers(of.dq, k, expected.dq, tolerance)) << "dq";
  EXPECT_TRUE(same_numbers(of.dv, k, expected.dv, tolerance)) << "dv";
  EXPECT_TRUE(same_numbers(of.dx, k, expected.dx, tolerance)) << "dx";
}

constexpr double kLanes = 1e-9;
constexpr int kStates = 9;

/// Each question of many states is that of one.
TEST(SystemBatch, AreSingleStates) {
  for (const SystemCase& of : all_systems()) {
    SCOPED_TRACE(of.name + ": " + of.system.method());
    std::mt19937_64 rng(42 + test_seed());
    const System& system = of.system;
    const Loads<double> loads = two_loads(system.model(), rng);
    const DynamicsOptions options{.loads = &loads, .weights = nullptr, .wrenches = true};
    SystemBatch batch(system, kStates, {.threads = 2});
    batch.tree().set_loads(loads);
    SystemData data(system);
    std::vector<FreeState> states;
    for (int k = 0; k < kStates; ++k) put(batch, k, states.emplace_back(free_state(system, rng, 0.05)));
    assemble(batch);
    const Eigen::MatrixXd tree_q = batch.tree().q.matrix(), tree_v = batch.tree().v.matrix(),
                          tree_a = batch.tree().a.matrix();
    bias_torques(batch), gravity_torques(batch), mass_matrix(batch);
    if (!system.given()) inverse_dynamics_derivatives(batch, true);
    const bool derivatives = !system.given() || system.model().loops().empty();
    if (derivatives) forward_dynamics_derivatives(batch, true);
    const BatchDerivatives forward_loops = std::move(batch.d_loop_wrenches),
                           forward_joints = std::move(batch.d_joint_wrenches);
    batch.d_loop_wrenches = {}, batch.d_joint_wrenches = {};
    for (int k = 0; k < kStates; ++k) {  // which hybrid dynamics completed
      batch.tau().set(k, states[std::size_t(k)].tau), batch.tree().a.set(k, tree_a.col(k));
    }
    forward_dynamics(batch, true);
    const Eigen::MatrixXd found_a = batch.tree().a.matrix(), found_tau = batch.tau().matrix();
    for (int k = 0; k < kStates; ++k) {
      SCOPED_TRACE(k);
      const FreeState& s = states[std::size_t(k)];
      const TreeState at = assemble(system, data, s.q, s.v, s.a);
      EXPECT_TRUE(at.connected && batch.connected()[std::size_t(k)]);
      EXPECT_TRUE(close(tree_q.col(k), at.q, kLanes) && close(tree_v.col(k), at.v, kLanes) &&
                  close(tree_a.col(k), at.a, kLanes));
      const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
      EXPECT_TRUE(same_numbers(batch.bias, k, bias_torques(system, data, q, v), kLanes));
      EXPECT_TRUE(same_numbers(batch.gravity, k, gravity_torques(system, data, q), kLanes));
      EXPECT_TRUE(same_numbers(batch.mass_matrix, k, mass_matrix(system, data, q), kLanes));
      const std::span<const double> given{a.data(), system.given() ? std::size_t(a.size()) : 0};
      const SystemDynamics forward = forward_dynamics(system, data, q, v, s.tau, options, given);
      EXPECT_TRUE(close(found_a.col(k), forward.a, 1e-8));
      EXPECT_TRUE(close(found_tau.col(k), forward.tau, 1e-8));
      EXPECT_TRUE(same_numbers(batch.joint_wrenches, k, forward.joint_wrenches, 1e-8));
      if (system.closures() > 0) {
        EXPECT_TRUE(same_numbers(batch.loop_wrenches, k, forward.loop_wrenches, 1e-8));
      }
      if (derivatives) {
        const SystemDerivatives d = forward_dynamics_derivatives(system, data, q, v, s.tau, options, given);
        expect_same(batch.d_acceleration, k, d, 1e-8);
        expect_same(forward_joints, k, d.joint_wrenches, 1e-8);
        if (system.closures() > 0) expect_same(forward_loops, k, d.loop_wrenches, 1e-8);
      }
      if (!system.given())
        expect_same(batch.d_tau, k, inverse_dynamics_derivatives(system, data, q, v, a, options), 1e-8);
    }
  }
}

/// The torques that forward dynamics is given, or finds, are those of the motion that it finds.
TEST(System, ForwardUndoesInverse) {
  for (const SystemCase& of : all_systems()) {
    SCOPED_TRACE(of.name + ": " + of.system.method());
    std::mt19937_64 rng(43 + test_seed());
    const System& system = of.system;
    SystemData data(system);
    const FreeState s = free_state(system, rng, 0.05);
    const TreeState at = assemble(system, data, s.q, s.v, s.a);
    const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
    const std::span<const double> given{a.data(), system.given() ? std::size_t(a.size()) : 0};
    const SystemDynamics forward = forward_dynamics(system, data, q, v, s.tau, {}, given);
    const Eigen::VectorXd motion = forward.a, torques = forward.tau;
    const Eigen::VectorXd tau = inverse_dynamics(system, data, q, v, motion).tau;
    if (system.contacts().empty()) {
      EXPECT_TRUE(close(tau, torques, 1e-7));
    }
    const Eigen::VectorXd again = forward_dynamics(system, data, q, v, tau, {}, given).a;
    EXPECT_TRUE(close(again, motion, 1e-7));
    for (int k = 0; k < system.model().nv() && system.given(); ++k) {
      if ((*system.given())[k]) {
        EXPECT_NEAR(motion[k], a[k], 1e-9) << k;
      }
    }
  }
}

/// tau along a curve of the system's own coordinates.
TEST(System, TorqueDerivativesAreThoseOfTorques) {
  for (const SystemCase& of : all_systems()) {
    const System& system = of.system;
    if (system.given()) continue;
    SCOPED_TRACE(of.name);
    std::mt19937_64 rng(44 + test_seed());
    SystemData data(system);
    Data<double> tree(system.model());
    const FreeState s = free_state(system, rng, 0.05);
    const Eigen::VectorXd along_q = random_values(rng, system.nv(), 1), along_v = random_values(rng, system.nv(), 1),
                          along_a = random_values(rng, system.nv(), 1);
    const TreeState at = assemble(system, data, s.q, s.v, s.a);
    const Eigen::VectorXd home_q = at.q, home_v = at.v, home_a = at.a;
    const auto tau_at = [&](double t) -> Eigen::VectorXd {
      const FreeState m{s.q, s.v + t * along_v, s.a + t * along_a, s.tau};
      Eigen::VectorXd moved = s.q;
      std::span<const double> guess;
      if (system.model().loops().empty()) {
        moved = integrate<double>(system.model(), tree, s.q, Eigen::VectorXd(t * along_q));
      } else {
        moved += t * along_q;
        guess = {home_q.data(), std::size_t(home_q.size())};
      }
      const TreeState here = assemble(system, data, moved, m.v, m.a, guess);
      const Eigen::VectorXd q = here.q, v = here.v, a = here.a;
      return inverse_dynamics(system, data, q, v, a).tau;
    };
    constexpr double kStep = 1e-5;
    const Eigen::VectorXd measured = (tau_at(kStep) - tau_at(-kStep)) / (2 * kStep);
    const SystemDerivatives d = inverse_dynamics_derivatives(system, data, home_q, home_v, home_a);
    const Eigen::VectorXd told = d.dq * along_q + d.dv * along_v + d.dx * along_a;
    EXPECT_TRUE(close(told, measured, 1e-5));
    EXPECT_GT(told.norm(), 1e-3);
  }
}

/// Far from home, in any order and on any instruction set, the state is that of one alone.
TEST(SystemBatch, AssemblyIsThatOfSingleStates) {
  for (const char* const name : {"four_bar", "slider_crank", "five_bar", "sr400", "delta", "gough_stewart", "hybrid"}) {
    SCOPED_TRACE(name);
    const System system(shipped_model(name));
    std::mt19937_64 rng(45 + test_seed());
    SystemData data(system);
    std::vector<FreeState> states;
    Eigen::MatrixXd q(system.model().nq(), kBatchStates), v(system.model().nv(), kBatchStates), a = v;
    std::vector<char> connected;
    for (int k = 0; k < kBatchStates; ++k) {
      const FreeState& s = states.emplace_back(free_state(system, rng, k < 4 ? 0.05 : 0.4));
      const TreeState at = assemble(system, data, s.q, s.v, s.a);
      q.col(k) = at.q, v.col(k) = at.v, a.col(k) = at.a;
      connected.push_back(at.connected);
    }
    for (const BatchOptions& options : batch_options()) {
      SystemBatch batch(system, kBatchStates, options), turned(system, kBatchStates, options);
      for (int k = 0; k < kBatchStates; ++k) {
        put(batch, k, states[std::size_t(k)]), put(turned, kBatchStates - 1 - k, states[std::size_t(k)]);
      }
      assemble(batch), assemble(turned);
      EXPECT_LE(batch.singles(), 2) << options.instruction_set;
      for (int k = 0; k < kBatchStates; ++k) {
        EXPECT_EQ(connected[std::size_t(k)] != 0, batch.connected()[std::size_t(k)] != 0);
        EXPECT_TRUE(close(batch.tree().q.get(k), q.col(k), kLanes)) << k;
        EXPECT_TRUE(close(batch.tree().v.get(k), v.col(k), 1e-8)) << k;
        EXPECT_TRUE(close(batch.tree().a.get(k), a.col(k), 1e-8)) << k;
        EXPECT_EQ(batch.tree().q.get(k), turned.tree().q.get(kBatchStates - 1 - k)) << k;
      }
    }
  }
}

/// Mechanisms that nobody has seen, among them ones with equations that repeat others.
TEST(SystemBatch, RandomMechanisms) {
  std::mt19937_64 rng(46 + test_seed());
  int closed = 0;
  for (const LoopType type :
       {LoopType::rigid, LoopType::revolute, LoopType::universal, LoopType::spherical, LoopType::cylindrical}) {
    const System system(build_model(closed_chain(rng, {{type, 0, 9}}, {.chain = true})));
    SystemBatch batch(system, 5);
    SystemData data(system);
    std::vector<FreeState> states;
    for (int k = 0; k < 5; ++k) put(batch, k, states.emplace_back(free_state(system, rng, 0.2)));
    assemble(batch);
    closed += 5 - batch.singles();
    for (int k = 0; k < 5; ++k) {
      const FreeState& s = states[std::size_t(k)];
      const TreeState at = assemble(system, data, s.q, s.v, s.a);
      EXPECT_TRUE(close(batch.tree().q.get(k), at.q, 1e-8)) << to_string(type) << k;
      EXPECT_TRUE(close(batch.tree().v.get(k), at.v, 1e-7)) << to_string(type) << k;
    }
  }
  EXPECT_GT(closed, 10);
}

/// Each state starts from its own guess: the other branch where that stands on it.
TEST(SystemBatch, GuessesChooseTheBranch) {
  const System system(shipped_model("four_bar"));
  const Mechanism& mechanism = system.mechanism();
  SystemData data(system);
  const Eigen::VectorXd home = mechanism.home().eigen(), free = mechanism.independent_home().eigen();
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(system.nv());
  // The other way to close it: dependent joints turned over, closed next to there.
  Eigen::VectorXd other = -home;
  for (std::size_t k = 0; k < mechanism.independent_positions().size(); ++k) {
    other[mechanism.independent_positions()[k]] = free[long(k)];
  }
  const Eigen::VectorXd there = assemble(system, data, free, none, none, {other.data(), std::size_t(other.size())}).q;
  ASSERT_GT((there - home).norm(), 0.1);
  SystemBatch batch(system, 3);
  batch.guess = LaneArray(system.model().nq(), 3, batch.tree().lanes());
  for (int k = 0; k < 3; ++k) batch.guess.set(k, k == 1 ? there : home);
  assemble(batch);
  EXPECT_TRUE(close(batch.tree().q.get(0), home, kLanes) && close(batch.tree().q.get(2), home, kLanes));
  EXPECT_TRUE(close(batch.tree().q.get(1), there, kLanes));
}

TEST(System, SaysWhatItCannotBe) {
  const Model platform = shipped_model("gough_stewart"), arm = shipped_model("arm7");
  EXPECT_THROW(System(arm, {.contacts = {0}}), std::invalid_argument);
  std::mt19937_64 rng(47);
  const Model walker = build_model(chain_in_contact(rng, false));
  const std::vector<int> some{3};
  EXPECT_EQ(
      complaint<InputError>([&] { System(walker, {.contacts = {0}, .given = GivenAccelerations(walker, some)}); }),
      "error: contacts: are not known together with given accelerations");
  const Mechanism mechanism(platform);
  const std::vector<int> dependent{mechanism.dependent()[0]};
  const std::string refused = complaint<InputError>(
      [&] { System(platform, {.given = GivenAccelerations::of_velocities(platform, dependent)}); });
  EXPECT_NE(refused.find("is not an independent coordinate of the mechanism"), std::string::npos) << refused;
  const System system(platform);
  SystemData data(system);
  const Eigen::VectorXd few = Eigen::VectorXd::Zero(3), six = Eigen::VectorXd::Zero(6);
  EXPECT_EQ(complaint<std::invalid_argument>([&] { assemble(system, data, few, six, six); }),
            "assemble: q has size 3, expected 6");
  SystemBatch batch(system, 3);
  batch.q()(0, 1) = 100;
  const std::string open = complaint<InputError>([&] { assemble(batch); });
  EXPECT_TRUE(open.starts_with("error: state 1: loop '")) << open;
}

}  // namespace
}  // namespace verne::test
