/// What several costs read: factors of joints.
#include <algorithm>
#include <cmath>
#include <functional>

#include "io/number.h"
#include "motion/terms/costs/cost_type.h"

namespace verne {

namespace {

using FindEntries = std::function<std::vector<std::size_t>(const std::string&, int, const YamlReader&)>;

/// `all` without the key.
std::vector<double> read_factors(const YamlMap& map, std::vector<double> all, const FindEntries& find) {
  const YamlNode* node = map.find("joints");
  if (!node) return all;
  const YamlReader reader = map.reader("joints");
  std::vector<double> factors(all.size(), 0);
  if (!node->is_list() && !node->is_map()) reader.expected("a list of joints or {joint: factor}", *node);
  for (const YamlNode& item : node->items) {
    const auto name = reader.word(item);
    if (!name) continue;
    for (const std::size_t i : find(*name, item.line, reader)) factors[i] = 1;
  }
  for (const YamlEntry& entry : node->entries) {
    const auto factor = reader.inside(entry.key).number(entry.value);
    if (factor && *factor < 0) reader.inside(entry.key).expected("a factor that is not negative", entry.value);
    if (factor && *factor > kLargestWeight) {
      reader.inside(entry.key).expected("at most " + format_number(kLargestWeight), entry.value);
    }
    for (const std::size_t i : find(entry.key, entry.line, reader)) factors[i] = factor.value_or(0);
  }
  return factors;
}

/// Of both signs.
double larger_limit(const Interval& effort) {
  return std::max(std::abs(effort.lower), std::abs(effort.upper));
}

}  // namespace

Key joints_key() {
  return {"joints", either({list(text()), entries(nonnegative(kLargestWeight))}), "`joints`"};
}

std::vector<double> read_freedom_factors(const CostReading& from) {
  const TaskJoints& joints = from.joints;
  return read_factors(
      from.map, std::vector<double>(joints.count(), 1),
      [&](const std::string& name, int line, const YamlReader& reader) { return joints.dofs(name, line, reader); });
}

std::vector<double> read_joint_factors(const CostReading& from) {
  std::vector<double> all;
  for (const bool moves : from.joints.moving_joints()) all.push_back(moves ? 1 : 0);
  return read_factors(from.map, std::move(all), [&](const std::string& name, int line, const YamlReader& reader) {
    return from.joints.joints(name, line, reader);
  });
}

void read_effort_factors(const CostReading& from, int power, CostSpec& cost) {
  cost.normalized = from.map.flag("normalize", false);
  if (!cost.normalized) {
    cost.scale = read_freedom_factors(from);
    return;
  }
  read_limited_factors(from, cost);
  for (std::size_t i = 0; i < cost.scale.size(); ++i) {
    if (cost.scale[i] != 0 && from.joints.actuated(i)) {
      cost.scale[i] /= std::pow(larger_limit(from.limits.effort[i]), power);
    }
  }
}

void read_limited_factors(const CostReading& from, CostSpec& cost) {
  cost.scale = read_freedom_factors(from);
  for (std::size_t i = 0; i < cost.scale.size(); ++i) {
    if (cost.scale[i] == 0 || !from.joints.actuated(i)) continue;
    const double limit = larger_limit(from.limits.effort[i]);
    if (limit > 0 && limit < kInfinity) continue;
    from.map.reader("normalize")
        .error(from.map.line(), "joint " + in_quotes(from.joints.name(i)) + " has no effort limit");
  }
}

}  // namespace verne
