#include <algorithm>

#include "io/named_state.h"
#include "io/parse_json.h"
#include "verne/io/state_io.h"

namespace verne {

NamedState read_posture(const std::string& text, const Model& model, const std::string& file) {
  nlohmann::json all = parse_json(text, file);
  if (all.is_array() && !all.empty() && all.front().is_object()) all = nlohmann::json(all.front());
  if (all.is_array()) all = nlohmann::json{{"q", all}};
  nlohmann::json q = all.is_object() && all.contains("q") ? all["q"] : nlohmann::json();
  if (q.is_null()) throw InputError({Diagnostic{file, 0, "expected positions: an array, or an object with q"}});
  if (q.is_array() && !q.empty() && q.back().is_array()) q = nlohmann::json(q.back());
  const StateLine state = parse_state(nlohmann::json{{"q", q}}.dump(), model, file, 0);
  NamedState found{file, {}, 0};
  for (const Joint& joint : model.joints()) {
    if (joint.nq == 0 || joint.coupled()) continue;
    const auto begin = state.q.begin() + joint.q;
    found.joints.push_back({joint.spec.name, {begin, begin + joint.nq}, 0});
  }
  return found;
}

}  // namespace verne
