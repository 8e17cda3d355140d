/// Implicit differentiation of the loops and of the balance that holds them (docs/theory/loops.md).
///
/// Each loop is a small closed function of the motion of its two links. Its derivatives are taken by a complex step of
/// 1e-40, for which a complex number is a value and its derivative: exact up to rounding, like the formulas themselves.
#include "verne/structures/closed_derivatives.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "structures/closed_balance.h"
#include "verne/dynamics/derivatives.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

using Dual = std::complex<double>;
constexpr double kDualStep = 1e-40;

Vec3<Dual> dual(const Vec3<double>& x, const Eigen::Vector3d& rate) {
  return {Dual(x.x, kDualStep * rate[0]), Dual(x.y, kDualStep * rate[1]), Dual(x.z, kDualStep * rate[2])};
}

/// How the motion of a link changes along one direction: pose (with a rotation vector), velocity, acceleration.
struct MotionRate {
  Eigen::Matrix<double, 6, 1> pose, velocity, acceleration;
};

FrameMotion<Dual> dual(const FrameMotion<double>& link, const MotionRate& rate) {
  const Vec3<Dual> turn = dual(Vec3<double>::zero(), rate.pose.tail<3>());
  const auto column = [&](int j) {
    const Vec3<double> c = link.R.column(j);
    return cross(turn, c) + c;
  };
  return {dual(link.p, rate.pose.head<3>()),         Mat3<Dual>::columns(column(0), column(1), column(2)),
          dual(link.v, rate.velocity.head<3>()),     dual(link.omega, rate.velocity.tail<3>()),
          dual(link.a, rate.acceleration.head<3>()), dual(link.alpha, rate.acceleration.tail<3>())};
}

Eigen::Vector3d rate_of(const Vec3<Dual>& x) {
  return Eigen::Vector3d(x.x.imag(), x.y.imag(), x.z.imag()) / kDualStep;
}

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

  /// Of the wrenches of the loops, axes of a, at fixed λ (6 x nv a loop), and of the torques that they bring about.
  void differentiate_wrenches(const Eigen::VectorXd& lambda, std::vector<Matrix6X<double>>& wrenches,
                              Eigen::MatrixXd& torques) const {
    torques.setZero(n_, n_);
    for (const LoopLayout::Loop& loop : p_.c.layout.loops) {
      Matrix6X<double>& own = wrenches.emplace_back(6, n_);
      for (Eigen::Index j = 0; j < n_; ++j) {
        const FrameMotion<Dual> a = end(loop.a, pose_rate(loop.a, j)), b = end(loop.b, pose_rate(loop.b, j));
        const LoopWrench<Dual> wrench = loop_wrench(loop.equations, loop_state(a, b), lambda.data() + loop.first);
        own.col(j) << rate_of(wrench.force), rate_of(wrench.moment);
        const Vec3<Dual> force = a.R * wrench.force, moment = a.R * wrench.moment;
        add_torques(loop.a, rate_of(force), rate_of(moment), torques.col(j));
        add_torques(loop.b, -rate_of(force), -rate_of(moment + cross(a.p - b.p, force)), torques.col(j));
      }
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
  void add_torques(const LoopLayout::End& at, const Eigen::Vector3d& force, const Eigen::Vector3d& moment,
                   Column&& torques) const {
    if (at.slot < 0) return;
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

void require_shape(const char* function, const char* name, Eigen::Index rows, Eigen::Index columns,
                   const Eigen::Ref<const Eigen::MatrixXd>& block) {
  require_size(function, (std::string(name) + " (rows)").c_str(), rows, block.rows());
  require_size(function, (std::string(name) + " (columns)").c_str(), columns, block.cols());
}

Eigen::MatrixXd velocities_dq(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v) {
  return dependent_part(p, LoopSensitivity(p, q, v, p.zero_v).rate_dq * p.G);
}

BalanceDerivatives differentiate_balance(MechanismData<double>::Parts& p, VectorIn<double> q, VectorIn<double> v,
                                         VectorIn<double> a, LoadsIn<double> loads) {
  const LoopSensitivity loops(p, q, v, a);
  const Eigen::MatrixXd& G = p.G;
  BalanceDerivatives out;
  out.v_dq = dependent_part(p, loops.rate_dq * G);
  out.a_dq = dependent_part(p, loops.acceleration_dq * G + loops.acceleration_dv * out.v_dq);
  out.a_dv = dependent_part(p, loops.acceleration_dv * G);

  Eigen::MatrixXd turning;
  loops.differentiate_wrenches(p.lambda, out.wrench_rates, turning);
  loop_wrenches(p.c.layout, p.system, p.lambda, p.wrenches);
  p.loads.clear();
  if (loads) p.loads.append(*loads);
  add_loop_loads(p.c.layout, p.system, p.wrenches, p.loads);
  const TorqueDerivatives<double> tree = inverse_dynamics_derivatives(p.model, p.data, q, v, a, p.loads);
  out.dq = (tree.dq - turning) * G + tree.dv * out.v_dq + tree.da * out.a_dq;
  out.dv = tree.dv * G + tree.da * out.a_dv;
  out.da = tree.da * G;
  return out;
}

void inverse_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                  VectorIn<double> v, VectorIn<double> a, MatrixOut<double> dtau_dq,
                                  MatrixOut<double> dtau_dv, MatrixOut<double> dtau_da, LoadsIn<double> loads,
                                  LoopWrenchDerivatives* of_loops) {
  const char* const function = "inverse_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility(), count = static_cast<Eigen::Index>(mechanism.actuated().size());
  for (const auto* block : {&dtau_dq, &dtau_dv, &dtau_da}) require_shape(function, "dtau", count, free, *block);
  if (count > free) {
    throw InputError("the mechanism has " + std::to_string(count) + " actuators for " + std::to_string(free) +
                     " degrees of freedom: derivatives are known for as many only");
  }
  auto& p = data.parts();
  Eigen::VectorXd tau(count);
  inverse_dynamics(mechanism, data, q, v, a, tau, loads);
  p.solve_multipliers(tau, false);
  const BalanceDerivatives balance = differentiate_balance(p, q, v, a, loads);
  const Eigen::MatrixXd actuators = p.G(p.c.actuated, Eigen::all).transpose();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(actuators);
  const auto differentiate = [&](const Eigen::MatrixXd& change, MatrixOut<double> dtau, Matrix6X<double>* wrenches,
                                 bool turns) {
    dtau = lu.solve(p.G.transpose() * change);
    if (!wrenches) return;
    Eigen::MatrixXd left = change;
    left(p.c.actuated, Eigen::all) -= dtau;
    Eigen::MatrixXd dlambda = Eigen::MatrixXd::Zero(p.lambda.size(), free);
    dlambda(p.c.rows, Eigen::all) = p.inverse.transpose() * left(p.c.dependent, Eigen::all);
    for (Eigen::Index j = 0; j < free; ++j) {
      loop_wrenches(p.c.layout, p.system, dlambda.col(j), p.wrenches);
      for (Eigen::Index k = 0; k < p.wrenches.cols(); ++k) {
        auto column = wrenches->col(k * free + j);
        column = p.wrenches.col(k);
        if (turns) column += balance.wrench_rates[static_cast<std::size_t>(k)] * p.G.col(j);
        for (int i = 0; i < 6; ++i) {
          if (!mechanism.loop_determined(static_cast<int>(k), i)) column[i] = std::nan("");
        }
      }
    }
  };
  differentiate(balance.dq, dtau_dq, of_loops ? &of_loops->dq : nullptr, true);
  differentiate(balance.dv, dtau_dv, of_loops ? &of_loops->dv : nullptr, false);
  differentiate(balance.da, dtau_da, of_loops ? &of_loops->da : nullptr, false);
}

void forward_dynamics_derivatives(const Mechanism& mechanism, MechanismData<double>& data, VectorIn<double> q,
                                  VectorIn<double> v, VectorIn<double> tau, VectorOut<double> a,
                                  MatrixOut<double> da_dq, MatrixOut<double> da_dv, MatrixOut<double> da_dtau,
                                  LoadsIn<double> loads) {
  const char* const function = "forward_dynamics_derivatives";
  const Eigen::Index free = mechanism.mobility();
  require_shape(function, "da_dq", free, free, da_dq);
  require_shape(function, "da_dv", free, free, da_dv);
  require_shape(function, "da_dtau", free, static_cast<Eigen::Index>(mechanism.actuated().size()), da_dtau);
  auto& p = data.parts();
  const Eigen::VectorXd given = tau;
  forward_dynamics(mechanism, data, q, v, given, a, loads);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(p.mass);
  p.tree_torques(q, v, a, loads);
  p.solve_multipliers(given, false);
  const BalanceDerivatives balance = differentiate_balance(p, q, v, a, loads);
  da_dq = -lu.solve(p.G.transpose() * balance.dq);
  da_dv = -lu.solve(p.G.transpose() * balance.dv);
  da_dtau = lu.solve(Eigen::MatrixXd(p.G(p.c.actuated, Eigen::all).transpose()));
}

}  // namespace verne
