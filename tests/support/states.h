/// Models and states that the laws of mechanics are tried on.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "support/random_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"

namespace verne::test {

struct State {
  Eigen::VectorXd q, v, a, tau;
};
State random_state(const Model& model, std::mt19937_64& rng);
using reproduce::random_values;
/// Alternately at points of links and of the world.
Loads<double> random_loads(const Model& model, std::mt19937_64& rng, int count);
/// Six a joint, zero for fixed ones.
Matrix6X<double> random_wrench_weights(const Model& model, std::mt19937_64& rng);

/// The environment's VERNE_TEST_SEED, to try the laws on other models and states than those of every day; else 0.
unsigned long test_seed();

/// A random model with a name, the same in every run unless there is a seed.
struct ModelCase {
  std::string name;
  int joints;
  RandomTreeOptions options;
};
inline void PrintTo(const ModelCase& model_case, std::ostream* out) {
  *out << model_case.name;
}
/// Chains of each joint kind, then chains and trees of all kinds with everything that a model may have.
std::vector<ModelCase> model_cases();
Model build(const ModelCase& model_case);
/// The last of model_cases(): floating base, fixed and coupled joints, friction, rotor inertia, springs, ligaments.
Model rich_model();

/// A test that runs on every model case.
class ModelTest : public testing::TestWithParam<ModelCase> {
 protected:
  static constexpr int kStates = 3;
  Model model_ = build(GetParam());
  Data<double> data_{model_};
  std::mt19937_64 rng_{7 + test_seed()};
};
#define VERNE_ON_EVERY_MODEL(Suite)                                   \
  INSTANTIATE_TEST_SUITE_P(                                           \
      Models, Suite, testing::ValuesIn(::verne::test::model_cases()), \
      [](const testing::TestParamInfo<::verne::test::ModelCase>& parameter) { return parameter.param.name; })

}  // namespace verne::test
