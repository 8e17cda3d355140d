#include "motion/task/named_states.h"

#include <filesystem>

#include "io/named_state.h"
#include "io/number.h"
#include "motion/terms/reading.h"

namespace verne {

namespace {

YamlNode* entry_of(YamlNode& map, const char* key) {
  for (YamlEntry& entry : map.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

/// `start` and `end` of the task and its phases, where these are words.
std::vector<YamlNode*> named_in(YamlNode& task) {
  std::vector<YamlNode*> found;
  const auto add = [&](YamlNode& map, const char* key) {
    YamlNode* const node = entry_of(map, key);
    if (node && node->is_scalar()) found.push_back(node);
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

YamlNode node_of(const NamedState& state, int line) {
  YamlNode positions{YamlNode::Kind::map, line, "", {}, {}};
  for (const HomeSpec& joint : state.joints) {
    YamlNode value = number_node(joint.q.front(), line);
    if (joint.q.size() > 1) {
      value = {YamlNode::Kind::list, line, "", {}, {}};
      for (const double q : joint.q) value.items.push_back(number_node(q, line));
    }
    positions.entries.push_back({joint.joint, line, std::move(value)});
  }
  return {YamlNode::Kind::map, line, "", {}, {{"position", line, std::move(positions)}}};
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
  if (wanted && from.model_file.ends_with(".xml")) {
    for (NamedState& key : read_mjcf_states(from.files->read(from.model_file), from.model_file)) {
      srdf.states.push_back(std::move(key));
    }
  }
  return srdf;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> put_named_states(YamlNode& task, const StateFiles& from,
                                                                  const YamlReader& reader,
                                                                  std::vector<Diagnostic>& problems) {
  const std::vector<YamlNode*> named = named_in(task);
  const std::size_t problems_before = problems.size();
  Srdf srdf = from.files ? read_states(from, !named.empty(), reader, problems) : Srdf{};
  for (YamlNode* const node : named) {
    NamedState state;
    if (from.files && problems.size() == problems_before) {
      try {
        state = find_state(srdf.states, node->text, "start, end");
      } catch (const InputError& error) {
        reader.error(node->line, error.problems().front().text);
      }
    }
    *node = node_of(state, node->line);
  }
  return std::move(srdf.allowed);
}

}  // namespace verne
