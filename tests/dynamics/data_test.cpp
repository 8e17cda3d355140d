/// Scratch memory: nothing that was there before matters, and nothing more is taken from the heap.
#include "verne/dynamics/data.h"

#include "support/algorithms.h"
#include "support/allocation_guard.h"

namespace verne::test {
namespace {

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all = algorithms();
  all.insert(all.end(), configuration_algorithms().begin(), configuration_algorithms().end());
  return all;
}

TEST(Data, HoldsNothingThatALaterCallReads) {
  for (const ModelCase& model_case : model_cases()) {
    const Model model = build(model_case);
    std::mt19937_64 rng(1);
    const Workspace given(model, rng);
    for (const Algorithm& algorithm : all_algorithms()) {
      Workspace clean = given, poisoned = given;
      Data<double> data(model);
      std::fill_n(data.scratch(), 16, 0.0);
      algorithm.single(model, data, clean);
      poison(model, data);
      poisoned.poison();
      algorithm.single(model, data, poisoned);
      EXPECT_TRUE(algorithm.result(clean).allFinite()) << algorithm.name << " of " << model_case.name;
      EXPECT_EQ(algorithm.result(clean), algorithm.result(poisoned)) << algorithm.name << " of " << model_case.name;
    }
  }
}

TEST(Data, SuffersLargerModelsOnly) {
  std::mt19937_64 rng(2);
  const Model small = build_model(random_tree(rng, 2)), large = build_model(random_tree(rng, 5));
  const Workspace given(small, rng);
  for (const Algorithm& algorithm : all_algorithms()) {
    Data<double> own(small), roomy(large);
    Workspace first = given, second = given;
    algorithm.single(small, own, first);
    algorithm.single(small, roomy, second);
    EXPECT_EQ(algorithm.result(first), algorithm.result(second)) << algorithm.name;
  }
}

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    if (allocation_count() < 0) GTEST_SKIP() << "allocations cannot be counted in this build";
  }
  const Model model_ = rich_model();
  std::mt19937_64 rng_{3};
};

TEST_F(Allocation, IsCounted) {
  const long before = allocation_count();
  const auto number = std::make_unique<int>(1);
  const Eigen::VectorXd vector(100);
  [[maybe_unused]] const int* volatile seen = number.get();  // or a compiler may do without its memory
  EXPECT_EQ(allocation_count() - before, 2);
}

TEST_F(Allocation, SingleStatesNeedNone) {
  Workspace work(model_, rng_);
  Data<double> data(model_);
  for (const Algorithm& algorithm : all_algorithms()) {
    algorithm.single(model_, data, work);  // the first call chooses the instruction set
    const long before = allocation_count();
    algorithm.single(model_, data, work);
    EXPECT_EQ(allocation_count() - before, 0) << algorithm.name;
  }
}

TEST_F(Allocation, ComplexStatesNeedNone) {
  Data<std::complex<double>> data(model_);
  const Vector<std::complex<double>> q = neutral_configuration(model_).cast<std::complex<double>>();
  Vector<std::complex<double>> v = Vector<std::complex<double>>::Ones(model_.nv()), tau = v;
  inverse_dynamics(model_, data, q, v, v, tau);
  const long before = allocation_count();
  inverse_dynamics(model_, data, q, v, v, tau);
  forward_dynamics(model_, data, q, v, tau, v);
  EXPECT_EQ(allocation_count() - before, 0);
}

TEST_F(Allocation, BatchesNeedNoneAfterTheFirstCall) {
  const Workspace given(model_, rng_);
  for (const std::string& isa : instruction_sets()) {
    BatchWorkspace batch(model_, 20, {.threads = 1, .instruction_set = isa});
    batch.set_loads(load_sites(given.loads));
    for (const Algorithm& algorithm : algorithms()) {
      algorithm.batch(model_, batch);
      const long before = allocation_count();
      algorithm.batch(model_, batch);
      EXPECT_EQ(allocation_count() - before, 0) << algorithm.name << " on " << isa;
    }
    LaneArray step(model_.nv(), 20, batch.lanes()), from(model_.nq(), 20, batch.lanes()), out;
    interpolate(model_, batch, from, 0.5, out);
    const long before = allocation_count();
    integrate(model_, batch, step);
    difference(model_, batch, from, step);
    interpolate(model_, batch, from, 0.5, out);
    EXPECT_EQ(allocation_count() - before, 0);
  }
}

}  // namespace
}  // namespace verne::test
