#include "model/advice.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "model/names_text.h"

namespace verne {

namespace {

using JointFilter = std::function<bool(const Joint&)>;
using DofFilter = std::function<bool(const DofSpec&)>;

void warn(const std::string& what, const std::vector<std::string>& names, const std::string& kind,
          Diagnostics& diagnostics) {
  if (!names.empty()) diagnostics.warning(0, group_text(what, kind, names));
}

void warn_without(const std::string& limit, std::span<const Joint> joints, const JointFilter& should_have,
                  const DofFilter& has, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Joint& joint : joints) {
    // A free joint is nobody's motor and goes anywhere; a follower has the limits of its leader.
    if (joint.nv == 0 || joint.spec.type == JointType::free || !should_have(joint)) continue;
    const std::vector<DofSpec>& dofs = joint.spec.dofs;
    if (dofs.empty() || !std::all_of(dofs.begin(), dofs.end(), has)) names.push_back(joint.spec.name);
  }
  warn("no " + limit + " limits", names, "joint", diagnostics);
}

}  // namespace

void advise(std::span<const Joint> joints, std::span<const Link> links, const ModelSpec& spec,
            Diagnostics& diagnostics) {
  warn_without(
      "position", joints, [](const Joint& joint) { return joint.spec.type != JointType::spherical; },
      [](const DofSpec& dof) { return dof.lower > -kInfinity && dof.upper < kInfinity; }, diagnostics);
  warn_without(
      "velocity", joints, [](const Joint&) { return true; },
      [](const DofSpec& dof) { return dof.velocity < kInfinity; }, diagnostics);
  warn_without(
      "effort", joints, [](const Joint& joint) { return joint.spec.actuated; },
      [](const DofSpec& dof) { return dof.effort_lower > -kInfinity && dof.effort_upper < kInfinity; }, diagnostics);

  std::vector<std::string> no_inertial, never_move;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool moves = links[i].body >= 0;
    if (moves && !spec.links[i].has_inertial) no_inertial.push_back(links[i].name);
    if (!moves && links[i].mass > 0) never_move.push_back(links[i].name);
  }
  warn("no mass is given, taken as massless", no_inertial, "link", diagnostics);
  warn("mass that never moves, as it is fixed to the world", never_move, "link", diagnostics);
}

}  // namespace verne
