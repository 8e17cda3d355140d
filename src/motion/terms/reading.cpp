#include <algorithm>
#include <cmath>

#include "base/star.h"
#include "io/number.h"
#include "model/primitives.h"
#include "motion/terms/reading.h"

namespace verne {

TaskJoints::TaskJoints(const Model& model, const std::vector<std::optional<double>>& held) : model_(&model) {
  for (const Joint& joint : model.joints()) {
    const Primitives primitives = primitives_of(joint.spec);
    for (int k = 0; k < joint.nv; ++k) {
      angular_.push_back(primitives.kind[k] != JointKind::prismatic);
      actuated_.push_back(joint.spec.actuated);
    }
  }
  for (std::size_t i = 0; i < count(); ++i) {
    if (held.empty() || !held[i]) free_.push_back(i);
  }
}

std::string TaskJoints::unit(std::size_t dof, NodeQuantity quantity) const {
  const bool angular = angular_[dof];
  switch (quantity) {
    case NodeQuantity::position:
      return angular ? "rad" : "m";
    case NodeQuantity::velocity:
      return angular ? "rad/s" : "m/s";
    case NodeQuantity::acceleration:
      return angular ? "rad/s^2" : "m/s^2";
    case NodeQuantity::jerk:
      return angular ? "rad/s^3" : "m/s^3";
    case NodeQuantity::effort:
      break;
  }
  return angular ? "N m" : "N";
}

std::vector<std::size_t> TaskJoints::dofs(const std::string& name, int line, const YamlReader& reader) const {
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < count(); ++i) {
    if (this->name(i) == name) return {i};
    if (fits_star(this->name(i), name)) fitting.push_back(i);
  }
  if (!fitting.empty()) return fitting;
  const auto joints = model_->joints();
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.spec.name == name; });
  std::vector<std::size_t> indices;
  if (found == joints.end()) {
    const std::vector<std::string> names(model_->dof_names().begin(), model_->dof_names().end());
    reader.error(line, "there is no joint " + in_quotes(name) + suggestion(name, names));
  } else if (found->coupled()) {
    reader.error(line, "joint " + in_quotes(name) + " follows joint " + in_quotes(found->spec.mimic->joint) +
                           ": name that one instead");
  } else if (found->nv == 0) {
    reader.error(line, "joint " + in_quotes(name) + " is fixed");
  } else {
    for (int k = 0; k < found->nv; ++k) indices.push_back(static_cast<std::size_t>(found->v + k));
  }
  return indices;
}

std::vector<std::size_t> TaskJoints::joints(const std::string& name, int line, const YamlReader& reader) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model_->joints().size(); ++i) {
    names.push_back(model_->joints()[i].spec.name);
    if (names.back() == name) return {i};
  }
  for (const LoopSpec& loop : model_->loops()) {
    if (loop.name == name) return {names.size()};
    names.push_back(loop.name);
  }
  reader.error(line, "there is no joint " + in_quotes(name) + suggestion(name, names));
  return {};
}

std::vector<bool> TaskJoints::moving_joints() const {
  std::vector<bool> moving;
  for (const Joint& joint : model_->joints()) moving.push_back(joint.spec.type != JointType::fixed);
  for (const LoopSpec& loop : model_->loops()) moving.push_back(loop.type != LoopType::rigid);
  return moving;
}

void for_each_value(const YamlNode& node, const YamlReader& reader, const TaskJoints& joints, const ReadValue& read) {
  const bool one_for_all = node.is_scalar() || (node.entries.size() == 1 && node.entries[0].key == "between");
  if (one_for_all) {
    // One message is enough for a mistake that all joints share.
    for (std::size_t i = 0; i < joints.count(); ++i) {
      if (!read(reader, node, i)) return;
    }
  } else if (node.is_map()) {
    for (const YamlEntry& entry : node.entries) {
      for (const std::size_t i : joints.dofs(entry.key, entry.line, reader)) {
        if (!read(reader.inside(entry.key), entry.value, i)) break;
      }
    }
  } else if (node.is_list() && node.items.size() == joints.count()) {
    for (std::size_t i = 0; i < joints.count(); ++i) read(reader.inside(joints.name(i)), node.items[i], i);
  } else if (node.is_list() && node.items.size() == joints.free().size()) {
    std::size_t k = 0;
    for (const std::size_t i : joints.free()) read(reader.inside(joints.name(i)), node.items[k++], i);
  } else {
    const bool some_held = joints.free().size() < joints.count();
    reader.expected(
        "{joint: value}, a list of " + std::to_string(joints.count()) +
            (some_held ? " (or of the " + std::to_string(joints.free().size()) + " that are not held)" : "") +
            " or one value for all",
        node);
  }
}

std::optional<Interval> read_range(const YamlNode& node, const YamlReader& reader, const std::string& unit) {
  if (!node.is_list() || node.items.size() != 2) {
    reader.expected("[lower, upper] in " + unit, node);
    return std::nullopt;
  }
  const auto lower = reader.number(node.items[0], true, unit), upper = reader.number(node.items[1], true, unit);
  if (!lower || !upper) return std::nullopt;
  if (*lower > *upper || *lower == kInfinity || *upper == -kInfinity) {
    reader.error(node.line,
                 "expected lower <= upper, found [" + format_number(*lower) + ", " + format_number(*upper) + "]");
    return std::nullopt;
  }
  return Interval{*lower, *upper};
}

std::optional<Interval> read_value(const YamlNode& node, const YamlReader& reader, const std::string& unit) {
  if (is_word(node, "free")) return Interval{};
  if (node.is_map()) {
    const YamlMap map(node, reader, {"between"});
    const YamlNode* range = map.require("between");
    return range ? read_range(*range, map.reader("between"), unit) : std::nullopt;
  }
  const auto value = reader.number(node, false, unit);
  if (!value) return std::nullopt;
  return Interval{*value, *value};
}

double number_where(const YamlMap& map, const char* key, double otherwise, bool (*sound)(double), const char* expected,
                    const std::string& unit) {
  const YamlNode* node = map.find(key);
  if (!node) return otherwise;
  const auto value = map.reader(key).number(*node, false, unit);
  if (value && sound(*value)) return *value;
  if (value) map.reader(key).expected(expected, *node, *value);
  return otherwise;
}

double at_most(double most, const YamlMap& map, const char* key, double value) {
  if (value <= most) return value;
  map.reader(key).expected("at most " + format_number(most), *map.find(key), value);
  return most;
}

double positive_number(const YamlMap& map, const char* key, double otherwise, double most, const std::string& unit) {
  const double value = number_where(
      map, key, otherwise, [](double x) { return x > 0; }, "a positive number", unit);
  return at_most(most, map, key, value);
}

double nonnegative_number(const YamlMap& map, const char* key, double otherwise, double most, const std::string& unit) {
  const double value = number_where(
      map, key, otherwise, [](double x) { return x >= 0; }, "a number that is not negative", unit);
  return at_most(most, map, key, value);
}

int integer_between(const YamlMap& map, const char* key, int otherwise, int lowest, int highest) {
  const double value = map.number(key, otherwise);
  if (value >= lowest && value <= highest && value == std::floor(value)) return static_cast<int>(value);
  map.reader(key).expected("a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest),
                           *map.find(key), value);
  return otherwise;
}

bool is_word(const YamlNode& node, const char* word) {
  return node.is_scalar() && node.text == word;
}

std::optional<int> find_named(const YamlNode& node, const YamlReader& reader,
                              const std::function<int(const std::string& name)>& find) {
  const auto name = reader.word(node);
  if (!name) return std::nullopt;
  try {
    return find(*name);
  } catch (const InputError& error) {
    reader.error(node.line, error.problems()[0].text);
  }
  return std::nullopt;
}

std::optional<int> find_site(const YamlNode& node, const YamlReader& reader, const Model& model) {
  return find_named(node, reader, [&](const std::string& name) { return model.site(name); });
}

std::optional<ContactPoint> find_contact(const std::string& name, int line, const YamlReader& reader,
                                         const Model& model) {
  std::vector<std::string> known;
  for (const ContactSpec& contact : model.contacts()) {
    if (contact.name == name) return ContactPoint{model.link(contact.link), contact.point};
    known.push_back(contact.name);
  }
  reader.error(line, "the model has no contact " + in_quotes(name) + suggestion(name, known));
  return std::nullopt;
}

int read_site(const YamlMap& map, const Model& model) {
  const YamlNode* node = map.require("frame");
  return node ? find_site(*node, map.reader("frame"), model).value_or(0) : 0;
}

}  // namespace verne
