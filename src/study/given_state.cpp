#include "study/given_state.h"

#include "verne/dynamics/configuration.h"

namespace verne {

StateShape shape_of(const System& system) {
  if (system.model().loops().empty()) return state_shape(system.model());
  const Values home = system.mechanism().independent_home();
  return {{home.data(), home.data() + home.size()}, {}, system.nv(), system.torques(), true};
}

StateLine read_state(const YamlMap& map, const char* key, const System& system) {
  const Model& model = system.model();
  const StateShape shape = shape_of(system);
  const bool closed = !model.loops().empty();
  StateLine state;
  state.q = shape.q;
  state.v.assign(static_cast<std::size_t>(shape.velocities), 0.0);
  state.a = state.v;
  state.tau.assign(static_cast<std::size_t>(shape.torques), 0.0);
  const YamlNode* node = map.find(key);
  if (!node) return state;
  std::vector<std::string> keys{"q", "v", "a", "tau"};
  if (closed) keys.emplace_back("guess");
  const YamlMap parts(*node, map.reader(key), keys);
  const auto read = [&](const char* name, std::vector<double>& values, std::size_t size) {
    const YamlNode* list = parts.find(name);
    if (!list) return;
    if (const auto given = parts.reader(name).numbers(*list, size, "rad")) values = *given;
  };
  read("q", state.q, state.q.size()), read("v", state.v, state.v.size());
  read("a", state.a, state.a.size()), read("tau", state.tau, state.tau.size());
  if (closed) {
    read("guess", state.guess, static_cast<std::size_t>(model.nq()));
    return state;
  }
  if (parts.reader().diagnostics().errors().empty() && model.nq() != model.nv()) {
    Eigen::Map<Eigen::VectorXd> q(state.q.data(), model.nq());
    try {
      checked_configuration(model, q, q);
    } catch (const InputError& error) {
      parts.reader("q").error(node->line, error.what());
    }
  }
  return state;
}

void take_tree_state(const System& system, const StateLine& state, std::vector<double>& q, std::vector<double>& v) {
  q = state.q, v = state.v;
  if (system.model().loops().empty()) return;
  const auto as_vector = [](const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  };
  SystemData data(system);
  const TreeState tree =
      assemble(system, data, as_vector(state.q), as_vector(state.v), as_vector(state.a), state.guess);
  if (!tree.connected) throw InputError("loops do not close on the way from the guess");
  q.assign(tree.q.begin(), tree.q.end()), v.assign(tree.v.begin(), tree.v.end());
}

}  // namespace verne
