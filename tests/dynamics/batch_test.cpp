/// A batch gives what single states give, whatever the instruction set, the size, the neighbours and the threads.
#include "verne/dynamics/batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/past_caches.h"
#include "support/algorithms.h"
#include "support/compare.h"
#include "verne/dynamics/batch_derivatives.h"
#include "verne/dynamics/for_each_block.h"

namespace verne::test {
namespace {

constexpr int kMany = 50;  // several blocks for each of three threads, on every instruction set

/// Workspaces of `count` states with loads on the same links.
std::vector<Workspace> random_states(const Model& model, int count) {
  std::mt19937_64 rng(11);
  std::vector<Workspace> states;
  const Workspace first(model, rng);
  for (int k = 0; k < count; ++k) {
    Workspace next(model, rng);
    Loads<double> loads = first.loads;
    for (int i = 0; i < 9 * loads.size(); ++i) loads.values()[i] *= random_number(rng, 0.5, 1.5);
    next.loads = loads;
    states.push_back(next);
  }
  return states;
}

void set_state(BatchWorkspace& batch, int place, const Workspace& state) {
  batch.q.set(place, state.given.q);
  batch.v.set(place, state.given.v);
  batch.a.set(place, state.given.a);
  batch.tau.set(place, state.given.tau);
  batch.lambda.set(place, state.lambda);
  batch.mu.set(place, state.mu.reshaped());
  batch.direction.set(place, state.direction);
  batch.load_values.set(place, Eigen::Map<const Eigen::VectorXd>(state.loads.values(), 9 * state.loads.size()));
}

/// States first, first + 1, ... in reverse order.
BatchWorkspace reversed_batch(const Model& model, const std::vector<Workspace>& states, int first, int count,
                              const BatchOptions& options) {
  BatchWorkspace batch(model, count, options);
  batch.set_loads(load_sites(states[0].loads));
  for (int k = 0; k < count; ++k) set_state(batch, count - 1 - k, states[static_cast<std::size_t>(first + k)]);
  return batch;
}

Eigen::MatrixXd results(const Model& model, BatchWorkspace& batch, const Algorithm& algorithm) {
  algorithm.batch(model, batch);
  return algorithm.batch_result(batch).matrix();
}

class BatchOn : public testing::TestWithParam<std::string> {
 protected:
  BatchOptions options(int threads = 1) const { return {.threads = threads, .instruction_set = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(InstructionSets, BatchOn, testing::ValuesIn(instruction_sets()),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(BatchOn, HasTheLanesOfItsInstructionSet) {
  const Model model = rich_model();
  const Batch batch(model, 3, options());
  EXPECT_EQ(batch.instruction_set(), GetParam());
  EXPECT_EQ(batch.lanes(), GetParam() == "avx512" ? 8 : GetParam() == "avx2" ? 4 : 2);
  EXPECT_EQ(batch.q.get(2), neutral_configuration(model));
}

TEST_P(BatchOn, GivesWhatSingleStatesGive) {
  for (const ModelCase& model_case : model_cases()) {
    const Model model = build(model_case);
    Data<double> data(model);
    const std::vector<Workspace> states = random_states(model, 9);
    for (const Algorithm& algorithm : algorithms()) {
      BatchWorkspace batch = reversed_batch(model, states, 0, 9, options());
      const Eigen::MatrixXd found = results(model, batch, algorithm);
      for (const int k : {0, 3, 8}) {  // all others are as good: that is the next test
        Workspace work = states[static_cast<std::size_t>(8 - k)];
        algorithm.single(model, data, work);
        // Other instruction sets round otherwise (fused multiply-add); solves amplify that.
        const std::string name = algorithm.name;
        const bool solves = name.find("forward") != std::string::npos || name.find("hybrid") != std::string::npos ||
                            name == "inverse_mass_matrix";
        // Forces by forces are of the order of one, also where they add up to nothing, as within a chain that floats.
        const double least = name.find("load_derivatives") != std::string::npos ? 1 : 1e-3;
        EXPECT_TRUE(close(found.col(k), algorithm.result(work), solves ? kSolve : kRounding, least))
            << algorithm.name << " of " << model_case.name;
      }
    }
  }
}

TEST_P(BatchOn, GivesTheSameBitsAtAnyPlaceSizeAndNumberOfThreads) {
  const Model model = rich_model();
  const std::vector<Workspace> states = random_states(model, kMany);
  for (const Algorithm& algorithm : algorithms()) {
    BatchWorkspace all = reversed_batch(model, states, 0, kMany, options());
    const Eigen::MatrixXd expected = results(model, all, algorithm);
    ASSERT_TRUE(expected.allFinite());
    using Run = std::pair<int, int>;  // states, threads
    for (const auto& [count, threads] :
         {Run{1, 3}, Run{2, 1}, Run{3, 2}, Run{7, 1}, Run{8, 3}, Run{9, 2}, Run{32, 3}, Run{kMany, 2}}) {
      const int first = (kMany - count) / 3;
      BatchWorkspace batch = reversed_batch(model, states, first, count, options(threads));
      EXPECT_EQ(results(model, batch, algorithm), expected.middleCols(kMany - first - count, count))
          << algorithm.name << ", " << count << " states on " << threads << " threads";
    }
  }
}

/// They take another way to memory.
TEST(LargeBatch, HasTheSameBitsWhereResultsExceedCaches) {
  const Model model = rich_model();
  constexpr int kFew = 24;
  const int count = static_cast<int>(kCacheBytes / (sizeof(double) * model.nv() * model.nv())) + kFew;
  Batch few(model, kFew), many(model, count, {.threads = 2});
  std::mt19937_64 rng(3);
  for (int k = 0; k < kFew; ++k) {
    const State state = random_state(model, rng);
    few.q.set(k, state.q), few.v.set(k, state.v);
  }
  for (int k = 0; k < count; ++k) many.q.set(k, few.q.column(k % kFew)), many.v.set(k, few.v.column(k % kFew));
  using Compute = void (*)(const Model&, Batch&);
  using Results = LaneArray Batch::*;
  const std::pair<Compute, Results> all[] = {{mass_matrix, &Batch::mass_matrix},
                                             {inverse_mass_matrix, &Batch::inverse_mass_matrix},
                                             {coriolis_matrix, &Batch::coriolis_matrix}};
  for (const auto& [compute, results] : all) {
    compute(model, few);
    compute(model, many);
    int different = 0;
    for (int k = 0; k < count; ++k) different += (many.*results).column(k) != (few.*results).column(k % kFew);
    EXPECT_EQ(different, 0);
  }
}

TEST_P(BatchOn, IsNotTouchedByNeighboursThatAreNotNumbers) {
  const Model model = rich_model();
  const std::vector<Workspace> states = random_states(model, 16);
  for (const Algorithm& algorithm : algorithms()) {
    BatchWorkspace clean = reversed_batch(model, states, 0, 16, options());
    BatchWorkspace dirty = reversed_batch(model, states, 0, 16, options());
    const Eigen::VectorXd nan = Eigen::VectorXd::Constant(model.nv(), std::numeric_limits<double>::quiet_NaN());
    for (int k = 1; k < 16; k += 2) {
      dirty.v.set(k, nan);
      dirty.tau.set(k, nan);
      dirty.q(model.nq() - 1, k) = 1e300;  // beyond the reach of the fast sine
    }
    const Eigen::MatrixXd expected = results(model, clean, algorithm), found = results(model, dirty, algorithm);
    for (int k = 0; k < 16; k += 2) EXPECT_EQ(found.col(k), expected.col(k)) << algorithm.name << " of state " << k;
  }
}

TEST_P(BatchOn, KeepsPaddingFiniteAndForgetsEarlierCalls) {
  const Model model = rich_model();
  const std::vector<Workspace> states = random_states(model, 9);
  BatchWorkspace used = reversed_batch(model, states, 0, 9, options());
  for (int k = 0; k < 9; ++k) {
    used.q.set(k, Eigen::VectorXd::Constant(model.nq(), std::numeric_limits<double>::quiet_NaN()));
  }
  for (const Algorithm& algorithm : algorithms()) {
    algorithm.batch(model, used);  // leaves NaN in the scratch memory
    BatchWorkspace fresh = reversed_batch(model, states, 0, 9, options());
    BatchWorkspace again = std::move(used);
    for (int k = 0; k < 9; ++k) set_state(again, 8 - k, states[static_cast<std::size_t>(k)]);
    EXPECT_EQ(results(model, again, algorithm), results(model, fresh, algorithm)) << algorithm.name;
    LaneArray& array = algorithm.batch_result(fresh);
    const double* const last = array.block(8 / fresh.lanes());
    EXPECT_TRUE(std::all_of(last, last + array.rows() * fresh.lanes(), [](double x) { return std::isfinite(x); }))
        << algorithm.name;
    for (int k = 0; k < 9; ++k) {
      again.q.set(k, Eigen::VectorXd::Constant(model.nq(), std::numeric_limits<double>::quiet_NaN()));
    }
    used = std::move(again);
  }
}

// Zeros between freedoms that do not support each other are written once and kept, unless something else was written.
TEST_P(BatchOn, RestoresZerosThatOthersHaveOverwritten) {
  std::mt19937_64 rng(4);
  const RandomTreeOptions one_degree{.kinds = {JointType::revolute, JointType::prismatic}};
  RandomTreeOptions in_a_row = one_degree;
  in_a_row.chain = true;
  const Model tree = build_model(random_tree(rng, 9, one_degree)), chain = build_model(random_tree(rng, 9, in_a_row));
  const auto batch_of = [&](const Model& model) {
    Batch batch(model, 5, options());
    for (int k = 0; k < 5; ++k) {
      const State s = random_state(model, rng);
      batch.q.set(k, s.q), batch.v.set(k, s.v), batch.a.set(k, s.a), batch.tau.set(k, s.tau);
    }
    return batch;
  };
  Batch on_tree = batch_of(tree), on_chain = batch_of(chain);
  LaneArray lambda(9, 5, on_tree.lanes());
  lambda.assign(Eigen::MatrixXd::Ones(9, 5));
  BatchDerivatives d;
  BatchSecondDerivatives h;
  const auto first = [&] { return inverse_dynamics_derivatives(tree, on_tree, d), d.dq.matrix(); };
  const auto second = [&] { return inverse_dynamics_second_derivatives(tree, on_tree, lambda, h), h.qq.matrix(); };
  const Eigen::MatrixXd dq = first(), qq = second();
  ASSERT_TRUE((dq.array() == 0).any());
  EXPECT_EQ(first(), dq);
  d.dq(9, 0) = h.qq(9, 0) = 7;
  for (int row = 0; row < 81; ++row) d.dq.block(0)[row * on_tree.lanes()] = h.qq(row, 0) = 7;
  EXPECT_EQ(first(), dq);
  EXPECT_EQ(second(), qq);
  inverse_dynamics_derivatives(chain, on_chain, d);
  inverse_dynamics_second_derivatives(chain, on_chain, lambda, h);
  EXPECT_EQ(first(), dq);
  EXPECT_EQ(second(), qq);
  const Eigen::MatrixXd a = on_tree.a.matrix();
  forward_dynamics_derivatives(tree, on_tree, d);
  on_tree.a.assign(a);
  EXPECT_EQ(first(), dq);
}

TEST_P(BatchOn, StepsOnTheManifoldAsSingleStatesDo) {
  for (const ModelCase& model_case : model_cases()) {
    const Model model = build(model_case);
    Data<double> data(model);
    const int count = 11;
    const std::vector<Workspace> states = random_states(model, count);
    BatchWorkspace batch = reversed_batch(model, states, 0, count, options(2));
    LaneArray from(model.nq(), count, batch.lanes()), step, between;
    for (int k = 0; k < count; ++k) from.set(k, states[static_cast<std::size_t>(count - 1 - k)].other_q);
    difference(model, batch, from, step);
    interpolate(model, batch, from, 0.3, between);
    LaneArray velocity(model.nv(), count, batch.lanes());
    velocity.assign(batch.v.matrix());
    integrate(model, batch, velocity);
    for (int k = 0; k < count; ++k) {
      const Workspace& s = states[static_cast<std::size_t>(count - 1 - k)];
      Eigen::VectorXd expected(model.nq());
      interpolate(model, data, s.other_q, s.given.q, 0.3, expected);
      EXPECT_TRUE(close(between.get(k), expected, kRounding)) << model_case.name;
      EXPECT_TRUE(close(step.get(k), difference(model, data, s.other_q, s.given.q), kRounding)) << model_case.name;
      EXPECT_TRUE(close(batch.q.get(k), integrate(model, data, s.given.q, s.given.v), kRounding)) << model_case.name;
    }
  }
}

TEST_P(BatchOn, HandsOutResultsBlockByBlock) {
  std::mt19937_64 rng(41 + test_seed());
  const Model model = build_model(random_tree(rng, 9, {.friction = true, .springs = true}));
  const int count = 37, n = model.nv();
  for (const int threads : {1, 3}) {
    Batch batch(model, count, {.threads = threads, .instruction_set = GetParam()});
    for (int k = 0; k < count; ++k) {
      const State s = random_state(model, rng);
      batch.q.set(k, s.q), batch.v.set(k, s.v), batch.a.set(k, s.a), batch.tau.set(k, s.tau);
    }
    batch.set_loads(random_loads(model, rng, 2));
    BatchDerivatives tau, a;
    mass_matrix(model, batch);
    inverse_dynamics_derivatives(model, batch, tau);
    std::vector<int> seen(std::size_t(count), 0);
    for (const BlockResult what : {BlockResult::mass_matrix, BlockResult::inverse_dynamics_derivatives}) {
      for_each_block(model, batch, what, [&](const StateBlock& block) {
        for (int k = 0; k < block.count; ++k) {
          const int state = block.first + k;
          ++seen[std::size_t(state)];  // no two threads have the same
          const bool mass = what == BlockResult::mass_matrix;
          EXPECT_TRUE(block.dx.matrix(k, n) == (mass ? batch.mass_matrix : tau.dx).matrix(state, n));
          EXPECT_TRUE(mass || (block.dq.get(k) == tau.dq.get(state) && block.dv.get(k) == tau.dv.get(state)));
        }
      });
    }
    EXPECT_EQ(std::ranges::count(seen, 2), count);
    forward_dynamics_derivatives(model, batch, a);
    for_each_block(model, batch, BlockResult::forward_dynamics_derivatives, [&](const StateBlock& block) {
      for (int k = 0; k < block.count; ++k) EXPECT_TRUE(block.dq.get(k) == a.dq.get(block.first + k));
    });
    // What the function throws reaches the caller, and the batch is none the worse.
    const auto fails = [&](const StateBlock& block) {
      if (block.first > 0) throw std::runtime_error("enough");
    };
    EXPECT_THROW(for_each_block(model, batch, BlockResult::mass_matrix, fails), std::runtime_error);
    const Eigen::MatrixXd before = batch.mass_matrix.matrix();
    mass_matrix(model, batch);
    EXPECT_TRUE(batch.mass_matrix.matrix() == before);
  }
}

TEST(LaneArray, StoresColumnsInBlocksOfLanes) {
  const Eigen::MatrixXd columns = Eigen::MatrixXd::Random(3, 5);
  LaneArray array(3, 5, 4);
  array.assign(columns);
  EXPECT_EQ(array.matrix(), columns);
  EXPECT_EQ(array.get(4), columns.col(4));
  EXPECT_EQ(array(2, 3), columns(2, 3));
  EXPECT_EQ(array.block(1)[4], columns(1, 4));  // second block, second row, first lane
  EXPECT_TRUE(LaneArray().empty());
  EXPECT_EQ(LaneArray().block(0), nullptr);
}

}  // namespace
}  // namespace verne::test
