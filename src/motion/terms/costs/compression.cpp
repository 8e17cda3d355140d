#include "motion/terms/limits/compression.h"

#include <cmath>

#include "io/number.h"
#include "motion/terms/costs/cost_type.h"
#include "motion/terms/muscled_joints.h"

namespace verne {

namespace {

/// `joints: {l5s1: 1, knee_r: 0.5}`; the lowest joint of the back without the key.
std::vector<double> read_muscled_factors(const CostReading& from) {
  const Model& model = from.joints.model();
  std::vector<double> factors(from.joints.moving_joints().size(), 0);
  const YamlReader reader = from.map.reader("joints");
  const auto set = [&](const std::string& name, int line, double factor) {
    if (const auto joint = find_muscled_joint(name, line, reader, model)) factors[*joint] = factor;
  };
  const YamlNode* node = from.map.find("joints");
  if (!node) {
    set(muscled_joints()[0].name, from.map.line(), 1);
    return factors;
  }
  if (!node->is_list() && !node->is_map()) reader.expected("a list of joints or {joint: factor}", *node);
  for (const YamlNode& item : node->items) {
    if (const auto name = reader.word(item)) set(*name, item.line, 1);
  }
  for (const YamlEntry& entry : node->entries) {
    const auto factor = reader.inside(entry.key).number(entry.value);
    if (factor && !(*factor >= 0 && *factor <= kLargestWeight)) {
      reader.inside(entry.key).expected("a factor from 0 to " + format_number(kLargestWeight), entry.value);
    }
    set(entry.key, entry.line, factor.value_or(0));
  }
  return factors;
}

}  // namespace

extern const CostType kCompressionCost{
    .name = "compression",
    .integrand = "Σ C², what joints of a person bear along their bones with the pull of muscles",
    .keys = {{joints_key()}},
    .of_joints = true,
    .needs = needs_efforts,
    .read = [](const CostReading& from, CostSpec& cost) { cost.scale = read_muscled_factors(from); },
    .add =
        [](const Task& task, const CostSpec& cost, ChannelLayout& channels, CostTerms& terms) {
          for_each_scaled(cost, [&](int i) {
            const JointMuscles* const muscles = muscles_of(task.model, static_cast<std::size_t>(i));
            if (!muscles) return;
            terms.push_back(std::make_unique<SquaredCompression>(*muscles, channels.wrench(i), cost.scale[i]));
          });
        },
};

}  // namespace verne
