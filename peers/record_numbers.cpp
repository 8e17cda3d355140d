// Prints numbers of MuJoCo for a model on a floating base, to be kept in tests/data/peers:
//   record_numbers tests/data/peers/mixed_tree.urdf > tests/data/peers/floating_mixed_tree.json
#include <cstdio>
#include <random>

#include "peers/mujoco_model.h"
#include "verne/dynamics/configuration.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_io.h"

namespace {

void append(verne::JsonWriter& json, const char* key, const Eigen::MatrixXd& values) {
  json.key(key).values({values.data(), static_cast<std::size_t>(values.size())});
}

Eigen::VectorXd random_vector(int size, double scale, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> number(-scale, scale);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return number(generator); });
}

}  // namespace

int main(int, char** argv) {
  const verne::Model model = verne::load_model(argv[1], {.floating_base = true});
  auto mujoco = verne::peers::MujocoModel::from(model);
  if (!mujoco) return 1;
  std::mt19937_64 generator(1);
  const int n = model.nv();
  verne::JsonWriter json;
  json.begin_object().key("model").value(model.name()).key("joints").begin_array();
  for (const verne::Joint& joint : model.joints()) {
    if (joint.nv > 0) json.value(joint.spec.name);
  }
  json.end_array().key("states").begin_array();
  for (int k = 0; k < 5; ++k) {
    const Eigen::VectorXd q = verne::random_configuration(model, generator), v = random_vector(n, 2, generator);
    const Eigen::VectorXd a = random_vector(n, 5, generator), push = random_vector(n, 20, generator);
    Eigen::VectorXd tau(n), response(n);
    Eigen::MatrixXd M(n, n);
    mujoco->inverse_dynamics(q, v, a, tau);
    mujoco->mass_matrix(q, M);
    mujoco->forward_dynamics(q, v, push, response);
    json.begin_object();
    append(json, "q", q), append(json, "v", v), append(json, "a", a), append(json, "tau", tau), append(json, "M", M);
    append(json, "push", push), append(json, "response", response);
    json.end_object();
  }
  json.end_array().end_object();
  std::puts(json.text().c_str());
  return 0;
}
