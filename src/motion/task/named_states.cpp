#include "motion/task/named_states.h"

#include <filesystem>

#include "io/named_state.h"
#include "io/number.h"
#include "model/one_axis_joints.h"
#include "motion/terms/reading.h"

namespace verne {

namespace {

YamlNode* entry_of(YamlNode& map, const char* key) {
  for (YamlEntry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

/// `{file: …}`, and nothing else.
bool is_file(const YamlNode& node) {
  return node.is_map() && node.entries.size() == 1 && node.entries.front().key == "file";
}

/// A state that stands elsewhere.
struct StateElsewhere {
  YamlNode* node;
  bool is_end;
};

/// `start` and `end` of the task and its phases, where these are words or files.
std::vector<StateElsewhere> named_in(YamlNode& task) {
  std::vector<StateElsewhere> found;
  const auto add = [&](YamlNode& map, const std::string& key) {
    YamlNode* const node = entry_of(map, key.c_str());
    if (node && (node->is_scalar() || is_file(*node))) found.push_back({node, key == "end"});
  };
  if (YamlNode* const subject_to = entry_of(task, "subject_to")) add(*subject_to, "start"), add(*subject_to, "end");
  if (YamlNode* const phases = entry_of(task, "phases")) {
    for (YamlNode& phase : phases->items) add(phase, "end");
  }
  return found;
}

YamlNode number_node(double value, int line) {
  return {YamlNode::Kind::scalar, line, format_number(value), {}, {}};
}

/// Joints with quaternions as the chains that a task has in their place.
YamlNode node_of(const NamedState& state, const Model& model, int line) {
  YamlNode positions{YamlNode::Kind::map, line, "", {}, {}};
  for (const HomeSpec& joint : state.joints) {
    const JointSpec& spec = model.joints()[static_cast<std::size_t>(model.joint(joint.joint))].spec;
    if (becomes_one_axis_joints(spec)) {
      const std::vector<std::string> names = one_axis_names(spec);
      const std::vector<double> values = one_axis_positions(joint.q);
      for (std::size_t k = 0; k < names.size(); ++k) {
        positions.entries.push_back({names[k], line, number_node(values[k], line)});
      }
      continue;
    }
    YamlNode value = number_node(joint.q.front(), line);
    if (joint.q.size() > 1) {
      value = {YamlNode::Kind::list, line, "", {}, {}};
      for (const double q : joint.q) value.items.push_back(number_node(q, line));
    }
    positions.entries.push_back({joint.joint, line, std::move(value)});
  }
  return {YamlNode::Kind::map, line, "", {}, {{"position", line, std::move(positions)}}};
}

NamedState state_of_file(const StateElsewhere& state, const StateFiles& from, const YamlReader& reader,
                         std::vector<Diagnostic>& problems) {
  const auto written = reader.inside("start, end").inside("file").word(state.node->entries.front().value);
  if (!written) return {};
  const std::string path = (std::filesystem::path(from.folder) / *written).lexically_normal().string();
  try {
    const std::string text = from.files->read(path);
    const bool is_request = path.ends_with(".yaml") || path.ends_with(".yml");
    return is_request ? read_motion_request(text, from.model, path, state.is_end)
                      : read_posture(text, from.model, path);
  } catch (const InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
  return {};
}

/// Those of the SRDF and of the model's own file, which is read again only where a state is named.
Srdf read_states(const StateFiles& from, bool wanted, const YamlReader& reader, std::vector<Diagnostic>& problems) {
  Srdf srdf;
  if (from.srdf) {
    const auto written = reader.inside("model").inside("srdf").word(*from.srdf);
    if (!written) return srdf;
    const std::string path = (std::filesystem::path(from.folder) / *written).lexically_normal().string();
    try {
      srdf = read_srdf(from.files->read(path), path, from.model);
    } catch (const InputError& error) {
      reader.inside("model").inside("srdf").error(from.srdf->line, in_quotes(*written) + " cannot be used");
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (wanted && from.model_file.ends_with(".xml")) add_mjcf(from.files->read(from.model_file), from.model_file, srdf);
  return srdf;
}

}  // namespace

ContactRules put_named_states(YamlNode& task, const StateFiles& from, const YamlReader& reader,
                              std::vector<Diagnostic>& problems) {
  const std::vector<StateElsewhere> named = named_in(task);
  const std::size_t problems_before = problems.size();
  const bool wanted = !named.empty() || entry_of(task, "scene") || entry_of(task, "self_collision");
  Srdf srdf = from.files ? read_states(from, wanted, reader, problems) : Srdf{};
  for (const StateElsewhere& elsewhere : named) {
    YamlNode* const node = elsewhere.node;
    NamedState state;
    if (from.files && problems.size() == problems_before) {
      try {
        state = is_file(*node) ? state_of_file(elsewhere, from, reader, problems)
                               : find_state(srdf.states, node->text, "start, end");
      } catch (const InputError& error) {
        reader.error(node->line, error.problems().front().text);
      }
    }
    *node = node_of(state, from.model, node->line);
  }
  return std::move(srdf.contacts);
}

}  // namespace verne
