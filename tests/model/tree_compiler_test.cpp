/// The compiled tree says the same as the specification it was made from.
#include "model/tree_compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "model/primitives.h"
#include "support/random_model.h"
#include "verne/model/model.h"
#include "verne/spatial/inertia.h"
#include "verne/spatial/rotation.h"

namespace verne {
namespace {

using test::random_number;
using test::RandomTreeOptions;
using Poses = std::vector<Transform<double>>;
using Positions = std::vector<double>;

constexpr double kTolerance = 1e-12;

Transform<double> turned(const Mat3<double>& R) {
  return {R, Vec3<double>::zero()};
}

Transform<double> moved(const Vec3<double>& p) {
  return {Mat3<double>::identity(), p};
}

/// The motion of a joint straight from the words in spec.h, in the joint's own axes.
Transform<double> joint_motion(const JointSpec& joint, const double* q) {
  const Vec3<double>& axis = joint.axis;
  const Mat3<double> A = frame_with_z_along(axis);
  switch (joint.type) {
    case JointType::fixed:
      return Transform<double>::identity();
    case JointType::revolute:
      return turned(rotation_about(axis, q[0]));
    case JointType::prismatic:
      return moved(axis * q[0]);
    case JointType::helical:
      return {rotation_about(axis, q[0]), axis * (joint.pitch * q[0])};
    case JointType::cylindrical:
      return {rotation_about(axis, q[1]), axis * q[0]};
    case JointType::universal:
      return turned(rotation_about(axis, q[0]) * rotation_about(joint.axis2, q[1]));
    case JointType::planar:
      return {rotation_about(axis, q[2]), A.column(0) * q[0] + A.column(1) * q[1]};
    case JointType::spherical:
      return turned(rotation_from_quaternion(q[0], q[1], q[2], q[3]));
    case JointType::free:
      return {rotation_from_quaternion(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
  }
  return Transform<double>::identity();
}

Poses link_poses(const Model& model, const Positions& q) {
  Poses poses;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const LinkSpec& link = model.spec().links[i];
    const Joint& joint = model.joints()[i];
    const Transform<double> parent =
        model.links()[i].parent < 0 ? Transform<double>::identity() : poses[model.links()[i].parent];
    Positions own(q.begin() + joint.q, q.begin() + joint.q + std::max(joint.nq, joint.coupled() ? 1 : 0));
    if (joint.coupled()) own[0] = joint.spec.mimic->ratio * own[0] + joint.spec.mimic->offset;
    poses.push_back(parent * link.X_PJ * joint_motion(joint.spec, own.data()) * link.X_JL);
  }
  return poses;
}

/// The motion of a primitive as the kernels see it.
Transform<double> body_motion(const TreeBody& body, const double* q) {
  switch (body.kind) {
    case JointKind::revolute:
      return turned(rotation_z(q[0]));
    case JointKind::prismatic:
      return moved({0, 0, q[0]});
    case JointKind::helical:
      return {rotation_z(q[0]), {0, 0, body.pitch * q[0]}};
    case JointKind::spherical:
      return turned(rotation_from_quaternion(q[0], q[1], q[2], q[3]));
    case JointKind::free:
      return {rotation_from_quaternion(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]}};
  }
  return Transform<double>::identity();
}

template <class Source>
Transform<double> pose_of(const Source& source) {
  Transform<double> X;
  std::copy(source.R, source.R + 9, X.R.m);
  X.p = Vec3<double>::load(source.p);
  return X;
}

Poses body_poses(const Tree& tree, const Positions& q) {
  Positions tree_q;
  for (int k = 0; k < tree.nq; ++k) {
    const TreeCoupling& c = tree.q_coupling[k];
    tree_q.push_back(c.ratio * q[c.source] + c.offset);
  }
  Poses poses;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& body = tree.bodies[i];
    const Transform<double> X = pose_of(body) * body_motion(body, tree_q.data() + body.q);
    poses.push_back(body.parent < 0 ? X : poses[body.parent] * X);
  }
  return poses;
}

Transform<double> pose_in(const Poses& poses, int body) {
  return body < 0 ? Transform<double>::identity() : poses[body];
}

RigidInertia<double> own_inertia(const LinkSpec& link) {
  return inertia_from_com(link.mass, link.com, link.inertia);
}

Positions random_positions(std::mt19937_64& rng, const Model& model) {
  Positions q;
  for (int i = 0; i < model.nq(); ++i) q.push_back(random_number(rng, -2, 2));
  return q;
}

void expect_same(const Transform<double>& a, const Transform<double>& b, const std::string& what) {
  for (int i = 0; i < 9; ++i) ASSERT_NEAR(a.R.m[i], b.R.m[i], kTolerance) << what;
  ASSERT_LE(norm(a.p - b.p), kTolerance) << what;
}

void expect_same(const RigidInertia<double>& a, const RigidInertia<double>& b, const std::string& what) {
  const double size = 1 + b.I.xx + b.I.yy + b.I.zz;
  EXPECT_NEAR(a.mass, b.mass, kTolerance) << what;
  EXPECT_LE(norm(a.mc - b.mc), kTolerance * size) << what;
  EXPECT_NEAR(a.I.xx, b.I.xx, kTolerance * size) << what;
  EXPECT_NEAR(a.I.xy, b.I.xy, kTolerance * size) << what;
  EXPECT_NEAR(a.I.xz, b.I.xz, kTolerance * size) << what;
  EXPECT_NEAR(a.I.yy, b.I.yy, kTolerance * size) << what;
  EXPECT_NEAR(a.I.yz, b.I.yz, kTolerance * size) << what;
  EXPECT_NEAR(a.I.zz, b.I.zz, kTolerance * size) << what;
}

RigidInertia<double> inertia_of(const TreeBody& body) {
  const double* I = body.I;
  return {body.mass, Vec3<double>::load(body.mc), {I[0], I[1], I[2], I[3], I[4], I[5]}};
}

/// From the second moments E: I = tr(E) 1 − E.
RigidInertia<double> inertia_of(const TreeJoint& joint) {
  const double* E = joint.E;
  const double trace = E[0] + E[3] + E[5];
  return {joint.mass, Vec3<double>::load(joint.mc), {trace - E[0], -E[1], -E[2], trace - E[3], -E[4], trace - E[5]}};
}

Model random_model(std::mt19937_64& rng, int number) {
  RandomTreeOptions options;
  options.fixed_joints = options.coupled_joints = options.friction = options.rotor_inertia = true;
  options.root = number % 2 ? JointType::free : JointType::fixed;
  options.chain = number % 3 == 0;
  return build_model(test::random_tree(rng, 2 + number % 14, options));
}

class RandomTrees : public ::testing::TestWithParam<int> {
 protected:
  std::mt19937_64 rng{static_cast<std::uint64_t>(GetParam())};
  Model model = random_model(rng, GetParam());
  Positions q = random_positions(rng, model);
};

INSTANTIATE_TEST_SUITE_P(Model, RandomTrees, ::testing::Range(1, 13));

TEST_P(RandomTrees, SitesLieWhereTheSpecificationPutsThem) {
  const Poses links = link_poses(model, q), bodies = body_poses(model.tree(), q);
  ASSERT_EQ(model.site_count(), static_cast<int>(links.size() + model.frames().size()));
  for (int i = 0; i < model.site_count(); ++i) {
    const TreeSite& site = model.tree().sites[i];
    const bool is_link = i < static_cast<int>(links.size());
    Transform<double> expected;
    if (is_link) {
      expected = links[i];
    } else {
      const FrameSpec& frame = model.frames()[i - links.size()];
      expected = links[model.link(frame.link)] * frame.X_LF;
    }
    expect_same(pose_in(bodies, site.body) * pose_of(site), expected, model.site_name(i));
    EXPECT_EQ(model.site(model.site_name(i)), i);
  }
}

TEST_P(RandomTrees, JointFramesAreTheChildSide) {
  const Poses links = link_poses(model, q), bodies = body_poses(model.tree(), q);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const TreeJoint& joint = model.tree().joints[i];
    expect_same(pose_in(bodies, joint.body) * pose_of(joint), links[i] * inverse(model.spec().links[i].X_JL),
                model.joints()[i].spec.name);
    if (!joint.fixed) {
      EXPECT_EQ(norm(Vec3<double>::load(joint.p)), 0);
    }
    EXPECT_EQ(joint.fixed, model.joints()[i].spec.type == JointType::fixed);
  }
}

TEST_P(RandomTrees, BodiesHaveTheInertiaOfTheirLinks) {
  const Poses links = link_poses(model, q), bodies = body_poses(model.tree(), q);
  double moving = 0, total = 0;
  for (const Link& link : model.links()) {
    total += link.mass;
    if (link.body >= 0) moving += link.mass;
  }
  EXPECT_NEAR(model.mass(), total, kTolerance);
  EXPECT_NEAR(model.moving_mass(), moving, kTolerance);
  for (int b = 0; b < model.tree().body_count; ++b) {
    RigidInertia<double> expected = RigidInertia<double>::zero();
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (model.links()[i].body == b) expected += links[i] * own_inertia(model.spec().links[i]);
    }
    const TreeBody& body = model.tree().bodies[b];
    expect_same(bodies[b] * inertia_of(body), expected, "body " + std::to_string(b));
    EXPECT_EQ(body.massless, expected.mass == 0);
    const double half_trace = (body.I[0] + body.I[3] + body.I[5]) / 2;
    EXPECT_NEAR(body.E[0], half_trace - body.I[0], kTolerance);
    EXPECT_EQ(body.E[1], -body.I[1]);
  }
}

TEST_P(RandomTrees, FixedJointsHaveTheInertiaBeyondThem) {
  const Poses links = link_poses(model, q), bodies = body_poses(model.tree(), q);
  for (std::size_t j = 0; j < links.size(); ++j) {
    const TreeJoint& joint = model.tree().joints[j];
    if (!joint.fixed) continue;
    RigidInertia<double> expected = RigidInertia<double>::zero();
    for (int i = joint.first_link; i < joint.end_link; ++i) {
      if (model.links()[i].body == joint.body) expected += links[i] * own_inertia(model.spec().links[i]);
    }
    expect_same(pose_in(bodies, joint.body) * inertia_of(joint), expected, model.joints()[j].spec.name);
  }
}

TEST_P(RandomTrees, SitesAreGroupedByBody) {
  const Tree& t = model.tree();
  int next = 0;
  for (int b = 0; b < t.body_count; ++b) {
    EXPECT_EQ(t.bodies[b].first_site, next);
    for (; next < t.bodies[b].end_site; ++next) EXPECT_EQ(t.sites[t.sites_by_body[next]].body, b);
  }
  for (; next < t.site_count; ++next) EXPECT_EQ(t.sites[t.sites_by_body[next]].body, -1);
  std::vector<int> all(t.sites_by_body, t.sites_by_body + t.site_count);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < t.site_count; ++i) EXPECT_EQ(all[i], i);
}

TEST_P(RandomTrees, SubtreesAreRanges) {
  const Tree& t = model.tree();
  for (int i = 0; i < t.body_count; ++i) {
    ASSERT_LT(t.bodies[i].parent, i);
    bool branches = false;
    for (int j = i + 2; j < t.body_count; ++j) branches = branches || t.bodies[j].parent == i;
    EXPECT_EQ(t.bodies[i].branches, branches);
    bool chain = t.bodies[i].parent >= 0 && t.bodies[t.bodies[i].parent].branches;
    for (int j = i + 1; j < t.bodies[i].subtree_end; ++j) chain = chain && t.bodies[j].parent == j - 1;
    EXPECT_EQ(t.bodies[i].begins_limb, chain);
    for (int j = i + 1; j < t.body_count; ++j) {
      int up = j;
      while (up > i) up = t.bodies[up].parent;
      EXPECT_EQ(up == i, j < t.bodies[i].subtree_end);
    }
  }
  for (int i = 0; i < t.link_count; ++i) {
    for (int j = i + 1; j < t.link_count; ++j) {
      int up = j;
      while (up > i) up = model.links()[up].parent;
      EXPECT_EQ(up == i, j < t.joints[i].end_link);
    }
  }
}

TEST_P(RandomTrees, VelocitiesKnowTheirSupport) {
  const Tree& t = model.tree();
  for (int i = 0; i < t.body_count; ++i) {
    const TreeBody& body = t.bodies[i];
    int before = body.parent < 0 ? -1 : t.bodies[body.parent].v + t.bodies[body.parent].nv - 1;
    for (int k = body.v; k < body.v + body.nv; ++k) {
      EXPECT_EQ(t.v_parent[k], before);
      before = k;
    }
  }
}

TEST_P(RandomTrees, AttachedLinksBelongToTheParentBody) {
  const Tree& t = model.tree();
  for (int i = 0; i < t.body_count; ++i) {
    const int link = t.attached_link[i];
    if (link >= 0) {
      EXPECT_EQ(model.links()[link].body, t.bodies[i].parent);
    }
  }
  for (const Joint& joint : model.joints()) {
    if (joint.spec.type == JointType::fixed) continue;
    const int first = model.links()[joint.child_link].body - primitives_of(joint.spec).count + 1;
    EXPECT_EQ(t.attached_link[first], joint.parent_link);
  }
}

TEST_P(RandomTrees, CoordinatesAreTheirOwnOrFollow) {
  const Tree& t = model.tree();
  EXPECT_EQ(t.model_nv, model.nv());
  EXPECT_EQ(model.dofs().size(), static_cast<std::size_t>(model.nv()));
  std::vector<int> owners(t.model_nv);
  for (int k = 0; k < t.nv; ++k) {
    const TreeCoupling& c = t.v_coupling[k];
    EXPECT_EQ(c.offset, 0);
    if (!c.own) continue;
    EXPECT_EQ(c.ratio, 1);
    ++owners[c.source];
    EXPECT_EQ(t.rotor_inertia[k], model.dofs()[c.source].rotor_inertia);
    EXPECT_EQ(t.viscous[k], model.dofs()[c.source].viscous);
  }
  EXPECT_EQ(std::count(owners.begin(), owners.end(), 1), t.model_nv);
  EXPECT_EQ(model.coupled(), t.nv != t.model_nv);
}

}  // namespace
}  // namespace verne
