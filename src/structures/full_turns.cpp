#include "structures/full_turns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace verne {

namespace {

/// Whether velocity k of a joint is an angle that leads nowhere else.
bool is_plain_angle(const JointSpec& joint, int k) {
  switch (joint.type) {
    case JointType::revolute:
    case JointType::universal:
    case JointType::cylindrical:
    case JointType::planar:
      return !is_linear(joint.type, k);
    default:
      return false;
  }
}

/// Limits of a joint that follows, as limits of the freedom that leads it.
void narrow(const JointSpec& follower, Freedom& leader) {
  leader.turns_round = false;
  if (follower.dofs.empty() || follower.mimic->ratio == 0) return;
  const MimicSpec& mimic = *follower.mimic;
  double lower = (follower.dofs.front().lower - mimic.offset) / mimic.ratio;
  double upper = (follower.dofs.front().upper - mimic.offset) / mimic.ratio;
  if (mimic.ratio < 0) std::swap(lower, upper);
  leader.lower = std::max(leader.lower, lower), leader.upper = std::min(leader.upper, upper);
}

}  // namespace

std::vector<Freedom> freedoms_of(const Model& model) {
  std::vector<Freedom> freedoms(static_cast<std::size_t>(model.nv()));
  for (const Joint& joint : model.joints()) {
    if (joint.coupled()) continue;
    for (int k = 0; k < joint.nv && joint.nq == joint.nv; ++k) {
      const DofSpec& dof = model.dofs()[static_cast<std::size_t>(joint.v + k)];
      freedoms[static_cast<std::size_t>(joint.v + k)] = {joint.q + k, is_plain_angle(joint.spec, k), dof.lower,
                                                         dof.upper};
    }
  }
  for (const Joint& joint : model.joints()) {
    if (joint.coupled()) narrow(joint.spec, freedoms[static_cast<std::size_t>(joint.v)]);
  }
  return freedoms;
}

double unwound(const Freedom& freedom, double angle, double wish) {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (!freedom.turns_round) return angle;
  double nearest = angle - kTurn * std::round((angle - wish) / kTurn);
  if (nearest < freedom.lower) nearest += kTurn * std::ceil((freedom.lower - nearest) / kTurn);
  if (nearest > freedom.upper) nearest -= kTurn * std::ceil((nearest - freedom.upper) / kTurn);
  return nearest >= freedom.lower && nearest <= freedom.upper ? nearest : angle;
}

}  // namespace verne
