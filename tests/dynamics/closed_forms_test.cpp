/// Small systems whose equations of motion are in every textbook, written out here by hand.
#include <cmath>

#include "support/compare.h"
#include "support/reference.h"
#include "verne/spatial/rotation.h"

namespace verne::test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

LinkSpec link_on(const std::string& parent, const std::string& name, JointType type) {
  LinkSpec link;
  link.name = name;
  link.parent = parent;
  link.joint.name = name + "_joint";
  link.joint.type = type;
  link.has_inertial = true;
  return link;
}

/// A rod that turns about y in the x-z plane and hangs down at zero: mass m at distance c, inertia I about the mass
/// centre.
LinkSpec rod(const std::string& parent, const std::string& name, double m, double c, double I) {
  LinkSpec link = link_on(parent, name, JointType::revolute);
  link.joint.axis = {0, 1, 0};
  link.mass = m;
  link.com = {0, 0, -c};
  link.inertia = {I, 0, 0, I, 0, I};
  return link;
}

Model model_of(std::vector<LinkSpec> links, const Vec3<double>& gravity) {
  ModelSpec spec;
  spec.name = "closed_form";
  spec.gravity = gravity;
  spec.links = std::move(links);
  return build_model(spec);
}

Eigen::VectorXd one(double x) {
  return Eigen::VectorXd::Constant(1, x);
}

TEST(ClosedForms, Pendulum) {
  const double m = 1.3, c = 0.4, I = 0.07, g = 9.81;
  LinkSpec link = rod("", "rod", m, c, I);
  link.joint.dofs = {{.coulomb = 0.3, .viscous = 0.2, .friction_width = 0.1, .rotor_inertia = 0.05}};
  const Model model = model_of({link}, {0, 0, -g});
  Data<double> data(model);
  std::mt19937_64 rng(1);
  for (int k = 0; k < 20; ++k) {
    const State s = random_state(model, rng);
    const double q = s.q[0], v = s.v[0], a = s.a[0];
    const double expected = (I + m * c * c + 0.05) * a + m * g * c * std::sin(q) + 0.3 * std::tanh(v / 0.1) + 0.2 * v;
    const auto [tau, wrenches] = inverse_dynamics_and_wrenches(model, data, s.q, s.v, s.a);
    EXPECT_TRUE(close(tau, one(expected), kRounding, m * g * c));
    // In axes that turn with the rod: tangential and centripetal force of the mass point, and its weight.
    EXPECT_TRUE(close(wrenches.block<3, 1>(0, 0),
                      Vector3d(-m * c * a - m * g * std::sin(q), 0, m * c * v * v + m * g * std::cos(q)), kRounding));
  }
}

TEST(ClosedForms, FrictionWithoutWidthIsTheSignOfVelocity) {
  LinkSpec link = rod("", "rod", 1, 0.4, 0.07);
  link.joint.dofs = {{.coulomb = 0.3, .viscous = 0.2}};
  const Model model = model_of({link}, {0, 0, 0});
  Data<double> data(model);
  for (const double v : {-1e3, -1e-300, -0.0, 0.0, 1e-300, 2.0}) {
    const double expected = 0.3 * ((v > 0) - (v < 0)) + 0.2 * v;
    EXPECT_TRUE(close(bias_torques(model, data, one(0.5), one(v)), one(expected), kRounding)) << v;
  }
}

/// Two rods of length l1, l2 with angles relative to each other.
TEST(ClosedForms, DoublePendulum) {
  const double m1 = 1.2, m2 = 0.8, c1 = 0.25, c2 = 0.3, l1 = 0.6, I1 = 0.05, I2 = 0.03, g = 9.81;
  LinkSpec second = rod("upper", "lower", m2, c2, I2);
  second.X_PJ.p = {0, 0, -l1};
  const Model model = model_of({rod("", "upper", m1, c1, I1), second}, {0, 0, -g});
  Data<double> data(model);
  std::mt19937_64 rng(2);
  for (int k = 0; k < 20; ++k) {
    const State s = random_state(model, rng);
    const double cos2 = std::cos(s.q[1]), h = -m2 * l1 * c2 * std::sin(s.q[1]);
    Eigen::Matrix2d M;
    M(1, 1) = I2 + m2 * c2 * c2;
    M(0, 1) = M(1, 0) = M(1, 1) + m2 * l1 * c2 * cos2;
    M(0, 0) = I1 + m1 * c1 * c1 + M(1, 1) + m2 * l1 * l1 + 2 * m2 * l1 * c2 * cos2;
    const double far = m2 * g * c2 * std::sin(s.q[0] + s.q[1]);
    const Vector2d gravity((m1 * c1 + m2 * l1) * g * std::sin(s.q[0]) + far, far);
    const Vector2d coriolis(h * s.v[1] * (2 * s.v[0] + s.v[1]), -h * s.v[0] * s.v[0]);
    EXPECT_TRUE(close(mass_matrix(model, data, s.q), M, kRounding));
    EXPECT_TRUE(close(gravity_torques(model, data, s.q), gravity, kRounding, g));
    EXPECT_TRUE(close(coriolis_matrix(model, data, s.q, s.v) * s.v, coriolis, kRounding, 1));
    EXPECT_TRUE(close(forward_dynamics(model, data, s.q, s.v, s.tau),
                      M.inverse() * (Vector2d(s.tau) - coriolis - gravity), kRounding));
  }
}

TEST(ClosedForms, FreeBodyObeysEulersEquations) {
  LinkSpec body = link_on("", "body", JointType::free);
  body.mass = 2;
  const Vector3d principal(0.3, 0.4, 0.6);
  body.inertia = {principal.x(), 0, 0, principal.y(), 0, principal.z()};
  const Model model = model_of({body}, {0, 0, -9.81});
  Data<double> data(model);
  std::mt19937_64 rng(3);
  for (int k = 0; k < 20; ++k) {
    const State s = random_state(model, rng);
    const Vector3d speed = s.v.head(3), w = s.v.tail(3), force = s.tau.head(3), moment = s.tau.tail(3);
    const Vector3d down = link_poses(model, s.q)[0].linear().transpose() * Vector3d(0, 0, -9.81);
    Eigen::VectorXd expected(6);
    expected << force / 2 + down - w.cross(speed),
        (moment.x() + (principal.y() - principal.z()) * w.y() * w.z()) / principal.x(),
        (moment.y() + (principal.z() - principal.x()) * w.z() * w.x()) / principal.y(),
        (moment.z() + (principal.x() - principal.y()) * w.x() * w.y()) / principal.z();
    EXPECT_TRUE(close(forward_dynamics(model, data, s.q, s.v, s.tau), expected, kRounding));
  }
}

/// Without torque a body with a symmetry axis precesses steadily: w turns about that axis at (I3/I1 − 1) w3.
TEST(ClosedForms, SymmetricTopPrecesses) {
  LinkSpec top = link_on("", "top", JointType::spherical);
  top.mass = 1;
  top.inertia = {0.2, 0, 0, 0.2, 0, 0.35};
  const Model model = model_of({top}, {0, 0, 0});
  Data<double> data(model);
  Eigen::VectorXd q = neutral_configuration(model), v = Vector3d(0.3, 0, 4);
  const Eigen::VectorXd no_torque = Eigen::VectorXd::Zero(3);
  const Vector3d momentum = whole_body_state(model, data, q, v, no_torque).angular_momentum;
  const int steps = 2000;
  const double dt = 1e-3, rate = (0.35 - 0.2) / 0.2 * 4;
  const auto slope = [&](const Eigen::VectorXd& w) { return forward_dynamics(model, data, q, w, no_torque); };
  for (int k = 0; k < steps; ++k) {  // midpoint rule
    const Eigen::VectorXd middle = v + dt / 2 * slope(v);
    q = integrate(model, data, q, dt * middle);
    v += dt * slope(middle);
  }
  const double turned = rate * dt * steps;
  EXPECT_TRUE(close(v, Vector3d(0.3 * std::cos(turned), 0.3 * std::sin(turned), 4), 1e-4));
  // The midpoint rule errs by O(dt²) only.
  EXPECT_TRUE(close(whole_body_state(model, data, q, v, no_torque).angular_momentum, momentum, 1e-4));
}

/// A nut on a screw of pitch h: (I + m h²) a = tau − m g h when the axis points up.
TEST(ClosedForms, NutOnAScrew) {
  LinkSpec nut = link_on("", "nut", JointType::helical);
  nut.joint.pitch = 0.02;
  nut.mass = 3;
  nut.inertia = {0.1, 0, 0, 0.1, 0, 0.15};
  const Model model = model_of({nut}, {0, 0, -9.81});
  Data<double> data(model);
  const double a = (0.7 - 3 * 9.81 * 0.02) / (0.15 + 3 * 0.02 * 0.02);
  EXPECT_TRUE(close(forward_dynamics(model, data, one(1.1), one(5), one(0.7)), one(a), kRounding));
}

}  // namespace
}  // namespace verne::test
