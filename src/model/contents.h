/// What a Model holds: its specification, what people ask of it, and the arrays behind its Tree.
#pragma once

#include <string>
#include <vector>

#include "model/tree.h"
#include "verne/model/model.h"

namespace verne {

struct Model::Contents {
  ModelSpec spec;
  std::vector<Joint> joints;
  std::vector<Link> links;
  std::vector<DofSpec> dofs;
  std::vector<std::string> dof_names;
  std::vector<PlausibilityWarning> plausibility_warnings;
  std::vector<int> joints_without_inertia;
  double mass = 0, moving_mass = 0;
  Tree tree{};
  std::vector<TreeBody> bodies;
  std::vector<TreeSite> sites;
  std::vector<TreeJoint> tree_joints;
  std::vector<TreeCoupling> q_coupling, v_coupling;
  std::vector<int> sites_by_body, v_parent, v_position, attached_link;
  std::vector<double> rotor_inertia, coulomb, viscous, friction_width, stiffness, rest, ligament, slack_lower,
      slack_upper;
};

}  // namespace verne
