/// Errors in Nasser's paper: each printed equation beside the corrected one and an independent answer.
#include "formulations/barman.h"
#include "formulations/nasser.h"
#include "reproduce/erratum.h"
#include "reproduce/random_parts.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

using fm::operator*;  // of 3x3 matrices
using fm::operator-;

/// A chain in which link 2 is rotational and link 3 is translational, with everything known about its motion: truth is
/// the thesis's recursion in the same frames, which agrees with the library (the suite shows it).
class NasserErrata {
 public:
  NasserErrata() {
    std::mt19937_64 rng(23);
    const fm::DhJoint kinds[]{fm::DhJoint::revolute, fm::DhJoint::revolute, fm::DhJoint::prismatic,
                              fm::DhJoint::revolute};
    for (int j = 1; j <= 4; ++j) {
      fm::DhLink link;
      link.parent = j - 1, link.variable = j - 1, link.joint = kinds[j - 1];
      link.dh = {.a = random_number(rng, 0.1, 0.5),
                 .alpha = random_number(rng, 0.3, 1.3),
                 .d = random_number(rng, 0.1, 0.5),
                 .theta = random_number(rng, -1, 1)};
      link.mass = random_number(rng, 1, 2);
      link.com = random_vector(rng, 0.3);
      link.inertia = random_inertia(rng, link.mass, 0.4);
      tree_.links.push_back(link);
    }
    tree_.variables = 4;
    tree_.gravity = {0, 0, -9.81};
    q_ = random_values(rng, 4, 1), qd_ = random_values(rng, 4, 2), qdd_ = random_values(rng, 4, 3);
    motion_ = fm::barman_dynamics<double>(tree_, {span_of(q_), span_of(qd_), span_of(qdd_)});
  }

  /// Quantities of link i in the axes of frame i − 1, as Nasser has them.
  struct Seen {
    Mat3<double> R, J;
    Vec3<double> r, P, omega, omega_before, omega_dot_before, v_dot_before;
    Vec3<double> F, N;  ///< m times the acceleration of the centre of mass; rate of angular momentum about it
    double m, rate, acceleration;
  };
  Seen seen(int i) const {
    const auto& now = motion_.links[static_cast<std::size_t>(i)];
    const auto& before = motion_.links[static_cast<std::size_t>(i - 1)];
    const fm::DhLink& link = tree_.links[static_cast<std::size_t>(i)];
    Seen s;
    s.R = transpose(before.R_0) * now.R_0;
    s.J = s.R * fm::full(link.inertia) * transpose(s.R);
    s.r = s.R * now.xG_delta, s.P = s.R * now.x_delta, s.omega = s.R * now.omega;
    s.omega_before = before.omega, s.omega_dot_before = before.omega_dot, s.v_dot_before = before.xdd;
    s.m = link.mass, s.rate = qd_[i - 1], s.acceleration = qdd_[i - 1];
    s.F = s.R * now.xddG * s.m, s.N = s.R * now.tau_G;
    return s;
  }
  static constexpr Vec3<double> kZ{0, 0, 1};

  // (2.1.3): signs of the control and external forces. Truth: Newton's law (2.1.2) for link 2.
  void eq2_1_3(Proof& proof) const {
    const Seen s = seen(2);
    std::mt19937_64 rng(5);
    const Vec3<double> control = random_vector(rng, 5), next_control = random_vector(rng, 5),
                       external = random_vector(rng, 5), beyond = random_vector(rng, 5);  // f_{i,i+1}
    // f_{i-1,i} from (2.1.2): the sum of all forces on the link is F.
    const Vec3<double> truth = s.F + beyond - external + next_control - control;
    const Vec3<double> alpha = (s.v_dot_before + cross(s.omega_dot_before, s.r)) * s.m;
    const Vec3<double> beta =
        (cross(s.omega, cross(s.omega, s.r)) + cross(cross(s.omega_before, kZ * s.rate), s.r)) * s.m;
    const Vec3<double> common = alpha + beta + beyond - cross(s.r, kZ * s.acceleration) * s.m;
    proof.add(common - control - next_control + external, common - control + next_control - external, truth);
  }

  // (2.2.4): the same signs, and β*' + r* × β' in the second row. Truth: Newton and Euler about the near end of link 3.
  void eq2_2_4(Proof& proof) const {
    const Seen s = seen(3);
    std::mt19937_64 rng(6);
    const Vec3<double> control = random_vector(rng, 5), next_control = random_vector(rng, 5),
                       external = random_vector(rng, 5);
    const Vec3<double> beta =
        (cross(s.omega_before, cross(s.omega_before, s.r)) + cross(s.omega_before, kZ * s.rate) * 2.0) * s.m;
    const Vec3<double> beta_star = cross(s.omega_before, s.J * s.omega_before);
    const Vec3<double> N_t = cross(s.r, external) - cross(s.P, next_control);  // (2.1.5.3), no torques
    const Vec3<double> linear = (s.v_dot_before + cross(s.omega_dot_before, s.r) + kZ * s.acceleration) * s.m;
    const Vec3<double> rest = linear, rest_moment = s.J * s.omega_dot_before + cross(s.r, linear);
    const Vec3<double> f = s.F - external + next_control - control;
    const Vec3<double> n = s.N + cross(s.r, s.F) - cross(s.r, external) + cross(s.P, next_control);
    const fm::Vec6<double> truth{f - rest, n - rest_moment};
    const fm::Vec6<double> printed{beta - control - next_control + external, beta + cross(f, beta) - N_t};
    const fm::Vec6<double> corrected{beta - control + next_control - external, beta_star + cross(s.r, beta) - N_t};
    proof.add(eigen(printed), eigen(corrected), eigen(truth));
  }

  // (2.1.7.2) and γ, which is never defined: with actuator inertia, γ = 1 − Z Zᵀ would lose the rotor's reaction.
  void gamma_with_actuator_inertia(Proof& proof) const {
    // The torque about its own axis that link 4 gets through its joint is the control less J^a θ̈; the rest of the
    // wrench is the same either way.
    fm::DhTree geared = tree_;
    geared.links[4].rotor_inertia = 0.3;
    const std::vector<double> control{1, 2, 3, 4};
    const auto out = fm::nasser_dynamics<double>(geared, {span_of(q_), span_of(qd_), control});
    // Truth from the thesis's recursion at the accelerations that came out: the torque that moves link 4.
    const Eigen::VectorXd qdd = vector_of(out.acceleration);
    const double moved = fm::barman_dynamics<double>(geared, {span_of(q_), span_of(qd_), span_of(qdd)}).effort[3];
    proof.add(control[3], control[3] + out.reaction[4].bottom.z, moved);
  }

  // (2.1.13.2): plus ω_{i-1} × z θ̇. Truth: acceleration of frame 2.
  void eq2_1_13_2(Proof& proof) const {
    const Seen s = seen(2);
    const Vec3<double> turned = cross(s.omega_before, kZ * s.rate), centripetal = cross(s.omega, cross(s.omega, s.P));
    const auto acceleration = [&](const Vec3<double>& second) {
      const Vec3<double> omega_dot = s.omega_dot_before + kZ * s.acceleration + second;
      return fm::Vec6<double>{s.v_dot_before + centripetal - cross(s.P, omega_dot), omega_dot};
    };
    const fm::Vec6<double> truth{s.R * motion_.links[2].xdd, s.R * motion_.links[2].omega_dot};
    proof.add(eigen(acceleration(-turned)), eigen(acceleration(turned)), eigen(truth));
  }

  // Before (2.1.14): the reaction of the last link is γ G (A q + B), not A q. Truth: what the library's recursion says.
  void first_formula_before2_1_14(Proof& proof) const {
    const std::vector<double> control(4, 0);
    const auto out = fm::nasser_dynamics<double>(tree_, {span_of(q_), span_of(qd_), control});
    const Eigen::VectorXd qdd = vector_of(out.acceleration);
    const auto motion = fm::barman_dynamics<double>(tree_, {span_of(q_), span_of(qd_), span_of(qdd)});
    const auto &now = motion.links[4], &before = motion.links[3];
    const Mat3<double> R = transpose(before.R_0) * now.R_0;
    const fm::Vec6<double> truth{R * now.F_p, R * now.tau_p};
    const Vec3<double> r = R * now.xG_delta, g = transpose_times(before.R_0, tree_.gravity);
    const Vec3<double> v_dot = before.xdd - g;
    const double m = tree_.links[4].mass;
    const Mat3<double> J = R * fm::full(tree_.links[4].inertia) * transpose(R), r_tilde = fm::skew(r);
    const fm::Mat6<double> A =
        fm::Mat6<double>::blocks(fm::scaled_identity(m), -(r_tilde * m), r_tilde * m, J - r_tilde * r_tilde * m);
    proof.add(eigen(A * fm::Vec6<double>{v_dot, before.omega_dot}), eigen(out.reaction[4]), eigen(truth));
  }

  // (2.2.1): r*, not y*; read as the other vector at hand, P*, it is wrong.
  void eq2_2_1(Proof& proof) const {
    const Seen s = seen(3);
    const auto beta = [&](const Vec3<double>& arm) {
      return (cross(s.omega_before, cross(s.omega_before, arm)) + cross(s.omega_before, kZ * s.rate) * 2.0) * s.m;
    };
    const Vec3<double> truth = s.F - (s.v_dot_before + cross(s.omega_dot_before, s.r) + kZ * s.acceleration) * s.m;
    proof.add(beta(s.P), beta(s.r), truth);
  }

  // No gravity anywhere: it must enter as the acceleration of the base.
  void gravity(Proof& proof) const {
    const std::vector<double> rest(4, 0);
    fm::DhTree one = tree_;
    one.links.resize(2), one.variables = 1;
    const std::vector<double> zero{0};
    const Vec3<double> none{0, 0, 0};
    const auto printed = fm::nasser_dynamics<double>(one, {zero, zero, zero}, {none, none, none});
    const auto corrected = fm::nasser_dynamics<double>(one, {zero, zero, zero}, {none, none, -one.gravity});
    // A pendulum about a vertical axis does not fall, but its bearing carries the weight.
    proof.add(printed.wrench[1].top, corrected.wrench[1].top, -one.gravity * one.links[1].mass);
  }

 private:
  fm::DhTree tree_;
  Eigen::VectorXd q_, qd_, qdd_;
  fm::BarmanDynamics<double> motion_;
};

}  // namespace

std::vector<Erratum> nasser_errata() {
  static constexpr ErratumEntry<NasserErrata> kEntries[]{
      {"NasserErrata.Eq2_1_3", "2.1.3", &NasserErrata::eq2_1_3},
      {"NasserErrata.Eq2_2_4", "2.2.4", &NasserErrata::eq2_2_4},
      {"NasserErrata.GammaWithActuatorInertia", "γ, from 2.1.14 on", &NasserErrata::gamma_with_actuator_inertia},
      {"NasserErrata.Eq2_1_13_2", "2.1.13.2", &NasserErrata::eq2_1_13_2},
      {"NasserErrata.FirstFormulaBefore2_1_14", "before 2.1.14", &NasserErrata::first_formula_before2_1_14},
      {"NasserErrata.Eq2_2_1", "2.2.1", &NasserErrata::eq2_2_1},
      {"NasserErrata.Gravity", "gravity", &NasserErrata::gravity},
  };
  return proven(NasserErrata(), kEntries);
}

}  // namespace verne::reproduce
