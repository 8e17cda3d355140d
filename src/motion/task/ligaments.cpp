#include "motion/task/ligaments.h"

#include <algorithm>
#include <cmath>

#include "motion/task/task_schema.h"

namespace verne {
namespace {

void add_ligaments(const LigamentRule& rule, DofSpec& dof) {
  const double strength = (dof.effort_upper - dof.effort_lower) / 2;
  const double room = std::min(rule.within, (dof.upper - dof.lower) / 2);
  if (!std::isfinite(strength) || !std::isfinite(dof.lower) || !std::isfinite(dof.upper) || !(room > 0)) return;
  dof.slack_lower = dof.lower + room;
  dof.slack_upper = std::max(dof.slack_lower, dof.upper - room);  // rounding may exchange the two
  dof.ligament = rule.effort * strength / std::pow(room, 3);
}

}  // namespace

void put_ligaments(const LigamentRule& rule, ModelSpec& spec) {
  for (LinkSpec& link : spec.links) {
    const JointType type = link.joint.type;
    for (int k = 0; k < static_cast<int>(link.joint.dofs.size()); ++k) {
      const bool angle = !is_linear(type, k) && position_count(type) == velocity_count(type);
      if (angle) add_ligaments(rule, link.joint.dofs[static_cast<std::size_t>(k)]);
    }
  }
}

bool put_ligaments(const YamlMap& map, ModelSpec& spec) {
  const YamlNode* const node = map.find("ligaments");
  if (!node) return false;
  const YamlMap rule(*node, map.reader("ligaments"), ligaments_schema().names());
  const YamlNode *const within = rule.require("within"), *const effort = rule.require("effort");
  if (!within || !effort) return false;
  const auto angle = rule.reader("within").number(*within, false, "rad"), part = rule.reader("effort").number(*effort);
  if (!angle || !part) return false;
  if (!(*angle > 0)) rule.reader("within").expected("a positive angle", *within);
  if (!(*part >= 0)) rule.reader("effort").expected("a number that is not negative", *effort);
  if (!(*angle > 0 && *part >= 0)) return false;
  put_ligaments({*angle, *part}, spec);
  return true;
}

}  // namespace verne
