/// [K10], section 5. World axes throughout.
///
///   paper           here
///   J_i, J_vi       J, J_v     velocity of the leg's tip by q̇_i (63) and by V_p (64)
///   v_i, v̇_i        v, v_dot   velocity and acceleration of the tip
///   P_i             arm        from the platform's origin to the spherical joint
#include "formulations/khalil_parallel.h"

#include <stdexcept>

#include "formulations/factors.h"
#include "formulations/khalil_steps.h"

namespace verne::formulations {

namespace {

constexpr int kNewtonSteps = 50;
constexpr double kReached = 1e-13;  ///< metres

using Matrix36 = Eigen::Matrix<double, 3, 6>;

Eigen::Vector3d eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
std::span<const double> span_of(const Eigen::Vector3d& x) {
  return {x.data(), 3};
}

Eigen::Vector3d tip_position(const KhalilLeg& leg, const Eigen::Vector3d& q) {
  return eigen(khalil_poses(leg.tree, span_of(q)).back() * leg.tip);
}

/// J_i (63)
Eigen::Matrix3d tip_jacobian(const KhalilLeg& leg, const Eigen::Vector3d& q) {
  const Mat3<double> R = khalil_poses(leg.tree, span_of(q)).back().R;
  Eigen::Matrix3d J;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d unit = Eigen::Vector3d::Unit(k);
    const Vec6<double> V = khalil_velocities(leg.tree, span_of(q), span_of(unit)).back();
    J.col(k) = eigen(R * (V.top + cross(V.bottom, leg.tip)));
  }
  return J;
}

/// J̇_i q̇_i: the acceleration of the tip at q̈_i = 0.
Eigen::Vector3d tip_drift(const KhalilLeg& leg, const Eigen::Vector3d& q, const Eigen::Vector3d& qd) {
  MdhTree weightless = leg.tree;
  weightless.gravity = {0, 0, 0};
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  const Vec6<double> V_dot =
      khalil_inverse<double>(weightless, {span_of(q), span_of(qd)}, span_of(zero)).acceleration.back();
  const Vec3<double> omega = khalil_velocities(leg.tree, span_of(q), span_of(qd)).back().bottom;
  const Mat3<double> R = khalil_poses(leg.tree, span_of(q)).back().R;
  return eigen(R * (V_dot.top + cross(V_dot.bottom, leg.tip) + cross(omega, cross(omega, leg.tip))));
}

Eigen::Matrix3d inverted(const Eigen::Matrix3d& J, std::size_t leg) {
  const Factors<double> factors(J);
  if (!factors.full_rank()) throw InputError("leg " + std::to_string(leg) + " is in a singular position");
  return factors.inverse();
}

Eigen::Vector3d reaching(const KhalilLeg& leg, const Eigen::Vector3d& target, Eigen::Vector3d q, std::size_t index) {
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Eigen::Vector3d error = tip_position(leg, q) - target;
    if (error.cwiseAbs().maxCoeff() < kReached) return q;
    q -= inverted(tip_jacobian(leg, q), index) * error;
  }
  throw InputError("leg " + std::to_string(index) + " cannot reach the platform from this guess");
}

/// F_p by (9), with V̇ − g in place of V̇, in world axes.
Eigen::Matrix<double, 6, 1> platform_wrench(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion) {
  const Mat3<double>& R = motion.pose.R;
  const auto local = [&](const Vec3<double>& v) { return transpose_times(R, v); };
  const Vec6<double> V_dot{local(motion.acceleration.top - robot.gravity), local(motion.acceleration.bottom)};
  const Vec3<double> omega = local(motion.velocity.bottom);
  const Vec6<double> F = spatial_inertia<double>(robot.platform) * V_dot - beta<double>(robot.platform, omega, {}, 0);
  return (Eigen::Matrix<double, 6, 1>() << eigen(R * F.top), eigen(R * F.bottom)).finished();
}

}  // namespace

KhalilParallelInverse khalil_parallel_inverse(const KhalilParallelRobot& robot, const KhalilPlatformMotion& motion,
                                              const std::vector<Eigen::Vector3d>& guess) {
  if (robot.legs.size() != 6 || guess.size() != 6)
    throw std::invalid_argument("khalil_parallel_inverse: six legs, six guesses");
  const Vec3<double>& omega = motion.velocity.bottom;
  KhalilParallelInverse out;
  Eigen::Matrix<double, 6, 6> J_p_inverse;
  Eigen::Matrix<double, 6, 1> total = platform_wrench(robot, motion);
  for (std::size_t i = 0; i < 6; ++i) {
    const KhalilLeg& leg = robot.legs[i];
    if (leg.tree.variables != 3) throw std::invalid_argument("khalil_parallel_inverse: three variables a leg");
    const Vec3<double> arm = motion.pose.R * leg.attachment;
    const Eigen::Vector3d q = reaching(leg, eigen(motion.pose * leg.attachment), guess[i], i);
    const Eigen::Vector3d v = eigen(motion.velocity.top + cross(omega, arm));
    const Eigen::Vector3d v_dot =
        eigen(motion.acceleration.top + cross(motion.acceleration.bottom, arm) + cross(omega, cross(omega, arm)));
    const Eigen::Matrix3d J_inverse = inverted(tip_jacobian(leg, q), i);
    const Eigen::Vector3d qd = J_inverse * v, qdd = J_inverse * (v_dot - tip_drift(leg, q, qd));
    Matrix36 J_v;
    const Mat3<double> P_hat = skew(arm);
    J_v << Eigen::Matrix3d::Identity(),
        -Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(P_hat.m);  // (65)
    const auto leg_torque = khalil_inverse<double>(leg.tree, {span_of(q), span_of(qd)}, span_of(qdd)).torque;
    total += J_v.transpose() * (J_inverse.transpose() * Eigen::Map<const Eigen::Vector3d>(leg_torque.data()));  // (66)
    J_p_inverse.row(static_cast<Eigen::Index>(i)) = (J_inverse * J_v).row(leg.active);                          // (62)
    out.q.push_back(q), out.qd.push_back(qd), out.qdd.push_back(qdd);
  }
  const Factors<double> factors(J_p_inverse);
  if (!factors.full_rank()) throw InputError("the platform is in a singular position");
  out.J_p = factors.inverse();
  out.torque = out.J_p.transpose() * total;  // (59), (66) corrected
  return out;
}

Eigen::VectorXd khalil_parallel_direct(const KhalilParallelRobot& robot, KhalilPlatformMotion motion,
                                       const std::vector<Eigen::Vector3d>& guess, const Eigen::VectorXd& torque) {
  const auto at = [&](const Eigen::Matrix<double, 6, 1>& V_dot) {
    motion.acceleration = {{V_dot[0], V_dot[1], V_dot[2]}, {V_dot[3], V_dot[4], V_dot[5]}};
    return khalil_parallel_inverse(robot, motion, guess);
  };
  // Γ is linear in V̇_p: as in section 3.3.1, a column is what one unit of it adds.
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  const Eigen::VectorXd H = at(Vector6::Zero()).torque;
  Eigen::MatrixXd A(6, 6);
  for (int i = 0; i < 6; ++i) A.col(i) = at(Vector6::Unit(i)).torque - H;
  const Factors<double> factors(A);
  if (!factors.full_rank()) throw InputError("the inertia matrix of the platform is singular");
  const KhalilParallelInverse found = at(factors.solve(torque - H));
  Eigen::VectorXd qdd(6);
  for (std::size_t i = 0; i < 6; ++i) qdd[static_cast<Eigen::Index>(i)] = found.qdd[i][robot.legs[i].active];
  return qdd;
}

}  // namespace verne::formulations
