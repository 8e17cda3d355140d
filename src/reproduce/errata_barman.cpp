/// Errors in Barman's thesis: each printed equation beside the corrected one and an independent answer. Truth is the
/// complex step through the values, which agree with the library.
#include "formulations/barman.h"
#include "reproduce/complex_step.h"
#include "reproduce/erratum.h"
#include "reproduce/random_parts.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// B_i of degree 3 on any knots (Cox, de Boor).
double basis(const std::vector<double>& s, std::size_t i, int degree, double t) {
  if (degree == 0) return s[i] <= t && t < s[i + 1] ? 1 : 0;
  const auto part = [](double above, double below) { return below > 0 ? above / below : 0; };
  const auto k = static_cast<std::size_t>(degree);
  return part(t - s[i], s[i + k] - s[i]) * basis(s, i, degree - 1, t) +
         part(s[i + k + 1] - t, s[i + k + 1] - s[i + 1]) * basis(s, i + 1, degree - 1, t);
}

/// A chain of revolute and prismatic joints with general parameters, loads on its links 3 and 5.
class BarmanErrata {
 public:
  using Link = fm::BarmanLink<double>;
  using C = fm::BarmanLink<Complex>;
  enum By { kQ, kQd, kQdd };

  BarmanErrata() {
    std::mt19937_64 rng(12);
    tree_.gravity = {1, -2, -9};
    for (int j = 1; j <= 5; ++j) {
      fm::DhLink link;
      link.parent = j - 1;
      link.joint = j % 2 == 1 ? fm::DhJoint::revolute : fm::DhJoint::prismatic;
      link.dh = {.a = random_number(rng, 0.1, 0.5),
                 .alpha = random_number(rng, 0.3, 1.3),
                 .d = random_number(rng, 0.1, 0.5),
                 .theta = random_number(rng, -1, 1)};
      link.variable = j - 1;
      link.mass = random_number(rng, 1, 2);
      link.com = random_vector(rng, 0.3);
      link.inertia = random_inertia(rng, link.mass, 0.4);
      tree_.links.push_back(link);
    }
    tree_.variables = 5;
    for (Eigen::VectorXd* x : {&q_, &qd_, &qdd_}) *x = random_values(rng, 5, 2);
    for (const int k : {3, 5})
      loads_.push_back({k, random_vector(rng, 9), random_vector(rng, 5), random_vector(rng, 0.4)});
    sens_ = std::make_unique<fm::BarmanSensitivities<double>>(
        fm::barman_sensitivities<double>(tree_, {span_of(q_), span_of(qd_), span_of(qdd_), loads_}));
  }

  const Link& value(int j) const { return sens_->values.links[static_cast<std::size_t>(j)]; }
  /// Derivatives by variable i (counted from 1, as joints are).
  const Link& by(By kind, int j, int i) const {
    return (kind == kQ ? sens_->by_q : kind == kQd ? sens_->by_qd : sens_->by_qdd).at(j, i - 1);
  }
  /// Local rotation and its derivative by the own variable.
  Mat3<double> R(int j) const { return transpose(value(j - 1).R_0) * value(j).R_0; }
  Mat3<double> R_own(int j) const { return transpose(value(j - 1).R_0) * by(kQ, j, j).R_0; }
  Vec3<double> e(int j) const {
    const double alpha = tree_.links[static_cast<std::size_t>(j)].dh.alpha;
    return {0, std::sin(alpha), std::cos(alpha)};
  }
  double rate(int j) const { return qd_[j - 1]; }
  const fm::DhLink& link(int j) const { return tree_.links[static_cast<std::size_t>(j)]; }

  std::vector<fm::BarmanLink<Complex>> stepped_links(By kind, int i, bool loaded) const {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(5, i - 1), none = Eigen::VectorXd::Zero(5);
    const Eigen::VectorXcd q = stepped(q_, kind == kQ ? unit : none), qd = stepped(qd_, kind == kQd ? unit : none),
                           qdd = stepped(qdd_, kind == kQdd ? unit : none);
    std::vector<fm::BarmanLoad<Complex>> loads;
    for (const auto& l : loads_) {
      loads.push_back({l.link, fm::cast<Complex>(l.force), fm::cast<Complex>(l.moment), fm::cast<Complex>(l.point)});
    }
    if (!loaded) loads.clear();
    return fm::barman_dynamics<Complex>(tree_, {span_of(q), span_of(qd), span_of(qdd), loads}).links;
  }
  Vec3<double> truth(By kind, Vec3<Complex> fm::BarmanLink<Complex>::*field, int j, int i, bool loaded = true) const {
    const Vec3<Complex> x = stepped_links(kind, i, loaded)[static_cast<std::size_t>(j)].*field;
    return {derivative(x.x), derivative(x.y), derivative(x.z)};
  }

  // z_{j-1} is the axis of joint j, not of joint j + 1: what its rate adds to the angular velocity, in base axes.
  void chapter2_axis(Proof& proof) const {
    const Vec3<double> axis = value(2).R_0 * Vec3<double>{0, 0, 1};  // z_2
    const auto turned_by = [&](int joint) { return value(joint).R_0 * truth(kQd, &C::omega, joint, joint); };
    proof.add(turned_by(5), turned_by(3), axis);
  }

  // (2.9), (2.12), (3.2): no (l, d_G) gives a centre of mass that lies off the plane of x_j and z_{j-1}.
  void eq3_2_centre_of_mass(Proof& proof) const {
    DhParameters dh = link(1).dh;
    dh.theta += q_[0];
    const Transform<double> X_01 = dh_transform(dh);
    const Vec3<double> from_near_end = transpose_times(X_01.R, X_01 * link(1).com);
    const double l = from_near_end.x, d_G = dot(from_near_end, e(1));  // the nearest that (3.2) can come
    proof.add({l, d_G * e(1).y, d_G * e(1).z}, value(1).xG_delta, from_near_end);
  }

  // Nomenclature: F_jp is the force of link j − 1 on link j. A hanging link is held up by it.
  void nomenclature_of_fjp(Proof& proof) const {
    fm::DhTree one = tree_;
    one.links.resize(2), one.variables = 1;
    const std::vector<double> zero{0};
    const auto out = fm::barman_dynamics<double>(one, {zero, zero, zero});
    const Vec3<double> F_p = out.links[1].R_0 * out.links[1].F_p, held = -one.gravity * one.links[1].mass;
    proof.add(-F_p, F_p, held);
  }

  // Δx_j is never given: (2.11) brought to the axes of frame j, not (2.11) itself.
  void missing_delta_x(Proof& proof) const {
    const double theta = q_[2] + link(3).dh.theta;
    const Vec3<double> eq2_11{link(3).dh.a * std::cos(theta), link(3).dh.a * std::sin(theta), link(3).dh.d};
    const Vec3<double> truth_x = value(3).x - transpose_times(R(3), value(2).x);
    proof.add(eq2_11, {link(3).dh.a, link(3).dh.d * e(3).y, link(3).dh.d * e(3).z}, truth_x);
    // and of a prismatic joint by its own variable
    proof.add(Vec3<double>{0, 0, 0}, e(2), truth(kQ, &C::x_delta, 2, 2));
  }

  void eq3_13(Proof& proof) const {
    proof.add(Vec3<double>{0, 0, 0}, transpose_times(R(4), by(kQd, 3, 1).omega), truth(kQd, &C::omega, 4, 1));
  }

  void eq3_18(Proof& proof) const {
    const Vec3<double> R_own_e = transpose_times(R_own(3), Vec3<double>{0, 0, 1});
    proof.add(cross(value(3).omega_carried, R_own_e), cross(value(3).omega_carried, e(3)),
              truth(kQd, &C::omega_dot_delta, 3, 3));
  }

  void eq3_40(Proof& proof) const {
    const Vec3<double> carried = transpose_times(R(4), by(kQd, 3, 1).xd);
    proof.add(carried, carried + by(kQd, 4, 1).xd_delta, truth(kQd, &C::xd, 4, 1));
  }

  void eq3_51(Proof& proof) const {
    const Link& d = by(kQdd, 3, 1);
    proof.add(cross(d.omega, value(3).x_delta), cross(d.omega_dot, value(3).x_delta), truth(kQdd, &C::xdd_delta, 3, 1));
  }

  void eq3_52(Proof& proof) const {
    const Vec3<double> second = cross(value(4).omega, by(kQ, 4, 4).xd_delta);
    proof.add(cross(value(4).omega, e(4)) + second, cross(value(4).omega_dot, e(4)) + second,
              truth(kQ, &C::xdd_delta, 4, 4));
  }

  // (3.56), truth: the second derivative in time of the centre of mass, along the motion.
  void eq3_56(Proof& proof) const {
    const Link& l = value(4);
    const Vec3<double> common =
        l.xdd_carried + cross(l.omega_dot, l.xG_delta) + cross(l.omega, l.xdG_delta) + cross(l.omega, e(4) * rate(4));
    // d/dt of the velocity in base axes, by a complex step along q̇ (with q̈ as its rate).
    const Eigen::VectorXcd q = stepped(q_, qd_), qd = stepped(qd_, qdd_), qdd = qdd_.cast<Complex>();
    const auto moved = fm::barman_dynamics<Complex>(tree_, {span_of(q), span_of(qd), span_of(qdd)}).links[4];
    const Vec3<Complex> velocity = moved.R_0 * moved.xdG;
    const Vec3<double> acceleration{derivative(velocity.x), derivative(velocity.y), derivative(velocity.z)};
    const double d_ddot = qdd_[3];
    proof.add(common + e(4) * rate(4), common + e(4) * d_ddot, transpose_times(l.R_0, acceleration));
  }

  void eq3_58(Proof& proof) const {
    const double d_dot_by_qdd = 0, d_ddot_by_qdd = 1;
    proof.add(e(4) * d_dot_by_qdd, e(4) * d_ddot_by_qdd, truth(kQdd, &C::xddG_delta, 4, 4));
  }

  void eq3_61(Proof& proof) const {
    const Link& d = by(kQ, 4, 3);
    proof.add(d.xd_carried + d.xdG_delta, d.xdd_carried + d.xddG_delta, truth(kQ, &C::xddG, 4, 3));
  }

  // (3.67): g must be minus the gravity vector. At rest the force must carry the weight.
  void eq3_67(Proof& proof) const {
    const std::vector<double> zero(5, 0);
    const auto out = fm::barman_dynamics<double>(tree_, {zero, zero, zero});
    const Vec3<double> weight =
        tree_.gravity * (link(1).mass + link(2).mass + link(3).mass + link(4).mass + link(5).mass);
    const Vec3<double> F_1 = out.links[1].R_0 * out.links[1].F_p;
    proof.add(weight, -weight, F_1);
  }

  // Steps 9a-9e: each must be done for all links before the next. Link by link, loads would count twice.
  void order_of_step9(Proof& proof) const {
    Vec3<double> link_by_link{0, 0, 0}, load{0, 0, 0};
    for (int j = 5; j >= 1; --j) {
      const Vec3<double> beyond = j < 5 ? R(j + 1) * link_by_link : Vec3<double>{0, 0, 0};  // F_jd with loads in it
      load = j < 5 ? R(j + 1) * load : Vec3<double>{0, 0, 0};
      for (const auto& l : loads_) {
        if (l.link == j) load += transpose_times(value(j).R_0, l.force);
      }
      link_by_link = beyond + value(j).F_G + load;
    }
    Vec3<double> balance{0, 0, 0};  // of all links and loads, base axes
    for (int j = 1; j <= 5; ++j) balance += value(j).R_0 * value(j).F_G;
    for (const auto& l : loads_) balance += l.force;
    proof.add(value(1).R_0 * link_by_link, value(1).R_0 * value(1).F_p, balance);
  }

  void eq3_76(Proof& proof) const {
    const Vec3<double>&force = loads_[1].force, balance = value(5).F_p - value(5).F_G;  // of the last link
    proof.add(transpose_times(by(kQ, 5, 3).R_0, force), transpose_times(value(5).R_0, force), balance);
  }

  // (3.78), (3.86), (3.90): an upward push *on* link 5 lowers what the first joint has to carry.
  void eq3_78_sign(Proof& proof) const {
    const std::vector<double> zero(5, 0);
    const Vec3<double> push = -tree_.gravity * 0.5;
    const auto held = [&](const Vec3<double>& force) {
      const std::vector<fm::BarmanLoad<double>> load{{5, force, {0, 0, 0}, {0, 0, 0}}};
      const auto out = fm::barman_dynamics<double>(tree_, {zero, zero, zero, load});
      return out.links[1].R_0 * out.links[1].F_p;
    };
    double mass = 0;
    for (int j = 1; j <= 5; ++j) mass += link(j).mass;
    proof.add(held(push), held(-push), -tree_.gravity * mass - push);
  }

  // (3.79), (3.87), (3.91): loads leave the derivatives by q̇ and q̈ as they are.
  void eq3_79(Proof& proof) const {
    const Vec3<double> none{0, 0, 0};
    proof.add(none, by(kQd, 2, 1).F_p, truth(kQd, &C::F_p, 2, 1));
    proof.add(none, by(kQdd, 2, 1).F_p, truth(kQdd, &C::F_p, 2, 1));
    proof.add(none, by(kQd, 2, 1).tau_p, truth(kQd, &C::tau_p, 2, 1));
    proof.add(none, by(kQdd, 2, 1).tau_p, truth(kQdd, &C::tau_p, 2, 1));
  }

  void eq3_83(Proof& proof) const {
    const Link &v = value(4), &d = by(kQ, 4, 4);
    const Vec3<double> printed = d.tau_d + d.tau_G - cross(d.F_d, v.x_delta) - cross(d.F_G, v.xG_delta);
    const Vec3<double> corrected = printed - cross(v.F_d, e(4)) - cross(v.F_G, e(4));
    proof.add(printed, corrected, truth(kQ, &C::tau_p, 4, 4, false));
  }

  void eq3_85(Proof& proof) const {
    const Link &v = value(5), &d = by(kQ, 5, 3);
    proof.add(cross(v.x_delta, d.F_de), cross(loads_[1].point + v.x_delta, d.F_de), truth(kQ, &C::tau_def, 5, 3));
  }

  // (3.84), (3.85), (3.88), (3.89): τ^e_{(j+1)d} is τ^ef in the first two and τ^em in the last two, not their sum.
  void eq3_84_superscripts(Proof& proof) const {
    const Link &v = value(4), &beyond = value(5);
    const Vec3<double> arm = cross(v.x_delta, v.F_de), sum = beyond.tau_def + beyond.tau_dem;
    // Truth: what the force of load 2 alone does about the near end of link 4.
    const Vec3<double> force = transpose_times(v.R_0, loads_[1].force);
    const Vec3<double> lever =
        transpose_times(v.R_0, value(5).R_0 * (value(5).x + loads_[1].point) - value(3).R_0 * value(3).x);
    proof.add(R(5) * sum + arm, R(5) * beyond.tau_def + arm, cross(lever, force));
    proof.add(R(5) * sum, R(5) * beyond.tau_dem, transpose_times(v.R_0, loads_[1].moment));
  }

  // (4.14): with evenly spaced simple knots on [0, T] every basis function vanishes at t = 0, and q(0) = −2 of (4.17)
  // cannot be met; with clamped knots they add up to one.
  void eq4_14(Proof& proof) const {
    const std::vector<double> printed{0, 1, 2, 3, 4, 5, 6, 7, 8}, clamped{0, 0, 0, 0, 2, 4, 8, 8, 8, 8};
    const auto sum = [](const std::vector<double>& knots, double t) {
      double total = 0;
      for (std::size_t i = 0; i + 4 < knots.size(); ++i) total += basis(knots, i, 3, t);
      return total;
    };
    for (const double t : {0.0, 0.5, 7.999}) proof.add(sum(printed, t), sum(clamped, t), 1.0);
  }

  // (5.6): two pendulums that swing apart. Along the vertical (y is up in 5.4) the product is positive all the same;
  // along z, the direction of walking, it is not.
  void eq5_6(Proof& proof) const {
    const Eigen::Vector3d arm(0, -1, 0.3), leg(0, -1, -0.3), vertical(0, 1, 0), walking(0, 0, 1);
    const auto constraint = [&](const Eigen::Vector3d& n) { return arm.dot(n) * leg.dot(n); };
    const auto sign = [](double x) { return x > 0 ? 1.0 : -1.0; };
    proof.add(sign(constraint(vertical)), sign(constraint(walking)), -1);  // it must not hold
  }

 private:
  fm::DhTree tree_;
  Eigen::VectorXd q_, qd_, qdd_;
  std::vector<fm::BarmanLoad<double>> loads_;
  std::unique_ptr<fm::BarmanSensitivities<double>> sens_;
};

}  // namespace

std::vector<Erratum> barman_errata() {
  static constexpr ErratumEntry<BarmanErrata> kEntries[]{
      {"BarmanErrata.Chapter2Axis", "chapter 2", &BarmanErrata::chapter2_axis},
      {"BarmanErrata.Eq3_2CentreOfMass", "2.9, 2.12, 3.2", &BarmanErrata::eq3_2_centre_of_mass},
      {"BarmanErrata.NomenclatureOfFjp", "nomenclature of F_jp", &BarmanErrata::nomenclature_of_fjp},
      {"BarmanErrata.MissingDeltaX", "3.26, 3.35: Δx", &BarmanErrata::missing_delta_x},
      {"BarmanErrata.Eq3_13", "3.13", &BarmanErrata::eq3_13},
      {"BarmanErrata.Eq3_18", "3.18", &BarmanErrata::eq3_18},
      {"BarmanErrata.Eq3_40", "3.40", &BarmanErrata::eq3_40},
      {"BarmanErrata.Eq3_51", "3.51", &BarmanErrata::eq3_51},
      {"BarmanErrata.Eq3_52", "3.52", &BarmanErrata::eq3_52},
      {"BarmanErrata.Eq3_56", "3.56", &BarmanErrata::eq3_56},
      {"BarmanErrata.Eq3_58", "3.58", &BarmanErrata::eq3_58},
      {"BarmanErrata.Eq3_61", "3.61", &BarmanErrata::eq3_61},
      {"BarmanErrata.Eq3_67", "3.67", &BarmanErrata::eq3_67},
      {"BarmanErrata.OrderOfStep9", "steps 9a–9e", &BarmanErrata::order_of_step9},
      {"BarmanErrata.Eq3_76", "3.76", &BarmanErrata::eq3_76},
      {"BarmanErrata.Eq3_78Sign", "3.78, 3.86, 3.90", &BarmanErrata::eq3_78_sign},
      {"BarmanErrata.Eq3_79", "3.79, 3.87, 3.91", &BarmanErrata::eq3_79},
      {"BarmanErrata.Eq3_83", "3.83", &BarmanErrata::eq3_83},
      {"BarmanErrata.Eq3_85", "3.85", &BarmanErrata::eq3_85},
      {"BarmanErrata.Eq3_84Superscripts", "3.84, 3.85, 3.88, 3.89", &BarmanErrata::eq3_84_superscripts},
      {"BarmanErrataChapter4.Eq4_14", "4.14", &BarmanErrata::eq4_14},
      {"BarmanErrataChapter5.Eq5_6", "5.6", &BarmanErrata::eq5_6},
  };
  return proven(BarmanErrata(), kEntries);
}

}  // namespace verne::reproduce
