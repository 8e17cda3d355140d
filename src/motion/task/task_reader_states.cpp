#include <algorithm>

#include "io/number.h"
#include "motion/curve/mirror.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

constexpr Interval kRest{0, 0};

void read_state_values(const YamlMap& map, const char* key, NodeQuantity quantity, const TaskJoints& joints,
                       std::vector<Interval>& values) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  for_each_value(*node, map.reader(key), joints, [&](const YamlReader& reader, const YamlNode& value, std::size_t dof) {
    const auto interval = read_value(value, reader, joints.unit(dof, quantity));
    if (interval) values[dof] = *interval;
    return interval.has_value();
  });
}

StateSpec free_state(const TaskJoints& joints, int line) {
  const std::vector<Interval> anything(joints.count());
  return {anything, anything, anything, line};
}

void read_state(const YamlMap& map, const TaskJoints& joints, StateSpec& state) {
  read_state_values(map, "position", NodeQuantity::position, joints, state.position);
  read_state_values(map, "velocity", NodeQuantity::velocity, joints, state.velocity);
  read_state_values(map, "acceleration", NodeQuantity::acceleration, joints, state.acceleration);
}

void read_periodic_joints(const YamlMap& map, const TaskJoints& joints, std::vector<bool>& repeats) {
  if (!map.find("joints")) return;
  repeats.assign(joints.count(), false);
  for (const YamlNode& item : map.items("joints")) {
    const auto name = map.reader("joints").word(item);
    if (!name) continue;
    for (const std::size_t dof : joints.dofs(*name, item.line, map.reader("joints"))) repeats[dof] = true;
  }
}

Mirror read_mirror(const YamlMap& periodic, const Model& model) {
  const YamlReader reader = periodic.reader("mirrored");
  const int line = periodic.find("mirrored")->line;
  if (!model.spec().mirror) {
    reader.error(line, "the model does not say what its mirror image is: give it `mirror:`");
    return no_mirror(model.nv());
  }
  Mirror mirror = mirror_of(model);
  for (const std::string& problem : mirror.problems) reader.error(line, problem);
  return mirror;
}

}  // namespace

std::optional<PeriodicSpec> read_periodic(const YamlMap& subject_to, const TaskJoints& joints,
                                          const std::vector<std::optional<double>>& held) {
  const YamlNode* node = subject_to.find("periodic");
  if (!node || is_word(*node, "false")) return std::nullopt;
  std::vector<bool> repeats(joints.count(), true);
  std::vector<double> difference(joints.count(), 0), speed(joints.count(), 0);
  Mirror mirror = no_mirror(joints.count());
  PeriodicSpec periodic;
  if (node->is_map()) {
    const YamlMap map(*node, subject_to.reader("periodic"), periodic_schema().names());
    read_periodic_joints(map, joints, repeats);
    const auto read = [&](const char* key, NodeQuantity quantity, std::vector<double>& values) {
      const YamlNode* given = map.find(key);
      if (!given) return;
      for_each_value(*given, map.reader(key), joints,
                     [&](const YamlReader& in, const YamlNode& value, std::size_t dof) {
                       const auto number = in.number(value, false, joints.unit(dof, quantity));
                       values[dof] = number.value_or(0);
                       if (!repeats[dof])
                         in.error(value.line, "joint " + in_quotes(joints.name(dof)) + " is not among the joints");
                       return number.has_value();
                     });
    };
    read("difference", NodeQuantity::position, difference);
    read("speed", NodeQuantity::velocity, speed);
    if (const YamlNode* given = map.find("acceleration")) {
      periodic.acceleration = !is_word(*given, "free");
      if (periodic.acceleration) map.reader("acceleration").expected("free", *given);
    }
    if (map.flag("mirrored", false)) mirror = read_mirror(map, joints.model());
  } else if (!is_word(*node, "true")) {
    subject_to.reader("periodic").expected("true, false or a map", *node);
  }
  for (std::size_t i = 0; i < joints.count(); ++i) {
    if (!repeats[i] || (!held.empty() && held[i])) continue;
    periodic.dofs.push_back(static_cast<int>(i));
    periodic.partner.push_back(mirror.partner[i]);
    periodic.sign.push_back(mirror.sign[i]);
    periodic.difference.push_back(difference[i]);
    periodic.speed.push_back(speed[i]);
  }
  return periodic;
}

StateSpec read_end_state(const YamlMap& subject_to, const char* key, const TaskJoints& joints,
                         const std::optional<PeriodicSpec>& periodic) {
  const YamlNode* node = subject_to.find(key);
  StateSpec state = free_state(joints, node ? node->line : subject_to.line());
  std::fill(state.velocity.begin(), state.velocity.end(), kRest);
  if (periodic) {
    for (const int dof : periodic->dofs) state.velocity[static_cast<std::size_t>(dof)] = {};
  }
  if (!node) return state;
  read_state(YamlMap(*node, subject_to.reader(key), state_schema().names()), joints, state);
  return state;
}

StateSpec read_free_state(const YamlMap& map, const char* key, const TaskJoints& joints) {
  const YamlNode* node = map.find(key);
  StateSpec state = free_state(joints, node ? node->line : map.line());
  if (node) read_state(YamlMap(*node, map.reader(key), state_schema().names()), joints, state);
  return state;
}

std::vector<ViaSpec> read_via(const YamlMap& subject_to, const TaskJoints& joints) {
  std::vector<ViaSpec> points;
  const auto& items = subject_to.items("via");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const YamlMap map(items[i], subject_to.reader("via").inside(std::to_string(i + 1)), via_schema().names());
    map.require("at");
    ViaSpec via{0.5, free_state(joints, map.line())};
    via.at = number_where(
        map, "at", via.at, [](double x) { return x > 0 && x < 1; },
        "a fraction of the duration between 0 and 1 (use start and end for these)");
    read_state(map, joints, via.state);
    points.push_back(std::move(via));
  }
  return points;
}

}  // namespace verne
