/// Models and states that the laws of mechanics are tried on, and values of the library as results instead of outputs.
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
Eigen::VectorXd random_values(std::mt19937_64& rng, int count, double size);
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
/// The last of model_cases(): floating base, fixed and coupled joints, friction, rotor inertia.
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

template <class S>
Vector<S> inverse_dynamics_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a,
                              LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr) {
  Vector<S> tau(model.nv());
  if (wrenches) wrenches->resize(6, static_cast<Eigen::Index>(model.joints().size()));
  inverse_dynamics(model, data, q, v, a, tau, loads, wrenches);
  return tau;
}
template <class S>
Vector<S> forward_dynamics_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> tau,
                              LoadsIn<S> loads = nullptr, WrenchesOut<S> wrenches = nullptr) {
  Vector<S> a(model.nv());
  if (wrenches) wrenches->resize(6, static_cast<Eigen::Index>(model.joints().size()));
  forward_dynamics(model, data, q, v, tau, a, loads, wrenches);
  return a;
}
template <class S>
Vector<S> bias_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  Vector<S> tau(model.nv());
  bias_torques(model, data, q, v, tau);
  return tau;
}
template <class S>
Vector<S> gravity_of(const Model& model, Data<S>& data, VectorIn<S> q) {
  Vector<S> tau(model.nv());
  gravity_torques(model, data, q, tau);
  return tau;
}
template <class S>
Matrix<S> mass_matrix_of(const Model& model, Data<S>& data, VectorIn<S> q) {
  Matrix<S> M(model.nv(), model.nv());
  mass_matrix(model, data, q, M);
  return M;
}
template <class S>
Matrix<S> inverse_mass_matrix_of(const Model& model, Data<S>& data, VectorIn<S> q) {
  Matrix<S> inverse(model.nv(), model.nv());
  inverse_mass_matrix(model, data, q, inverse);
  return inverse;
}
template <class S>
Matrix<S> coriolis_matrix_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v) {
  Matrix<S> C(model.nv(), model.nv());
  coriolis_matrix(model, data, q, v, C);
  return C;
}
template <class S>
Matrix6X<S> jacobian_of(const Model& model, Data<S>& data, VectorIn<S> q, int site) {
  Matrix6X<S> J(6, model.nv());
  jacobian(model, data, q, site, J);
  return J;
}
template <class S>
Kinematics<S> kinematics_of(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> v, VectorIn<S> a) {
  Kinematics<S> out(model);
  forward_kinematics(model, data, q, v, a, out);
  return out;
}
template <class S>
Vector<S> integrated(const Model& model, Data<S>& data, VectorIn<S> q, VectorIn<S> step) {
  Vector<S> out(model.nq());
  integrate(model, data, q, step, out);
  return out;
}
template <class S>
Vector<S> difference_of(const Model& model, Data<S>& data, VectorIn<S> q0, VectorIn<S> q1) {
  Vector<S> v(model.nv());
  difference(model, data, q0, q1, v);
  return v;
}

}  // namespace verne::test
