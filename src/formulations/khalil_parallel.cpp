/// [K10], section 5. World axes throughout.
///
///   paper           here
///   J_i, J_vi       J, J_v      velocities of the leg's tips by q̇_i (63) and by V_p (64)
///   v_i, v̇_i        v, v_dot    velocities and accelerations of the tips
///   P_i             arm         from the platform's origin to a spherical joint
///   J_i⁻¹ J_vi      by_platform q̇_i by V_p
#include "formulations/khalil_parallel.h"

#include <stdexcept>

#include "formulations/factors.h"
#include "formulations/khalil_steps.h"

namespace verne::formulations {

namespace {

constexpr int kNewtonSteps = 50;
constexpr double kReached = 1e-13;    ///< metres
constexpr double kConsistent = 1e-8;  ///< of equations that have a solution

using Vector6 = Eigen::Matrix<double, 6, 1>;

Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
std::span<const double> span_of(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Of all tips, one below the other: at(tip) are three numbers.
template <class At>
Eigen::VectorXd of_tips(const KhalilLeg& leg, At&& at) {
  Eigen::VectorXd all(3 * static_cast<Eigen::Index>(leg.tips.size()));
  for (std::size_t k = 0; k < leg.tips.size(); ++k)
    all.segment<3>(3 * static_cast<Eigen::Index>(k)) = eigen(at(leg.tips[k]));
  return all;
}

Eigen::VectorXd tip_positions(const KhalilLeg& leg, const Eigen::VectorXd& q) {
  const auto poses = khalil_poses(leg.tree, span_of(q));
  return of_tips(leg, [&](const KhalilLeg::Tip& tip) { return poses[static_cast<std::size_t>(tip.link)] * tip.point; });
}

/// J_i (63)
Eigen::MatrixXd tip_jacobian(const KhalilLeg& leg, const Eigen::VectorXd& q) {
  const auto poses = khalil_poses(leg.tree, span_of(q));
  Eigen::MatrixXd J(3 * static_cast<Eigen::Index>(leg.tips.size()), q.size());
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(q.size(), k);
    const auto velocities = khalil_velocities(leg.tree, span_of(q), span_of(unit));
    J.col(k) = of_tips(leg, [&](const KhalilLeg::Tip& tip) {
      const Vec6<double>& V = velocities[static_cast<std::size_t>(tip.link)];
      return poses[static_cast<std::size_t>(tip.link)].R * (V.top + cross(V.bottom, tip.point));
    });
  }
  return J;
}

/// J̇_i q̇_i: the accelerations of the tips at q̈_i = 0.
Eigen::VectorXd tip_drift(const KhalilLeg& leg, const Eigen::VectorXd& q, const Eigen::VectorXd& qd) {
  MdhTree weightless = leg.tree;
  weightless.gravity = {0, 0, 0};
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(q.size());
  const auto V_dot = khalil_inverse<double>(weightless, {span_of(q), span_of(qd)}, span_of(zero)).acceleration;
  const auto V = khalil_velocities(leg.tree, span_of(q), span_of(qd));
  const auto poses = khalil_poses(leg.tree, span_of(q));
  return of_tips(leg, [&](const KhalilLeg::Tip& tip) {
    const auto link = static_cast<std::size_t>(tip.link);
    const Vec3<double>& omega = V[link].bottom;
    return poses[link].R *
           (V_dot[link].top + cross(V_dot[link].bottom, tip.point) + cross(omega, cross(omega, tip.point)));
  });
}

Factors<double> leg_factors(const Eigen::MatrixXd& J, std::size_t leg) {
  Factors<double> factors(J);
  if (!factors.full_rank()) throw InputError("leg " + std::to_string(leg) + " is in a singular position");
  return factors;
}

Eigen::VectorXd reaching(const KhalilLeg& leg, const Eigen::VectorXd& target, Eigen::VectorXd q, std::size_t index) {
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Eigen::VectorXd error = tip_positions(leg, q) - target;
    if (error.cwiseAbs().maxCoeff() < kReached) return q;
    q -= leg_factors(tip_jacobian(leg, q), index).solve(error);
  }
  throw InputError("leg " + std::to_string(index) + " cannot reach the platform from this guess");
}

/// F_p by (9), with V̇ − g in place of V̇, in world axes.
Vector6 platform_wrench(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion, const Vector6& V_dot_p) {
  const Mat3<double>& R = motion.pose.R;
  const auto local = [&](const Vec3<double>& v) { return transpose_times(R, v); };
  const Vec3<double> linear{V_dot_p[0], V_dot_p[1], V_dot_p[2]}, angular{V_dot_p[3], V_dot_p[4], V_dot_p[5]};
  const Vec6<double> V_dot{local(linear - robot.gravity), local(angular)};
  const Vec3<double> omega = local(motion.velocity.bottom);
  const Vec6<double> F = spatial_inertia<double>(robot.platform) * V_dot - beta<double>(robot.platform, omega, {}, 0);
  return (Vector6() << eigen(R * F.top), eigen(R * F.bottom)).finished();
}

/// The robot at a pose and velocity of its platform: how all accelerations follow from that of the platform.
class MovingPlatform {
 public:
  MovingPlatform(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                 const std::vector<Eigen::VectorXd>& guess)
      : robot_(robot), motion_(motion) {
    if (robot.legs.size() != guess.size()) throw std::invalid_argument("khalil_parallel: one guess a leg");
    Eigen::Index motors = 0, rows = 0;
    for (std::size_t i = 0; i < robot.legs.size(); ++i) {
      const LegState& leg = legs.emplace_back(state_of(i, guess[i]));
      motors += static_cast<Eigen::Index>(robot.legs[i].active.size()), rows += leg.held.rows();
    }
    // What the motors and the legs say about the platform: rows of q̇_a = … (62), then of 0 = …
    conditions_.resize(motors + rows, 6), drift_.resize(motors + rows);
    Eigen::Index row = 0, held = motors;
    for (std::size_t i = 0; i < legs.size(); ++i) {
      for (const int active : robot.legs[i].active) {
        conditions_.row(row) = legs[i].by_platform.row(active);
        drift_[row++] = legs[i].qdd_drift[active];
      }
      conditions_.middleRows(held, legs[i].held.rows()) = legs[i].held;
      drift_.segment(held, legs[i].held.rows()) = legs[i].held_drift;
      held += legs[i].held.rows();
    }
    const Factors<double> factors(conditions_);
    if (!factors.full_rank()) throw InputError("the platform is in a singular position");
    const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(motors + rows, motors);
    J_p = factors.solve(unit);
    if ((conditions_ * J_p - unit).cwiseAbs().maxCoeff() > kConsistent)
      throw InputError("the platform has not as many degrees of freedom as there are motors");
    // J_p q̈_a is what they add to this.
    at_rest_ = factors.solve(-drift_);
  }

  Vector6 acceleration(const Eigen::VectorXd& active_qdd) const { return at_rest_ + J_p * active_qdd; }

  Eigen::VectorXd leg_qdd(std::size_t i, const Vector6& V_dot_p) const {
    return legs[i].by_platform * V_dot_p + legs[i].qdd_drift;
  }

  /// (66) corrected, with the inverse transpose of J_i, and (59).
  Eigen::VectorXd torque(const Vector6& V_dot_p) const {
    Vector6 total = platform_wrench(robot_, motion_, V_dot_p);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      const Eigen::VectorXd qdd = leg_qdd(i, V_dot_p);
      const auto leg_torque =
          khalil_inverse<double>(robot_.legs[i].tree, {span_of(legs[i].q), span_of(legs[i].qd)}, span_of(qdd)).torque;
      total += legs[i].by_platform.transpose() * Eigen::Map<const Eigen::VectorXd>(leg_torque.data(), qdd.size());
    }
    return J_p.transpose() * total;
  }

  struct LegState {
    Eigen::VectorXd q, qd;
    Eigen::MatrixXd by_platform;  ///< q̇_i by V_p
    Eigen::VectorXd qdd_drift;    ///< q̈_i at V̇_p = 0
    Eigen::MatrixXd held;         ///< rows with held V_p = 0: what the leg does not follow
    Eigen::VectorXd held_drift;   ///< held V̇_p + held_drift = 0
  };
  std::vector<LegState> legs;
  Eigen::MatrixXd J_p;

 private:
  LegState state_of(std::size_t i, const Eigen::VectorXd& guess) const {
    const KhalilLeg& leg = robot_.legs[i];
    if (leg.tree.variables != guess.size()) throw std::invalid_argument("khalil_parallel: one position a variable");
    const Vec3<double>& omega = motion_.velocity.bottom;
    const auto arm = [&](const KhalilLeg::Tip& tip) { return motion_.pose.R * tip.attachment; };
    LegState s;
    s.q =
        reaching(leg, of_tips(leg, [&](const KhalilLeg::Tip& tip) { return motion_.pose * tip.attachment; }), guess, i);
    const Eigen::VectorXd v =
        of_tips(leg, [&](const KhalilLeg::Tip& tip) { return motion_.velocity.top + cross(omega, arm(tip)); });
    const Eigen::VectorXd v_dot =
        of_tips(leg, [&](const KhalilLeg::Tip& tip) { return cross(omega, cross(omega, arm(tip))); });
    Eigen::MatrixXd J_v(v.size(), 6);
    for (std::size_t k = 0; k < leg.tips.size(); ++k) {
      const Mat3<double> P_hat = skew(arm(leg.tips[k]));
      J_v.middleRows<3>(3 * static_cast<Eigen::Index>(k)) << Eigen::Matrix3d::Identity(),
          -Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(P_hat.m);  // (65)
    }
    const Eigen::MatrixXd J = tip_jacobian(leg, s.q);
    const Factors<double> factors = leg_factors(J, i);
    s.qd = factors.solve(v);
    s.by_platform = factors.solve(J_v);
    const Eigen::VectorXd rest = v_dot - tip_drift(leg, s.q, s.qd);
    s.qdd_drift = factors.solve(rest);
    s.held = J_v - J * s.by_platform;
    s.held_drift = rest - J * s.qdd_drift;
    return s;
  }

  const KhalilParallelRobot& robot_;
  const KhalilPlatformMotion& motion_;
  Eigen::MatrixXd conditions_;
  Eigen::VectorXd drift_;
  Vector6 at_rest_;
};

}  // namespace

KhalilParallelInverse khalil_parallel_inverse(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                              const std::vector<Eigen::VectorXd>& guess) {
  const MovingPlatform at(robot, motion, guess);
  const Vector6 V_dot = (Vector6() << eigen(motion.acceleration.top), eigen(motion.acceleration.bottom)).finished();
  KhalilParallelInverse out{at.torque(V_dot), at.J_p, {}, {}, {}};
  for (std::size_t i = 0; i < at.legs.size(); ++i) {
    out.q.push_back(at.legs[i].q), out.qd.push_back(at.legs[i].qd), out.qdd.push_back(at.leg_qdd(i, V_dot));
  }
  return out;
}

Eigen::VectorXd khalil_parallel_direct(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                       const std::vector<Eigen::VectorXd>& guess, const Eigen::VectorXd& torque) {
  const MovingPlatform at(robot, motion, guess);
  const Eigen::Index motors = at.J_p.cols();
  if (torque.size() != motors) throw std::invalid_argument("khalil_parallel_direct: one torque a motor");
  // Γ is linear in q̈_a: as in section 3.3.1, a column is what one unit of it adds.
  const Eigen::VectorXd H = at.torque(at.acceleration(Eigen::VectorXd::Zero(motors)));
  Eigen::MatrixXd A(motors, motors);
  for (Eigen::Index i = 0; i < motors; ++i) A.col(i) = at.torque(at.acceleration(Eigen::VectorXd::Unit(motors, i))) - H;
  const Factors<double> factors(A);
  if (!factors.full_rank()) throw InputError("the inertia matrix of the motors is singular");
  return factors.solve(torque - H);
}

}  // namespace verne::formulations
