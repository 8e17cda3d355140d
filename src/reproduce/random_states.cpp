/// States on which formulations are compared: random ones, and of mechanisms random ones near their home.
#include <optional>
#include <random>

#include "reproduce/comparison.h"
#include "structures/closed_dynamics.h"
#include "verne/dynamics/configuration.h"

namespace verne::reproduce {

namespace {

constexpr double kNearHome = 0.3;  // rad or m, that independent coordinates of a mechanism are moved by

/// A state of a mechanism next to its home, closed in positions, velocities and accelerations. Moved by less where the
/// loops cannot follow.
void close(const Mechanism& mechanism, MechanismData<double>& data, const Eigen::VectorXd& moved, CheckState& state) {
  const Eigen::VectorXd home = mechanism.home().eigen(), own_home = mechanism.independent_home().eigen();
  const auto free = static_cast<Eigen::Index>(mechanism.independent().size());
  const auto of = [&](const Eigen::VectorXd& all) {
    Eigen::VectorXd own(free);
    for (Eigen::Index k = 0; k < free; ++k) own[k] = all[mechanism.independent()[static_cast<std::size_t>(k)]];
    return own;
  };
  state.q = home;
  for (double part = kNearHome; part > kNearHome / 100 && own_home.size() == free; part /= 2) {
    try {
      assemble<double>(mechanism, data, own_home + part * of(moved), home, state.q);
      break;
    } catch (const InputError&) {
      state.q = home;
    }
  }
  closed_motion<double>(mechanism, data, state.q, of(state.v), of(state.a), state.v, state.a);
}

}  // namespace

std::vector<CheckState> random_states(const Model& model, int count) {
  std::mt19937_64 generator(1);
  std::optional<Mechanism> mechanism;
  std::optional<MechanismData<double>> data;
  if (!model.loops().empty()) mechanism.emplace(model), data.emplace(*mechanism);
  const auto values = [&](double size) {
    Eigen::VectorXd x(model.nv());
    for (double& entry : x) entry = std::uniform_real_distribution<double>(-size, size)(generator);
    return x;
  };
  std::vector<CheckState> states;
  for (int k = 0; k < count; ++k) {
    CheckState state;
    state.q = random_configuration(model, generator);
    state.v = values(2), state.a = values(5), state.tau = values(20);
    if (mechanism) close(*mechanism, *data, values(1), state);
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace verne::reproduce
