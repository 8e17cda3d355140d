#include "support/states.h"

#include <cstdlib>

namespace verne::test {

namespace {

Eigen::Vector3d random_vector3(std::mt19937_64& rng, double size) {
  return random_values(rng, 3, size);
}

}  // namespace

State random_state(const Model& model, std::mt19937_64& rng) {
  State state;
  state.q = random_configuration(model, rng);
  state.v = random_values(rng, model.nv(), 2);
  state.a = random_values(rng, model.nv(), 5);
  state.tau = random_values(rng, model.nv(), 20);
  return state;
}

Loads<double> random_loads(const Model& model, std::mt19937_64& rng, int count) {
  Loads<double> loads;
  std::uniform_int_distribution<int> site(0, model.site_count() - 1);
  for (int k = 0; k < count; ++k) {
    const Eigen::Vector3d force = random_vector3(rng, 20), moment = random_vector3(rng, 5);
    const Eigen::Vector3d point = random_vector3(rng, 0.5);
    loads.add({site(rng), force, moment, point, k % 2 == 0 ? At::link : At::world});
  }
  return loads;
}

Matrix6X<double> random_wrench_weights(const Model& model, std::mt19937_64& rng) {
  Matrix6X<double> mu(6, static_cast<Eigen::Index>(model.joints().size()));
  for (Eigen::Index j = 0; j < mu.cols(); ++j) mu.col(j) = random_values(rng, 6, 1);
  return mu;
}

std::vector<ModelCase> model_cases() {
  std::vector<ModelCase> cases;
  for (const JointType type : kMovingJointTypes) {
    cases.push_back({std::string(to_string(type)) + "_chain", 3, {.kinds = {type}, .chain = true}});
  }
  using T = JointType;
  const std::vector<T> one_degree{T::revolute, T::prismatic, T::helical};
  cases.push_back({"tree_2", 2, {}});
  cases.push_back({"chain_8", 8, {.chain = true}});
  cases.push_back({"tree_30", 30, {}});
  cases.push_back({"floating_tree_10", 10, {.root = T::free}});
  cases.push_back({"welded_tree_10", 10, {.fixed_joints = true}});
  cases.push_back({"frictional_tree_8", 8, {.friction = true}});
  cases.push_back({"geared_chain_8", 8, {.chain = true, .rotor_inertia = true}});
  cases.push_back({"coupled_tree_12", 12, {.kinds = one_degree, .coupled_joints = true}});
  cases.push_back({"coupled_chain_20",
                   20,
                   {.kinds = one_degree,
                    .chain = true,
                    .fixed_joints = true,
                    .coupled_joints = true,
                    .friction = true,
                    .rotor_inertia = true}});
  cases.push_back({"follow_the_last_8", 8, {.kinds = one_degree, .chain = true, .late_leaders = true}});
  cases.push_back({"sprung_tree_10", 10, {.springs = true}});
  cases.push_back({"taut_tree_10", 10, {.ligaments = true}});
  cases.push_back({"uneven_tree_8", 8, {.root = T::free, .uneven_masses = true}});
  cases.push_back({"floating_geared_tree_12",
                   12,
                   {.root = T::free, .fixed_joints = true, .friction = true, .rotor_inertia = true}});
  cases.push_back({"rich_tree_15",
                   15,
                   {.root = T::free,
                    .fixed_joints = true,
                    .coupled_joints = true,
                    .friction = true,
                    .rotor_inertia = true,
                    .springs = true,
                    .ligaments = true}});
  return cases;
}

unsigned long test_seed() {
  const char* const seed = std::getenv("VERNE_TEST_SEED");
  return seed ? std::strtoul(seed, nullptr, 10) : 0;
}

Model build(const ModelCase& model_case) {
  std::mt19937_64 rng(42 + test_seed());
  return build_model(random_tree(rng, model_case.joints, model_case.options));
}

Model rich_model() {
  return build(model_cases().back());
}

}  // namespace verne::test
