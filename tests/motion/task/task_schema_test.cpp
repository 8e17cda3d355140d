// The task format as JSON Schema: what readers take is sound there, and docs/tasks.md says the same.
#include "motion/task/task_schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "io/number.h"
#include "io/yaml/tree.h"
#include "motion/task/yaml_blocks.h"
#include "motion/task_text.h"
#include "verne/io/file.h"
#include "verne/motion/task_schema.h"

namespace verne {
namespace {

using Json = nlohmann::json;

/// As editors see a file.
Json json_of(const YamlNode& node) {
  if (node.is_list()) {
    Json list = Json::array();
    for (const YamlNode& item : node.items) list.push_back(json_of(item));
    return list;
  }
  if (node.is_map()) {
    Json map = Json::object();
    for (const YamlEntry& entry : node.entries) map[entry.key] = json_of(entry.value);
    return map;
  }
  if (node.text == "true" || node.text == "false") return node.text == "true";
  const auto number = parse_number(node.text);
  if (!number || !std::isfinite(*number)) return node.text;
  if (*number == std::floor(*number) && std::abs(*number) < 1e15) return static_cast<std::int64_t>(*number);
  return *number;
}
Json json_of_text(const std::string& text) {
  Diagnostics diagnostics;
  return json_of(parse_yaml(text, diagnostics));
}

/// As much of JSON Schema as the format's has; says where something is wrong.
class Validator {
 public:
  explicit Validator(const Json& schema) : schema_(schema) {}
  std::string wrong(const Json& value) const { return wrong(value, schema_, "task"); }

 private:
  std::string wrong(const Json& value, const Json& schema, const std::string& at) const {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
      return wrong(value, schema_.at("$defs").at(name), at);
    }
    if (schema.contains("anyOf")) {
      std::string reasons;
      for (const Json& one : schema["anyOf"]) {
        const std::string reason = wrong(value, one, at);
        if (reason.empty()) return "";
        reasons += " / " + reason;
      }
      return reasons;
    }
    if (schema.contains("const")) return value == schema["const"] ? "" : at + " is not " + schema["const"].dump();
    if (schema.contains("enum")) {
      for (const Json& one : schema["enum"]) {
        if (value == one) return "";
      }
      return at + " is none of " + schema["enum"].dump();
    }
    if (!schema.contains("type")) return "";
    if (!has_type(value, schema)) return at + " is no " + schema["type"].dump();
    if (value.is_number() && !within(value.get<double>(), schema)) return at + " is out of bounds";
    if (value.is_array()) return wrong_items(value, schema, at);
    return value.is_object() ? wrong_keys(value, schema, at) : "";
  }
  static bool has_type(const Json& value, const Json& schema) {
    std::vector<std::string> types;
    if (schema["type"].is_string()) types.push_back(schema["type"]);
    if (schema["type"].is_array()) types = schema["type"].get<std::vector<std::string>>();
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
      return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
             (type == "string" && value.is_string()) || (type == "number" && value.is_number()) ||
             (type == "integer" && value.is_number_integer()) || (type == "boolean" && value.is_boolean());
    });
  }
  static bool within(double value, const Json& schema) {
    return value >= schema.value("minimum", -kInfinity) && value > schema.value("exclusiveMinimum", -kInfinity) &&
           value <= schema.value("maximum", kInfinity);
  }
  std::string wrong_items(const Json& value, const Json& schema, const std::string& at) const {
    if (value.size() < schema.value("minItems", std::size_t{0})) return at + " is too short";
    if (value.size() > schema.value("maxItems", std::size_t{1} << 30)) return at + " is too long";
    for (std::size_t k = 0; k < value.size(); ++k) {
      const std::string reason = wrong(value[k], schema.at("items"), at + "[" + std::to_string(k) + "]");
      if (!reason.empty()) return reason;
    }
    return "";
  }
  std::string wrong_keys(const Json& value, const Json& schema, const std::string& at) const {
    for (const Json& key : schema.value("required", Json::array())) {
      if (!value.contains(key.get<std::string>())) return at + " has no " + key.dump();
    }
    if (value.size() > schema.value("maxProperties", std::size_t{1} << 30)) return at + " has too many keys";
    const Json properties = schema.value("properties", Json::object()), others = schema["additionalProperties"];
    for (const auto& [key, one] : value.items()) {
      if (!properties.contains(key) && others == false) return at + " knows no " + key;
      const std::string reason = wrong(one, properties.contains(key) ? properties[key] : others, at + "." + key);
      if (!reason.empty()) return reason;
    }
    return "";
  }

  const Json& schema_;
};

TEST(TaskSchema, TakesWhatTheReaderTakes) {
  const Json schema = Json::parse(task_json_schema());
  const Validator validator(schema);
  int tasks = 0;
  for (const auto& file : std::filesystem::directory_iterator(test::source_dir() + "/tasks")) {
    if (file.path().extension() != ".yaml") continue;
    EXPECT_EQ(validator.wrong(json_of_text(read_text_file(file.path().string()))), "") << file.path();
    ++tasks;
  }
  EXPECT_GT(tasks, 10);
  for (const test::Example& example : test::yaml_blocks(test::source_dir() + "/docs/tasks.md")) {
    EXPECT_EQ(validator.wrong(json_of_text(test::completed(example.text))), "") << "docs/tasks.md:" << example.line;
  }
}

TEST(TaskSchema, RefusesWhatTheReaderRefuses) {
  const Json schema = Json::parse(task_json_schema());
  const Validator validator(schema);
  for (const std::string wrong : {"speed: 3\n",
                                  "trajectory: {degree: 12}\n",
                                  "trajectory: {knots: some}\n",
                                  "trajectory: {degree: 2.5}\n",
                                  "duration: -1\n",
                                  "minimize: [{effort: {normalise: true}}]\n",
                                  "minimize: [{effort: 1, time: 1}]\n",
                                  "minimize: [{work: 1}]\n",
                                  "minimize: [{effort: -1}]\n",
                                  "minimize: [{steadiness: {of: lean}}]\n",
                                  "subject_to: {limits: {speed: 1}}\n",
                                  "subject_to: {limits: {effort_rms: -3}}\n",
                                  "subject_to: {frames: [{frame: tool, position: [1, 2]}]}\n",
                                  "subject_to: {via: [{position: 0}]}\n",
                                  "subject_to: {keep_out: [{sphere: {center: [0, 0, 0]}}]}\n",
                                  "phases: [{name: a, long: 3}]\n",
                                  "refine: on\n",
                                  "refine: {gap: 0}\n",
                                  "solver: {method: best}\n",
                                  "starts: {count: 0}\n",
                                  "starts: 0\n",
                                  "sweep: {u: {from: 0, to: 1}}\n",
                                  "design: {u: {from: 0, to: 1}}\n",
                                  "contacts: [{hull: [a, b]}]\n",
                                  "payloads: [{frame: tool}]\n"}) {
    const std::string text = test::completed(wrong);
    EXPECT_NE(validator.wrong(json_of_text(text)), "") << wrong;
    EXPECT_NE(test::problems(std::regex_replace(text, std::regex("\\.\\./models/"), "")), "none") << wrong;
  }
}

/// A row of a table of docs/tasks.md.
std::string row(const std::string& a, const std::string& b, const std::string& c) {
  const auto cell = [](const std::string& text) { return text.empty() ? std::string(" |") : " " + text + " |"; };
  return "| `" + a + "` |" + cell(b) + cell(c);
}

TEST(TaskSchema, TablesOfTheDocsSayTheSame) {
  std::set<std::string> rows;
  for (const Schema* schema :
       {&task_schema(),         &trajectory_schema(), &phase_schema(),   &attach_schema(),   &carry_schema(),
        &held_contact_schema(), &limits_schema(),     &frame_schema(),   &keep_out_schema(), &swing_together_schema(),
        &load_schema(),         &ground_schema(),     &support_schema(), &periodic_schema(), &refine_schema(),
        &solver_schema(),       &starts_schema(),     &guess_schema(),   &output_schema(),   &design_schema()}) {
    for (const Key& key : schema->keys) rows.insert(row(key.name, key.meaning, key.otherwise));
  }
  for (const CostType* type : costs_in_files()) {
    std::string keys;
    for (const Key& key : type->keys.keys) keys += (keys.empty() ? "" : "; ") + key.meaning;
    rows.insert(row(type->name, type->integrand, keys));
  }
  std::istringstream docs(read_text_file(test::source_dir() + "/docs/tasks.md"));
  std::set<std::string> found;
  bool inside = false;
  for (std::string line; std::getline(docs, line);) {
    line = std::regex_replace(line, std::regex("\\[([^\\[\\]]*)\\]\\([^)]*\\)"), "$1");
    const bool head = line.starts_with("| key | meaning | default |") || line.starts_with("| cost | ");
    inside = head || (inside && line.starts_with("|"));
    if (!inside || head || line.starts_with("| ---")) continue;
    EXPECT_TRUE(rows.count(line)) << "the schema does not say: " << line;
    found.insert(line);
  }
  for (const std::string& one : rows) EXPECT_TRUE(found.count(one)) << "docs/tasks.md does not say: " << one;
}

}  // namespace
}  // namespace verne
