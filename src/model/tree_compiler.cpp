/// Frames: P is the parent's link frame, J the joint frame before the motion, B the frame of a tree's body, L the link
/// frame. A turns J's axes so that z lies along the joint's axis; B is the moved joint frame, turned by A.
#include "model/tree_compiler.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "model/inertia_factors.h"
#include "model/joint_shape.h"
#include "model/link_inertia.h"
#include "model/primitives.h"

namespace verne {

namespace {

void store(const Transform<double>& X, double (&R)[9], double (&p)[3]) {
  std::copy(X.R.m, X.R.m + 9, R);
  X.p.store(p);
}

void store(const Sym3<double>& M, double (&entries)[6]) {
  const double values[6] = {M.xx, M.xy, M.xz, M.yy, M.yz, M.zz};
  std::copy(values, values + 6, entries);
}

/// The sum of m r rᵀ over the mass elements.
Sym3<double> second_moments(const Sym3<double>& I) {
  const double half_trace = (I.xx + I.yy + I.zz) / 2;
  return {half_trace - I.xx, -I.xy, -I.xz, half_trace - I.yy, -I.yz, half_trace - I.zz};
}

/// What bodies and merged joints have in common.
template <class Target>
void store(const RigidInertia<double>& inertia, Target& target) {
  target.mass = inertia.mass;
  inertia.mc.store(target.mc);
  store(second_moments(inertia.I), target.E);
}

void store_all(const RigidInertia<double>& inertia, TreeBody& body) {
  store(inertia, body);
  store(inertia.I, body.I);
}

RigidInertia<double> inertia_of(const TreeBody& body) {
  const double* const I = body.I;
  return {body.mass, Vec3<double>::load(body.mc), {I[0], I[1], I[2], I[3], I[4], I[5]}};
}

template <class Source>
Transform<double> pose_of(const Source& source) {
  Transform<double> X;
  std::copy(source.R, source.R + 9, X.R.m);
  X.p = Vec3<double>::load(source.p);
  return X;
}

bool is_identity(const double (&R)[9]) {
  const Mat3<double> one = Mat3<double>::identity();
  return std::equal(R, R + 9, one.m);
}

AxesOfFrame axes_of(const double (&R)[9]) {
  if (is_identity(R)) return AxesOfFrame::xyz;
  const auto takes_turns = [&](int x, int y, int z) {
    Mat3<double> turns = Mat3<double>::zero();
    turns.m[3 * x] = turns.m[3 * y + 1] = turns.m[3 * z + 2] = 1;
    return std::equal(R, R + 9, turns.m);
  };
  return takes_turns(1, 2, 0) ? AxesOfFrame::yzx : takes_turns(2, 0, 1) ? AxesOfFrame::zxy : AxesOfFrame::other;
}

bool is_massless(const TreeBody& body) {
  const auto zero = [](double x) { return x == 0; };
  return body.mass == 0 && std::all_of(body.mc, body.mc + 3, zero) && std::all_of(body.I, body.I + 6, zero);
}

bool any_nonzero(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x != 0; });
}

}  // namespace

void TreeCompiler::compile() {
  list_links();
  number_coordinates();
  place_links();
  sum_inertias();
  place_frames();
  group_sites();
  find_subtrees();
  finish();
}

void TreeCompiler::list_links() {
  std::unordered_map<std::string, int> index;
  const std::vector<LinkSpec>& specs = contents_.spec.links;
  const int count = static_cast<int>(specs.size());
  for (int i = 0; i < count; ++i) {
    const LinkSpec& spec = specs[i];
    index[spec.name] = i;
    const int parent = spec.parent.empty() ? -1 : index.at(spec.parent);
    contents_.links.push_back({spec.name, parent, i, -1, spec.mass});
    contents_.joints.push_back({spec.joint, parent, i});
    contents_.mass += spec.mass;
  }
  end_of_links_.resize(count);
  for (int i = count - 1; i >= 0; --i) {
    end_of_links_[i] = std::max(end_of_links_[i], i + 1);
    const int parent = contents_.links[i].parent;
    if (parent >= 0) end_of_links_[parent] = std::max(end_of_links_[parent], end_of_links_[i]);
  }
}

/// Gives each joint its place in the model's q and v. A joint that follows another has none of its own.
void TreeCompiler::number_coordinates() {
  Tree& tree = contents_.tree;
  std::unordered_map<std::string, const Joint*> by_name;
  for (Joint& joint : contents_.joints) {
    by_name[joint.spec.name] = &joint;
    joint.q = tree.model_nq;
    joint.v = tree.model_nv;
    if (joint.coupled()) continue;
    joint.nq = position_count(joint.spec.type);
    joint.nv = velocity_count(joint.spec.type);
    tree.model_nq += joint.nq;
    tree.model_nv += joint.nv;
    for (int k = 0; k < joint.nv; ++k) {
      contents_.dofs.push_back(joint.spec.dofs.empty() ? DofSpec{} : joint.spec.dofs[k]);
      contents_.dof_names.push_back(joint.spec.name + dof_suffix(joint.spec.type, k));
    }
  }
  for (Joint& joint : contents_.joints) {
    if (!joint.coupled()) continue;
    const Joint& leader = *by_name.at(joint.spec.mimic->joint);
    joint.q = leader.q;
    joint.v = leader.v;
  }
}

void TreeCompiler::place_links() {
  for (int i = 0; i < static_cast<int>(contents_.links.size()); ++i) {
    Place parent;
    if (const int link = contents_.links[i].parent; link >= 0) {
      parent = {contents_.links[link].body, pose_of(contents_.sites[link])};
    }
    if (contents_.joints[i].spec.type == JointType::fixed) {
      merge(i, parent);
    } else {
      attach(i, parent);
    }
  }
}

/// A link on a fixed joint becomes part of its parent's body.
void TreeCompiler::merge(int link, const Place& parent) {
  settle(link, parent.body, parent.X_BL * contents_.spec.links[link].X_PJ);
}

/// A link on a moving joint gets one body per primitive motion of the joint; it is part of the last.
void TreeCompiler::attach(int link, const Place& parent) {
  const Joint& joint = contents_.joints[link];
  const Primitives primitives = primitives_of(joint.spec);
  joint_positions_ = joint_velocities_ = 0;
  // Joint frame in the frame of the body before.
  Transform<double> X = parent.X_BL * contents_.spec.links[link].X_PJ;
  int before = parent.body;
  int attached_link = joint.parent_link;
  for (int k = 0; k < primitives.count; ++k) {
    X.R = X.R * primitives.turn[k];
    add_body(primitives.kind[k], before, X, attached_link, joint);
    before = static_cast<int>(contents_.bodies.size()) - 1;
    attached_link = -1;
    X = Transform<double>::identity();
  }
  settle(link, before, {transpose(primitives.A), Vec3<double>::zero()});
}

/// Makes the link part of a body, in which its joint's child side has the pose X_BJ.
void TreeCompiler::settle(int link, int body, const Transform<double>& X_BJ) {
  const LinkSpec& spec = contents_.spec.links[link];
  contents_.links[link].body = body;
  if (body >= 0) contents_.moving_mass += spec.mass;
  add_site(body, link, X_BJ * spec.X_JL);
  TreeJoint joint{};
  joint.body = body;
  joint.fixed = spec.joint.type == JointType::fixed;
  joint.first_link = link;
  joint.end_link = end_of_links_[link];
  store(X_BJ, joint.R, joint.p);
  joint.same_axes = is_identity(joint.R);
  contents_.tree_joints.push_back(joint);
}

void TreeCompiler::add_site(int body, int link, const Transform<double>& X) {
  TreeSite site{};
  site.body = body;
  site.link = link;
  store(X, site.R, site.p);
  site.same_axes = is_identity(site.R);
  site.same_origin = X.p.x == 0 && X.p.y == 0 && X.p.z == 0;
  contents_.sites.push_back(site);
}

void TreeCompiler::add_body(JointKind kind, int parent, const Transform<double>& X, int attached_link,
                            const Joint& joint) {
  TreeBody body{};
  body.kind = kind;
  body.parent = parent;
  body.q = static_cast<int>(contents_.q_coupling.size());
  body.v = static_cast<int>(contents_.v_coupling.size());
  body.nv = shape_of(kind).nv;
  body.pitch = kind == JointKind::helical ? joint.spec.pitch : 0;
  store(X, body.R, body.p);
  body.axes = axes_of(body.R);
  contents_.bodies.push_back(body);
  contents_.attached_link.push_back(attached_link);
  const int before = parent < 0 ? -1 : contents_.bodies[parent].v + contents_.bodies[parent].nv - 1;
  add_positions(joint, shape_of(kind).nq);
  add_velocities(joint, body, before);
}

/// Adds tree coordinates of the joint at hand, each tied to the model's.
void TreeCompiler::add_positions(const Joint& joint, int count) {
  const MimicSpec follow = joint.spec.mimic.value_or(MimicSpec{});
  for (int k = 0; k < count; ++k) {
    contents_.q_coupling.push_back({.source = joint.q + joint_positions_++,
                                    .own = !joint.coupled(),
                                    .ratio = follow.ratio,
                                    .offset = follow.offset});
  }
}

/// Likewise for velocities; `before` is the velocity before the first one on the way to the root.
void TreeCompiler::add_velocities(const Joint& joint, const TreeBody& body, int before) {
  const MimicSpec follow = joint.spec.mimic.value_or(MimicSpec{});
  for (int k = 0; k < body.nv; ++k) {
    const DofSpec dof = joint.spec.dofs.empty() ? DofSpec{} : joint.spec.dofs[joint_velocities_];
    contents_.v_parent.push_back(before);
    contents_.v_position.push_back(body.q);
    before = static_cast<int>(contents_.v_coupling.size());
    contents_.v_coupling.push_back(
        {.source = joint.v + joint_velocities_++, .own = !joint.coupled(), .ratio = follow.ratio, .offset = 0});
    contents_.rotor_inertia.push_back(dof.rotor_inertia);
    contents_.coulomb.push_back(dof.coulomb);
    contents_.viscous.push_back(dof.viscous);
    contents_.friction_width.push_back(dof.friction_width);
    contents_.stiffness.push_back(dof.stiffness);
    contents_.rest.push_back(dof.rest);
    contents_.ligament.push_back(dof.ligament);
    contents_.slack_lower.push_back(dof.slack_lower);
    contents_.slack_upper.push_back(dof.slack_upper);
  }
}

/// Adds the links up to rigid assemblies, leaves first: what lies beyond each fixed joint, and what makes a body.
void TreeCompiler::sum_inertias() {
  const int count = static_cast<int>(contents_.links.size());
  std::vector<RigidInertia<double>> assembly(count, RigidInertia<double>::zero());
  for (int i = count - 1; i >= 0; --i) {
    assembly[i] += pose_of(contents_.sites[i]) * inertia_of(contents_.spec.links[i]);
    if (contents_.tree_joints[i].fixed) {
      store(assembly[i], contents_.tree_joints[i]);
      if (const int parent = contents_.links[i].parent; parent >= 0) assembly[parent] += assembly[i];
    } else {
      store_all(assembly[i], contents_.bodies[contents_.links[i].body]);
    }
  }
  give_mass_to_moments();
  for (TreeBody& body : contents_.bodies) {
    body.massless = is_massless(body);
    body.subtree_mass = body.mass;
    factor_inertia(body);
  }
  for (int i = static_cast<int>(contents_.bodies.size()) - 1; i >= 0; --i) {
    const TreeBody& body = contents_.bodies[i];
    if (body.parent >= 0) contents_.bodies[body.parent].subtree_mass += body.subtree_mass;
  }
}

/// Kernels refer to the centre of mass, which a first moment without mass (of grouped parameters) does not have. A mass
/// at the body's origin helps, with as much taken from the body before at the same place, where the joint keeps it:
/// together they do nothing.
void TreeCompiler::give_mass_to_moments() {
  for (int i = static_cast<int>(contents_.bodies.size()) - 1; i >= 0; --i) {
    TreeBody& body = contents_.bodies[i];
    const Vec3<double> mc = Vec3<double>::load(body.mc);
    const double mass = std::sqrt(dot(mc, mc));  // so that the centre is a metre away
    if (body.mass != 0 || mass == 0 || shape_of(body.kind).slides != 0) continue;
    RigidInertia<double> own = inertia_of(body);
    own.mass = mass;
    store_all(own, body);
    if (body.parent < 0) continue;
    RigidInertia<double> before = inertia_of(contents_.bodies[body.parent]);
    before += shifted(RigidInertia<double>{-mass, {0, 0, 0}, Sym3<double>::zero()}, Vec3<double>::load(body.p));
    store_all(before, contents_.bodies[body.parent]);
  }
}

void TreeCompiler::place_frames() {
  std::unordered_map<std::string, int> index;
  for (const Link& link : contents_.links) index[link.name] = link.joint;
  for (const FrameSpec& frame : contents_.spec.frames) {
    const int link = index.at(frame.link);
    add_site(contents_.links[link].body, link, pose_of(contents_.sites[link]) * frame.X_LF);
  }
}

void TreeCompiler::group_sites() {
  std::vector<std::vector<int>> of_body(contents_.bodies.size() + 1);  // the last: of the world
  for (int i = 0; i < static_cast<int>(contents_.sites.size()); ++i) {
    const int body = contents_.sites[i].body;
    (body < 0 ? of_body.back() : of_body[body]).push_back(i);
  }
  std::vector<int>& grouped = contents_.sites_by_body;
  for (std::size_t b = 0; b < of_body.size(); ++b) {
    const int first = static_cast<int>(grouped.size());
    grouped.insert(grouped.end(), of_body[b].begin(), of_body[b].end());
    if (b == contents_.bodies.size()) break;
    contents_.bodies[b].first_site = first;
    contents_.bodies[b].end_site = static_cast<int>(grouped.size());
  }
}

void TreeCompiler::find_subtrees() {
  std::vector<TreeBody>& bodies = contents_.bodies;
  for (int i = static_cast<int>(bodies.size()) - 1; i >= 0; --i) {
    bodies[i].subtree_end = std::max(bodies[i].subtree_end, i + 1);
    if (bodies[i].parent < 0) continue;
    TreeBody& parent = bodies[bodies[i].parent];
    parent.subtree_end = std::max(parent.subtree_end, bodies[i].subtree_end);
    if (bodies[i].parent != i - 1) parent.branches = 1;
  }
  const auto is_chain = [&](int first) {
    return std::none_of(bodies.begin() + first, bodies.begin() + bodies[first].subtree_end,
                        [](const TreeBody& body) { return body.branches != 0; });
  };
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const int parent = bodies[i].parent;
    bodies[i].begins_limb = parent >= 0 && bodies[parent].branches && is_chain(i);
  }
}

/// Counts, flags and the pointers into the arrays, which do not grow any more.
void TreeCompiler::finish() {
  static std::atomic<unsigned long long> models{0};
  Tree& tree = contents_.tree;
  tree.id = ++models;
  tree.body_count = static_cast<int>(contents_.bodies.size());
  tree.site_count = static_cast<int>(contents_.sites.size());
  tree.link_count = static_cast<int>(contents_.links.size());
  tree.joint_count = static_cast<int>(contents_.joints.size());
  tree.nq = static_cast<int>(contents_.q_coupling.size());
  tree.nv = static_cast<int>(contents_.v_coupling.size());
  tree.coupled = tree.nv != tree.model_nv;
  tree.has_friction = any_nonzero(contents_.coulomb) || any_nonzero(contents_.viscous);
  tree.has_rotor = any_nonzero(contents_.rotor_inertia);
  tree.has_ligament = any_nonzero(contents_.ligament);
  tree.has_spring = tree.has_ligament || any_nonzero(contents_.stiffness);
  tree.has_merged = std::any_of(contents_.tree_joints.begin(), contents_.tree_joints.end(),
                                [](const TreeJoint& joint) { return joint.fixed != 0; });
  contents_.spec.gravity.store(tree.gravity);
  tree.bodies = contents_.bodies.data();
  tree.sites = contents_.sites.data();
  tree.sites_by_body = contents_.sites_by_body.data();
  tree.joints = contents_.tree_joints.data();
  tree.q_coupling = contents_.q_coupling.data();
  tree.v_coupling = contents_.v_coupling.data();
  tree.v_parent = contents_.v_parent.data();
  tree.v_position = contents_.v_position.data();
  tree.attached_link = contents_.attached_link.data();
  tree.rotor_inertia = contents_.rotor_inertia.data();
  tree.coulomb = contents_.coulomb.data();
  tree.viscous = contents_.viscous.data();
  tree.friction_width = contents_.friction_width.data();
  tree.stiffness = contents_.stiffness.data();
  tree.rest = contents_.rest.data();
  tree.ligament = contents_.ligament.data();
  tree.slack_lower = contents_.slack_lower.data();
  tree.slack_upper = contents_.slack_upper.data();
}

}  // namespace verne
