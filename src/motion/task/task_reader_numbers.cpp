// Numbers of a task's model that may take other values.
#include <algorithm>
#include <filesystem>

#include "motion/task/task_reader.h"
#include "verne/io/model_io.h"

namespace verne {

namespace {

/// The model file that a task names, or nothing.
std::string model_file_of(const YamlMap& top, const std::string& folder) {
  const YamlNode* node = top.find("model");
  if (node && node->is_map()) {
    const auto entry =
        std::find_if(node->entries.begin(), node->entries.end(), [](const YamlEntry& e) { return e.key == "file"; });
    node = entry == node->entries.end() ? nullptr : &entry->value;
  }
  if (!node || node->text.empty()) return "";
  return (std::filesystem::path(folder) / node->text).lexically_normal().string();
}

using ModelNumbers = std::function<std::map<std::string, double>(const std::string& path)>;
/// Parameters or fields of the task's model; none where it has none, or cannot be read, which read_model() says.
std::map<std::string, double> numbers_of_model(const YamlMap& top, const Surroundings& around,
                                               const ModelNumbers& numbers) {
  const std::string path = model_file_of(top, around.folder);
  if (path.empty() || !numbers) return {};
  try {
    return numbers(path);
  } catch (const InputError&) {
    return {};
  }
}

bool is_field(const std::string& name) {
  return name.starts_with("model.");
}

}  // namespace

std::map<std::string, double> parameters_of_model(const YamlMap& top, const Surroundings& around) {
  return numbers_of_model(top, around, around.files.model_parameters);
}

bool top_has_parameter(const YamlMap& top, const std::string& name) {
  const YamlNode* node = top.find("parameters");
  return node && std::any_of(node->entries.begin(), node->entries.end(),
                             [&](const YamlEntry& entry) { return entry.key == name; });
}

std::vector<std::string> add_fields(const YamlMap& top, const Surroundings& around,
                                    const std::map<std::string, double>& given, const std::vector<DesignSpec>& design,
                                    std::map<std::string, double>& of_model) {
  std::vector<std::string> wanted, names;
  for (const auto& [name, value] : given) wanted.push_back(name);
  for (const DesignSpec& one : design) wanted.push_back(one.parameter);
  for (const auto& [name, value] : of_model) names.push_back(name);
  if (std::none_of(wanted.begin(), wanted.end(), is_field)) return names;
  const auto fields = numbers_of_model(top, around, around.files.model_fields);
  for (const auto& [name, value] : fields) {
    names.push_back(name);
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) of_model.emplace(name, value);
  }
  return names;
}

bool uses_parameter(const Surroundings& around, const std::string& model_file, const std::string& name,
                    const Task& task) {
  const double value = task.model_parameters.at(name);
  try {
    const auto text = [&](double x) { return write_yaml(around.files.model_with(model_file, {{name, x}}).spec()); };
    constexpr double kOther = 0.9;
    return text(value) != text(kOther * value - (1 - kOther));
  } catch (const InputError&) {
    return true;
  }
}

}  // namespace verne
