/// The model of a task: that of its file, with what the task says of it, built once.
#include <algorithm>
#include <filesystem>

#include "io/number.h"
#include "model/one_axis_joints.h"
#include "motion/task/body_size.h"
#include "motion/task/ligaments.h"
#include "motion/task/named_states.h"
#include "motion/task/passive_torques.h"
#include "motion/task/smooth_friction.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

/// Reports joints that motions cannot have.
void check_model(const Model& model, const YamlReader& reader, int line) {
  for (const Joint& joint : model.joints()) {
    const JointType type = joint.spec.type;
    if (type != JointType::spherical && type != JointType::free) continue;
    const char* instead = type == JointType::free ? "three prismatic and three revolute joints"
                                                  : "three revolute joints with massless links between them";
    reader.error(line, "joint " + in_quotes(joint.spec.name) + " is " + to_string(type) +
                           ", whose rotation is a quaternion that splines do not follow: write it as " + instead);
  }
}

/// A motion within limits that nothing can meet does not exist, whatever else is asked.
void check_model_limits(const Model& model, const YamlReader& reader, int line) {
  for (const PlausibilityWarning& warning : model.plausibility_warnings()) {
    if (warning.kind == PlausibilityKind::empty_limits) reader.error(line, warning.problem.text);
  }
}

/// What a task says of a model, one key after the other, before the model is built.
class TaskModel {
 public:
  /// `map`: what is under `model`.
  TaskModel(const YamlMap& top, const YamlMap& map, const Surroundings& around, const Model& plain)
      : top_(top), plain_(plain), spec_(plain.spec()) {
    if (auto scaled = read_scaled_body(map, plain)) spec_ = std::move(*scaled), changed_ = true;
    changed_ |= put_ligaments(map, spec_);
    changed_ |= put_passive_torques(map, around, plain.spec(), spec_);
    changed_ |= smooth_friction(map, spec_);
    follow_by_splines();
    put_drives();
  }

  Model build() const {
    if (top_.items("payloads").empty()) return without_payloads();
    ModelSpec laden = spec_;
    if (!put_payloads(top_, named(), laden)) return without_payloads();
    try {
      return build_model(std::move(laden));
    } catch (const InputError& error) {
      Model model = without_payloads();  // throws where that is not their fault
      report_payloads(top_, error);
      return model;
    }
  }

 private:
  Model without_payloads() const { return changed_ ? build_model(spec_) : plain_; }

  /// A model with the joints, links and frames that the task may name.
  const Model& named() const {
    if (!other_joints_) return plain_;
    if (!named_) named_ = build_model(spec_);
    return *named_;
  }

  void follow_by_splines() {
    const std::size_t links = spec_.links.size();
    spec_ = with_one_axis_joints(std::move(spec_));
    other_joints_ = spec_.links.size() != links;
    changed_ |= other_joints_;
  }

  /// An actuator for `drive: all` or the named joints, whatever the model's
  /// file says.
  void put_drives() {
    const YamlNode* node = top_.find("drive");
    if (!node) return;
    const YamlReader reader = top_.reader("drive");
    const TaskJoints joints(named());
    std::vector<bool> driven(joints.count(), is_word(*node, "all"));
    if (node->is_list()) {
      for (const YamlNode& item : node->items) {
        if (const auto name = reader.word(item)) {
          for (const std::size_t dof : joints.dofs(*name, item.line, reader)) driven[dof] = true;
        }
      }
    } else if (!is_word(*node, "all")) {
      reader.expected("all or a list of joints", *node);
    }
    for (std::size_t i = 0; i < spec_.links.size(); ++i) {  // joint i carries link i
      const Joint& joint = named().joints()[i];
      for (int k = 0; k < joint.nv; ++k) spec_.links[i].joint.actuated |= driven[joint.v + k];
    }
    changed_ = true;
  }

  const YamlMap& top_;
  const Model& plain_;
  ModelSpec spec_;
  bool changed_ = false, other_joints_ = false;
  mutable std::optional<Model> named_{};
};

}  // namespace

std::optional<Model> read_model(const YamlMap& top, const Surroundings& around,
                                const std::map<std::string, double>& numbers, std::vector<Diagnostic>& problems,
                                std::string& path, YamlNode& root, ContactRules& rules) {
  const YamlNode* node = top.require("model");
  if (!node) return std::nullopt;
  const YamlNode just_a_file{YamlNode::Kind::map, node->line, "", {}, {{"file", node->line, *node}}};
  const YamlMap map(node->is_map() ? *node : just_a_file, top.reader("model"), model_schema().names());
  const YamlNode* name = map.require("file");
  const auto written = name ? top.reader("model").word(*name) : std::nullopt;
  if (!written) return std::nullopt;
  path = (std::filesystem::path(around.folder) / *written).lexically_normal().string();
  const Diagnostics& diagnostics = top.reader().diagnostics();
  const std::size_t errors_before = diagnostics.errors().size();
  try {
    const Model in_file = numbers.empty() ? around.files.model(path) : around.files.model_with(path, numbers);
    const bool floats = map.flag("floating_base", false) && !around.given;
    const Model plain = floats ? build_model(with_floating_base(in_file.spec())) : in_file;
    rules = put_named_states(
        root, {plain, map.find("srdf"), around.folder, path, around.files.read ? &around.files : nullptr}, top.reader(),
        problems);
    const Model model = TaskModel(top, map, around, plain).build();
    check_model(model, top.reader("model"), node->line);
    if (!model.loops().empty()) Mechanism{model};  // throws where they cannot be closed
    check_model_limits(model, top.reader("model"), node->line);
    if (diagnostics.errors().size() == errors_before) return model;
  } catch (const InputError& error) {
    top.reader("model").error(node->line, in_quotes(*written) + " cannot be used");
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return std::nullopt;
}

}  // namespace verne
