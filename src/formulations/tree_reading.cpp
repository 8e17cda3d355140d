#include "formulations/tree_reading.h"

#include <algorithm>
#include <cmath>

#include "formulations/mdh_tree.h"

namespace verne::formulations {

namespace {

/// Frames further away than this lose more than six of sixteen digits of the model's own lengths, metres.
constexpr double kFarthest = 1e5;

const char* word_for(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
      return "revolute";
    case JointKind::prismatic:
      return "prismatic";
    case JointKind::helical:
      return "helical";
    case JointKind::spherical:
      return "spherical";
    case JointKind::free:
      return "free";
  }
  return "";
}

}  // namespace

CentralInertia central(const RigidInertia<double>& about_origin) {
  if (about_origin.mass == 0) return {{0, 0, 0}, about_origin.I};
  const Vec3<double> com = about_origin.mc * (1 / about_origin.mass);
  return {com, shifted(about_origin, -com).I};
}

std::string joint_name(const Model& model, int body) {
  const Tree& tree = model.tree();
  // A joint of several primitives is listed with its last body; those before it stand right before that one.
  for (int b = body; b < tree.body_count; ++b) {
    for (int k = 0; k < tree.joint_count; ++k) {
      if (tree.joints[k].body == b && !tree.joints[k].fixed)
        return model.joints()[static_cast<std::size_t>(k)].spec.name;
    }
  }
  return "";
}

std::string beyond_reach(const Model& model, const Reach& reach) {
  const Tree& tree = model.tree();
  if (tree.nv == 0) return "no joint moves";
  if (tree.coupled) {
    for (const Joint& joint : model.joints()) {
      if (joint.coupled())
        return "joint '" + joint.spec.name + "' follows another (mimic): the document has no such joints";
    }
  }
  for (int b = 0; b < tree.body_count; ++b) {
    const JointKind kind = tree.bodies[b].kind;
    if (kind == JointKind::revolute || kind == JointKind::prismatic) continue;
    if (kind == JointKind::helical && reach.helical) continue;
    if (kind == JointKind::free && reach.free_root && b == 0) {
      if (tree.bodies[b].subtree_end != tree.body_count) return "a moving base beside a fixed one";
      if (tree.nv == 6) return "no joint moves but the free base";
      continue;
    }
    return "joint '" + joint_name(model, b) + "' is " + word_for(kind) + ": " + reach.rule;
  }
  return "";
}

std::string badly_placed(const Model& model) {
  const Tree& tree = model.tree();
  for (int b = 0; b < tree.body_count; ++b) {
    if (tree.bodies[b].kind == JointKind::free) continue;
    const MdhParameters frame = mdh_parameters_of(placement_of(tree.bodies[b]));
    if (std::max(std::abs(frame.b), std::abs(frame.r)) > kFarthest) {
      return "joint '" + joint_name(model, b) +
             "' is almost, but not quite, parallel to the one before: their common normal is " +
             std::to_string(static_cast<long>(std::max(std::abs(frame.b), std::abs(frame.r)) / 1000)) + " km away";
    }
  }
  return "";
}

}  // namespace verne::formulations
