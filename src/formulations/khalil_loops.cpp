/// [K10], sections 2.2 and 4.
///
///   paper                      here
///   q = [q_tr; q_c]            q
///   R_k, R_{k+B}               `frames` of the CutTree
///   J_k, J_{k+B}               in closure_jacobian(), their difference
///   A_c, H_c                   from khalil_closed_inverse(), column by column
#include "formulations/khalil_loops.h"

#include <stdexcept>
#include <string>

#include "formulations/factors.h"
#include "model/tree.h"
#include "verne/base/error.h"
#include "verne/spatial/rotation.h"

namespace verne::formulations {

namespace {

constexpr int kNewtonSteps = 50;
constexpr double kClosed = 1e-13;  ///< metres and radians

std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

/// The tree with the massless frames R_k and R_{k+B} of each cut joint.
struct CutTree : MdhTree {
  explicit CutTree(const KhalilClosedRobot& robot) : MdhTree(robot.tree) {
    for (const KhalilCutJoint& cut : robot.cuts) {
      int k = cut.link_i;
      for (const KhalilCutJoint::Variable& variable : cut.variables)
        k = add(k, variable.sigma, variable.frame, variables++);
      const int k_B = add(cut.link_j, MdhLink{}.sigma, cut.on_j, -1);
      frames.push_back({static_cast<std::size_t>(k), static_cast<std::size_t>(k_B)});
    }
  }

  struct Pair {
    std::size_t k, k_B;
  };
  std::vector<Pair> frames;

 private:
  int add(int antecedent, int sigma, const MdhParameters& at, int variable) {
    MdhLink frame;
    frame.antecedent = antecedent, frame.sigma = sigma, frame.frame = at, frame.variable = variable;
    links.push_back(frame);
    return static_cast<int>(links.size()) - 1;
  }
};

/// A screw of frame j, (linear; angular), in base axes.
Eigen::Matrix<double, 6, 1> in_base(const Transform<double>& X_0j, const Vec6<double>& screw) {
  return (Eigen::Matrix<double, 6, 1>() << eigen(X_0j.R * screw.top), eigen(X_0j.R * screw.bottom)).finished();
}

/// ⁰V_k − ⁰V_{k+B} or the same of accelerations, loop after loop.
Eigen::VectorXd difference(const CutTree& tree, const std::vector<Transform<double>>& poses,
                           const std::vector<Vec6<double>>& screws) {
  Eigen::VectorXd out(6 * static_cast<Eigen::Index>(tree.frames.size()));
  for (std::size_t loop = 0; loop < tree.frames.size(); ++loop) {
    const auto [k, k_B] = tree.frames[loop];
    out.segment<6>(6 * static_cast<Eigen::Index>(loop)) =
        in_base(poses[k], screws[k]) - in_base(poses[k_B], screws[k_B]);
  }
  return out;
}

/// W with W q̇ = 0 (4).
Eigen::MatrixXd closure_jacobian(const CutTree& tree, const Eigen::VectorXd& q) {
  const std::vector<Transform<double>> poses = khalil_poses(tree, span_of(q));
  Eigen::MatrixXd W(6 * static_cast<Eigen::Index>(tree.frames.size()), tree.variables);
  for (int i = 0; i < tree.variables; ++i) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(tree.variables, i);
    W.col(i) = difference(tree, poses, khalil_velocities(tree, span_of(q), span_of(unit)));
  }
  return W;
}

/// How far the frames of each loop are apart (3).
Eigen::VectorXd closure_error(const CutTree& tree, const Eigen::VectorXd& q) {
  const std::vector<Transform<double>> poses = khalil_poses(tree, span_of(q));
  Eigen::VectorXd error(6 * static_cast<Eigen::Index>(tree.frames.size()));
  for (std::size_t loop = 0; loop < tree.frames.size(); ++loop) {
    const auto [k, k_B] = tree.frames[loop];
    const Vec3<double> turn = rotation_vector_of(poses[k].R * transpose(poses[k_B].R));
    error.segment<6>(6 * static_cast<Eigen::Index>(loop)) << eigen(poses[k].p - poses[k_B].p), eigen(turn);
  }
  return error;
}

/// Variables that follow, and those that lead.
struct Parts {
  std::vector<int> active, passive;

  Parts(const KhalilClosedRobot& robot, const CutTree& tree) {
    for (int k = 0; k < tree.variables; ++k) {
      const bool leads = k < robot.tree.variables && robot.active[static_cast<std::size_t>(k)];
      (leads ? active : passive).push_back(k);
    }
  }
};

void check_sizes(const KhalilClosedRobot& robot, const CutTree& tree, const Eigen::VectorXd& q, const char* function) {
  if (robot.active.size() == static_cast<std::size_t>(robot.tree.variables) && q.size() == tree.variables) return;
  throw std::invalid_argument(std::string(function) +
                              ": one position for each variable of the tree and of each cut joint");
}

/// Loops of plane mechanisms have more equations than unknowns; least squares solves them as they are consistent.
Factors<double> passive_factors(const Eigen::MatrixXd& W, const Parts& parts) {
  Factors<double> factors(W(Eigen::all, parts.passive));
  if (!factors.full_rank()) {
    throw InputError("the active joints do not determine the motion of the passive ones");
  }
  return factors;
}

}  // namespace

Eigen::VectorXd khalil_closed_positions(const KhalilClosedRobot& robot, Eigen::VectorXd guess) {
  const CutTree tree(robot);
  check_sizes(robot, tree, guess, "khalil_closed_positions");
  const Parts parts(robot, tree);
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Eigen::VectorXd error = closure_error(tree, guess);
    if (error.cwiseAbs().maxCoeff() < kClosed) return guess;
    guess(parts.passive) -= passive_factors(closure_jacobian(tree, guess), parts).solve(error);
  }
  throw InputError("the loops cannot be closed from this guess");
}

KhalilClosedMotion khalil_closed_motion(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& active_qd, const Eigen::VectorXd& active_qdd) {
  const CutTree tree(robot);
  check_sizes(robot, tree, q, "khalil_closed_motion");
  const Parts parts(robot, tree);
  const Eigen::MatrixXd W = closure_jacobian(tree, q);
  const Factors<double> factors = passive_factors(W, parts);
  KhalilClosedMotion out;
  out.G = Eigen::MatrixXd::Zero(tree.variables, static_cast<Eigen::Index>(parts.active.size()));
  out.G(parts.active, Eigen::all).setIdentity();
  out.G(parts.passive, Eigen::all) = -factors.solve(W(Eigen::all, parts.active));  // (56)
  out.qd = out.G * active_qd;
  // W q̈ + Ẇ q̇ = 0, where Ẇ q̇ are the accelerations at q̈ = 0.
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(tree.variables);
  MdhTree weightless = tree;
  weightless.gravity = {0, 0, 0};
  const auto at_rest = khalil_inverse<double>(weightless, {span_of(q), span_of(out.qd)}, span_of(zero));
  const Eigen::VectorXd drift = difference(tree, khalil_poses(tree, span_of(q)), at_rest.acceleration);
  out.qdd = out.G * active_qdd;
  out.qdd(parts.passive) -= factors.solve(drift);
  return out;
}

Eigen::VectorXd khalil_closed_inverse(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& active_qd, const Eigen::VectorXd& active_qdd) {
  const KhalilClosedMotion motion = khalil_closed_motion(robot, q, active_qd, active_qdd);
  const int n = robot.tree.variables;
  const Eigen::VectorXd q_tr = q.head(n), qd_tr = motion.qd.head(n), qdd_tr = motion.qdd.head(n);
  const auto tree = khalil_inverse<double>(robot.tree, {span_of(q_tr), span_of(qd_tr)}, span_of(qdd_tr));
  return motion.G.topRows(n).transpose() * Eigen::Map<const Eigen::VectorXd>(tree.torque.data(), n);  // (55)
}

Eigen::VectorXd khalil_closed_direct(const KhalilClosedRobot& robot, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& active_qd, const Eigen::VectorXd& torque) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(torque.size());
  const Eigen::VectorXd H_c = khalil_closed_inverse(robot, q, active_qd, zero);
  Eigen::MatrixXd A_c(torque.size(), torque.size());
  for (Eigen::Index i = 0; i < torque.size(); ++i) {
    // Γ_c is linear in q̈_a: the column is what one unit of it adds.
    A_c.col(i) = khalil_closed_inverse(robot, q, active_qd, Eigen::VectorXd::Unit(torque.size(), i)) - H_c;
  }
  const Factors<double> factors(A_c);
  if (!factors.full_rank()) throw InputError("the inertia matrix of the active joints is singular");
  return factors.solve(torque - H_c);  // (58)
}

}  // namespace verne::formulations
