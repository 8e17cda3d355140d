/// Closed loops and parallel robots against Lagrange's multipliers on the library's mass matrix and Jacobians.
#include "formulations/khalil_loops.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "formulations/formulation_support.h"
#include "formulations/khalil_parallel.h"
#include "io/io_support.h"
#include "model/tree.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

using Rows = Eigen::MatrixXd;

/// Velocity constraints J v = 0 and J̇ v of a mechanism on the library's model.
struct Constraints {
  Rows J;
  Eigen::VectorXd drift;

  void add(const Rows& rows, const Eigen::VectorXd& more) {
    const Eigen::Index old = drift.size();
    J.conservativeResize(old + rows.rows(), rows.cols());
    drift.conservativeResize(old + rows.rows());
    J.bottomRows(rows.rows()) = rows;
    drift.tail(rows.rows()) = more;
  }
};

/// Accelerations under tau: M a + h = tau + Jᵀ λ, J a = −J̇ v.
Eigen::VectorXd constrained_accelerations(const Model& model, const State& s, const Constraints& c) {
  Data<double> data(model);
  const Eigen::Index n = model.nv(), m = c.J.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = mass_matrix(model, data, s.q);
  K.topRightCorner(n, m) = -c.J.transpose();
  K.bottomLeftCorner(m, n) = c.J;
  Eigen::VectorXd right(n + m);
  right << s.tau - bias_torques(model, data, s.q, s.v), -c.drift;
  return K.completeOrthogonalDecomposition().solve(right).head(n);
}

/// A tree on the world with its cut joints as pairs of frames: "cut_a" on link i, "cut_b" on link j.
struct Mechanism {
  std::string name;
  Model model;
  fm::KhalilClosedRobot robot;
  Eigen::VectorXd q;  ///< a closed position, cut joints last
};

/// The frame that the library puts on a body (the world, if it is fixed there), seen from a link of it.
Transform<double> body_in_link(const Model& model, const std::string& link) {
  return inverse(pose_in_body(model.tree().sites[model.link(link)]));
}

/// Closes a tree at the position q by a joint between two links; joint 0 is motorized.
Mechanism closed(std::string name, ModelSpec spec, const std::string& link_i, const std::string& link_j, int sigma,
                 const Eigen::VectorXd& q, const MdhParameters& on_i) {
  spec.frames.clear(), spec.contacts.clear();
  const Model plain = build_model(spec);
  fm::KhalilClosedRobot robot{
      *fm::mdh_tree_of(plain), {}, std::vector<bool>(static_cast<std::size_t>(plain.nv()), false)};
  robot.active[0] = true;
  const auto body = [&](const std::string& link) { return plain.tree().sites[plain.link(link)].body + 1; };
  fm::KhalilCutJoint cut{body(link_i), body(link_j), {{sigma, on_i}}, {}};
  const auto poses = fm::khalil_poses<double>(robot.tree, span_of(q));
  // R_{k+B} lies where R_k is at this position, with the cut joint turned by 0.4 (or slid by it).
  MdhParameters turned = on_i;
  (sigma == 0 ? turned.theta : turned.r) += 0.4;
  const Transform<double> X_0k = poses[static_cast<std::size_t>(cut.link_i)] * mdh_transform(turned);
  cut.on_j = mdh_parameters_of(inverse(poses[static_cast<std::size_t>(cut.link_j)]) * X_0k);
  robot.cuts.push_back(cut);
  spec.frames.push_back({"cut_a", link_i, body_in_link(plain, link_i) * mdh_transform(on_i), 0});
  spec.frames.push_back({"cut_b", link_j, body_in_link(plain, link_j) * mdh_transform(cut.on_j), 0});
  Eigen::VectorXd all(q.size() + 1);
  all << q, 0.4;
  return {std::move(name), build_model(std::move(spec)), robot, all};
}

LinkSpec link(std::mt19937_64& rng, const std::string& name, const std::string& parent, JointType type,
              const Transform<double>& X_PJ, const Vec3<double>& axis) {
  LinkSpec out;
  out.name = name, out.parent = parent, out.X_PJ = X_PJ;
  out.joint.name = name + "_joint", out.joint.type = type, out.joint.axis = axis;
  if (type != JointType::fixed) {
    out.joint.dofs = {{.viscous = random_number(rng, 0, 1), .rotor_inertia = random_number(rng, 0, 0.2)}};
    out.has_inertial = true;
    out.mass = random_number(rng, 1, 2);
    out.com = random_vector(rng, 0.3);
    out.inertia = random_inertia(rng, out.mass, 0.3);
  }
  return out;
}
Transform<double> at(double x, double y) {
  return {Mat3<double>::identity(), {x, y, 0}};
}

std::vector<Mechanism> mechanisms() {
  std::mt19937_64 rng(31);
  std::vector<Mechanism> out;
  const Vec3<double> z{0, 0, 1}, x{1, 0, 0};
  using T = JointType;
  const LinkSpec base = link(rng, "base", "", T::fixed, Transform<double>::identity(), z);
  ModelSpec four_bar;
  four_bar.gravity = {0.3, -9.81, 0};
  four_bar.links = {base, link(rng, "crank", "base", T::revolute, at(0, 0), z),
                    link(rng, "coupler", "crank", T::revolute, at(0.4, 0), z),
                    link(rng, "rocker", "coupler", T::revolute, at(1, 0), z)};
  out.push_back(closed("four_bar", four_bar, "rocker", "base", 0, Eigen::Vector3d(0.7, -0.9, 1.8), {.d = 0.8}));
  ModelSpec slider = four_bar;
  slider.links.pop_back();
  slider.links.push_back(link(rng, "slider", "base", T::prismatic, at(0, -0.1), x));
  out.push_back(closed("slider_crank", slider, "coupler", "slider", 0, Eigen::Vector3d(0.8, -1.0, 1.1), {.d = 0.9}));
  ModelSpec quick = four_bar;
  quick.links.pop_back();
  // The coupler slides through a pivot on the base, where the loop is cut: a prismatic cut joint.
  quick.links.push_back(link(rng, "pivot", "base", T::revolute, at(1.1, 0.2), z));
  out.push_back(closed("sliding_coupler", quick, "coupler", "pivot", 1, Eigen::Vector3d(0.8, -1.0, 0.5),
                       {.alpha = M_PI / 2, .d = 0.1}));
  const ModelSpec chain = random_tree(rng, 6, {.kinds = {T::revolute}, .chain = true, .rotor_inertia = true});
  out.push_back(closed("seven_revolutes", chain, "link_6", "link_0", 0, random_values(rng, 6, 1),
                       {.gamma = 0.3, .b = 0.1, .alpha = 1.1, .d = 0.3, .theta = 0.2, .r = -0.1}));
  return out;
}

/// Joint k's five constraints, from the Jacobians of its two frames; `free` is the z axis.
Constraints constraints_of(const Mechanism& mechanism, const State& s, int sigma) {
  const Model& model = mechanism.model;
  Data<double> data(model);
  const int a = model.site("cut_a"), b = model.site("cut_b");
  Matrix6X<double> Ja(6, model.nv()), Jb = Ja, Ra = Ja, Rb = Ja;
  jacobian_and_rate(model, data, s.q, s.v, a, Ja, Ra);
  jacobian_and_rate(model, data, s.q, s.v, b, Jb, Rb);
  const Kinematics<double> k = forward_kinematics(model, data, s.q, s.v, s.a);
  const Eigen::Matrix3d axes = k.rotation(b);
  const Eigen::Vector3d omega = k.velocities.col(b).tail(3), apart = k.position(a) - k.position(b);
  const Eigen::Vector3d rate_apart = k.velocities.col(a).head(3) - k.velocities.col(b).head(3);
  const Rows D = Ja - Jb, D_rate = Ra - Rb;
  Constraints out{Rows(0, model.nv()), Eigen::VectorXd(0)};
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d t = axes.col(i), t_dot = omega.cross(t);
    if (sigma == 0 && i < 2)
      out.add(t.transpose() * D.bottomRows(3),
              (t.transpose() * D_rate.bottomRows(3) * s.v + t_dot.transpose() * D.bottomRows(3) * s.v));
    if (sigma == 0) out.add(D.row(i), D_rate.row(i) * s.v);
    if (sigma == 1) out.add(D.row(i + 3), D_rate.row(i + 3) * s.v);
    if (sigma == 1 && i < 2) {
      // tᵀ (p_a − p_b) = 0 with t fixed on b: tᵀ D v + (ω × t)ᵀ apart = 0 and its derivative.
      const Rows J_omega = Jb.bottomRows(3), rate_omega = Rb.bottomRows(3);
      const Eigen::RowVector3d lever = t.cross(apart).transpose();
      const Eigen::Vector3d lever_dot = t_dot.cross(apart) + t.cross(rate_apart);
      out.add(t.transpose() * D.topRows(3) + lever * J_omega,
              t.transpose() * D_rate.topRows(3) * s.v + t_dot.transpose() * D.topRows(3) * s.v +
                  lever * rate_omega * s.v + lever_dot.transpose() * J_omega * s.v);
    }
  }
  return out;
}

class KhalilLoops : public testing::TestWithParam<int> {
 protected:
  Mechanism m_ = mechanisms()[static_cast<std::size_t>(GetParam())];
  std::mt19937_64 rng_{8};
};
INSTANTIATE_TEST_SUITE_P(Mechanisms, KhalilLoops, testing::Range(0, 4), [](const auto& parameter) {
  return mechanisms()[static_cast<std::size_t>(parameter.param)].name;
});

TEST_P(KhalilLoops, InverseAndDirectModels) {
  const int n = m_.model.nv();
  // Somewhere else on the motion: the crank turned a little, the rest found by closing the loop.
  Eigen::VectorXd q = m_.q;
  q[0] += 0.05;
  q = fm::khalil_closed_positions(m_.robot, q);
  EXPECT_EQ(q[0], m_.q[0] + 0.05);
  const Eigen::VectorXd qd = Eigen::VectorXd::Constant(1, 1.3), qdd = Eigen::VectorXd::Constant(1, -0.7);
  const fm::KhalilClosedMotion motion = fm::khalil_closed_motion(m_.robot, q, qd, qdd);
  const Eigen::VectorXd torque = fm::khalil_closed_inverse(m_.robot, q, qd, qdd);
  State s{q.head(n), motion.qd.head(n), motion.qdd.head(n), Eigen::VectorXd::Zero(n)};
  s.tau[0] = torque[0];
  const Constraints c = constraints_of(m_, s, m_.robot.cuts[0].variables[0].sigma);
  EXPECT_TRUE(close(c.J * s.v, Eigen::VectorXd::Zero(c.J.rows()), kAgreement, largest(c.J) * largest(s.v)));
  // That torque at the crank alone gives these accelerations.
  EXPECT_TRUE(close(constrained_accelerations(m_.model, s, c), s.a, kAgreement));
  EXPECT_TRUE(close(fm::khalil_closed_direct(m_.robot, q, qd, torque), qdd, kAgreement));
}

TEST(KhalilLoopsInput, OutOfReachAndUndetermined) {
  Mechanism m = mechanisms()[0];
  Eigen::VectorXd q = m.q;
  m.robot.cuts[0].variables[0].frame.d = 20;  // a rocker far too long
  EXPECT_NE(input_error([&] { fm::khalil_closed_positions(m.robot, q); }), "");
  m = mechanisms()[0];
  EXPECT_THROW(fm::khalil_closed_positions(m.robot, m.q.head(3)), std::invalid_argument);
  m.robot.active[0] = false;
  EXPECT_NE(input_error([&] { fm::khalil_closed_motion(m.robot, m.q, {}, {}); }).find("do not determine"),
            std::string::npos);
}

/// A Gough-Stewart platform: legs of a universal and a prismatic joint, in the library a tree with a free platform.
struct Platform {
  Model model;
  fm::KhalilParallelRobot robot;
};
Platform gough_stewart(std::mt19937_64& rng) {
  ModelSpec spec;
  spec.gravity = {0.2, 0.1, -9.81};
  const Vec3<double> y{0, 1, 0}, z{0, 0, 1};
  spec.links = {link(rng, "base", "", JointType::fixed, Transform<double>::identity(), z)};
  LinkSpec top = link(rng, "platform", "base", JointType::free, Transform<double>::identity(), z);
  top.joint.dofs.clear();
  spec.links.push_back(top);
  fm::KhalilParallelRobot robot;
  robot.gravity = spec.gravity;
  for (int i = 0; i < 6; ++i) {
    const double foot = i * M_PI / 3 + (i % 2 ? 0.3 : -0.3), head = i * M_PI / 3 + (i % 2 ? -0.2 : 0.2);
    const std::string name = "leg" + std::to_string(i);
    const Transform<double> X{Mat3<double>::identity(), {std::cos(foot), std::sin(foot), 0}};
    const Vec3<double> x{1, 0, 0};
    ModelSpec leg;
    leg.gravity = spec.gravity;
    leg.links = {spec.links[0], link(rng, name + "a", "base", JointType::revolute, X, x),
                 link(rng, name + "b", name + "a", JointType::revolute, Transform<double>::identity(), y),
                 link(rng, name + "c", name + "b", JointType::prismatic, Transform<double>::identity(), z)};
    spec.links.insert(spec.links.end(), leg.links.begin() + 1, leg.links.end());
    const Vec3<double> attachment{0.5 * std::cos(head), 0.5 * std::sin(head), 0};
    robot.legs.push_back({*fm::mdh_tree_of(build_model(leg)), {2}, {{3, {0, 0, 0}, attachment}}});
    spec.frames.push_back({"top" + std::to_string(i), "platform", {Mat3<double>::identity(), attachment}, 0});
    spec.frames.push_back({"tip" + std::to_string(i), name + "c", Transform<double>::identity(), 0});
  }
  const RigidInertia<double> inertia = inertia_from_com(top.mass, top.com, top.inertia);
  robot.platform.mass = inertia.mass, robot.platform.first_moment = inertia.mc, robot.platform.inertia = inertia.I;
  return {build_model(spec), robot};
}

TEST(KhalilParallel, GoughStewartPlatform) {
  std::mt19937_64 rng(77);
  const Platform p = gough_stewart(rng);
  const Vec3<double> omega = random_vector(rng, 1), v = random_vector(rng, 1), a = random_vector(rng, 3),
                     alpha = random_vector(rng, 3);
  const fm::KhalilPlatformMotion motion{{rotation_rpy({0.1, -0.2, 0.15}), {0.05, -0.1, 1.2}}, {v, omega}, {a, alpha}};
  const std::vector<Eigen::VectorXd> guess(6, Eigen::Vector3d(0.1, -0.1, 1.2));
  const auto out = fm::khalil_parallel_inverse(p.robot, motion, guess);

  // The same motion in the library's coordinates: the platform's own velocities are in its axes.
  State s;
  const int n = p.model.nv();
  s.q.resize(p.model.nq()), s.v.resize(n), s.a.resize(n), s.tau = Eigen::VectorXd::Zero(n);
  const Mat3<double>& R = motion.pose.R;
  const auto quaternion = quaternion_of(R);
  const Eigen::Vector3d v_B = eigen(transpose_times(R, v)), omega_B = eigen(transpose_times(R, omega));
  s.q.head(7) << eigen(motion.pose.p), quaternion[0], quaternion[1], quaternion[2], quaternion[3];
  s.v.head(6) << v_B, omega_B;
  s.a.head(6) << eigen(transpose_times(R, a)) - omega_B.cross(v_B), eigen(transpose_times(R, alpha));
  Constraints c{Rows(0, n), Eigen::VectorXd(0)};
  for (int i = 0; i < 6; ++i) {
    const auto leg = static_cast<std::size_t>(i);
    s.q.segment<3>(7 + 3 * i) = out.q[leg];
    s.v.segment<3>(6 + 3 * i) = out.qd[leg];
    s.a.segment<3>(6 + 3 * i) = out.qdd[leg];
    s.tau[6 + 3 * i + 2] = out.torque[i];
  }
  Data<double> data(p.model);
  for (int i = 0; i < 6; ++i) {
    Matrix6X<double> J1(6, n), J2(6, n), R1(6, n), R2(6, n);
    jacobian_and_rate(p.model, data, s.q, s.v, p.model.site("top" + std::to_string(i)), J1, R1);
    jacobian_and_rate(p.model, data, s.q, s.v, p.model.site("tip" + std::to_string(i)), J2, R2);
    c.add((J1 - J2).topRows(3), (R1 - R2).topRows(3) * s.v);
  }
  EXPECT_TRUE(close(c.J * s.v, Eigen::VectorXd::Zero(18), kAgreement, largest(s.v)));
  EXPECT_TRUE(close(constrained_accelerations(p.model, s, c), s.a, kAgreement));
  // (60): the platform's screw from the speeds of the motors.
  Eigen::VectorXd motors(6);
  for (std::size_t i = 0; i < 6; ++i) motors[static_cast<Eigen::Index>(i)] = out.qd[i][2];
  EXPECT_TRUE(close(out.J_p * motors, eigen(motion.velocity), kAgreement));
  // The direct model gives back the accelerations of the motors.
  for (std::size_t i = 0; i < 6; ++i) motors[static_cast<Eigen::Index>(i)] = out.qdd[i][2];
  EXPECT_TRUE(close(fm::khalil_parallel_direct(p.robot, motion, guess, out.torque), motors, kAgreement));
}

TEST(KhalilParallelInput, OutOfReachAndWrongSizes) {
  std::mt19937_64 rng(77);
  Platform p = gough_stewart(rng);
  const fm::KhalilPlatformMotion motion{
      {Mat3<double>::identity(), {0, 0, 0}}, fm::Vec6<double>::zero(), fm::Vec6<double>::zero()};
  const std::vector<Eigen::VectorXd> guess(6, Eigen::Vector3d(0, 0, 0));  // legs of no length cannot swing
  EXPECT_NE(input_error([&] { fm::khalil_parallel_inverse(p.robot, motion, guess); }).find("leg 0"), std::string::npos);
  p.robot.legs.pop_back();
  EXPECT_THROW(fm::khalil_parallel_inverse(p.robot, motion, guess), std::invalid_argument);
}

}  // namespace
}  // namespace verne::test
