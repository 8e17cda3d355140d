#include "model/one_axis_joints.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace verne {

namespace {

struct OneAxis {
  const char* ending;
  JointType type;
  Vec3<double> axis;
};
constexpr OneAxis kChain[] = {{"_x", JointType::prismatic, {1, 0, 0}},    {"_y", JointType::prismatic, {0, 1, 0}},
                              {"_z", JointType::prismatic, {0, 0, 1}},    {"_yaw", JointType::revolute, {0, 0, 1}},
                              {"_pitch", JointType::revolute, {0, 1, 0}}, {"_roll", JointType::revolute, {1, 0, 0}}};

/// Of a free joint all, of a spherical one the last three.
std::span<const OneAxis> chain_of(JointType type) {
  return type == JointType::free ? std::span(kChain) : std::span(kChain).last(3);
}

bool is_plain(const DofSpec& dof) {
  return dof.lower == -kInfinity && dof.upper == kInfinity && dof.velocity == kInfinity &&
         dof.effort_lower == -kInfinity && dof.effort_upper == kInfinity && dof.coulomb == 0 && dof.viscous == 0 &&
         dof.rotor_inertia == 0 && dof.stiffness == 0 && dof.ligament == 0;
}

/// The links of a chain, the last of which is the given one.
std::vector<LinkSpec> chain_to(const LinkSpec& link) {
  const std::span<const OneAxis> chain = chain_of(link.joint.type);
  std::vector<LinkSpec> links;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const bool last = k + 1 == chain.size();
    LinkSpec one = last ? link : LinkSpec{};
    if (!last) one.name = link.name + chain[k].ending;
    one.line = link.line;
    one.parent = k == 0 ? link.parent : links.back().name;
    one.X_PJ = k == 0 ? link.X_PJ : Transform<double>::identity();
    one.joint = {};
    one.joint.name = link.joint.name + chain[k].ending;
    one.joint.type = chain[k].type;
    one.joint.axis = chain[k].axis;
    one.joint.actuated = link.joint.actuated;
    one.joint.line = link.joint.line;
    links.push_back(std::move(one));
  }
  return links;
}

}  // namespace

bool becomes_one_axis_joints(const JointSpec& joint) {
  return (joint.type == JointType::free || joint.type == JointType::spherical) &&
         std::all_of(joint.dofs.begin(), joint.dofs.end(), is_plain);
}

std::vector<double> one_axis_positions(const std::vector<double>& q) {
  std::vector<double> out(q.begin(), q.end() - 4);
  const double x = q[q.size() - 4], y = q[q.size() - 3], z = q[q.size() - 2], w = q[q.size() - 1];
  out.push_back(std::atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)));
  out.push_back(std::asin(std::clamp(2 * (w * y - z * x), -1.0, 1.0)));
  out.push_back(std::atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)));
  return out;
}

std::vector<std::string> one_axis_names(const JointSpec& joint) {
  std::vector<std::string> names;
  for (const OneAxis& one : chain_of(joint.type)) names.push_back(joint.name + one.ending);
  return names;
}

ModelSpec with_one_axis_joints(ModelSpec spec) {
  std::vector<LinkSpec> links;
  for (const LinkSpec& link : spec.links) {
    if (!becomes_one_axis_joints(link.joint)) {
      links.push_back(link);
      continue;
    }
    for (LinkSpec& one : chain_to(link)) links.push_back(std::move(one));
    const std::string& name = link.joint.name;
    const std::span<const OneAxis> chain = chain_of(link.joint.type);
    const auto home =
        std::find_if(spec.home.begin(), spec.home.end(), [&](const HomeSpec& h) { return h.joint == name; });
    if (home != spec.home.end()) {
      const HomeSpec whole = *home;
      const std::vector<double> positions = one_axis_positions(whole.q);
      spec.home.erase(home);
      for (std::size_t k = 0; k < chain.size(); ++k) {
        spec.home.push_back({name + chain[k].ending, {positions[k]}, whole.line});
      }
    }
    const auto listed = std::find(spec.independent.begin(), spec.independent.end(), name);
    if (listed == spec.independent.end()) continue;
    spec.independent.erase(listed);
    for (const OneAxis& one : chain) spec.independent.push_back(name + one.ending);
  }
  spec.links = std::move(links);
  return spec;
}

}  // namespace verne
