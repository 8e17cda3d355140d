#include "study/given_state.h"

#include "verne/dynamics/configuration.h"

namespace verne {

StateLine read_state(const YamlMap& map, const char* key, const Model& model) {
  StateLine state;
  state.q = state_shape(model).q;
  for (std::vector<double>* zeros : {&state.v, &state.a, &state.tau}) {
    zeros->assign(static_cast<std::size_t>(model.nv()), 0.0);
  }
  const YamlNode* node = map.find(key);
  if (!node) return state;
  const YamlMap parts(*node, map.reader(key), {"q", "v", "a", "tau"});
  const auto read = [&](const char* name, std::vector<double>& values) {
    const YamlNode* list = parts.find(name);
    if (!list) return;
    if (const auto given = parts.reader(name).numbers(*list, values.size(), "rad")) values = *given;
  };
  read("q", state.q), read("v", state.v), read("a", state.a), read("tau", state.tau);
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

}  // namespace verne
