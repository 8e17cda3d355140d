/// Articulated-body inertias ([F08] section 7.1), from the leaves to the root. With spatial vectors (linear; angular):
///   (1) D = Sᵀ I^A S + I_rotor           what a joint feels when all joints beyond it are free to move
///   (2) I^a = I^A − I^A S D⁻¹ Sᵀ I^A     what is left for the joints before it
///   (3) I^A of the parent += Xᵀ I^a X    with X from the parent's to the body's coordinates
/// The mass matrix is singular exactly when some D is.
#include "model/carried_inertia.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/decompositions.h"
#include "model/subject.h"
#include "model/validate.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

// All of any size, although they are 6 x 6 at most: what runs once per model need not be compiled for its sizes.
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMatrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// A D below this part of what it was computed from is rounding.
constexpr double kSingular = 1e-11;

Eigen::Matrix3d skew(const Eigen::Vector3d& v) {
  Eigen::Matrix3d M;
  M << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return M;
}

MatrixXd body_inertia(const TreeBody& body) {
  const Eigen::Matrix3d mc = skew(Eigen::Vector3d(body.mc[0], body.mc[1], body.mc[2]));
  const double* I = body.I;
  MatrixXd M(6, 6);
  M.topLeftCorner(3, 3) = body.mass * Eigen::Matrix3d::Identity();
  M.topRightCorner(3, 3) = -mc;
  M.bottomLeftCorner(3, 3) = mc;
  M.bottomRightCorner(3, 3) << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  return M;
}

MatrixXd motion_subspace(const TreeBody& body) {
  MatrixXd S = MatrixXd::Zero(6, body.nv);
  switch (body.kind) {
    case JointKind::revolute:
      S(5, 0) = 1;
      break;
    case JointKind::prismatic:
      S(2, 0) = 1;
      break;
    case JointKind::helical:
      S(5, 0) = 1;
      S(2, 0) = body.pitch;
      break;
    case JointKind::spherical:
      S.bottomRows(3).setIdentity();
      break;
    case JointKind::free:
      S.setIdentity();
      break;
  }
  return S;
}

/// Pose of the body in its parent, at a position that is nothing special. Following joints need not follow here: only
/// a rank is asked for.
Transform<double> some_pose(const TreeBody& body, int index) {
  const double angle = 0.5 + std::fmod(0.618034 * (index + 1), 1.0);
  Transform<double> moved{rotation_z(angle), {0, 0, 0}};
  if (body.kind == JointKind::prismatic) moved = {Mat3<double>::identity(), {0, 0, angle}};
  if (body.kind == JointKind::helical) moved.p.z = body.pitch * angle;
  if (body.nv > 1) moved.R = rotation_rpy({angle, 0.7 * angle, 0.4 * angle});
  Transform<double> X;
  std::copy(body.R, body.R + 9, X.R.m);
  X.p = Vec3<double>::load(body.p);
  return X * moved;
}

MatrixXd motion_transform(const Transform<double>& X) {
  const Eigen::Matrix3d Rt = Eigen::Map<const RowMatrix3>(X.R.m).transpose();
  MatrixXd M = MatrixXd::Zero(6, 6);
  M.topLeftCorner(3, 3) = Rt;
  M.topRightCorner(3, 3) = -Rt * skew(Eigen::Vector3d(X.p.x, X.p.y, X.p.z));
  M.bottomRightCorner(3, 3) = Rt;
  return M;
}

/// Whether the symmetric D has an inverse, with some room. It need not be positive: odd inertias are computed as they
/// are. `size` holds the diagonal of what D was computed from.
bool is_regular(const MatrixXd& D, const VectorXd& size) {
  for (Eigen::Index i = 0; i < D.rows(); ++i) {
    if (!(std::fabs(D(i, i)) > kSingular * size[i])) return false;
  }
  // Scaled to a unit diagonal: metres and radians may be mixed.
  const VectorXd scale = D.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  return eigenvalues(scale.asDiagonal() * D * scale.asDiagonal()).cwiseAbs().minCoeff() > kSingular;
}

using IsGiven = std::function<bool(int velocity)>;

/// For each of the tree's velocities, whether something resists its acceleration, or this is given.
std::vector<bool> find_resisting(const Tree& tree, const IsGiven& is_given) {
  std::vector<bool> resists(tree.nv);
  std::vector<MatrixXd> articulated(tree.body_count), sizes(tree.body_count);
  for (int i = 0; i < tree.body_count; ++i) articulated[i] = sizes[i] = body_inertia(tree.bodies[i]);
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& body = tree.bodies[i];
    const MatrixXd S = motion_subspace(body);
    const Eigen::Map<const VectorXd> rotor(tree.rotor_inertia + body.v, body.nv);
    const MatrixXd whole = articulated[i];
    MatrixXd D = S.transpose() * whole * S;  // (1)
    D.diagonal() += rotor;
    // The trace, as the axis itself may be the one direction without inertia.
    const double linear = sizes[i].topLeftCorner(3, 3).trace();
    const double angular = std::fabs(sizes[i].bottomRightCorner(3, 3).trace());
    const VectorXd size =
        linear * S.topRows(3).colwise().squaredNorm() + angular * S.bottomRows(3).colwise().squaredNorm();
    const bool given = is_given(tree.v_coupling[body.v].source), regular = is_regular(D, size);
    std::fill_n(resists.begin() + body.v, body.nv, given || regular);
    if (body.parent < 0) continue;
    if (regular && !given) {
      const MatrixXd U = whole * S;
      articulated[i] -= U * solution(D, U.transpose());  // (2)
    }
    const MatrixXd X = motion_transform(some_pose(body, i));
    articulated[body.parent] += X.transpose() * articulated[i] * X;  // (3)
    sizes[body.parent] += X.transpose() * whole * X;
  }
  return resists;
}

std::vector<bool> subtree_has_mass(const Tree& tree) {
  std::vector<bool> has_mass(tree.body_count);
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& body = tree.bodies[i];
    if (body.mass > 0) has_mass[i] = true;
    if (body.parent >= 0 && has_mass[i]) has_mass[body.parent] = true;
  }
  return has_mass;
}

/// For each link, whether a loop is closed on it or beyond it: what moves there is not seen by the tree alone.
std::vector<bool> links_before_loops(const ModelSpec& spec) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t k = 0; k < spec.links.size(); ++k) index.emplace(spec.links[k].name, k);
  std::vector<bool> before(spec.links.size());
  const auto mark = [&](const std::string& link) {
    for (auto at = index.find(link); at != index.end(); at = index.find(spec.links[at->second].parent)) {
      if (before[at->second]) return;
      before[at->second] = true;
    }
  };
  for (const LoopSpec& loop : spec.loops) mark(loop.a.link), mark(loop.b.link);
  return before;
}

}  // namespace

std::vector<int> joints_without_inertia(const Tree& tree, std::span<const Joint> joints, const IsGiven& is_given) {
  const std::vector<bool> tree_resists = find_resisting(tree, is_given);
  // One of several joints that move together is enough.
  std::vector<bool> resists(tree.model_nv);
  for (int k = 0; k < tree.nv; ++k) {
    if (tree_resists[k]) resists[tree.v_coupling[k].source] = true;
  }
  std::vector<int> without;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = joints[i];
    bool moves_something = true;
    for (int k = 0; k < joint.nv; ++k) moves_something = moves_something && resists[joint.v + k];
    if (!moves_something) without.push_back(static_cast<int>(i));
  }
  return without;
}

std::vector<int> check_carried_inertia(const Tree& tree, std::span<const Joint> joints, const ModelSpec& spec,
                                       Findings& findings) {
  const std::vector<bool> has_mass = subtree_has_mass(tree);
  const std::vector<int> without = joints_without_inertia(tree, joints, [](int) { return false; });
  const std::vector<bool> in_loops = links_before_loops(spec);
  for (const int i : without) {
    if (in_loops[i]) continue;  // a Mechanism tells
    const Joint& joint = joints[i];
    const Subject subject(findings, "joint", joint.spec.name, joint_line(spec.links[i]));
    if (has_mass[tree.joints[i].body]) {
      subject.implausible(PlausibilityKind::nothing_to_move,
                          "carries too little inertia to move: give link '" + spec.links[i].name +
                              "' an inertia (or a mass away from the axis), or the joint a rotor inertia");
    } else {
      subject.implausible(PlausibilityKind::nothing_to_move, "moves but carries no mass: give link '" +
                                                                 spec.links[i].name +
                                                                 "' or one beyond it a mass, or make the joint fixed");
    }
  }
  return without;
}

}  // namespace verne
