#include "support/random_model.h"

#include <cmath>
#include <set>
#include <string>

#include "verne/spatial/rotation.h"

namespace verne::test {

namespace {

bool chance(std::mt19937_64& rng, double probability) {
  return random_number(rng, 0, 1) < probability;
}

std::size_t random_index(std::mt19937_64& rng, std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(rng);
}

Vec3<double> random_axis(std::mt19937_64& rng) {
  if (chance(rng, 0.5)) return random_rotation(rng).column(2);
  Vec3<double> axis{0, 0, 0};
  axis[static_cast<int>(random_index(rng, 3))] = chance(rng, 0.5) ? 1 : -1;
  return axis;
}

JointSpec random_joint(std::mt19937_64& rng, JointType type, const RandomTreeOptions& options) {
  JointSpec joint;
  joint.type = type;
  joint.axis = random_axis(rng);
  // Any direction well away from the first; universal joints need not be square.
  joint.axis2 = rotation_about(frame_with_z_along(joint.axis).column(0), random_number(rng, 0.5, 2.5)) * joint.axis;
  joint.pitch = type == JointType::helical ? random_number(rng, -0.3, 0.3) : 0;
  joint.dofs.resize(static_cast<std::size_t>(velocity_count(type)));
  for (DofSpec& dof : joint.dofs) {
    if (options.friction) {
      dof.coulomb = random_number(rng, 0, 1);
      dof.viscous = random_number(rng, 0, 1);
      dof.friction_width = random_number(rng, 0.05, 0.5);
    }
    if (options.rotor_inertia) dof.rotor_inertia = random_number(rng, 0, 1);
    if (options.springs && position_count(type) == velocity_count(type) && chance(rng, 0.5)) {
      dof.stiffness = random_number(rng, 1, 50);
      dof.rest = random_number(rng, -1, 1);
    }
    if (options.ligaments && position_count(type) == velocity_count(type) && chance(rng, 0.5)) {
      dof.ligament = random_number(rng, 1, 20);
      dof.slack_lower = random_number(rng, -1, 0);
      dof.slack_upper = chance(rng, 0.8) ? random_number(rng, 0, 1) : kInfinity;
    }
  }
  return joint;
}

void add_link(std::mt19937_64& rng, ModelSpec& spec, JointSpec joint, const RandomTreeOptions& options) {
  LinkSpec link;
  const std::string number = std::to_string(spec.links.size());
  link.name = "link_" + number;
  joint.name = "joint_" + number;
  link.joint = std::move(joint);
  if (!spec.links.empty()) {
    link.parent = (options.chain ? spec.links.back() : spec.links[random_index(rng, spec.links.size())]).name;
  }
  link.X_PJ = random_pose(rng, 0.5);
  link.X_JL = random_pose(rng, 0.2);
  if (link.joint.type != JointType::fixed || chance(rng, 0.7)) {
    link.has_inertial = true;
    link.mass = options.uneven_masses ? std::pow(10, random_number(rng, -3, 1)) : random_number(rng, 0.5, 3);
    link.com = random_vector(rng, 0.2);
    link.inertia = random_inertia(rng, link.mass, 0.3);
  }
  spec.links.push_back(std::move(link));
}

/// Lets the joint follow an earlier one-DOF joint that follows none itself, if there is one.
void couple(std::mt19937_64& rng, const ModelSpec& spec, JointSpec& joint) {
  std::vector<std::string> leaders;
  for (const LinkSpec& link : spec.links) {
    if (velocity_count(link.joint.type) == 1 && !link.joint.mimic) leaders.push_back(link.joint.name);
  }
  if (leaders.empty()) return;
  const double ratio = random_number(rng, 0.5, 2) * (chance(rng, 0.5) ? 1 : -1);
  joint.mimic = MimicSpec{leaders[random_index(rng, leaders.size())], ratio, random_number(rng, -1, 1)};
}

/// Lets joints follow later ones: those come first in no order that a reader or the compiler of the tree goes through.
void couple_to_later_ones(std::mt19937_64& rng, ModelSpec& spec) {
  std::set<std::string> leaders;
  for (std::size_t i = 0; i < spec.links.size(); ++i) {
    JointSpec& joint = spec.links[i].joint;
    if (velocity_count(joint.type) != 1 || joint.mimic || leaders.contains(joint.name) || chance(rng, 0.5)) continue;
    std::vector<std::string> later;
    for (std::size_t k = i + 1; k < spec.links.size(); ++k) {
      const JointSpec& other = spec.links[k].joint;
      if (velocity_count(other.type) == 1 && !other.mimic) later.push_back(other.name);
    }
    if (later.empty()) return;
    joint.mimic = MimicSpec{later[random_index(rng, later.size())], random_number(rng, -2, -0.5), 0.3};
    leaders.insert(joint.mimic->joint);
  }
}

}  // namespace

ModelSpec random_tree(std::mt19937_64& rng, int joints, const RandomTreeOptions& options) {
  ModelSpec spec;
  spec.name = "random_tree";
  spec.gravity = random_vector(rng, 10);
  add_link(rng, spec, random_joint(rng, options.root, options), options);
  for (int i = 0; i < joints; ++i) {
    if (options.fixed_joints && chance(rng, 0.4)) {
      add_link(rng, spec, random_joint(rng, JointType::fixed, options), options);
    }
    JointSpec joint = random_joint(rng, options.kinds[random_index(rng, options.kinds.size())], options);
    if (options.coupled_joints && velocity_count(joint.type) == 1 && chance(rng, 0.5)) couple(rng, spec, joint);
    add_link(rng, spec, std::move(joint), options);
  }
  if (options.late_leaders) couple_to_later_ones(rng, spec);
  const auto random_link = [&] { return spec.links[random_index(rng, spec.links.size())].name; };
  for (const char* name : {"frame_0", "frame_1"}) {
    spec.frames.push_back({name, random_link(), random_pose(rng, 0.3), 0});
  }
  spec.contacts.push_back({"contact_0", random_link(), random_vector(rng, 0.3), 0});
  return spec;
}

}  // namespace verne::test
