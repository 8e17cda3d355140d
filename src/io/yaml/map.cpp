#include "io/yaml/map.h"

#include <algorithm>
#include <cmath>

#include "io/number.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// Products of a few numbers of this size are still finite; models are held to it, too (model/subject.cpp).
constexpr double kLargestNumber = 1e30;

/// Whether `written` (as Evaluated::unit has it) is the wanted unit, or degrees where radians are wanted. A bare `deg`
/// also stands for degrees per second where rad/s are wanted, as in model files.
bool fits(const std::string& written, std::string wanted) {
  std::erase_if(wanted, [](char c) { return c == ' ' || c == '^'; });
  if (written.empty() || written == wanted) return true;
  return wanted.rfind("rad", 0) == 0 && (written == "deg" || written == "deg" + wanted.substr(3));
}

}  // namespace

YamlReader YamlReader::inside(const std::string& key) const {
  return {place_.empty() ? key : place_ + ": " + key, *diagnostics_, parameters_};
}

void YamlReader::error(int line, const std::string& text) const {
  diagnostics_->error(line, place_.empty() ? text : place_ + ": " + text);
}

void YamlReader::expected(const std::string& what, const YamlNode& found) const {
  error(found.line, "expected " + what + ", found " + describe(found));
}

void YamlReader::expected(const std::string& what, const YamlNode& found, double value) const {
  const bool written = found.is_scalar() && parse_number(found.text);
  error(found.line,
        "expected " + what + ", found " + describe(found) + (written ? "" : ", which is " + format_number(value)));
}

std::optional<double> YamlReader::number(const YamlNode& node, bool infinite, const std::string& unit) const {
  const std::string wanted = unit.empty() ? "a number" : "a number in " + unit;
  const auto result = evaluate(node, wanted, !unit.empty());
  if (!result) return std::nullopt;
  if (!fits(result->unit, unit)) {
    expected(unit.empty() ? "a number without a unit" : wanted, node);
    return std::nullopt;
  }
  if (std::isnan(result->value) || (std::isinf(result->value) && !infinite)) {
    expected("a finite number", node);
    return std::nullopt;
  }
  if (std::isfinite(result->value) && std::abs(result->value) >= kLargestNumber) {
    expected("a number below 1e30", node);
    return std::nullopt;
  }
  return result->value;
}

std::optional<double> YamlReader::number_or_angle(const YamlNode& node) const {
  const auto result = evaluate(node, "a number", false);
  if (!result) return std::nullopt;
  if (std::abs(result->value) < kLargestNumber) return result->value;
  expected("a finite number below 1e30", node);
  return std::nullopt;
}

std::optional<Evaluated> YamlReader::evaluate(const YamlNode& node, const std::string& wanted, bool units) const {
  if (!node.is_scalar()) {
    expected(wanted, node);
    return std::nullopt;
  }
  const Evaluated result = evaluate_expression(node.text, {parameters_, units});
  if (result.problem.empty()) return result;
  error(node.line, "expected " + wanted + ", found " + in_quotes(node.text) + " (" + result.problem + ")");
  return std::nullopt;
}

std::optional<std::string> YamlReader::word(const YamlNode& node) const {
  if (node.is_scalar()) return node.text;
  expected("a word", node);
  return std::nullopt;
}

std::optional<std::vector<double>> YamlReader::numbers(const YamlNode& node, std::size_t count,
                                                       const std::string& unit) const {
  if (!node.is_list() || node.items.size() != count) {
    expected("a list of " + std::to_string(count) + " numbers", node);
    return std::nullopt;
  }
  std::vector<double> values;
  for (const YamlNode& item : node.items) {
    if (const auto value = number(item, false, unit)) values.push_back(*value);
  }
  if (values.size() != count) return std::nullopt;
  return values;
}

std::optional<Vec3<double>> YamlReader::vector(const YamlNode& node, const std::string& unit) const {
  const auto values = numbers(node, 3, unit);
  if (!values) return std::nullopt;
  return Vec3<double>::load(values->data());
}

Transform<double> YamlReader::pose(const YamlNode& node) const {
  const YamlMap map(node, *this, {"xyz", "rpy", "quaternion"});
  return {map.rotation(), map.vector("xyz", {0, 0, 0})};
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

double YamlMap::number(const char* key, double otherwise, const std::string& unit) const {
  const YamlNode* value = find(key);
  return value ? reader(key).number(*value, false, unit).value_or(otherwise) : otherwise;
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

Vec3<double> YamlMap::vector(const char* key, const Vec3<double>& otherwise, const std::string& unit) const {
  const YamlNode* value = find(key);
  return value ? reader(key).vector(*value, unit).value_or(otherwise) : otherwise;
}

Mat3<double> YamlMap::rotation() const {
  const Mat3<double> R = rotation_rpy(vector("rpy", {0, 0, 0}, "rad"));
  const YamlNode* quaternion = find("quaternion");
  if (!quaternion) return R;
  if (find("rpy")) reader_.error(quaternion->line, "give either rpy or quaternion, not both");
  auto xyzw = reader("quaternion").numbers(*quaternion, 4);
  if (!xyzw) return R;
  if (const auto problem = normalise_quaternion(xyzw->data())) {
    reader("quaternion").error(quaternion->line, *problem);
    return R;
  }
  return rotation_from_quaternion((*xyzw)[0], (*xyzw)[1], (*xyzw)[2], (*xyzw)[3]);
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
