/// What mechanisms are, and shipped ones against closed forms.
#include "verne/structures/mechanism.h"

#include "structures/mechanism_support.h"
#include "support/complaint.h"

namespace verne::test {
namespace {

struct Structure {
  const char* name;
  int equations, rank, mobility;
  bool determined;
};
TEST(Mechanism, StructureOfShippedModels) {
  for (const Structure& expected :
       {Structure{"four_bar", 5, 2, 1, false}, Structure{"slider_crank", 5, 2, 1, false},
        Structure{"five_bar", 5, 2, 2, false}, Structure{"sr400", 5, 2, 6, false}, Structure{"delta", 18, 18, 3, true},
        Structure{"gough_stewart", 18, 18, 6, true}, Structure{"hybrid", 18, 18, 6, true}}) {
    const Mechanism mechanism(shipped_model(expected.name));
    EXPECT_EQ(mechanism.equations(), expected.equations) << expected.name;
    EXPECT_EQ(mechanism.rank(), expected.rank) << expected.name;
    EXPECT_EQ(mechanism.mobility(), expected.mobility) << expected.name;
    EXPECT_EQ(mechanism.all_determined(), expected.determined) << expected.name;
    // The motors are as many as can move, and so they are independent.
    EXPECT_TRUE(std::ranges::equal(mechanism.independent(), mechanism.actuated())) << expected.name;
  }
}

/// The tree's coordinates at given independent ones.
Eigen::VectorXd assembled(const Mechanism& mechanism, const Eigen::VectorXd& independent) {
  MechanismData<double> data(mechanism);
  Eigen::VectorXd q(mechanism.model().nq());
  assemble(mechanism, data, independent, mechanism.home().eigen(), q);
  return q;
}
Eigen::Vector3d position_of(const Model& model, const Eigen::VectorXd& q, const std::string& site) {
  Data<double> data(model);
  return forward_kinematics(model, data, q).position(model.site(site));
}

/// The rocker's tip is where circles about the crank's tip and about the rocker's pivot meet.
TEST(MechanismClosedForm, FourBar) {
  const Model model = shipped_model("four_bar");
  const Mechanism mechanism(model);
  for (const double crank : {-9.0, 0.2, 1.0, 2.5, 3.1, 3.6, 4.0, 5.5, 7.0}) {
    const Eigen::VectorXd q = assembled(mechanism, Eigen::VectorXd::Constant(1, crank));
    const Eigen::Vector2d tip(0.1 * std::cos(crank), 0.1 * std::sin(crank)), pivot(0.3, 0);
    const double distance = (pivot - tip).norm();
    const double along = (0.09 - 0.04 + distance * distance) / (2 * distance);
    const Eigen::Vector2d forth = (pivot - tip) / distance, left(-forth.y(), forth.x());
    const Eigen::Vector2d pin = tip + along * forth + std::sqrt(0.09 - along * along) * left;
    EXPECT_NEAR(std::remainder(q[2] - std::atan2(pin.y(), pin.x() - 0.3), 2 * M_PI), 0, 1e-12) << crank;
    EXPECT_NEAR(std::remainder(q[0] + q[1] - std::atan2(pin.y() - tip.y(), pin.x() - tip.x()), 2 * M_PI), 0, 1e-12);
  }
}

/// Position and velocity of the piston, and the torque that holds it by virtual work.
TEST(MechanismClosedForm, SliderCrank) {
  const Model model = shipped_model("slider_crank");
  const Mechanism mechanism(model);
  MechanismData<double> data(mechanism);
  const double r = 0.1, l = 0.3, angle = 0.8, speed = 3;
  const auto piston = [&](double crank) {
    return r * std::cos(crank) + std::sqrt(l * l - r * r * std::sin(crank) * std::sin(crank));
  };
  // Far from home, too, and after turns: the rod never swings to the other side.
  for (const double crank : {-1.217, -6.0, 3.0, 12.0}) {
    EXPECT_NEAR(assembled(mechanism, Eigen::VectorXd::Constant(1, crank))[2], piston(crank), 1e-13) << crank;
  }
  const Eigen::VectorXd q = assembled(mechanism, Eigen::VectorXd::Constant(1, angle));
  const double s = r * std::sin(angle), root = std::sqrt(l * l - s * s);
  EXPECT_NEAR(q[2], piston(angle), 1e-13);
  Eigen::VectorXd v(3), a(3), tau(1);
  closed_motion(mechanism, data, q, Eigen::VectorXd::Constant(1, speed), Eigen::VectorXd::Zero(1), v, a);
  const double dx = -s - s * r * std::cos(angle) / root;
  EXPECT_NEAR(v[2], dx * speed, 1e-12);
  // Gravity lifts the middles of crank and rod: both have half the height of the crank pin. A push on the piston.
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  const Loads<double> push{{.frame = model.link("piston"), .force = Eigen::Vector3d(-7, 0, 0)}};
  inverse_dynamics(mechanism, data, q, zero, zero, tau, &push);
  EXPECT_NEAR(tau[0], 9.81 * (0.4 + 0.3) * r * std::cos(angle) / 2 + 7 * dx, 1e-12);
}

TEST(MechanismClosedForm, FiveBar) {
  const Model model = shipped_model("five_bar");
  const Mechanism mechanism(model);
  const double left = 2.0, right = 1.1;
  const Eigen::VectorXd q = assembled(mechanism, Eigen::Vector2d(left, right));
  const Eigen::Vector2d a(0.2 * std::cos(left), 0.2 * std::sin(left)),
      b(0.15 + 0.2 * std::cos(right), 0.2 * std::sin(right));
  const Eigen::Vector2d across = b - a, up(-across.y(), across.x());
  const Eigen::Vector2d tool = (a + b) / 2 + std::sqrt(0.09 - across.squaredNorm() / 4) * up.normalized();
  EXPECT_NEAR((position_of(model, q, "tool").head<2>() - tool).norm(), 0, 1e-12);
}

/// The platform is where three spheres about the shifted elbows meet, and does not turn.
TEST(MechanismClosedForm, Delta) {
  const Model model = shipped_model("delta");
  const Mechanism mechanism(model);
  for (const Eigen::Vector3d& angles :
       {Eigen::Vector3d(0.1, 0.5, -0.2), Eigen::Vector3d(1.557, 1.438, 0.377), Eigen::Vector3d(-0.9, 1.3, 0.6)}) {
    const Eigen::VectorXd q = assembled(mechanism, angles);
    Eigen::Vector3d c[3];
    for (int i = 0; i < 3; ++i) {
      const double out = 0.2 - 0.05 + 0.25 * std::cos(angles[i]), turn = i * 2 * M_PI / 3;
      c[i] = {out * std::cos(turn), out * std::sin(turn), -0.25 * std::sin(angles[i])};
    }
    const Eigen::Vector3d ex = (c[1] - c[0]).normalized(), i2 = c[2] - c[0];
    const Eigen::Vector3d ey = (i2 - ex.dot(i2) * ex).normalized(), ez = ex.cross(ey);
    const double d = (c[1] - c[0]).norm(), x = d / 2, y = (i2.squaredNorm() - 2 * ex.dot(i2) * x) / (2 * ey.dot(i2));
    const double z = std::sqrt(0.25 - x * x - y * y);
    const Eigen::Vector3d expected = c[0] + x * ex + y * ey - z * ez;  // below
    EXPECT_NEAR((position_of(model, q, "tool") - expected).norm(), 0, 1e-12);
    const int platform = model.joints()[std::size_t(model.joint("platform_joint"))].q;
    EXPECT_NEAR(q.segment<3>(platform + 3).norm(), 0, 1e-12);
  }
}

/// Links of 0.3 m on pivots that are 0.4 m apart: the coupler shifts and does not turn.
ModelSpec parallelogram(double home) {
  ModelSpec spec = shipped_model("four_bar").spec();
  const auto place = [&](const char* link, double x) {
    for (LinkSpec& of : spec.links) {
      if (of.name == link) of.X_PJ.p = {x, 0, 0};
    }
  };
  place("coupler", 0.3), place("rocker", 0.4);
  spec.loops[0].a.X_LF.p = {0.4, 0, 0}, spec.loops[0].b.X_LF.p = {0.3, 0, 0};
  spec.independent = {"crank_joint"};
  spec.home = {{"crank_joint", {home}, 0}, {"coupler_joint", {-home}, 0}, {"rocker_joint", {home}, 0}};
  return spec;
}

/// It is flat at 0 and π, where it could also fold over; what goes on straight is what is wanted.
TEST(MechanismClosedForm, Parallelogram) {
  const Mechanism mechanism(build_model(parallelogram(1)));
  MechanismData<double> data(mechanism);
  for (const double angle : {-7.0, -1.0, -1e-3, 5e-5, 1e-4, 0.01, 3.1415, 4.0, 6.3}) {
    const Eigen::VectorXd q = assembled(mechanism, Eigen::VectorXd::Constant(1, angle));
    EXPECT_NEAR(q[1], -angle, 1e-9) << angle;
    EXPECT_NEAR(q[2], angle, 1e-9) << angle;
    // Near flat what is not refused is right: the coupler moves as its joint does.
    Eigen::VectorXd v(3), a(3);
    closed_motion(mechanism, data, q, Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Constant(1, 1), v, a);
    EXPECT_NEAR(v[2], 1, 1e-6) << angle;
    EXPECT_NEAR(a[2], 1, 1e-6) << angle;
  }
  const auto refused = [&](double angle) {
    return complaint<InputError>([&] { assembled(mechanism, Eigen::VectorXd::Constant(1, angle)); });
  };
  EXPECT_NE(refused(1e-6).find("singular here"), std::string::npos);
}

/// Cut at the rocker's pivot instead of between coupler and rocker: another tree and other coordinates.
TEST(Mechanism, SameWhereverItIsCut) {
  const Model model = shipped_model("four_bar");
  ModelSpec other = model.spec();
  for (LinkSpec& link : other.links) {
    if (link.name != "rocker") continue;
    // Its frame stays at the pivot; it hangs on the coupler by its tip.
    link.parent = "coupler";
    link.X_PJ = {Mat3<double>::identity(), {0.3, 0, 0}};
    link.X_JL = {Mat3<double>::identity(), {-0.2, 0, 0}};
  }
  other.loops[0] = {"pivot",
                    LoopType::revolute,
                    {"rocker", Transform<double>::identity()},
                    {"world", {Mat3<double>::identity(), {0.3, 0, 0}}},
                    0};
  const Mechanism one(model), two(build_model(other));
  MechanismData<double> data1(one), data2(two);
  const Eigen::VectorXd angle = Eigen::VectorXd::Constant(1, 1.3), speed = Eigen::VectorXd::Constant(1, 2.0),
                        acceleration = Eigen::VectorXd::Constant(1, -3.0);
  const auto solve = [&](const Mechanism& m, MechanismData<double>& data, Matrix6X<double>& loops,
                         Matrix6X<double>& joints) {
    const Eigen::VectorXd q = assembled(m, angle);
    Eigen::VectorXd v(3), a(3), tau(1);
    closed_motion(m, data, q, speed, acceleration, v, a);
    inverse_dynamics(m, data, q, v, a, tau, nullptr, &loops, &joints);
    return std::pair(position_of(m.model(), q, "rocker"), tau[0]);
  };
  Matrix6X<double> loops1(6, 1), joints1(6, 4), loops2(6, 1), joints2(6, 4);
  const auto [at1, tau1] = solve(one, data1, loops1, joints1);
  const auto [at2, tau2] = solve(two, data2, loops2, joints2);
  EXPECT_NEAR((at1 - at2).norm(), 0, 1e-12);
  EXPECT_NEAR(tau1, tau2, 1e-11);
  // In the plane all is determined: the pivot is a joint of one and the loop of the other, in the rocker's axes.
  const int pivot = model.joint("rocker_joint");
  for (const int k : {0, 1, 5}) {
    EXPECT_TRUE(one.joint_determined(pivot, k) && two.loop_determined(0, k)) << k;
    EXPECT_NEAR(joints1(k, pivot), loops2(k, 0), 1e-10) << k;
  }
  for (const int k : {2, 3, 4}) {
    EXPECT_FALSE(one.loop_determined(0, k)) << k;
    EXPECT_FALSE(two.loop_determined(0, k)) << k;
    EXPECT_NEAR(loops1(k, 0), 0, 1e-12) << k;  // the least
  }
}

TEST(MechanismInput, WhatCannotBe) {
  ModelSpec spec = shipped_model("four_bar").spec();
  const auto refused = [](const ModelSpec& s) { return complaint<InputError>([&] { Mechanism m(build_model(s)); }); };
  ModelSpec far = spec;
  far.loops[0].a.X_LF.p.x = 3;
  EXPECT_NE(refused(far).find("loop 'closing' stays open by"), std::string::npos) << refused(far);
  ModelSpec many = spec;
  many.independent = {"crank_joint", "rocker_joint"};
  EXPECT_NE(refused(many).find("has 2 coordinates, but the mechanism has 1"), std::string::npos) << refused(many);
  ModelSpec same = spec;
  same.loops[0].b.link = "coupler";
  EXPECT_NE(refused(same).find("one body"), std::string::npos);
  ModelSpec unknown = spec;
  unknown.loops[0].b.link = "roker";
  EXPECT_NE(refused(unknown).find("link 'roker' does not exist (did you mean 'rocker'?)"), std::string::npos);
  ModelSpec flipped = spec;
  flipped.loops[0].a.X_LF.R = rotation_x(M_PI);
  EXPECT_NE(refused(flipped).find("opposite directions"), std::string::npos) << refused(flipped);
}

TEST(MechanismInput, OutOfReachAndSingular) {
  const Model model = shipped_model("slider_crank");
  ModelSpec spec = model.spec();
  spec.independent = {"piston_joint"};
  for (LinkSpec& link : spec.links) link.joint.actuated = link.name == "piston";
  const Mechanism mechanism(build_model(spec));
  MechanismData<double> data(mechanism);
  Eigen::VectorXd q(3);
  const Eigen::VectorXd home = mechanism.home().eigen();
  const auto at = [&](double x) {
    return complaint<InputError>([&] { assemble(mechanism, data, Eigen::VectorXd::Constant(1, x), home, q); });
  };
  EXPECT_EQ(at(0.35), "none");
  EXPECT_NE(at(0.5).find("'wrist_pin' stays open by"), std::string::npos) << at(0.5);
  // At the dead centre the piston does not tell which way the crank goes.
  EXPECT_NE(at(0.4).find("singular here"), std::string::npos) << at(0.4);
  EXPECT_NE(at(0.4).find("rank 1 of 2"), std::string::npos) << at(0.4);
  EXPECT_NE(at(0.4).find("crank_joint"), std::string::npos) << at(0.4);
}

/// Home may be singular: the order of elimination comes from elsewhere, and states are as from another home.
TEST(MechanismInput, SingularHome) {
  const Mechanism flat(build_model(parallelogram(0))), open(build_model(parallelogram(1)));
  MechanismData<double> data(flat), other(open);
  const Eigen::VectorXd q = assembled(open, Eigen::VectorXd::Constant(1, 0.7)), one = Eigen::VectorXd::Ones(1);
  Eigen::VectorXd v(3), a(3), tau(1), expected(1);
  closed_motion(flat, data, q, one, one, v, a);
  inverse_dynamics(flat, data, q, v, a, tau);
  inverse_dynamics(open, other, q, v, a, expected);
  EXPECT_NEAR(tau[0], expected[0], 1e-12 * std::abs(expected[0]));
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  EXPECT_NE(complaint<InputError>([&] { inverse_dynamics(flat, data, zero, zero, zero, tau); }).find("singular here"),
            std::string::npos);
}

/// A piston at its dead centre does not turn the crank.
TEST(MechanismInput, SingularActuation) {
  ModelSpec spec = shipped_model("slider_crank").spec();
  spec.independent = {"crank_joint"};
  for (LinkSpec& link : spec.links) link.joint.actuated = link.name == "piston";
  const Mechanism mechanism(build_model(spec));
  MechanismData<double> data(mechanism);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
  Eigen::VectorXd tau(1);
  const auto at = [&](double crank, bool wrenches) {
    const Eigen::VectorXd q = assembled(mechanism, Eigen::VectorXd::Constant(1, crank));
    Matrix6X<double> loops(6, 1);
    return complaint<InputError>(
        [&] { inverse_dynamics(mechanism, data, q, zero, zero, tau, nullptr, wrenches ? &loops : nullptr); });
  };
  for (const bool wrenches : {false, true}) {
    SCOPED_TRACE(wrenches);
    EXPECT_EQ(at(0.5, wrenches), "none");
    EXPECT_NE(at(0, wrenches).find("rank 0 of 1"), std::string::npos) << at(0, wrenches);
    EXPECT_NE(at(0, wrenches).find("along crank_joint 1"), std::string::npos) << at(0, wrenches);
    EXPECT_NE(at(1e-11, wrenches).find("rank 0 of 1"), std::string::npos) << "what is left is rounding";
  }
}

TEST(MechanismInput, GivenMotionsThatOpenLoops) {
  const Mechanism mechanism(shipped_model("four_bar"));
  MechanismData<double> data(mechanism);
  const Eigen::VectorXd q = mechanism.home().eigen();
  Eigen::VectorXd v(3), a(3);
  // At 1e5 rad/s rounding alone opens loops by more than 1e-9.
  closed_motion(mechanism, data, q, Eigen::VectorXd::Constant(1, 1e5), Eigen::VectorXd::Constant(1, 3), v, a);
  EXPECT_EQ(complaint<InputError>([&] { require_closed(mechanism, data, q, v, a, 1e-9); }), "none");
  v[2] += 1e-3;
  EXPECT_NE(complaint<InputError>([&] { require_closed(mechanism, data, q, v, a, 1e-9); }).find("velocities"),
            std::string::npos);
  // A small gap is named as it is.
  closed_motion(mechanism, data, q, Eigen::VectorXd::Constant(1, 0.1), Eigen::VectorXd::Constant(1, 0), v, a);
  v[2] += 1e-7;
  const std::string refused = complaint<InputError>([&] { require_closed(mechanism, data, q, v, a, 1e-9); });
  EXPECT_NE(refused.find("e-08)"), std::string::npos) << refused;
}

}  // namespace
}  // namespace verne::test
