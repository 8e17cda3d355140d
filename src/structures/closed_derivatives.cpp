/// Implicit differentiation of the loops and of the balance that holds them (docs/theory/loops.md).
///
/// Each loop is a small closed function of the motion of its two links. Its derivatives are taken by a complex step of
/// 1e-40, for which a complex number is a value and its derivative: exact up to rounding, like the formulas themselves.
#include "structures/closed_derivatives.h"

#include <Eigen/Geometry>
#include <cmath>

#include "base/decompositions.h"
#include "structures/closed_balance.h"
#include "structures/complex_step.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/kinematics.h"
#include "verne/dynamics/regressor.h"

namespace verne {

namespace {

using namespace complex_step;

/// Derivatives along the coordinates of the tree, at one state and multipliers λ.
class LoopSensitivity {
 public:
  LoopSensitivity(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v, VectorIn<double> a)
      : p_(p), n_(p.model.nv()), rate_dq(p.system.phi.size(), n_), acceleration_dq(rate_dq), acceleration_dv(rate_dq) {
    const Kinematics<double> kinematics = forward_kinematics(p.model, p.data, q, v, a);
    for (const int site : p.c.layout.sites) {
      const auto linear = [&](const Matrix6X<double>& x) { return Vec3<double>::load(x.col(site).data()); };
      const auto angular = [&](const Matrix6X<double>& x) { return Vec3<double>::load(x.col(site).data() + 3); };
      FrameMotion<double> link{Vec3<double>::load(kinematics.poses.col(site).data()),
                               {},
                               linear(kinematics.velocities),
                               angular(kinematics.velocities),
                               linear(kinematics.accelerations),
                               angular(kinematics.accelerations)};
      for (int i = 0; i < 9; ++i) link.R.m[i] = kinematics.poses(3 + i, site);
      links_.push_back(link);
      derivatives_.push_back(site_derivatives(p.model, p.data, q, v, a, site));
    }
    for (std::size_t k = 0; k < p.c.layout.loops.size(); ++k) differentiate(p.c.layout.loops[k]);
  }

  /// Of the wrenches of the loops, axes of a, at fixed λ (6 x nv a loop), of the same as loads on their ends, and of
  /// the torques that they bring about.
  void differentiate_wrenches(const Eigen::VectorXd& lambda, std::vector<Matrix6X<double>>& wrenches,
                              std::vector<Matrix6X<double>>& loads, Eigen::MatrixXd& torques) const {
    torques.setZero(n_, n_);
    for (const LoopLayout::Loop& loop : p_.c.layout.loops) {
      Matrix6X<double>& own = wrenches.emplace_back(6, n_);
      Matrix6X<double> on_a(6, n_), on_b(6, n_);
      for (Eigen::Index j = 0; j < n_; ++j) {
        const FrameMotion<Dual> a = end(loop.a, pose_rate(loop.a, j)), b = end(loop.b, pose_rate(loop.b, j));
        const LoopWrench<Dual> wrench = loop_wrench(loop.equations, loop_state(a, b), lambda.data() + loop.first);
        own.col(j) << rate_of(wrench.force), rate_of(wrench.moment);
        const Vec3<Dual> force = a.R * wrench.force, moment = a.R * wrench.moment;
        on_a.col(j) << rate_of(force), rate_of(moment);
        on_b.col(j) << -rate_of(force), -rate_of(moment + cross(a.p - b.p, force));
        add_torques(loop.a, on_a.col(j), torques.col(j));
        add_torques(loop.b, on_b.col(j), torques.col(j));
      }
      loads.push_back(std::move(on_a)), loads.push_back(std::move(on_b));
    }
  }

 private:
  MechanismData<double>::Parts& p_;
  Eigen::Index n_;

 public:
  Eigen::MatrixXd rate_dq, acceleration_dq, acceleration_dv;  ///< of φ̇ and φ̈, equations x nv

 private:
  FrameMotion<Dual> end(const LoopLayout::End& at, const MotionRate& rate) const {
    const Vec3<double> zero = Vec3<double>::zero();
    const FrameMotion<double> world{zero, Mat3<double>::identity(), zero, zero, zero, zero};
    return frame_on(dual(at.slot < 0 ? world : links_[static_cast<std::size_t>(at.slot)], rate), at.X_LF);
  }

  MotionRate pose_rate(const LoopLayout::End& at, Eigen::Index j) const {
    using Six = Eigen::Matrix<double, 6, 1>;
    if (at.slot < 0) return {Six::Zero(), Six::Zero(), Six::Zero()};
    const SiteDerivatives<double>& d = derivatives_[static_cast<std::size_t>(at.slot)];
    return {d.J.col(j), d.velocity_dq.col(j), d.acceleration_dq.col(j)};
  }
  MotionRate velocity_rate(const LoopLayout::End& at, Eigen::Index j) const {
    using Six = Eigen::Matrix<double, 6, 1>;
    if (at.slot < 0) return {Six::Zero(), Six::Zero(), Six::Zero()};
    const SiteDerivatives<double>& d = derivatives_[static_cast<std::size_t>(at.slot)];
    return {Six::Zero(), d.J.col(j), d.acceleration_dv.col(j)};
  }

  void differentiate(const LoopLayout::Loop& loop) {
    for (Eigen::Index j = 0; j < n_; ++j) {
      for (const bool position : {true, false}) {
        const auto rate = [&](const LoopLayout::End& at) { return position ? pose_rate(at, j) : velocity_rate(at, j); };
        const FrameMotion<Dual> a = end(loop.a, rate(loop.a)), b = end(loop.b, rate(loop.b));
        const LoopState<Dual> s = loop_state(a, b);
        const auto [u, omega] = relative_velocity(a, b);
        const LoopState<Dual> s_rate = loop_rate(s, u, omega), s_acceleration = loop_acceleration(s, a, b);
        for (std::size_t i = 0; i < loop.equations.size(); ++i) {
          const auto row = loop.first + static_cast<Eigen::Index>(i);
          const double acceleration = value_of(loop.equations[i], s_acceleration).imag() / kDualStep;
          (position ? acceleration_dq : acceleration_dv)(row, j) = acceleration;
          if (position) rate_dq(row, j) = value_of(loop.equations[i], s_rate).imag() / kDualStep;
        }
      }
    }
  }

  /// Those of a force and a moment at the origin of a loop's frame, world axes.
  template <class Column>
  void add_torques(const LoopLayout::End& at, const Eigen::Vector<double, 6>& load, Column&& torques) const {
    if (at.slot < 0) return;
    const Eigen::Vector3d force = load.head<3>(), moment = load.tail<3>();
    const auto slot = static_cast<std::size_t>(at.slot);
    const Vec3<double> r = links_[slot].R * at.X_LF.p;
    const Matrix6X<double>& J = derivatives_[slot].J;
    torques += J.topRows<3>().transpose() * force +
               J.bottomRows<3>().transpose() * (moment + Eigen::Vector3d(r.x, r.y, r.z).cross(force));
  }

  std::vector<FrameMotion<double>> links_;
  std::vector<SiteDerivatives<double>> derivatives_;
};

/// X with J X + by = 0 and no independent part.
Eigen::MatrixXd dependent_part(const MechanismData<double>::Parts& p, const Eigen::MatrixXd& by) {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(p.G.rows(), p.G.cols());
  X(p.c.dependent, Eigen::all) = -p.inverse * by(p.c.rows, Eigen::all);
  return X;
}

}  // namespace

Eigen::MatrixXd velocities_dq(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v) {
  return dependent_part(p, LoopSensitivity(p, q, v, p.zero_v).rate_dq * p.G);
}

BalanceDerivatives differentiate_balance(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v,
                                         VectorIn<double> a, LoadsIn<double> loads,
                                         WrenchDerivatives<double>* joint_wrenches) {
  const LoopSensitivity loops(p, q, v, a);
  const Eigen::MatrixXd& G = p.G;
  BalanceDerivatives out;
  out.v_dq = dependent_part(p, loops.rate_dq * G);
  out.a_dq = dependent_part(p, loops.acceleration_dq * G + loops.acceleration_dv * out.v_dq);
  out.a_dv = dependent_part(p, loops.acceleration_dv * G);

  Eigen::MatrixXd turning;
  loops.differentiate_wrenches(p.lambda, out.wrench_rates, out.load_rates, turning);
  loop_wrenches(p.c.layout, p.system, p.lambda, p.wrenches);
  p.loads.clear();
  if (loads) p.loads.append(*loads);
  add_loop_loads(p.c.layout, p.system, p.wrenches, p.loads);
  TorqueDerivatives<double> tree(p.model);
  inverse_dynamics_derivatives(p.model, p.data, q, v, a, tree, &p.loads, joint_wrenches);
  out.dq = (tree.dq - turning) * G + tree.dv * out.v_dq + tree.da * out.a_dq;
  out.dv = tree.dv * G + tree.da * out.a_dv;
  out.da = tree.da * G;
  return out;
}

std::array<TreeChanges, 3> tree_changes(const Eigen::MatrixXd& G, const BalanceDerivatives& balance) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(G.rows(), G.cols());
  return {TreeChanges{G, balance.v_dq, balance.a_dq}, {none, G, balance.a_dv}, {none, none, G}};
}

Eigen::MatrixXd multiplier_changes(const MechanismData<double>::Parts& p, const Eigen::MatrixXd& lost) {
  Eigen::MatrixXd dlambda = Eigen::MatrixXd::Zero(p.lambda.size(), lost.cols());
  dlambda(p.c.rows, Eigen::all) = p.inverse.transpose() * lost(p.c.dependent, Eigen::all);
  return dlambda;
}

void add_load_changes(MechanismData<double>::Parts& p, const BalanceDerivatives& balance, const Eigen::MatrixXd& dq,
                      const Eigen::MatrixXd& dlambda, std::span<Loads<double>> to) {
  const LoopLayout& layout = p.c.layout;
  for (std::size_t j = 0; j < to.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    loop_wrenches(layout, p.system, dlambda.col(column), p.wrenches);
    add_loop_loads(layout, p.system, p.wrenches, to[j]);
    for (std::size_t k = 0; k < balance.load_rates.size(); ++k) {
      const LoopLayout::End& at = k % 2 == 0 ? layout.loops[k / 2].a : layout.loops[k / 2].b;
      if (at.slot < 0) continue;
      const Eigen::Vector<double, 6> turned = balance.load_rates[k] * dq.col(column);
      to[j].add({layout.sites[static_cast<std::size_t>(at.slot)],
                 turned.head<3>(),
                 turned.tail<3>(),
                 {at.X_LF.p.x, at.X_LF.p.y, at.X_LF.p.z},
                 At::link});
    }
  }
}

namespace {

/// How the least torques with A τ = forces, A = Gᵀ B, change with the forces and with A (17); with as many actuators as
/// degrees of freedom they are the only ones. Weights scale torques and A: A_ is of the scaled ones.
class LeastTorques {
 public:
  LeastTorques(const char* function, const MechanismData<double>::Parts& p, const Values* weights)
      : scales_(torque_scales(function, p.c, weights)),
        A_(p.G(p.c.actuated, Eigen::all).transpose() * scales_.asDiagonal()) {
    lu_.compute(spare() ? A_ * A_.transpose() : A_);
  }

  /// Along directions in which the forces change so, and A does not.
  Eigen::MatrixXd changes(const Eigen::MatrixXd& forces) const {
    return scales_.asDiagonal() * (spare() ? A_.transpose() * lu_.solve(forces) : lu_.solve(forces));
  }
  /// Along the independent q, with which A changes.
  Eigen::MatrixXd changes_along_q(MechanismData<double>::Parts& p, VectorIn<double> q,
                                  const Eigen::MatrixXd& forces) const {
    if (!spare()) return changes(forces);
    const Eigen::VectorXd along = p.G * lu_.solve(p.forces);
    // δAᵀ μ, where τ = Aᵀ μ
    const Eigen::MatrixXd turning = scales_.asDiagonal() * velocities_dq(p, q, along)(p.c.actuated, Eigen::all);
    return changes(forces - A_ * turning) + scales_.asDiagonal() * turning;
  }

 private:
  bool spare() const { return A_.cols() > A_.rows(); }

  Eigen::VectorXd scales_;
  Eigen::MatrixXd A_;
  Lu<double> lu_;
};

/// Wrenches of loops and joints, unless null, along directions in which the motion changes so and the balance loses so
/// much.
class WrenchChanges {
 public:
  WrenchChanges(MechanismData<double>::Parts& p, const BalanceDerivatives& balance, VectorIn<double> q,
                WrenchDerivatives<double> at_fixed_loads)
      : p_(p), balance_(balance), joints_(p.model, p.data, q, std::move(at_fixed_loads)) {}

  void put(const TreeChanges& changes, const Eigen::MatrixXd& lost, Matrix6X<double>* of_loops,
           Matrix6X<double>* of_joints) const {
    const Eigen::MatrixXd dlambda = multiplier_changes(p_, lost);
    if (of_loops) put_loop_wrenches(p_, balance_, changes.q, dlambda, p_.c.loop_determined, *of_loops);
    if (!of_joints) return;
    std::vector<Loads<double>> loads(static_cast<std::size_t>(lost.cols()));
    add_load_changes(p_, balance_, changes.q, dlambda, loads);
    joints_.put(changes, loads, p_.c.joint_determined, *of_joints);
  }

 private:
  MechanismData<double>::Parts& p_;
  const BalanceDerivatives& balance_;
  JointWrenchChanges joints_;
};

}  // namespace

void put_loop_wrenches(MechanismData<double>::Parts& p, const BalanceDerivatives& balance, const Eigen::MatrixXd& dq,
                       const Eigen::MatrixXd& dlambda, const std::vector<std::array<bool, 6>>& determined,
                       Matrix6X<double>& out) {
  for (Eigen::Index j = 0; j < dq.cols(); ++j) {
    loop_wrenches(p.c.layout, p.system, dlambda.col(j), p.wrenches);
    for (Eigen::Index k = 0; k < p.wrenches.cols(); ++k) {
      const auto loop = static_cast<std::size_t>(k);
      auto column = out.col(k * dq.cols() + j);
      column = p.wrenches.col(k) + balance.wrench_rates[loop] * dq.col(j);
      for (std::size_t i = 0; i < 6; ++i) {
        if (!determined[loop][i]) column[static_cast<Eigen::Index>(i)] = std::nan("");
      }
    }
  }
}

void inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                  VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                  MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da, LoadsIn<double> loads,
                                  LoopWrenchDerivatives* of_loops, JointWrenchDerivatives* of_joints,
                                  const Values* weights, TreeAccelerationDerivatives* of_tree) {
  const char* const function = "inverse_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), count = static_cast<Eigen::Index>(mechanism.actuated().size());
  for (const auto* block : {&dtau_dq, &dtau_dv, &dtau_da}) require_shape(function, "dtau", count, free, *block);
  const Model& model = mechanism.model();
  require_shape(function, "loop wrenches", model.loops().size(), free, free, of_loops);
  require_shape(function, "joint wrenches", model.joints().size(), free, free, of_joints);
  require_shape(function, model, free, free, of_tree);
  auto& p = data.parts();
  Eigen::VectorXd tau(count);
  if (weights) torque_scales(function, p.c, weights);  // which change nothing where motors are the independent ones
  if (differentiate_sparse(p, q, v, a, loads, true, tau, dtau_dq, dtau_dv, dtau_da, {of_loops, of_joints, of_tree})) {
    return;
  }
  p.solve_inverse(q, v, a, loads, weights, tau);
  const LeastTorques least(function, p, weights);
  p.solve_multipliers(tau, false);
  WrenchDerivatives<double> tree(p.model);
  BalanceDerivatives balance = differentiate_balance(p, q, v, a, loads, of_joints ? &tree : nullptr);
  dtau_dq = least.changes_along_q(p, q, p.G.transpose() * balance.dq);
  dtau_dv = least.changes(p.G.transpose() * balance.dv);
  dtau_da = least.changes(p.G.transpose() * balance.da);
  if (of_tree) of_tree->dq = balance.a_dq, of_tree->dv = balance.a_dv, of_tree->dx = p.G;
  if (!of_loops && !of_joints) return;
  balance.dq(p.c.actuated, Eigen::all) -= dtau_dq;
  balance.dv(p.c.actuated, Eigen::all) -= dtau_dv;
  balance.da(p.c.actuated, Eigen::all) -= dtau_da;
  const std::array<TreeChanges, 3> changes = tree_changes(p.G, balance);
  const WrenchChanges wrenches(p, balance, q, std::move(tree));
  wrenches.put(changes[0], balance.dq, block_of(of_loops, &ReactionDerivatives::dq),
               block_of(of_joints, &ReactionDerivatives::dq));
  wrenches.put(changes[1], balance.dv, block_of(of_loops, &ReactionDerivatives::dv),
               block_of(of_joints, &ReactionDerivatives::dv));
  wrenches.put(changes[2], balance.da, block_of(of_loops, &ReactionDerivatives::dx),
               block_of(of_joints, &ReactionDerivatives::dx));
}

void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                  VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                  MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                  LoadsIn<double> loads, LoopWrenchDerivatives* of_loops,
                                  JointWrenchDerivatives* of_joints, TreeAccelerationDerivatives* of_tree) {
  const char* const function = "forward_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), count = static_cast<Eigen::Index>(mechanism.actuated().size());
  require_shape(function, "da_dq", free, free, da_dq);
  require_shape(function, "da_dv", free, free, da_dv);
  require_shape(function, "da_dtau", free, count, da_dtau);
  const Model& model = mechanism.model();
  require_shape(function, "loop wrenches", model.loops().size(), free, count, of_loops);
  require_shape(function, "joint wrenches", model.joints().size(), free, count, of_joints);
  require_shape(function, model, free, count, of_tree);
  require_size(function, "a", mechanism.model().nv(), a.size());
  require_size(function, "tau", count, tau.size());
  auto& p = data.parts();
  if (differentiate_sparse(p, q, v, tau, loads, false, a, da_dq, da_dv, da_dtau, {of_loops, of_joints, of_tree}))
    return;
  const Eigen::VectorXd given = tau;
  p.solve_forward(q, v, given, loads);
  a = p.motion;
  const Lu<double> lu(p.mass);
  p.tree_torques(q, v, a, loads);
  p.solve_multipliers(given, false);
  WrenchDerivatives<double> tree(p.model);
  const BalanceDerivatives balance = differentiate_balance(p, q, v, a, loads, of_joints ? &tree : nullptr);
  da_dq = -lu.solve(p.G.transpose() * balance.dq);
  da_dv = -lu.solve(p.G.transpose() * balance.dv);
  da_dtau = lu.solve(p.G(p.c.actuated, Eigen::all).transpose());
  if (!of_loops && !of_joints && !of_tree) return;
  // The accelerations that follow change the motion, and the balance with it.
  std::array<TreeChanges, 3> changes = tree_changes(p.G, balance);
  changes[0].a += p.G * da_dq, changes[1].a += p.G * da_dv;
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(p.G.rows(), count);
  changes[2] = {none, none, p.G * da_dtau};
  if (of_tree) of_tree->dq = changes[0].a, of_tree->dv = changes[1].a, of_tree->dx = changes[2].a;
  if (!of_loops && !of_joints) return;
  Eigen::MatrixXd by_tau = balance.da * da_dtau;
  for (Eigen::Index k = 0; k < count; ++k) by_tau(p.c.actuated[static_cast<std::size_t>(k)], k) -= 1;
  const WrenchChanges wrenches(p, balance, q, std::move(tree));
  wrenches.put(changes[0], balance.dq + balance.da * da_dq, block_of(of_loops, &ReactionDerivatives::dq),
               block_of(of_joints, &ReactionDerivatives::dq));
  wrenches.put(changes[1], balance.dv + balance.da * da_dv, block_of(of_loops, &ReactionDerivatives::dv),
               block_of(of_joints, &ReactionDerivatives::dv));
  wrenches.put(changes[2], by_tau, block_of(of_loops, &ReactionDerivatives::dx),
               block_of(of_joints, &ReactionDerivatives::dx));
}

void load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                      const Loads<double>& loads, MatrixOut<double> dtau, const Values* weights) {
  auto& p = data.parts();
  Eigen::VectorXd tau(static_cast<Eigen::Index>(mechanism.actuated().size()));
  require_shape("load_derivatives", "dtau", tau.size(), 9 * loads.size(), dtau);
  p.solve_inverse(q, p.zero_v, p.zero_v, &loads, nullptr, tau);  // refuses what has no torques
  dtau = LeastTorques("load_derivatives", p, weights)
             .changes(p.G.transpose() * load_derivatives(p.model, p.data, q, loads));
}

void forward_load_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                              const Loads<double>& loads, MatrixOut<double> da) {
  auto& p = data.parts();
  require_shape("forward_load_derivatives", "da", mechanism.mobility(), 9 * loads.size(), da);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mechanism.actuated().size()));
  p.solve_forward(q, p.zero_v, none, &loads);
  da = -solution(p.mass, p.G.transpose() * load_derivatives(p.model, p.data, q, loads));
}

}  // namespace verne
