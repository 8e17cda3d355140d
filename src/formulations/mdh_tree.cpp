#include "formulations/mdh_tree.h"

#include <algorithm>

#include "formulations/tree_reading.h"

namespace verne::formulations {

namespace {

MdhLink base_link(const TreeBody& body) {
  MdhLink base;
  const RigidInertia<double> inertia = inertia_of(body);
  base.mass = inertia.mass;
  base.first_moment = inertia.mc;
  base.inertia = inertia.I;
  base.body = 0;
  return base;
}

MdhLink link_of(const Tree& tree, int b, int first_body, int first_velocity) {
  const TreeBody& body = tree.bodies[b];
  const RigidInertia<double> inertia = inertia_of(body);
  MdhLink link;
  link.antecedent = std::max(0, body.parent - first_body + 1);
  link.sigma = body.kind == JointKind::prismatic;
  link.frame = mdh_parameters_of(placement_of(body));
  link.variable = body.v - first_velocity;
  link.mass = inertia.mass;
  link.first_moment = inertia.mc;
  link.inertia = inertia.I;
  link.rotor_inertia = tree.rotor_inertia[body.v];
  link.coulomb = tree.coulomb[body.v];
  link.viscous = tree.viscous[body.v];
  link.friction_width = tree.friction_width[body.v];
  link.body = b;
  return link;
}

bool base_has_losses(const Tree& tree) {
  if (tree.bodies[0].kind != JointKind::free) return false;
  for (int k = 0; k < 6; ++k) {
    if (tree.rotor_inertia[k] != 0 || tree.coulomb[k] != 0 || tree.viscous[k] != 0) return true;
  }
  return false;
}

}  // namespace

Expressed<MdhTree> mdh_tree_of(const Model& model) {
  Expressed<MdhTree> out;
  out.reason =
      beyond_reach(model, {.rule = "a Denavit-Hartenberg row has one angle or one distance", .free_root = true});
  if (out.reason.empty()) out.reason = badly_placed(model);
  if (out.reason.empty() && base_has_losses(model.tree())) out.reason = "the free base has friction or rotor inertia";
  if (!out.reason.empty()) return out;
  const Tree& tree = model.tree();
  MdhTree& built = out.description.emplace();
  built.moving_base = tree.bodies[0].kind == JointKind::free;
  built.gravity = Vec3<double>::load(tree.gravity);
  if (built.moving_base) built.links[0] = base_link(tree.bodies[0]);
  const int first_body = built.moving_base ? 1 : 0, first_velocity = built.moving_base ? 6 : 0;
  for (int b = first_body; b < tree.body_count; ++b)
    built.links.push_back(link_of(tree, b, first_body, first_velocity));
  built.variables = tree.nv - first_velocity;
  return out;
}

}  // namespace verne::formulations
