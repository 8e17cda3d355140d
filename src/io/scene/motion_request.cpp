#include <algorithm>

#include "io/named_state.h"
#include "io/number.h"
#include "io/yaml/map.h"

namespace verne {

namespace {

constexpr char kOther[] = "expected a MotionPlanRequest of MoveIt, with ";

/// Joints that a model has and that move by themselves, with one position each.
class RequestedPosture {
 public:
  RequestedPosture(const Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  /// start_state: {joint_state: {name: […], position: […]}}
  NamedState start(const YamlNode& root) {
    const YamlNode* const state = find_entry(root, "start_state");
    const YamlNode* const joints = state ? find_entry(*state, "joint_state") : nullptr;
    if (!joints) return fail(root.line, std::string(kOther) + "start_state: joint_state");
    const YamlNode *const names = find_entry(*joints, "name"), *const positions = find_entry(*joints, "position");
    const std::size_t count = names ? names->items.size() : 0;
    if (count == 0 || !positions || positions->items.size() != count) {
      return fail(joints->line, "start_state: joint_state: expected as many entries of position as of name");
    }
    for (std::size_t k = 0; k < count; ++k) add(names->items[k].text, positions->items[k], "start_state");
    return of_model(joints->line);
  }

  /// goal_constraints: [{joint_constraints: [{joint_name: …, position: …}, …]}], of which the first counts.
  NamedState goal(const YamlNode& root) {
    const YamlNode* const goals = find_entry(root, "goal_constraints");
    if (!goals || goals->items.empty()) return fail(root.line, std::string(kOther) + "goal_constraints");
    const YamlNode& first = goals->items.front();
    const YamlNode* const joints = find_entry(first, "joint_constraints");
    if (!joints || joints->items.empty()) {
      return fail(first.line, "goal_constraints: there are no joint_constraints: give the pose as one of `frames`");
    }
    for (const YamlNode& joint : joints->items) {
      const YamlNode *const name = find_entry(joint, "joint_name"), *const position = find_entry(joint, "position");
      if (!name || !position) return fail(joint.line, "joint_constraints: expected joint_name and position");
      add(name->text, *position, "joint_constraints");
    }
    return of_model(joints->line);
  }

 private:
  NamedState fail(int line, const std::string& why) {
    diagnostics_.error(line, why);
    return {};
  }

  void add(const std::string& name, const YamlNode& position, const char* place) {
    const auto number = YamlReader(place, diagnostics_).inside(name).number(position);
    const auto joint = std::ranges::find_if(model_.joints(), [&](const Joint& one) { return one.spec.name == name; });
    if (!number || joint == model_.joints().end() || joint->nq != 1) return;
    found_.joints.push_back({name, {*number}, position.line});
  }

  NamedState of_model(int line) {
    if (found_.joints.empty()) return fail(line, "is of another robot: the model has none of its joints");
    return std::move(found_);
  }

  const Model& model_;
  Diagnostics& diagnostics_;
  NamedState found_;
};

}  // namespace

NamedState read_motion_request(const std::string& text, const Model& model, const std::string& file, bool goal) {
  Diagnostics diagnostics(file);
  const YamlNode root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_errors();
  RequestedPosture posture(model, diagnostics);
  NamedState found = goal ? posture.goal(root) : posture.start(root);
  diagnostics.throw_if_errors();
  found.name = file;
  return found;
}

}  // namespace verne
