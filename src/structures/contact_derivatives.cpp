/// Implicit differentiation of the balance with contacts (docs/theory/loops.md, section 6).
#include "verne/structures/contact_derivatives.h"

#include <Eigen/Geometry>
#include <cmath>

#include "structures/closed_balance.h"
#include "structures/contact_parts.h"
#include "structures/decompositions.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

using Rotation = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// Of the largest entry: what rounding leaves of a system that has a solution.
constexpr double kSolved = 1e-7;

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& w) {
  return (Eigen::Matrix3d() << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0).finished();
}

/// That of a contact for multipliers of all equations, in its axes.
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

/// The equations along the independent coordinates, and what they lose at fixed τ and λ: of the balance (11), and of
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

/// Of joints, along directions in which the motion and λ change so, and the balance loses so much that loops and
/// contacts give back.
class HeldJointWrenches {
 public:
  HeldJointWrenches(ContactData::Parts& s, const HeldBalance& of, const Matrix6X<double>& wrenches,
                    DeterminedWrenches determined, VectorIn<double> q, WrenchDerivatives<double> at_fixed_loads)
      : s_(s),
        of_(of),
        wrenches_(wrenches),
        determined_(std::move(determined)),
        joints_(s.model, s.p.data, q, std::move(at_fixed_loads)) {}

  void put(const TreeChanges& changes, const Eigen::MatrixXd& lost, const Eigen::MatrixXd& dlambda,
           Matrix6X<double>& out) const {
    std::vector<Loads<double>> loads(static_cast<std::size_t>(lost.cols()));
    of_.held.add_load_changes(wrenches_, changes.q, dlambda, loads);
    if (!s_.tree) {
      const Eigen::MatrixXd left = lost - s_.J.topRows(s_.equations).transpose() * dlambda;
      add_load_changes(s_.p, of_.tree, changes.q, multiplier_changes(s_.p, left), loads);
    }
    joints_.put(changes, loads, determined_.joints, out);
  }

 private:
  ContactData::Parts& s_;
  const HeldBalance& of_;
  const Matrix6X<double>& wrenches_;
  DeterminedWrenches determined_;
  JointWrenchChanges joints_;
};

/// Of the wrenches from those of λ, with NaN where they are not determined.
void put_wrenches(const ContactData::Parts& s, const DeterminedWrenches& determined, const Eigen::MatrixXd& dlambda,
                  Matrix6X<double>& out) {
  const Eigen::Index free = dlambda.cols();
  for (std::size_t k = 0; k < s.held.size(); ++k) {
    const ContactData::Parts::Held& at = s.held[k];
    const auto& known = determined.loops[s.c.layout.loops.size() + k];
    auto block = out.middleCols(static_cast<Eigen::Index>(k) * free, free);
    for (Eigen::Index j = 0; j < free; ++j) block.col(j) = wrench_of(s, at, dlambda.col(j));
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (!known[static_cast<std::size_t>(i)]) block.row(i).setConstant(std::nan(""));
    }
  }
}

}  // namespace

void forward_dynamics_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                  VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                  MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                  LoadsIn<double> loads, ContactWrenchDerivatives* of_contacts,
                                  JointWrenchDerivatives* of_joints) {
  const char* const function = "forward_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), n = mechanism.model().nv();
  require_shape(function, "da_dq", free, free, da_dq);
  require_shape(function, "da_dv", free, free, da_dv);
  require_shape(function, "da_dtau", free, n, da_dtau);
  require_shape(function, mechanism, n, of_joints);
  auto& s = data.parts();
  const Eigen::VectorXd given = tau;  // may be the memory of a
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(mechanism.model().loops().size() + contacts.size()));
  forward_dynamics(mechanism, data, contacts, q, v, given, a, loads, &wrenches);
  WrenchDerivatives<double> tree(s.model);
  const HeldBalance of = differentiate(s, contacts, q, v, a, given, loads, wrenches, of_joints ? &tree : nullptr);
  const Eigen::MatrixXd G = free_motions(s);

  // M δa = Jᵀ δλ − of balance, J δa = − of rows (17)
  const Eigen::MatrixXd inverse = positive_solution(of.mass, Eigen::MatrixXd::Identity(free, free));
  const Eigen::MatrixXd by_force = inverse * of.rows.transpose(), response = of.rows * by_force;
  Eigen::MatrixXd change(free, 2 * free + n), of_rows(s.equations, 2 * free + n);
  change << of.dq, of.dv, -G.transpose();
  of_rows << of.rows_dq, of.rows_dv, Eigen::MatrixXd::Zero(s.equations, n);
  const Eigen::MatrixXd free_fall = inverse * change;
  const Eigen::MatrixXd dlambda = solve_least(response, of.rows * free_fall - of_rows);
  const Eigen::MatrixXd da = by_force * dlambda - free_fall;
  da_dq = da.leftCols(free), da_dv = da.middleCols(free, free), da_dtau = da.rightCols(n);
  if (!of_contacts && !of_joints) return;
  const DeterminedWrenches determined = determined_wrenches(mechanism, data, contacts, q);
  if (of_contacts) {
    put_wrenches(s, determined, dlambda.leftCols(free), of_contacts->dq);
    put_wrenches(s, determined, dlambda.middleCols(free, free), of_contacts->dv);
  }
  if (!of_joints) return;
  const HeldJointWrenches joints(s, of, wrenches, determined, q, std::move(tree));
  std::array<TreeChanges, 3> changes = tree_changes(G, of.tree);
  changes[0].a += G * da_dq, changes[1].a += G * da_dv;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(n, n), unit = Eigen::MatrixXd::Identity(n, n);
  joints.put(changes[0], of.tree.dq + of.tree.da * da_dq, dlambda.leftCols(free), of_joints->dq);
  joints.put(changes[1], of.tree.dv + of.tree.da * da_dv, dlambda.middleCols(free, free), of_joints->dv);
  joints.put({none, none, G * da_dtau}, of.tree.da * da_dtau - unit, dlambda.rightCols(n), of_joints->dx);
}

void inverse_dynamics_derivatives(const Mechanism& mechanism, ContactData& data, std::span<const int> contacts,
                                  VectorIn<double> q, VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                  MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da, LoadsIn<double> loads,
                                  JointWrenchDerivatives* of_joints) {
  const char* const function = "inverse_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), n = mechanism.model().nv();
  for (const auto* block : {&dtau_dq, &dtau_dv, &dtau_da}) require_shape(function, "dtau", n, free, *block);
  require_shape(function, mechanism, free, of_joints);
  auto& s = data.parts();
  Eigen::VectorXd tau(n);
  Matrix6X<double> wrenches(6, static_cast<Eigen::Index>(mechanism.model().loops().size() + contacts.size()));
  inverse_dynamics(mechanism, data, contacts, q, v, a, tau, loads, &wrenches);
  WrenchDerivatives<double> tree(s.model);
  const HeldBalance of = differentiate(s, contacts, q, v, a, tau, loads, wrenches, of_joints ? &tree : nullptr);

  // A τ + Pᵀ λ = forces with τ = Aᵀ μ and P μ = 0, the conditions of the least τ (18).
  const Eigen::Index m = s.equations, count = static_cast<Eigen::Index>(s.c.actuated.size());
  const Eigen::MatrixXd G = free_motions(s);
  const Eigen::MatrixXd A = G(s.c.actuated, Eigen::all).transpose();
  Eigen::MatrixXd least(free + m, free + m), conditions(count + m, free);
  least << A * A.transpose(), of.rows.transpose(), of.rows, Eigen::MatrixXd::Zero(m, m);
  conditions << A.transpose(), of.rows;
  Eigen::VectorXd goal(count + m);
  goal << tau(s.c.actuated), Eigen::VectorXd::Zero(m);
  const Eigen::VectorXd mu = solve_least(conditions, goal), along = G * mu;
  const Eigen::MatrixXd along_dq = s.tree ? Eigen::MatrixXd::Zero(n, n) : velocities_dq(s.p, q, along);
  const HeldSensitivity held(s, q, along, Eigen::VectorXd::Zero(n));
  Eigen::MatrixXd change(free + m, 3 * free);
  change << of.dq - A * along_dq(s.c.actuated, Eigen::all), of.dv, of.mass,
      -(held.velocity_dq * G + s.J.topRows(m) * along_dq), Eigen::MatrixXd::Zero(m, 2 * free);
  const Eigen::MatrixXd solved = solve_least(least, change);
  if (!((least * solved - change).cwiseAbs().maxCoeff() <= kSolved * change.cwiseAbs().maxCoeff())) {
    throw InputError(
        "the actuators and the contacts that are held give only some motions: torques have no derivatives");
  }
  Eigen::MatrixXd dtau = A.transpose() * solved.topRows(free);
  dtau.leftCols(free) += along_dq(s.c.actuated, Eigen::all);
  const auto put = [&](Eigen::Index block, MatrixOut<double> out) {
    out.setZero();
    for (Eigen::Index k = 0; k < count; ++k)
      out.row(s.c.actuated[static_cast<std::size_t>(k)]) = dtau.row(k).segment(block * free, free);
  };
  put(0, dtau_dq), put(1, dtau_dv), put(2, dtau_da);
  if (!of_joints) return;
  const HeldJointWrenches joints(s, of, wrenches, determined_wrenches(mechanism, data, contacts, q), q,
                                 std::move(tree));
  const std::array<TreeChanges, 3> changes = tree_changes(G, of.tree);
  const Eigen::MatrixXd dlambda = solved.bottomRows(m);
  joints.put(changes[0], of.tree.dq - dtau_dq, dlambda.leftCols(free), of_joints->dq);
  joints.put(changes[1], of.tree.dv - dtau_dv, dlambda.middleCols(free, free), of_joints->dv);
  joints.put(changes[2], of.tree.da - dtau_da, dlambda.rightCols(free), of_joints->dx);
}

}  // namespace verne
