/// Implicit differentiation of the balance with contacts (docs/theory/loops.md, section 6).
#include "structures/contact_derivatives.h"

#include <Eigen/Geometry>
#include <cmath>

#include "base/decompositions.h"
#include "dynamics/singular.h"
#include "structures/closed_balance.h"
#include "structures/contact_parts.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/dynamics.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

using Rotation = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Of the largest entry: what rounding leaves of a system that has a solution.
constexpr double kSolved = 1e-7;

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& w) {
  return (Eigen::Matrix3d() << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0).finished();
}

/// Wrench of one contact, in its axes, from all multipliers.
Eigen::Vector<double, 6> wrench_of(const ContactData::Parts& s, const ContactData::Parts::Held& at,
                                   const Eigen::VectorXd& lambda) {
  Eigen::Vector<double, 6> wrench = Eigen::Vector<double, 6>::Zero();
  wrench.head<3>() = lambda.segment<3>(at.first);
  wrench.segment(3, at.rows - 3) = lambda.segment(at.first + 3, at.rows - 3) * s.c.length;
  return wrench;
}

/// How the motion of the contacts that are held changes along the coordinates of the tree, equations x nv.
class HeldSensitivity {
 public:
  HeldSensitivity(const ContactData::Parts& s, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a)
      : s_(s), kinematics_(forward_kinematics(s.model, s.p.data, q, v, a)) {
    for (Eigen::MatrixXd* rows : {&velocity_dq, &acceleration_dq, &acceleration_dv})
      rows->setZero(s.equations, v.size());
    for (const ContactData::Parts::Held& at : s.held) {
      const Eigen::Vector3d point(at.spec->point.x, at.spec->point.y, at.spec->point.z);
      points_.emplace_back(s.model);
      const SiteDerivatives<double>& d = points_.back();
      site_derivatives<double>(s.model, s.p.data, q, v, a, at.link, points_.back(), &point);
      const Eigen::Vector3d r = kinematics_.rotation(at.link) * point;
      const Eigen::Matrix<double, 6, 1> link_v = kinematics_.velocities.col(at.link),
                                        link_a = kinematics_.accelerations.col(at.link);
      const Eigen::Vector3d omega = link_v.tail<3>(), alpha = link_a.tail<3>(), spin = omega.cross(r);
      put_rows(at, d.velocity_dq, &d.J, link_v.head<3>() + spin, omega, velocity_dq);
      put_rows(at, d.acceleration_dq, &d.J, link_a.head<3>() + alpha.cross(r) + omega.cross(spin), alpha,
               acceleration_dq);
      put_rows(at, d.acceleration_dv, nullptr, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), acceleration_dv);
    }
  }

  /// What the torques of the wrenches gain since these turn with their links.
  Eigen::MatrixXd turning(const Matrix6X<double>& wrenches) const {
    Eigen::MatrixXd torques = Eigen::MatrixXd::Zero(s_.model.nv(), s_.model.nv());
    for (std::size_t k = 0; k < s_.held.size(); ++k) {
      const auto wrench = wrenches.col(wrenches.cols() - static_cast<Eigen::Index>(s_.held.size() - k));
      const Eigen::Map<const Rotation> R(s_.held[k].R.m);
      const auto linear = points_[k].J.topRows<3>(), angular = points_[k].J.bottomRows<3>();
      torques -= linear.transpose() * (cross_matrix(R * wrench.head<3>()) * angular) +
                 angular.transpose() * (cross_matrix(R * wrench.tail<3>()) * angular);
    }
    return torques;
  }

  /// What the contacts exert along directions that change q and λ, added to the loads of each.
  void add_load_changes(const Matrix6X<double>& wrenches, const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dlambda,
                        std::span<Loads<double>> to) const {
    for (std::size_t k = 0; k < s_.held.size(); ++k) {
      const ContactData::Parts::Held& at = s_.held[k];
      const auto wrench = wrenches.col(wrenches.cols() - static_cast<Eigen::Index>(s_.held.size() - k));
      const Eigen::Map<const Rotation> R(at.R.m);
      const Eigen::Vector3d force = R * wrench.head<3>(), moment = R * wrench.tail<3>();
      const Eigen::MatrixXd turns = points_[k].J.bottomRows<3>() * dq;
      for (std::size_t j = 0; j < to.size(); ++j) {
        const Eigen::Vector3d turn = turns.col(static_cast<Eigen::Index>(j));
        const Eigen::Vector<double, 6> gained = wrench_of(s_, at, dlambda.col(static_cast<Eigen::Index>(j)));
        to[j].add({at.link,
                   turn.cross(force) + R * gained.head<3>(),
                   turn.cross(moment) + R * gained.tail<3>(),
                   {at.spec->point.x, at.spec->point.y, at.spec->point.z},
                   At::link});
      }
    }
  }

  Eigen::MatrixXd velocity_dq, acceleration_dq, acceleration_dv;

 private:
  /// Rates of a linear and an angular vector, in the axes of the contact, which turn with `turns` unless null.
  void put_rows(const ContactData::Parts::Held& at, const Matrix6X<double>& rates, const Matrix6X<double>* turns,
                const Eigen::Vector3d& linear, const Eigen::Vector3d& angular, Eigen::MatrixXd& rows) const {
    const Eigen::Map<const Rotation> R(at.R.m);
    Matrix6X<double> seen = rates;
    if (turns) {
      seen.topRows<3>() += cross_matrix(linear) * turns->bottomRows<3>();
      seen.bottomRows<3>() += cross_matrix(angular) * turns->bottomRows<3>();
    }
    rows.middleRows<3>(at.first) = R.transpose() * seen.topRows<3>();
    const Eigen::Matrix<double, 3, Eigen::Dynamic> turned = R.transpose() * seen.bottomRows<3>() * s_.c.length;
    rows.middleRows(at.first + 3, at.rows - 3) = turned.topRows(at.rows - 3);
  }

  const ContactData::Parts& s_;
  Kinematics<double> kinematics_;
  std::vector<SiteDerivatives<double>> points_;
};

/// The equations along the independent coordinates, and what they lose at fixed τ and λ: of the balance (12), and of
/// the accelerations of the contacts.
struct HeldBalance {
  HeldSensitivity held;
  BalanceDerivatives tree;           ///< along all velocities; without loops those of the tree alone
  Eigen::MatrixXd mass, rows;        ///< Gᵀ M G, J G
  Eigen::MatrixXd dq, dv;            ///< of the balance; to a it is the mass
  Eigen::MatrixXd rows_dq, rows_dv;  ///< of J a + γ
};

/// At the solution of a call, of which `wrenches` are; unless null also those of joints at fixed loads.
HeldBalance differentiate(ContactData::Parts& s, std::span<const int> contacts, VectorIn<double> q, VectorIn<double> v,
                          VectorIn<double> a, VectorIn<double> tau, LoadsIn<double> loads,
                          const Matrix6X<double>& wrenches, WrenchDerivatives<double>* of_joints) {
  s.gather(contacts, q, v);
  HeldBalance out{HeldSensitivity(s, q, v, a), {}, {}, {}, {}, {}, {}, {}};
  const HeldSensitivity& held = out.held;
  const Eigen::MatrixXd turning = held.turning(wrenches), J = s.J.topRows(s.equations);
  s.loads.clear();
  if (loads) s.loads.append(*loads);
  s.add_loads(wrenches, s.loads);
  if (s.tree) {
    TorqueDerivatives<double> tree(s.model);
    inverse_dynamics_derivatives(s.model, s.p.data, q, v, a, tree, &s.loads, of_joints);
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(v.size(), v.size());
    out.tree = {tree.dq - turning, tree.dv, tree.da, none, none, none, {}, {}};
    out.mass = tree.da, out.rows = J;
    out.dq = out.tree.dq, out.dv = tree.dv;
    out.rows_dq = held.acceleration_dq, out.rows_dv = held.acceleration_dv;
    return out;
  }
  s.p.evaluate(q, v);
  s.p.tree_torques(q, v, a, &s.loads);
  s.p.torques -= tau;
  s.p.solve_multipliers(Eigen::VectorXd::Zero(0), false);
  out.tree = differentiate_balance(s.p, q, v, a, &s.loads, of_joints);
  const Eigen::MatrixXd& G = s.p.G;
  out.tree.dq -= turning * G;
  out.mass = G.transpose() * out.tree.da, out.rows = J * G;
  out.dq = G.transpose() * out.tree.dq, out.dv = G.transpose() * out.tree.dv;
  out.rows_dq = held.acceleration_dq * G + held.acceleration_dv * out.tree.v_dq + J * out.tree.a_dq;
  out.rows_dv = held.acceleration_dv * G + J * out.tree.a_dv;
  return out;
}

/// G, which without loops is one.
Eigen::MatrixXd free_motions(const ContactData::Parts& s) {
  return s.tree ? Eigen::MatrixXd::Identity(s.model.nv(), s.model.nv()) : s.p.G;
}

/// The rows of the contacts along the independent coordinates, J G, after ContactData::Parts::gather().
Eigen::MatrixXd held_rows(const ContactData::Parts& s) {
  const Eigen::MatrixXd own = s.J.topRows(s.equations);
  return s.tree ? own : Eigen::MatrixXd(own * s.p.G);
}

/// δa and δλ of (16), for what the balance and the rows of the contacts lose.
struct HeldChanges {
  Eigen::MatrixXd a, lambda;
};
HeldChanges forward_changes(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& rows, const Eigen::MatrixXd& lost,
                            const Eigen::MatrixXd& of_rows) {
  const Eigen::MatrixXd inverse = positive_solution(mass, Eigen::MatrixXd::Identity(mass.rows(), mass.cols()));
  const Eigen::MatrixXd by_force = inverse * rows.transpose(), free_fall = inverse * lost;
  const Eigen::MatrixXd dlambda = solve_least(rows * by_force, rows * free_fall - of_rows);
  return {by_force * dlambda - free_fall, dlambda};
}

/// (δμ, δλ) of (17), for its right side.
Eigen::MatrixXd least_changes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& rows, const Eigen::MatrixXd& right) {
  const Eigen::Index free = A.rows(), m = rows.rows();
  Eigen::MatrixXd conditions(free + m, free + m);
  conditions << A * A.transpose(), rows.transpose(), rows, Eigen::MatrixXd::Zero(m, m);
  const Eigen::MatrixXd solved = solve_least(conditions, right);
  if (!((conditions * solved - right).cwiseAbs().maxCoeff() <= kSolved * right.cwiseAbs().maxCoeff())) {
    throw InputError(
        "the actuators and the contacts that are held give only some motions: torques have no derivatives");
  }
  return solved;
}

/// Wrenches of loops and contacts and of joints, unless null, along directions in which the motion and λ change so, and
/// the balance loses so much that loops and contacts give back.
class HeldWrenches {
 public:
  HeldWrenches(ContactData::Parts& s, const HeldBalance& of, const Matrix6X<double>& wrenches,
               DeterminedWrenches determined, VectorIn<double> q, WrenchDerivatives<double> at_fixed_loads)
      : s_(s),
        of_(of),
        wrenches_(wrenches),
        determined_(std::move(determined)),
        joints_(s.model, s.p.data, q, std::move(at_fixed_loads)) {}

  void put(const TreeChanges& changes, const Eigen::MatrixXd& lost, const Eigen::MatrixXd& dlambda,
           Matrix6X<double>* of_loops, Matrix6X<double>* of_joints) const {
    Eigen::MatrixXd of_equations;
    if (!s_.tree) {
      of_equations = multiplier_changes(s_.p, lost - s_.J.topRows(s_.equations).transpose() * dlambda);
      if (of_loops) put_loop_wrenches(s_.p, of_.tree, changes.q, of_equations, determined_.loops, *of_loops);
    }
    if (of_loops) put_contacts(dlambda, *of_loops);
    if (!of_joints) return;
    std::vector<Loads<double>> loads(static_cast<std::size_t>(lost.cols()));
    of_.held.add_load_changes(wrenches_, changes.q, dlambda, loads);
    if (!s_.tree) add_load_changes(s_.p, of_.tree, changes.q, of_equations, loads);
    joints_.put(changes, loads, determined_.joints, *of_joints);
  }

 private:
  /// Of the contacts, behind those of the loops: components in their own axes, which λ are.
  void put_contacts(const Eigen::MatrixXd& dlambda, Matrix6X<double>& out) const {
    const Eigen::Index directions = dlambda.cols();
    std::size_t k = s_.c.layout.loops.size();
    for (const ContactData::Parts::Held& at : s_.held) {
      auto block = out.middleCols(static_cast<Eigen::Index>(k) * directions, directions);
      for (Eigen::Index j = 0; j < directions; ++j) block.col(j) = wrench_of(s_, at, dlambda.col(j));
      for (std::size_t i = 0; i < 6; ++i) {
        if (!determined_.loops[k][i]) block.row(static_cast<Eigen::Index>(i)).setConstant(std::nan(""));
      }
      ++k;
    }
  }

  ContactData::Parts& s_;
  const HeldBalance& of_;
  const Matrix6X<double>& wrenches_;
  DeterminedWrenches determined_;
  JointWrenchChanges joints_;
};

}  // namespace

void forward_dynamics_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                  VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                  MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                  LoadsIn<double> loads, LoopWrenchDerivatives* of_loops,
                                  JointWrenchDerivatives* of_joints, TreeAccelerationDerivatives* of_tree) {
  const char* const function = "forward_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), n = mechanism.model().nv();
  require_shape(function, "da_dq", free, free, da_dq);
  require_shape(function, "da_dv", free, free, da_dv);
  require_shape(function, "da_dtau", free, n, da_dtau);
  const Model& model = mechanism.model();
  require_shape(function, "loop wrenches", model.loops().size() + contacts.size(), free, n, of_loops);
  require_shape(function, "joint wrenches", model.joints().size(), free, n, of_joints);
  require_shape(function, model, free, n, of_tree);
  require_size(function, "a", n, a.size());
  require_size(function, "tau", n, tau.size());
  auto& s = data.parts();
  if (s.tree) require_invertible(function, model);
  if (!of_tree &&
      s.differentiate_articulated(contacts, q, v, tau, loads, a, da_dq, da_dv, da_dtau, of_loops, of_joints))
    return;
  const Eigen::VectorXd given = tau;  // may be the memory of a
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(mechanism.model().loops().size() + contacts.size()));
  forward_dynamics(mechanism, data, contacts, q, v, given, a, loads, &wrenches);
  WrenchDerivatives<double> tree(s.model);
  const HeldBalance of = differentiate(s, contacts, q, v, a, given, loads, wrenches, of_joints ? &tree : nullptr);
  const Eigen::MatrixXd G = free_motions(s);
  Eigen::MatrixXd lost(free, 2 * free + n), of_rows(s.equations, 2 * free + n);
  lost << of.dq, of.dv, -G.transpose();
  of_rows << of.rows_dq, of.rows_dv, Eigen::MatrixXd::Zero(s.equations, n);
  const HeldChanges found = forward_changes(of.mass, of.rows, lost, of_rows);
  da_dq = found.a.leftCols(free), da_dv = found.a.middleCols(free, free), da_dtau = found.a.rightCols(n);
  if (!of_loops && !of_joints && !of_tree) return;
  std::array<TreeChanges, 3> changes = tree_changes(G, of.tree);
  changes[0].a += G * da_dq, changes[1].a += G * da_dv;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(n, n), unit = Eigen::MatrixXd::Identity(n, n);
  changes[2] = {none, none, G * da_dtau};
  if (of_tree) of_tree->dq = changes[0].a, of_tree->dv = changes[1].a, of_tree->dx = changes[2].a;
  if (!of_loops && !of_joints) return;
  const HeldWrenches put(s, of, wrenches, determined_wrenches(mechanism, data, contacts, q), q, std::move(tree));
  put.put(changes[0], of.tree.dq + of.tree.da * da_dq, found.lambda.leftCols(free),
          block_of(of_loops, &ReactionDerivatives::dq), block_of(of_joints, &ReactionDerivatives::dq));
  put.put(changes[1], of.tree.dv + of.tree.da * da_dv, found.lambda.middleCols(free, free),
          block_of(of_loops, &ReactionDerivatives::dv), block_of(of_joints, &ReactionDerivatives::dv));
  put.put(changes[2], of.tree.da * da_dtau - unit, found.lambda.rightCols(n),
          block_of(of_loops, &ReactionDerivatives::dx), block_of(of_joints, &ReactionDerivatives::dx));
}

void inverse_dynamics_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                  VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                  MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da, LoadsIn<double> loads,
                                  LoopWrenchDerivatives* of_loops, JointWrenchDerivatives* of_joints,
                                  const Values* weights, TreeAccelerationDerivatives* of_tree) {
  const char* const function = "inverse_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), n = mechanism.model().nv();
  for (const auto* block : {&dtau_dq, &dtau_dv, &dtau_da}) require_shape(function, "dtau", n, free, *block);
  const Model& model = mechanism.model();
  require_shape(function, "loop wrenches", model.loops().size() + contacts.size(), free, free, of_loops);
  require_shape(function, "joint wrenches", model.joints().size(), free, free, of_joints);
  require_shape(function, model, free, free, of_tree);
  auto& s = data.parts();
  Eigen::VectorXd tau(n);
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(mechanism.model().loops().size() + contacts.size()));
  inverse_dynamics(mechanism, data, contacts, q, v, a, tau, loads, &wrenches, nullptr, weights);
  WrenchDerivatives<double> tree(s.model);
  const HeldBalance of = differentiate(s, contacts, q, v, a, tau, loads, wrenches, of_joints ? &tree : nullptr);

  // A τ + Pᵀ λ = forces with τ = Aᵀ μ and P μ = 0, the conditions of the least τ (17); weights scale τ and A.
  const Eigen::Index m = s.equations, count = static_cast<Eigen::Index>(s.c.actuated.size());
  const Eigen::VectorXd scales = torque_scales(function, s.c, weights);
  const Eigen::MatrixXd G = free_motions(s), A = G(s.c.actuated, Eigen::all).transpose() * scales.asDiagonal();
  Eigen::MatrixXd conditions(count + m, free);
  conditions << A.transpose(), of.rows;
  Eigen::VectorXd goal(count + m);
  goal << tau(s.c.actuated).cwiseQuotient(scales), Eigen::VectorXd::Zero(m);
  const Eigen::VectorXd mu = solve_least(conditions, goal), along = G * mu;
  const Eigen::MatrixXd along_dq = s.tree ? Eigen::MatrixXd::Zero(n, n) : velocities_dq(s.p, q, along);
  const Eigen::MatrixXd turning = scales.asDiagonal() * along_dq(s.c.actuated, Eigen::all);  // δAᵀ μ
  const HeldSensitivity held(s, q, along, Eigen::VectorXd::Zero(n));
  Eigen::MatrixXd change(free + m, 3 * free);
  change << of.dq - A * turning, of.dv, of.mass, -(held.velocity_dq * G + s.J.topRows(m) * along_dq),
      Eigen::MatrixXd::Zero(m, 2 * free);
  const Eigen::MatrixXd solved = least_changes(A, of.rows, change), dlambda = solved.bottomRows(m);
  Eigen::MatrixXd dtau = A.transpose() * solved.topRows(free);
  dtau.leftCols(free) += turning;
  const auto put_torques = [&](Eigen::Index block, MatrixOut<double> out) {
    out.setZero();
    out(s.c.actuated, Eigen::all) = scales.asDiagonal() * dtau.middleCols(block * free, free);
  };
  put_torques(0, dtau_dq), put_torques(1, dtau_dv), put_torques(2, dtau_da);
  if (of_tree) of_tree->dq = of.tree.a_dq, of_tree->dv = of.tree.a_dv, of_tree->dx = G;
  if (!of_loops && !of_joints) return;
  const HeldWrenches put(s, of, wrenches, determined_wrenches(mechanism, data, contacts, q), q, std::move(tree));
  const std::array<TreeChanges, 3> changes = tree_changes(G, of.tree);
  put.put(changes[0], of.tree.dq - dtau_dq, dlambda.leftCols(free), block_of(of_loops, &ReactionDerivatives::dq),
          block_of(of_joints, &ReactionDerivatives::dq));
  put.put(changes[1], of.tree.dv - dtau_dv, dlambda.middleCols(free, free),
          block_of(of_loops, &ReactionDerivatives::dv), block_of(of_joints, &ReactionDerivatives::dv));
  put.put(changes[2], of.tree.da - dtau_da, dlambda.rightCols(free), block_of(of_loops, &ReactionDerivatives::dx),
          block_of(of_joints, &ReactionDerivatives::dx));
}

void load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts, VectorIn<double> q,
                      const Loads<double>& loads, MatrixOut<double> dtau, const Values* weights) {
  require_shape("load_derivatives", "dtau", mechanism.model().nv(), 9 * loads.size(), dtau);
  auto& s = data.parts();
  s.gather(contacts, q, s.p.zero_v);
  if (!s.tree) s.p.evaluate(q, s.p.zero_v);
  const Eigen::VectorXd scales = torque_scales("load_derivatives", s.c, weights);
  const Eigen::MatrixXd G = free_motions(s), A = G(s.c.actuated, Eigen::all).transpose() * scales.asDiagonal();
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(G.cols() + s.equations, dtau.cols());
  right.topRows(G.cols()) = G.transpose() * load_derivatives(s.model, s.p.data, q, loads);
  dtau.setZero();
  dtau(s.c.actuated, Eigen::all) =
      scales.asDiagonal() * A.transpose() * least_changes(A, held_rows(s), right).topRows(G.cols());
}

void forward_load_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                              VectorIn<double> q, const Loads<double>& loads, MatrixOut<double> da) {
  require_shape("forward_load_derivatives", "da", mechanism.mobility(), 9 * loads.size(), da);
  auto& s = data.parts();
  if (s.tree) require_invertible("forward_load_derivatives", s.model);
  s.gather(contacts, q, s.p.zero_v);
  if (!s.tree) s.p.evaluate(q, s.p.zero_v);
  const Eigen::MatrixXd G = free_motions(s), mass = G.transpose() * mass_matrix(s.model, s.p.data, q) * G;
  const Eigen::MatrixXd lost = G.transpose() * load_derivatives(s.model, s.p.data, q, loads);
  da = forward_changes(mass, held_rows(s), lost, Eigen::MatrixXd::Zero(s.equations, lost.cols())).a;
}

}  // namespace verne
