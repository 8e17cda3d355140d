/// Quantities as arrays against single states, for every structure: each state with loads and weights of its own.
#include "verne/quantities/evaluation.h"

#include <gtest/gtest.h>

#include "structures/system_support.h"
#include "support/complaint.h"
#include "support/text.h"

namespace verne::test {
namespace {

constexpr int kQuestions = 7;
constexpr double kSame = 1e-8;

/// A system, states of it, and what they are given.
struct Question {
  Question(const System& of, bool with_weights) : system(of), data(of), weighted(with_weights) {
    std::mt19937_64 rng(17 + test_seed());
    for (int k = 0; k < kQuestions; ++k) {
      states.push_back(free_state(of, rng, 0.05));
      loads.push_back(random_loads(of.model(), rng, k % 3));
      weights.emplace_back(Eigen::VectorXd(Eigen::VectorXd::Ones(of.torques()) +
                                           (weighted ? 3 : 0) * random_values(rng, of.torques(), 1).cwiseAbs()));
    }
  }
  DynamicsOptions options(int k) const {
    return {
        .loads = &loads[std::size_t(k)], .weights = weighted ? &weights[std::size_t(k)] : nullptr, .wrenches = true};
  }

  System system;
  SystemData data;
  bool weighted = false;
  std::vector<FreeState> states;
  std::vector<Loads<double>> loads;
  std::vector<Values> weights;
};

/// The answers to a question, and their comparison with matrices of single states.
class Answers {
 public:
  Answers(const Question& question, const std::vector<std::string>& wants)
      : evaluation_(question.system, wants, kQuestions, {.threads = 2}), wants_(wants) {
    SystemBatch& batch = evaluation_.states();
    for (int k = 0; k < kQuestions; ++k) {
      const FreeState& s = question.states[std::size_t(k)];
      batch.q().set(k, s.q), batch.v().set(k, s.v), batch.a().set(k, s.a), batch.tau().set(k, s.tau);
    }
    if (question.weighted) {
      LaneArray& rows = state_input("weights").rows(batch);
      for (int k = 0; k < kQuestions; ++k) rows.set(k, question.weights[std::size_t(k)].eigen());
    }
    evaluation_.set_loads(question.loads);
    evaluation_.compute();
  }
  const Evaluation& evaluation() const { return evaluation_; }

  /// Part of a quantity of a state against a matrix: `height` rows for each of its items, side by side.
  void expect(const std::string& want, const std::string& part, int k, const Eigen::MatrixXd& wanted, int height) {
    const QuantityArray& array = find(want, part);
    ASSERT_EQ(array.size(), wanted.size()) << want << " " << part;
    const Eigen::Index columns = array.shape.back();
    const double scale = 1 + wanted.array().isNaN().select(0, wanted).cwiseAbs().sum();
    for (int i = 0; i < array.size(); ++i) {
      const Eigen::Index item = i / (height * columns), row = i / columns % height, column = i % columns;
      const double found = array.at(i, k), expected = wanted(row, item * columns + column);
      if (std::isnan(found) && std::isnan(expected)) continue;
      ASSERT_NEAR(found, expected, kSame * scale) << want << " " << part << " of state " << k << " at " << i;
    }
  }
  /// A vector, or wrenches: a row of the array is a column of the matrix.
  void expect_columns(const std::string& want, int k, const Eigen::MatrixXd& wanted) {
    const QuantityArray& array = find(want, "");
    ASSERT_EQ(array.size(), wanted.size()) << want;
    const double scale = 1 + wanted.cwiseAbs().sum();
    for (int i = 0; i < array.size(); ++i) {
      ASSERT_NEAR(array.at(i, k), wanted.data()[i], kSame * scale) << want << " of state " << k << " at " << i;
    }
  }
  /// By loads: those of the state, in its order.
  void expect_loads(const std::string& want, int k, const MatrixView& wanted) {
    const std::span<const int> places = evaluation_.loads_of(k);
    ASSERT_EQ(static_cast<Eigen::Index>(9 * places.size()), wanted.cols()) << want;
    const QuantityArray& array = find(want, "loads");
    const double scale = 1 + wanted.cwiseAbs().sum();
    for (std::size_t load = 0; load < places.size(); ++load) {
      for (int i = 0; i < wanted.rows(); ++i) {
        for (int j = 0; j < 9; ++j) {
          const int index = (places[load] * static_cast<int>(wanted.rows()) + i) * 9 + j;
          ASSERT_NEAR(array.at(index, k), wanted(i, 9 * static_cast<int>(load) + j), kSame * scale) << want << k;
        }
      }
    }
  }

 private:
  const QuantityArray& find(const std::string& want, const std::string& part) const {
    const auto w = static_cast<std::size_t>(std::find(wants_.begin(), wants_.end(), want) - wants_.begin());
    const auto arrays = evaluation_.arrays(w);
    const auto at = std::ranges::find(arrays, part, &QuantityArray::part);
    EXPECT_NE(at, arrays.end()) << want << " has no part " << part;
    return at == arrays.end() ? arrays[0] : *at;
  }
  Evaluation evaluation_;
  std::vector<std::string> wants_;
};

void expect_derivatives(Answers& found, const std::string& of, const std::string& last, int k, const DerivativeViews& d,
                        int height) {
  found.expect(of, "q", k, d.dq, height);
  found.expect(of, "v", k, d.dv, height);
  found.expect(of, last, k, d.dx, height);
}

/// Torques, wrenches and derivatives of a motion.
void expect_inverse(Question& question) {
  const System& system = question.system;
  std::vector<std::string> wants{
      "tau", "bias", "gravity", "mass_matrix", "inverse_mass_matrix", "joint_wrenches", "d_tau", "d_joint_wrenches"};
  const bool joined = system.closures() > 0;
  if (joined) wants.insert(wants.end(), {"loop_wrenches", "d_loop_wrenches"});
  Answers found(question, wants);
  for (int k = 0; k < kQuestions; ++k) {
    const FreeState& s = question.states[std::size_t(k)];
    const TreeState at = assemble(system, question.data, s.q, s.v, s.a);
    const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
    const SystemDynamics one = inverse_dynamics(system, question.data, q, v, a, question.options(k));
    found.expect_columns("tau", k, one.tau);
    found.expect_columns("joint_wrenches", k, one.joint_wrenches);
    if (joined) found.expect_columns("loop_wrenches", k, one.loop_wrenches);
    found.expect_columns("bias", k, bias_torques(system, question.data, q, v));
    found.expect_columns("gravity", k, gravity_torques(system, question.data, q));
    const Eigen::MatrixXd M = mass_matrix(system, question.data, q);
    found.expect("mass_matrix", "", k, M, system.nv());
    found.expect("inverse_mass_matrix", "", k, M.inverse(), system.nv());
    const SystemDerivatives d = inverse_dynamics_derivatives(system, question.data, q, v, a, question.options(k));
    expect_derivatives(found, "d_tau", "a", k, d, system.torques());
    if (d.by_loads.size() > 0) found.expect_loads("d_tau", k, d.by_loads);
    expect_derivatives(found, "d_joint_wrenches", "a", k, d.joint_wrenches, 6);
    if (joined) expect_derivatives(found, "d_loop_wrenches", "a", k, d.loop_wrenches, 6);
  }
}

/// Accelerations under torques, with their wrenches and derivatives.
void expect_forward(Question& question) {
  const System& system = question.system;
  const bool joined = system.closures() > 0;
  std::vector<std::string> wants{"acceleration", "joint_wrenches", "d_acceleration"};
  if (joined) wants.insert(wants.end(), {"loop_wrenches", "d_joint_wrenches", "d_loop_wrenches"});
  Answers found(question, wants);
  for (int k = 0; k < kQuestions; ++k) {
    const FreeState& s = question.states[std::size_t(k)];
    const TreeState at = assemble(system, question.data, s.q, s.v, s.a);
    const Eigen::VectorXd q = at.q, v = at.v;
    const SystemDynamics one = forward_dynamics(system, question.data, q, v, s.tau, question.options(k));
    const auto independent = system.mechanism().independent();
    Eigen::VectorXd own = one.a;
    if (!system.model().loops().empty()) own = one.a(std::vector<int>(independent.begin(), independent.end())).eval();
    found.expect_columns("acceleration", k, own);
    found.expect_columns("joint_wrenches", k, one.joint_wrenches);
    if (joined) found.expect_columns("loop_wrenches", k, one.loop_wrenches);
    const SystemDerivatives d = forward_dynamics_derivatives(system, question.data, q, v, s.tau, question.options(k));
    expect_derivatives(found, "d_acceleration", "tau", k, d, system.nv());
    if (d.by_loads.size() > 0) found.expect_loads("d_acceleration", k, d.by_loads);
    if (!joined) continue;  // of a tree they are of the motion q, v, a
    expect_derivatives(found, "d_joint_wrenches", "tau", k, d.joint_wrenches, 6);
    expect_derivatives(found, "d_loop_wrenches", "tau", k, d.loop_wrenches, 6);
  }
}

TEST(Evaluation, IsWhatSingleStatesAre) {
  for (const SystemCase& of : all_systems()) {
    if (of.system.given()) continue;
    SCOPED_TRACE(of.name);
    Question question(of.system, false);
    expect_inverse(question);
    expect_forward(question);
    if (of.system.closures() == 0) continue;
    Question weighted(of.system, true);
    expect_inverse(weighted);
  }
}

/// Hybrid dynamics: what is found, and its derivatives by loads of each state's own.
TEST(Evaluation, CompletesWhatSingleStatesComplete) {
  for (const SystemCase& of : all_systems()) {
    if (!of.system.given()) continue;
    SCOPED_TRACE(of.name);
    Question question(of.system, false);
    const System& system = of.system;
    const bool closed = !system.model().loops().empty();
    std::vector<std::string> wants{"tau", "acceleration", "joint_wrenches"};
    if (!closed) wants.insert(wants.end(), {"d_tau", "d_acceleration"});
    Answers found(question, wants);
    for (int k = 0; k < kQuestions; ++k) {
      const FreeState& s = question.states[std::size_t(k)];
      const TreeState at = assemble(system, question.data, s.q, s.v, s.a);
      const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
      const std::span<const double> given{a.data(), std::size_t(a.size())};
      const SystemDynamics one = forward_dynamics(system, question.data, q, v, s.tau, question.options(k), given);
      found.expect_columns("tau", k, one.tau);
      found.expect_columns("joint_wrenches", k, one.joint_wrenches);
      if (closed) continue;
      found.expect_columns("acceleration", k, one.a);
      const SystemDerivatives d =
          forward_dynamics_derivatives(system, question.data, q, v, s.tau, question.options(k), given);
      if (d.by_loads.size() == 0) continue;
      for (const bool torque : {true, false}) {  // what is given does not depend on loads
        Eigen::MatrixXd own = d.by_loads;
        for (int i = 0; i < system.nv(); ++i) {
          if ((*system.given())[i] != torque) own.row(i).setZero();
        }
        found.expect_loads(torque ? "d_tau" : "d_acceleration", k, MatrixView(own.data(), own.rows(), own.cols()));
      }
    }
  }
}

/// States of the tree take the place of independent coordinates, for one call, and only closed ones.
TEST(SystemBatch, TakesStatesOfTheTree) {
  const System system(shipped_model("four_bar"));
  std::mt19937_64 rng(4);
  SystemData data(system);
  const FreeState s = free_state(system, rng, 0.3), other = free_state(system, rng, 0.3);
  const TreeState at = assemble(system, data, s.q, s.v, s.a);
  const Eigen::VectorXd q = at.q, v = at.v, a = at.a;
  SystemBatch batch(system, 3);
  for (int k = 0; k < 3; ++k) batch.q().set(k, other.q), batch.v().set(k, other.v), batch.a().set(k, other.a);
  assemble(batch);
  const Eigen::VectorXd plain = batch.tree().q.get(2);
  batch.set_tree(1, q, v, a);
  assemble(batch);
  EXPECT_EQ(batch.tree().q.get(1), q);
  EXPECT_EQ(batch.tree().v.get(1), v);
  EXPECT_EQ(batch.tree().a.get(1), a);
  EXPECT_EQ(batch.tree().q.get(2), plain);
  Eigen::VectorXd open = q;
  open[2] += 1e-6;
  batch.set_tree(1, open, v, a);
  EXPECT_TRUE(contains(complaint<InputError>([&] { assemble(batch); }), "state 1: loop 'closing'"));
  assemble(batch);  // what was told is forgotten
}

/// What is given is left alone, also where there is no answer.
TEST(Evaluation, LeavesStatesAlone) {
  ModelSpec spec = shipped_model("four_bar").spec();
  const System system(build_model(spec));
  Evaluation evaluation(system, {"tau", "acceleration"}, 2);
  SystemBatch& states = evaluation.states();
  states.tau()(0, 0) = 3, states.tau()(0, 1) = 4, states.a()(0, 1) = 5;
  evaluation.compute();
  EXPECT_EQ(states.tau()(0, 0), 3);
  EXPECT_EQ(states.tau()(0, 1), 4);
  EXPECT_EQ(states.a()(0, 1), 5);
  evaluation.compute_by([](Quantity, SystemBatch&) { throw InputError("no"); });
  EXPECT_THROW(evaluation.compute(), InputError);
  EXPECT_EQ(states.tau()(0, 1), 4);
  EXPECT_EQ(states.a()(0, 1), 5);
}

TEST(Evaluation, SaysWhatIsNotGiven) {
  const System arm(shipped_model("arm7"));
  const auto refused = [](const char* input, const System& system) {
    return complaint<InputError>([&] { require_input(state_input(input), system, "--states: "); });
  };
  EXPECT_TRUE(contains(refused("guess", arm), "--states: guess is for models with closed loops"));
  EXPECT_TRUE(contains(refused("weights", arm), "weights are for models with closed loops or held contacts"));
  EXPECT_THROW(state_input("speed"), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
