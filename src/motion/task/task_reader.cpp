#include "motion/task/task_reader.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "io/file_kind.h"
#include "io/number.h"
#include "io/yaml/parameters.h"
#include "motion/curve/phases.h"
#include "motion/task/task_schema.h"
#include "motion/task/task_shapes.h"
#include "motion/terms/loop_drives.h"
#include "motion/terms/own_terms.h"

namespace verne {

namespace {

constexpr char kFormat[] = "verne-task/1";

void check_format(const YamlMap& top) {
  const YamlNode* node = top.require("format");
  if (node && !is_word(*node, kFormat)) top.reader("format").expected(in_quotes(kFormat), *node);
}

/// The text that a solution keeps of a task names terms from code: without these it would be another task.
void refuse_terms_from_code(const YamlMap& top) {
  const YamlNode* node = top.find(kTermsFromCode);
  if (!node) return;
  const YamlReader reader = top.reader(kTermsFromCode);
  if (!node->is_list()) reader.expected("a list of names", *node);
  for (const YamlNode& item : node->items) {
    if (const auto name = reader.word(item)) {
      reader.error(item.line, in_quotes(*name) + " is code: only the program that added this term has it");
    }
  }
}

/// What can be judged without knowing the model.
void read_settings(const YamlMap& top, Task& task) {
  task.name = top.word("name", std::filesystem::path(task.file).stem().string());
  task.description = top.word("description", "");
  top.require("minimize");
  task.curve = read_curve(top);
  task.duration = read_duration(top);
  task.refine = read_refine(top);
  task.solver = read_solver(top);
  task.starts = read_starts(top);
  task.sweep = read_sweep(top, task.parameters);
}

/// Reactions of loops take over the efforts of freedoms that follow from those with drives.
void release_borne(const Model& model, LimitsSpec& limits) {
  if (model.loops().empty()) return;
  const std::vector<int> drives = drives_of(Mechanism(model));
  for (int dof = 0; dof < model.nv(); ++dof) {
    if (!std::binary_search(drives.begin(), drives.end(), dof)) limits.effort[dof] = {};
  }
}

/// How many places there are between the ends that states or frames have to be at.
std::size_t places_between(const std::vector<ViaSpec>& via, const std::vector<FrameGoalSpec>& frames) {
  std::set<double> places;
  for (const ViaSpec& one : via) places.insert(one.at);
  for (const FrameGoalSpec& frame : frames) {
    if (!frame.when.path && frame.of_posture()) places.insert(frame.when.at);
  }
  return places.size() - places.count(0) - places.count(1);
}

/// Ways from one place to the next that the motion is made of.
int ways_in(const Task& task) {
  std::size_t ways = std::max<std::size_t>(1, task.phases.size()) + places_between(task.via, task.frames);
  for (const PhaseSpec& phase : task.phases) ways += places_between(phase.via, phase.frames);
  return static_cast<int>(ways);
}

bool says_of_curve(const YamlMap& top, const char* key) {
  const YamlNode* node = top.find("trajectory");
  return node && std::any_of(node->entries.begin(), node->entries.end(),
                             [&](const YamlEntry& entry) { return entry.key == key; });
}
bool says_size_of_curve(const YamlMap& top) {
  return says_of_curve(top, "control_points") || says_of_curve(top, "nodes");
}

/// Unless the task says otherwise, as many spans for each way as a motion has that is nothing but one: each has its own
/// switches.
void lengthen_curve(const YamlMap& top, Task& task) {
  constexpr int kPointsPerWay = 9, kNodesPerWay = 38;  // more than a first one has
  task.curve.as_given = says_size_of_curve(top);
  if (task.curve.as_given) return;
  const int more = ways_in(task) - 1;
  task.curve.control_points += kPointsPerWay * more;
  task.curve.nodes += kNodesPerWay * more;
}

/// Curves of a higher degree, unless the task says otherwise, where joints are not driven: the efforts of these are to
/// be zero everywhere, and errors between the places where they are fall with a higher power of the spans.
void raise_degree(const YamlMap& top, Task& task) {
  constexpr int kDegree = 5, kControlPoints = 40;
  const auto passive = [](const LimitsSpec& limits) {
    return std::any_of(limits.effort.begin(), limits.effort.end(), [](const Interval& x) { return x.fixed(); });
  };
  const auto passive_in = [&](const PhaseSpec& phase) { return passive(phase.limits); };
  if (task.phases.empty() ? !passive(task.limits) : std::none_of(task.phases.begin(), task.phases.end(), passive_in)) {
    return;
  }
  CurveSpec& curve = task.curve;
  if (!says_size_of_curve(top)) curve.control_points = std::max(curve.control_points, kControlPoints);
  if (!says_of_curve(top, "degree")) curve.degree = std::min(kDegree, curve.control_points - 1);
}

/// Without contacts to hold, loops are those of the model.
void refuse_ground(const std::optional<GroundSpec>& ground, const Model& model, const YamlMap& map) {
  if (!ground || model.loops().empty()) return;
  map.reader("ground").error(ground->line, "not with a model that has closed loops, nor where contacts are held");
}

/// What names joints, links or frames. `loose`: the model without the contacts that are held. What is wrong with other
/// files is added to `problems`.
void read_motion(const YamlMap& top, const Model& loose, const Surroundings& around, std::vector<Diagnostic>& problems,
                 const Grips& grips, Task& task) {
  task.held = read_held(top, TaskJoints(task.model));
  const TaskJoints joints(task.model, task.held);
  const Diagnostics& diagnostics = top.reader().diagnostics();
  const YamlNode nothing{YamlNode::Kind::map, top.line(), "", {}, {}};
  const YamlNode* node = top.find("subject_to");
  const YamlMap subject_to(node ? *node : nothing, top.reader("subject_to"), subject_to_schema().names());
  task.effort_weights = read_effort_weights(top, joints);
  task.periodic = read_periodic(subject_to, joints, task.held);
  task.start = read_end_state(subject_to, "start", joints, task.periodic);
  task.end = read_end_state(subject_to, "end", joints, task.periodic);
  task.via = read_via(subject_to, joints);
  task.limits = read_limits(subject_to, joints, model_limits(joints));
  release_held(task.held, task.limits);
  task.frames = read_frames(subject_to, joints);
  task.keep_out = read_keep_out(subject_to, joints);
  task.swing_together = read_swings(subject_to, joints);
  task.loads = read_loads(subject_to, joints);
  task.ground = read_ground(subject_to, task.model, std::nullopt);
  refuse_ground(task.ground, task.model, subject_to);
  if (task.ground) task.frames.insert(task.frames.end(), task.ground->feet.begin(), task.ground->feet.end());
  task.in_hands = mass_in_hands(top, task.model);
  task.phases = read_phases(top, task, loose, grips.carried);
  put_grips(grips, top, task);
  put_carried(grips.carried, top, task);
  task.work = read_work(top, task);
  read_repetitions(top, task);
  for (const PhaseSpec& phase : task.phases) refuse_ground(phase.ground, phase.model, subject_to);
  release_borne(task.model, task.limits);
  for (PhaseSpec& phase : task.phases) release_borne(phase.model, phase.limits);
  read_costs(top, joints, task);
  if (diagnostics.errors().empty()) refuse_loads_of_legs(task, top);
  if (!around.again) read_guess(top, joints, around.folder, around.files, problems, task);
  task.samples = read_samples(top, task.model);
  lengthen_curve(top, task);
  // Contradictions among values that were misread would only confuse.
  if (diagnostics.errors().empty()) check_task(task, joints, top);
  if (task.duration.bounds.fixed()) put_frames(task, task.duration.bounds.lower);
  release_root(task, top);
  raise_degree(top, task);
}

/// Stands in for a model that cannot be used, while the rest of the task is read for its mistakes.
Model placeholder_model() {
  ModelSpec spec;
  spec.links.resize(1);
  spec.links[0].name = "base";
  spec.links[0].joint.name = "root_joint";
  return build_model(std::move(spec));
}

}  // namespace

Task read_task_among(const std::string& text, const std::string& file, const Surroundings& around,
                     const std::map<std::string, double>& overrides) {
  Diagnostics diagnostics(file);
  if (is_xml(text, kFormat, diagnostics)) diagnostics.throw_if_errors();
  YamlNode root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_errors();
  if (is_another_kind(root, kFormat, diagnostics)) diagnostics.throw_if_errors();
  std::vector<Diagnostic> problems_elsewhere;  // in files that the task names
  const std::optional<SceneFile> scene_file = scene_file_of(root, around.folder, around.files);
  const std::optional<HeldObject> held = take_held_object(root, scene_file);
  const std::vector<HeldObject> in_phases = take_carried_objects(root, scene_file);

  std::map<std::string, double> parameters;
  std::vector<std::string> keys = task_schema().names();
  keys.insert(keys.end(), {kTermsFromCode, kHeldObjects});
  const YamlMap top(root, YamlReader("", diagnostics, &parameters), keys);
  if (!root.is_map()) diagnostics.throw_if_errors();
  check_format(top);
  std::map<std::string, double> of_model = parameters_of_model(top, around);
  std::map<std::string, double> all = overrides, changed;
  std::vector<DesignSpec> design = read_design(top, all);
  if (around.given) design.clear(), all = overrides;
  const std::vector<std::string> names_of_model = add_fields(top, around, all, design, of_model);
  std::map<std::string, double> of_task = all;
  for (const auto& [name, value] : all) {
    if (!of_model.contains(name)) continue;
    of_model[name] = changed[name] = value;
    if (!top_has_parameter(top, name)) of_task.erase(name);
  }
  read_parameters(top, of_task, parameters, names_of_model);

  std::string model_file;
  ContactRules contact_rules;
  std::optional<Model> model = read_model(top, around, changed, problems_elsewhere, model_file, root, contact_rules);
  Grips grips;
  if (model) model = with_held_object(top, held, *model, grips);
  if (model) model = with_carried_objects(top, in_phases, *model, around.again, grips.carried);
  std::vector<HeldContactSpec> contacts;
  Task task(model ? with_contacts(top, *model, contacts) : placeholder_model());
  task.contacts = std::move(contacts);
  task.file = file;
  std::vector<HeldObject> all_held = in_phases;
  if (held) all_held.push_back(*held);
  task.text = entry_named(root, kHeldObjects) ? text : with_entry(text, entry_of(all_held));
  task.model_file = model_file;
  task.parameters = parameters;
  task.model_parameters = std::move(of_model);
  task.design = std::move(design);
  if (!around.again) refuse_terms_from_code(top);
  read_settings(top, task);
  std::optional<Scene> scene =
      read_task_scene(top, around.folder, around.files.read ? &around.files : nullptr, problems_elsewhere);
  for (const HeldObject& object : all_held) {
    if (scene && !object.file.empty())
      std::erase_if(scene->shapes, [&](const SceneShape& shape) { return shape.object == object.name; });
  }
  if (model) read_motion(top, *model, around, problems_elsewhere, grips, task);
  if (model && diagnostics.errors().empty() && !around.again) {
    task.shapes = task_shapes(top, task, scene, contact_rules, grips.carried, problems_elsewhere);
  }
  if (model && !around.again) {
    check_design(top, task, names_of_model,
                 [&](const std::string& name) { return uses_parameter(around, model_file, name, task); });
  }

  task.warnings = diagnostics.warnings();
  std::vector<Diagnostic> problems = diagnostics.errors();
  problems.insert(problems.end(), problems_elsewhere.begin(), problems_elsewhere.end());
  if (!problems.empty()) throw InputError(std::move(problems));
  return task;
}

}  // namespace verne
