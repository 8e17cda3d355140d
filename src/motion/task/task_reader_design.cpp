// Parameters of a task that are unknowns.
#include <algorithm>
#include <cctype>
#include <set>

#include "io/number.h"
#include "motion/task/task_reader.h"
#include "motion/task/task_schema.h"

namespace verne {

namespace {

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Whether a text holds one of these names as a word.
bool mentions(const std::string& text, const std::set<std::string>& names) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (names.contains(text.substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

bool mentions(const YamlNode& node, const std::set<std::string>& names) {
  if (mentions(node.text, names)) return true;
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const YamlNode& item) { return mentions(item, names); }) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const YamlEntry& entry) { return mentions(entry.value, names); });
}

/// Whether anything of the task is written with this parameter, or with others that follow from it.
bool is_used(const YamlMap& top, const std::string& parameter) {
  std::set<std::string> names{parameter};
  if (const YamlNode* parameters = top.find("parameters")) {
    for (const YamlEntry& entry : parameters->entries) {
      if (mentions(entry.value, names)) names.insert(entry.key);
    }
  }
  for (const char* key :
       {"model", "payloads", "hold", "contacts", "weights", "trajectory", "duration", "phases", "minimize",
        "subject_to", "scene", "attach", "refine", "solver", "starts", "guess", "output"}) {
    const YamlNode* node = top.find(key);
    if (node && mentions(*node, names)) return true;
  }
  return false;
}

}  // namespace

std::vector<DesignSpec> read_design(const YamlMap& top, std::map<std::string, double>& values) {
  std::vector<DesignSpec> all;
  const YamlNode* node = top.find("design");
  if (!node) return all;
  const YamlReader reader = top.reader("design");
  if (!node->is_map()) {
    reader.expected("a map of parameters, as in {m: {between: [0, 4], guess: 1}}", *node);
    return all;
  }
  for (const YamlEntry& entry : node->entries) {
    const TaskMap map(entry.value, reader.inside(entry.key), design_schema());
    const YamlNode* between = entry.value.is_map() ? map.require("between") : nullptr;
    const auto range = between ? map.reader("between").numbers(*between, 2) : std::nullopt;
    if (!range) continue;
    const Interval bounds{(*range)[0], (*range)[1]};
    if (bounds.lower >= bounds.upper) {
      map.reader("between").error(between->line, "the range from " + format_number(bounds.lower) + " to " +
                                                     format_number(bounds.upper) + " is empty");
      continue;
    }
    if (map.find("guess")) values.emplace(entry.key, map.number("guess", bounds.lower));
    all.push_back({entry.key, bounds, entry.line});
  }
  return all;
}

void check_design(const YamlMap& top, const Task& task, const std::vector<std::string>& names_of_model,
                  const std::function<bool(const std::string&)>& uses) {
  for (const DesignSpec& design : task.design) {
    const YamlReader reader = top.reader("design").inside(design.parameter);
    const auto own = task.parameters.find(design.parameter), of_model = task.model_parameters.find(design.parameter);
    const bool is_own = own != task.parameters.end(), is_of_model = of_model != task.model_parameters.end();
    const double value = is_own ? own->second : is_of_model ? of_model->second : 0;
    if (!is_own && !is_of_model) {
      std::vector<std::string> names = names_of_model;
      for (const auto& [name, number] : task.parameters) names.push_back(name);
      reader.error(design.line,
                   "there is no parameter " + in_quotes(design.parameter) + suggestion(design.parameter, names));
    } else if (value < design.bounds.lower || value > design.bounds.upper) {
      reader.error(design.line, "the search begins at " + format_number(value) + ", outside of " +
                                    format_number(design.bounds.lower) + " to " + format_number(design.bounds.upper));
    } else if (!(is_own && is_used(top, design.parameter)) && !(is_of_model && uses(design.parameter))) {
      reader.error(design.line, "no number of the task or its model is written with it");
    }
  }
}

}  // namespace verne
