#include "io/yaml/parameters.h"

#include "io/expression.h"
#include "io/number.h"

namespace verne {

void read_parameters(const YamlMap& top, const std::map<std::string, double>& overrides,
                     std::map<std::string, double>& parameters, const std::vector<std::string>& others) {
  std::vector<std::string> names = others;
  if (const YamlNode* node = top.find("parameters")) {
    const YamlReader reader = top.reader("parameters");
    if (!node->is_map()) reader.expected("a map of names and numbers", *node);
    for (const YamlEntry& entry : node->entries) {
      if (!is_parameter_name(entry.key)) {
        reader.error(entry.line, in_quotes(entry.key) +
                                     " cannot name a parameter: expected a word other than pi, inf, "
                                     "deg, sqrt, sin and cos");
      }
      const auto given = reader.inside(entry.key).number_or_angle(entry.value);
      const auto other = overrides.find(entry.key);
      parameters[entry.key] = other != overrides.end() ? other->second : given.value_or(0);
      names.push_back(entry.key);
    }
  }
  for (const auto& [name, value] : overrides) {
    if (parameters.count(name)) continue;
    top.reader().error(0, "there is no parameter " + in_quotes(name) + suggestion(name, names));
  }
}

std::map<std::string, double> model_parameters(const std::string& text) {
  std::map<std::string, double> parameters;
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (!has("verne-model/") || !has("parameters")) return parameters;
  Diagnostics diagnostics;
  const YamlNode root = parse_yaml(text, diagnostics);
  std::vector<std::string> all;
  for (const YamlEntry& entry : root.entries) all.push_back(entry.key);
  if (root.is_map()) read_parameters(YamlMap(root, YamlReader("", diagnostics, &parameters), all), {}, parameters);
  return parameters;
}

}  // namespace verne
