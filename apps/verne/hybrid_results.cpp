#include "hybrid_results.h"

#include <algorithm>
#include <utility>

#include "json_arrays.h"

namespace verne::cli {

namespace {

bool any_wanted(const std::vector<Want>& wants, bool (*is_it)(Quantity)) {
  return std::any_of(wants.begin(), wants.end(), [&](const Want& want) { return is_it(want.quantity); });
}

}  // namespace

GivenAccelerations parse_given(const std::string& text, const Model& model) {
  const std::string kind = "acceleration=";
  if (!text.starts_with(kind)) {
    throw InputError("--given: expected acceleration=JOINT,JOINT,..., found '" + text + "'");
  }
  std::vector<int> joints;
  std::vector<Diagnostic> problems;
  for (const std::string& name : split_list(text.substr(kind.size()))) {
    try {
      const int joint = model.joint(name);
      (void)GivenAccelerations(model, std::span(&joint, 1));
      joints.push_back(joint);
    } catch (const InputError& error) {
      for (Diagnostic problem : error.problems()) {
        problem.text = "--given: " + problem.text;
        problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return GivenAccelerations(model, joints);
}

bool HybridResults::has(Quantity quantity) {
  return quantity == Quantity::d_tau || quantity == Quantity::d_acceleration || quantity == Quantity::d_joint_wrenches;
}

void HybridResults::compute(Batch& batch, const std::vector<Want>& wants) {
  hybrid_dynamics(model_, batch, given_, any_wanted(wants, [](Quantity q) { return q == Quantity::joint_wrenches; }));
  if (!any_wanted(wants, has)) return;
  const bool wrenches = any_wanted(wants, [](Quantity q) { return q == Quantity::d_joint_wrenches; });
  hybrid_dynamics_derivatives(model_, batch, given_, found_, wrenches ? &wrenches_ : nullptr);
  hybrid_load_derivatives(model_, batch, given_, loads_);
}

void HybridResults::append(Quantity quantity, int k, const std::vector<int>& slots, JsonWriter& json) const {
  if (quantity == Quantity::d_joint_wrenches) return append_wrenches(k, json);
  append_dynamics(quantity == Quantity::d_tau, k, slots, json);
}

/// Row i of tau or of a. What is found varies with everything, what is given with itself alone.
double HybridResults::entry_of(bool torque, By by, int i, int j, int k) const {
  const bool found = given_[i] == torque;
  const int at = j * model_.nv() + i;
  if (by == By::q) return found ? entry(found_.dq, at, k) : 0;
  if (by == By::v) return found ? entry(found_.dv, at, k) : 0;
  if (given_[j] != (by == By::a)) return 0;  // is not given
  return found ? entry(found_.dx, at, k) : i == j ? 1 : 0;
}

void HybridResults::append_dynamics(bool torque, int k, const std::vector<int>& slots, JsonWriter& json) const {
  using Block = std::pair<const char*, By>;
  json.begin_object();
  for (const auto& [key, by] : {Block{"q", By::q}, Block{"v", By::v}, Block{"a", By::a}, Block{"tau", By::tau}}) {
    append_entries(model_.nv(), model_.nv(), json.key(key),
                   [&, by = by](int i, int j) { return entry_of(torque, by, i, j, k); });
  }
  if (!slots.empty()) {
    const int nv = model_.nv();
    append_by_loads(slots, nv, json,
                    [&](int i, int j) { return given_[i] == torque ? entry(loads_, j * nv + i, k) : 0; });
  }
  json.end_object();
}

void HybridResults::append_wrenches(int k, JsonWriter& json) const {
  const int nv = model_.nv();
  json.begin_object();
  int first = 0;
  for (const Joint& joint : model_.joints()) {
    json.key(joint.spec.name).begin_object();
    append_block(wrenches_.dq, first, 6, nv, k, json.key("q"));
    append_block(wrenches_.dv, first, 6, nv, k, json.key("v"));
    for (const bool by_a : {true, false}) {
      append_entries(6, nv, json.key(by_a ? "a" : "tau"),
                     [&](int i, int j) { return given_[j] == by_a ? entry(wrenches_.dx, first + 6 * j + i, k) : 0; });
    }
    json.end_object();
    first += 6 * nv;
  }
  json.end_object();
}

}  // namespace verne::cli
