#include "io/yaml_map.h"

#include <algorithm>
#include <cmath>

#include "io/expression.h"
#include "io/number.h"
#include "verne/spatial/rotation.h"

namespace verne {

YamlReader YamlReader::inside(const std::string& key) const {
  return {place_.empty() ? key : place_ + ": " + key, *diagnostics_};
}

void YamlReader::error(int line, const std::string& text) const {
  diagnostics_->error(line, place_.empty() ? text : place_ + ": " + text);
}

void YamlReader::expected(const std::string& what, const YamlNode& found) const {
  error(found.line, "expected " + what + ", found " + describe(found));
}

std::optional<double> YamlReader::number(const YamlNode& node, bool infinite) const {
  if (!node.is_scalar()) {
    expected("a number", node);
    return std::nullopt;
  }
  const Evaluated result = evaluate_expression(node.text);
  if (!result.problem.empty()) {
    error(node.line, "expected a number, found " + in_quotes(node.text) + " (" + result.problem + ")");
    return std::nullopt;
  }
  if (std::isnan(result.value) || (std::isinf(result.value) && !infinite)) {
    expected("a finite number", node);
    return std::nullopt;
  }
  return result.value;
}

std::optional<std::string> YamlReader::word(const YamlNode& node) const {
  if (node.is_scalar()) return node.text;
  expected("a word", node);
  return std::nullopt;
}

std::optional<std::vector<double>> YamlReader::numbers(const YamlNode& node, std::size_t count) const {
  if (!node.is_list() || node.items.size() != count) {
    expected("a list of " + std::to_string(count) + " numbers", node);
    return std::nullopt;
  }
  std::vector<double> values;
  for (const YamlNode& item : node.items) {
    if (const auto value = number(item)) values.push_back(*value);
  }
  if (values.size() != count) return std::nullopt;
  return values;
}

std::optional<Vec3<double>> YamlReader::vector(const YamlNode& node) const {
  const auto values = numbers(node, 3);
  if (!values) return std::nullopt;
  return Vec3<double>::load(values->data());
}

Transform<double> YamlReader::pose(const YamlNode& node) const {
  const YamlMap map(node, *this, {"xyz", "rpy", "quaternion"});
  Transform<double> X{rotation_rpy(map.vector("rpy", {0, 0, 0})), map.vector("xyz", {0, 0, 0})};
  const YamlNode* quaternion = map.find("quaternion");
  if (!quaternion) return X;
  if (map.find("rpy")) error(quaternion->line, "give either rpy or quaternion, not both");
  const YamlReader reader = inside("quaternion");
  auto xyzw = reader.numbers(*quaternion, 4);
  if (!xyzw) return X;
  if (const auto problem = normalise_quaternion(xyzw->data())) {
    reader.error(quaternion->line, *problem);
    return X;
  }
  X.R = rotation_from_quaternion((*xyzw)[0], (*xyzw)[1], (*xyzw)[2], (*xyzw)[3]);
  return X;
}

YamlMap::YamlMap(const YamlNode& node, YamlReader reader, const std::vector<std::string>& keys)
    : node_(&node), reader_(std::move(reader)) {
  if (!node.is_map()) reader_.expected("a map", node);
  for (const YamlEntry& entry : node.entries) {
    if (std::find(keys.begin(), keys.end(), entry.key) != keys.end()) continue;
    reader_.error(entry.line, "unknown key " + in_quotes(entry.key) + suggestion(entry.key, keys));
  }
}

const YamlNode* YamlMap::find(const char* key) const {
  for (const YamlEntry& entry : node_->entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

const YamlNode* YamlMap::require(const char* key) const {
  const YamlNode* value = find(key);
  if (!value && node_->is_map()) reader_.error(line(), std::string(key) + " is missing");
  return value;
}

double YamlMap::number(const char* key, double otherwise) const {
  const YamlNode* value = find(key);
  return value ? reader(key).number(*value).value_or(otherwise) : otherwise;
}

std::string YamlMap::word(const char* key, const std::string& otherwise) const {
  const YamlNode* value = find(key);
  return value ? reader(key).word(*value).value_or(otherwise) : otherwise;
}

bool YamlMap::flag(const char* key, bool otherwise) const {
  const YamlNode* value = find(key);
  if (!value) return otherwise;
  if (value->is_scalar() && value->text == "true") return true;
  if (value->is_scalar() && value->text == "false") return false;
  reader(key).expected("true or false", *value);
  return otherwise;
}

Vec3<double> YamlMap::vector(const char* key, const Vec3<double>& otherwise) const {
  const YamlNode* value = find(key);
  return value ? reader(key).vector(*value).value_or(otherwise) : otherwise;
}

Transform<double> YamlMap::pose(const char* key) const {
  const YamlNode* value = find(key);
  return value ? reader(key).pose(*value) : Transform<double>::identity();
}

const std::vector<YamlNode>& YamlMap::items(const char* key) const {
  static const std::vector<YamlNode> kNone;
  const YamlNode* value = find(key);
  if (!value) return kNone;
  if (!value->is_list()) reader(key).expected("a list", *value);
  return value->items;
}

}  // namespace verne
