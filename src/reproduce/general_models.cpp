#include "reproduce/general_models.h"

#include <string>

#include "reproduce/random_parts.h"
#include "verne/spatial/dh.h"

namespace verne::reproduce {

namespace {

void give_mass(LinkSpec& link, std::mt19937_64& rng) {
  link.has_inertial = true;
  link.mass = random_number(rng, 1, 2);
  link.com = random_vector(rng, 0.2);
  link.inertia = random_inertia(rng, link.mass, 0.2);
}

}  // namespace

Model general_arm(int joints) {
  std::mt19937_64 rng(99);
  ModelSpec spec;
  spec.name = "general_arm" + std::to_string(joints);
  LinkSpec base;
  base.name = "base", base.joint.name = "root";
  spec.links.push_back(base);
  for (int i = 0; i < joints; ++i) {
    LinkSpec link;
    link.name = "link" + std::to_string(i), link.parent = spec.links.back().name;
    link.joint.name = "joint" + std::to_string(i), link.joint.type = JointType::revolute;
    if (i > 0) {
      const double alpha = random_number(rng, 0.3, 1.2), d = random_number(rng, 0.1, 0.5);
      link.X_PJ = mdh_transform({.alpha = alpha, .d = d, .r = random_number(rng, 0.1, 0.5)});
    }
    give_mass(link, rng);
    spec.links.push_back(link);
  }
  return build_model(std::move(spec));
}

ModelSpec general_tree(std::mt19937_64& rng, const GeneralTree& asked) {
  ModelSpec spec;
  spec.name = "general_tree";
  spec.gravity = random_vector(rng, 10);
  for (int i = 0; i <= asked.joints; ++i) {
    LinkSpec link;
    link.name = "link" + std::to_string(i), link.joint.name = "joint" + std::to_string(i);
    link.joint.type = i == 0 ? asked.root : asked.kinds[rng() % asked.kinds.size()];
    if (i > 0) link.parent = spec.links[asked.chain ? spec.links.size() - 1 : rng() % spec.links.size()].name;
    link.joint.axis = random_rotation(rng).column(2);
    link.joint.dofs.resize(static_cast<std::size_t>(velocity_count(link.joint.type)));
    for (DofSpec& dof : link.joint.dofs) {
      if (!asked.losses || i == 0) continue;
      dof.coulomb = random_number(rng, 0.2, 1), dof.viscous = random_number(rng, 0.2, 1);
      dof.friction_width = random_number(rng, 0.05, 0.5), dof.rotor_inertia = random_number(rng, 0.2, 1);
    }
    link.X_PJ = random_pose(rng, 0.5), link.X_JL = random_pose(rng, 0.2);
    give_mass(link, rng);
    spec.links.push_back(std::move(link));
  }
  return spec;
}

}  // namespace verne::reproduce
