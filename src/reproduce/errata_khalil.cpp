/// Errors in Khalil's paper: each printed equation beside the corrected one and an independent answer.
#include <Eigen/Dense>

#include "formulations/khalil_elastic.h"
#include "formulations/khalil_loops.h"
#include "formulations/khalil_moving_base.h"
#include "formulations/khalil_steps.h"
#include "reproduce/erratum.h"
#include "reproduce/general_models.h"
#include "reproduce/random_parts.h"
#include "verne/dynamics/configuration.h"
#include "verne/dynamics/kinematics.h"
#include "verne/spatial/inertia.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// A tree with friction and rotor inertia at a random state; truth comes from the library or from another algorithm.
struct Robot {
  explicit Robot(int size, bool chain = true, JointType root = JointType::fixed)
      : model(build_model(general_tree(rng, {.joints = size, .chain = chain, .losses = true, .root = root}))),
        tree(*fm::mdh_tree_of(model)),
        data(model),
        s{random_configuration(model, rng), random_values(rng, model.nv(), 2), random_values(rng, model.nv(), 5),
          random_values(rng, model.nv(), 20)},
        n(tree.variables),
        q(s.q.tail(n)),
        v(s.v.tail(n)),
        a(s.a.tail(n)),
        tau(s.tau.tail(n)),
        joints(fm::khalil_joints<double>(tree, span_of(q), span_of(v))) {
    if (root == JointType::free) base = moving_base();
  }
  fm::KhalilState<double> state() const { return {span_of(q), span_of(v)}; }
  const fm::MdhLink& link(int j) const { return tree.links[static_cast<std::size_t>(j)]; }
  const fm::KhalilJoint<double>& joint(int j) const { return joints[static_cast<std::size_t>(j)]; }
  fm::Mat6<double> J(int j) const { return fm::spatial_inertia<double>(link(j)); }
  /// Angular velocity of link j, and its β and γ.
  Vec3<double> omega(int j) const {
    if (j == 0) return base.omega;
    Vec3<double> out = transpose_times(joint(j).R, omega(joint(j).i));
    if (joint(j).revolute) out += Vec3<double>{0, 0, v[link(j).variable]};
    return out;
  }
  fm::Vec6<double> beta(int j) const { return fm::beta<double>(link(j), omega(j), {}, j); }
  fm::Vec6<double> gamma(int j) const { return joint(j).gamma(omega(joint(j).i)); }
  /// The frame of the free body is the child-side frame of its joint.
  fm::KhalilMovingBase<double> moving_base() {
    const TreeSite& site = model.tree().sites[0];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_BS(site.R);
    const Eigen::Matrix3d R = forward_kinematics(model, data, s.q).rotation(0) * R_BS.transpose();
    fm::KhalilMovingBase<double> out;
    for (int i = 0; i < 9; ++i) out.R_w0.m[i] = R(i / 3, i % 3);
    out.omega = {s.v[3], s.v[4], s.v[5]};
    return out;
  }
  double friction(int j) const { return fm::friction(link(j), v[link(j).variable]); }

  std::mt19937_64 rng{41};
  Model model;
  fm::MdhTree tree;
  Data<double> data;
  CheckState s;
  int n;
  Eigen::VectorXd q, v, a, tau;
  std::vector<fm::KhalilJoint<double>> joints;
  fm::KhalilMovingBase<double> base{Mat3<double>::identity(), {0, 0, 0}};
};

/// 𝕂 and α of a link that is given its torque, (36)-(38), from its 𝕁* and β*.
struct Eliminated {
  double H;
  fm::Mat6<double> K;
  fm::Vec6<double> alpha;

  Eliminated(const Robot& r, int j, const fm::Mat6<double>& J, const fm::Vec6<double>& beta, double power = -1) {
    const fm::Vec6<double> a = r.joint(j).a(), Ja = J * a;
    H = dot(a, Ja) + r.link(j).rotor_inertia;
    K = fm::reduced(J, Ja, H);
    const double force = r.tau[r.link(j).variable] - r.friction(j);
    alpha = K * r.gamma(j) + Ja * (std::pow(H, power) * (force + dot(a, beta))) - beta;
  }
};

constexpr int kChain = 3;

/// A five-bar in a plane: two active and two passive joints, so that the printed product exists.
fm::KhalilClosedRobot five_bar(std::mt19937_64& rng) {
  fm::KhalilClosedRobot robot;
  const auto add = [&](int antecedent, double d) {
    fm::MdhLink link;
    link.antecedent = antecedent, link.sigma = 0, link.frame.d = d, link.variable = robot.tree.variables++;
    link.mass = random_number(rng, 1, 2);
    const Vec3<double> com = random_vector(rng, 0.3);
    const RigidInertia<double> inertia = inertia_from_com(link.mass, com, random_inertia(rng, link.mass, 0.3));
    link.first_moment = inertia.mc, link.inertia = inertia.I;
    robot.tree.links.push_back(link);
  };
  add(0, 0), add(1, 0.5), add(0, 1), add(3, 0.6);
  robot.tree.gravity = {0, -9.81, 0};
  robot.active = {true, false, true, false};
  robot.cuts = {{2, 4, {{0, {.d = 0.7}}}, {.d = 0.8}}};
  return robot;
}

class KhalilErrata {
 public:
  // (1): the last row of a homogeneous matrix is 0 0 0 1; with 0 0 0 0 products lose the first translation.
  void eq1(Proof& proof) const {
    const Robot r(kChain);
    const auto matrix = [&](int j, double corner) {
      Eigen::Matrix4d T = Eigen::Matrix4d::Zero();
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) T(i, k) = r.joint(j).R(i, k);
      }
      T.topRightCorner<3, 1>() = eigen(r.joint(j).P);
      T(3, 3) = corner;
      return T;
    };
    const Eigen::Vector3d truth = eigen(fm::khalil_poses<double>(r.tree, span_of(r.q))[2].p);
    proof.add((matrix(1, 0) * matrix(2, 0)).topRightCorner<3, 1>(),
              (matrix(1, 1) * matrix(2, 1)).topRightCorner<3, 1>(), truth);
  }

  // (8): no minus sign.
  void eq8(Proof& proof) const {
    Robot r(kChain);
    const auto m = fm::khalil_matrices<double>(r.tree, r.state());
    const Eigen::VectorXd solution = m.A.llt().solve(r.tau - m.H);
    proof.add(-solution, solution, forward_dynamics(r.model, r.data, r.s.q, r.s.v, r.s.tau));
  }

  // (14), (112): the acceleration is carried over by the screw transformation from link a(j), not only turned.
  void eq14_and112(Proof& proof) const {
    const Robot r(5, false);
    const auto truth = fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a)).acceleration;
    Eigen::MatrixXd printed(6, 4), corrected(6, 4), expected(6, 4);
    for (int j = 2; j <= 5; ++j) {
      const fm::Vec6<double> own = r.joint(j).a() * r.a[r.link(j).variable] + r.gamma(j);
      const auto at = static_cast<std::size_t>(j);
      const fm::Vec6<double> before = truth[at - 1], turned{transpose_times(r.joint(j).R, before.top),
                                                            transpose_times(r.joint(j).R, before.bottom)};
      printed.col(j - 2) = eigen(turned + own);
      corrected.col(j - 2) = eigen(r.joint(j).T() * truth[static_cast<std::size_t>(r.joint(j).i)] + own);
      expected.col(j - 2) = eigen(truth[at]);
    }
    proof.add(printed, corrected, expected);
  }

  // (51): minus ⁿ𝕋ᵀ f_n. Truth: 𝕁 V̇ of the last but one link.
  void eq51(Proof& proof) const {
    const Robot r(kChain);
    const auto out = fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a));
    const fm::Vec6<double> carried = transpose(r.joint(3).T()) * out.wrench[3], own = out.wrench[2] + r.beta(2);
    proof.add(eigen(own + carried), eigen(own - carried), eigen(r.J(2) * out.acceleration[2]));
  }

  // (57): the Jacobian must be transposed. Truth: equal power of all motions that the loop allows.
  void eq57(Proof& proof) const {
    std::mt19937_64 rng(3);
    const fm::KhalilClosedRobot robot = five_bar(rng);
    const Eigen::VectorXd q = fm::khalil_closed_positions(robot, (Eigen::VectorXd(5) << 2, -1, 1.1, 0.9, 0).finished());
    const Eigen::Vector2d qd(1, -0.5), qdd(2, 1);
    const fm::KhalilClosedMotion motion = fm::khalil_closed_motion(robot, q, qd, qdd);
    const Eigen::VectorXd q_tr = q.head(4), qd_tr = motion.qd.head(4), qdd_tr = motion.qdd.head(4);
    const Eigen::VectorXd Gamma =
        vector_of(fm::khalil_inverse<double>(robot.tree, {span_of(q_tr), span_of(qd_tr)}, span_of(qdd_tr)).torque);
    const Eigen::Vector2d active(Gamma[0], Gamma[2]), passive(Gamma[1], Gamma[3]);
    Eigen::Matrix2d jacobian;  // ∂q̇_p/∂q̇_a
    jacobian << motion.G.row(1), motion.G.row(3);
    // The power of the tree's torques for a unit speed of each active joint.
    Eigen::Vector2d truth;
    for (int k = 0; k < 2; ++k) truth[k] = Gamma.dot(motion.G.col(k).head(4));
    proof.add(active + jacobian * passive, active + jacobian.transpose() * passive, truth);
    proof.add_correction(fm::khalil_closed_inverse(robot, q, qd, qdd), truth);
  }

  // (66): J_i⁻ᵀ, as (62) says. Truth: the leg's torques and the force at its tip have the same power.
  void eq66(Proof& proof) const {
    Robot r(kChain);
    const Eigen::Matrix3d J = jacobian(r.model, r.data, r.s.q, static_cast<int>(r.model.links().size()) - 1).topRows(3);
    const Eigen::Vector3d tip_velocity = J * r.v;
    proof.add(tip_velocity.dot(J.transpose() * r.tau), tip_velocity.dot(J.inverse().transpose() * r.tau),
              r.v.dot(r.tau));
  }

  // (59) with (9): a platform at rest needs its weight carried; (9) alone gives no force.
  void eq59_weight(Proof& proof) const {
    const Robot r(kChain);
    const Vec3<double> g{0, 0, -9.81};
    const fm::Vec6<double> at_rest = r.J(1) * fm::Vec6<double>::zero(),
                           with_weight = r.J(1) * fm::Vec6<double>{-g, {0, 0, 0}};
    proof.add(at_rest.top, with_weight.top, -g * r.link(1).mass);
  }

  // (76): q̈_j, not q_j. Truth: f_3 of the inverse model.
  void eq76(Proof& proof) const {
    const Robot r(kChain);
    const auto out = fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a));
    const auto f = [&](double x) {
      const fm::Vec6<double> alpha = r.J(3) * (r.gamma(3) + r.joint(3).a() * x) - r.beta(3);
      return eigen(r.J(3) * (r.joint(3).T() * out.acceleration[2]) + alpha);
    };
    proof.add(f(r.q[2]), f(r.a[2]), eigen(out.wrench[3]));
  }

  // (81) stands under "if j is elastic", but the acceleration of a rigid link is needed by the next one.
  void eq81(Proof& proof) const {
    Robot r(2, true);
    const fm::KhalilElasticTree robot{r.tree, {std::nullopt, fm::KhalilSpring{50, 0.2}}};
    const double force = -50 * (r.q[1] - 0.2) - r.friction(2);
    const fm::Vec6<double> V_dot_0{-r.tree.gravity, {0, 0, 0}};
    const auto qdd_2 = [&](const fm::Vec6<double>& V_dot_1) {  // (80)
      const fm::Vec6<double> a = r.joint(2).a();
      const double H = dot(a, r.J(2) * a) + r.link(2).rotor_inertia;
      return (force + dot(a, r.beta(2)) - dot(a, r.J(2) * (r.joint(2).T() * V_dot_1 + r.gamma(2)))) / H;
    };
    const fm::Vec6<double> V_dot_1 = r.joint(1).T() * V_dot_0 + r.joint(1).a() * r.a[0] + r.gamma(1);
    const double truth = fm::khalil_elastic_by_matrices<double>(robot, r.state(), span_of(r.a)).qdd[1];
    proof.add(qdd_2(fm::Vec6<double>::zero()), qdd_2(V_dot_1), truth);
  }

  // (82) leaves out the friction that (31) and (100) have.
  void eq82(Proof& proof) const {
    Robot r(kChain);
    const auto out = fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a));
    const int k = r.link(2).variable;
    const double printed = dot(out.wrench[2], r.joint(2).a()) + r.link(2).rotor_inertia * r.a[k];
    proof.add(printed, printed + r.friction(2), inverse_dynamics(r.model, r.data, r.s.q, r.s.v, r.s.a)[k]);
  }

  // (90), (102) are needed for j = 0 too. A load on the base that cancels β_0 shows what leaving it out does.
  void eq90(Proof& proof) const {
    const Robot r(kChain, true, JointType::free);
    std::vector<fm::Vec6<double>> cancel(r.tree.links.size(), fm::Vec6<double>::zero());
    cancel[0] = r.beta(0);
    const auto truth = fm::khalil_moving_inverse_by_matrices<double>(r.tree, r.state(), r.base, span_of(r.a));
    const auto printed =
        fm::khalil_moving_inverse<double>(r.tree, {span_of(r.q), span_of(r.v), cancel}, r.base, span_of(r.a));
    const auto corrected = fm::khalil_moving_inverse<double>(r.tree, r.state(), r.base, span_of(r.a));
    proof.add(eigen(printed.base), eigen(corrected.base), eigen(truth.base));
  }

  // (96): β_j^c = β_j + Σ 𝕋ᵀ (β_k^c − 𝕁_k^c ζ_k); and ⁰β_0^c = −(H_1 + A_12 q̈), which is also the truth here.
  void eq96(Proof& proof) const {
    const Robot r(1, true, JointType::free);
    const Vec3<double> none{0, 0, 0};
    // H_1 + A_12 q̈: the wrench that a base without acceleration needs.
    const fm::Vec6<double> needed =
        fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a), {r.base.omega, none, none}).wrench[0];
    const fm::Mat6<double> T_transposed = transpose(r.joint(1).T());
    const fm::Vec6<double> zeta = r.gamma(1) + r.joint(1).a() * r.a[0];
    const fm::Vec6<double> printed = r.beta(0) - T_transposed * r.beta(1) + T_transposed * (r.J(1) * zeta);
    const fm::Vec6<double> corrected = r.beta(0) + T_transposed * (r.beta(1) - r.J(1) * zeta);
    proof.add(eigen(printed), eigen(corrected), eigen(-needed));
    proof.add(eigen(needed), eigen(-needed), eigen(corrected));  // the text after (97)
  }

  // (105), (108): every child adds to 𝕁* and β*; as printed only one of two would count.
  void eq105_and108(Proof& proof) const {
    Robot r(2, false, JointType::free);
    r.tree.links[2].antecedent = 0;  // two children on the base
    r.joints = fm::khalil_joints<double>(r.tree, span_of(r.q), span_of(r.v));
    fm::Mat6<double> J = r.J(0), J_last = J;
    fm::Vec6<double> beta = r.beta(0), beta_last = beta;
    for (int j : {2, 1}) {
      const Eliminated e(r, j, r.J(j), r.beta(j));
      const fm::Mat6<double> T = r.joint(j).T();
      J = J + transpose(T) * e.K * T, J_last = r.J(0) + transpose(T) * e.K * T;
      beta -= transpose(T) * e.alpha, beta_last = r.beta(0) - transpose(T) * e.alpha;
    }
    const fm::Vec6<double> g{transpose_times(r.base.R_w0, r.tree.gravity), {0, 0, 0}};
    const auto truth = fm::khalil_moving_direct_by_matrices<double>(r.tree, r.state(), r.base, span_of(r.tau));
    proof.add(eigen(fm::solve(J_last, beta_last, "") + g), eigen(fm::solve(J, beta, "") + g), eigen(truth.base));
  }

  // (107): H_j⁻¹ (printed H_j¹). Truth: f_3 of the direct model of section 3.3.
  void eq107(Proof& proof) const {
    const Robot r(kChain);
    const auto out = fm::khalil_direct<double>(r.tree, r.state(), span_of(r.tau));
    const auto f = [&](double power) {
      const Eliminated e(r, 3, r.J(3), r.beta(3), power);
      return eigen(e.K * (r.joint(3).T() * out.acceleration[2]) + e.alpha);
    };
    proof.add(f(1), f(-1), eigen(out.wrench[3]));
  }

  // (110): β_j*, and ʲ𝕋_i ⁱV̇_i in place of ʲV̇_{j-1}. Truth: the library.
  void eq110(Proof& proof) const {
    Robot r(2, true);
    const Eliminated last(r, 2, r.J(2), r.beta(2));
    const fm::Mat6<double> T = r.joint(2).T();
    const fm::Mat6<double> J_star = r.J(1) + transpose(T) * last.K * T;
    const fm::Vec6<double> beta_star = r.beta(1) - transpose(T) * last.alpha, V_dot_0{-r.tree.gravity, {0, 0, 0}};
    const fm::Vec6<double> a = r.joint(1).a();
    const double H = dot(a, J_star * a) + r.link(1).rotor_inertia, force = r.tau[0] - r.friction(1);
    const auto qdd_1 = [&](const fm::Vec6<double>& carried, const fm::Vec6<double>& beta) {
      return (force + dot(a, beta) - dot(a, J_star * (carried + r.gamma(1)))) / H;
    };
    const double truth = forward_dynamics(r.model, r.data, r.s.q, r.s.v, r.s.tau)[0];
    const fm::Vec6<double> carried = r.joint(1).T() * V_dot_0;
    proof.add(qdd_1(carried, r.beta(1)), qdd_1(carried, beta_star), truth);
    proof.add(qdd_1(V_dot_0, beta_star), qdd_1(carried, beta_star), truth);
  }

  // Section 7: (97) and (109) give V̇_0 − g. A robot at rest that nothing holds falls with g.
  void section7_weight(Proof& proof) const {
    Robot r(kChain, true, JointType::free);
    r.base.omega = {0, 0, 0};
    const std::vector<double> zero(3, 0);
    const Vec3<double> g = transpose_times(r.base.R_w0, r.tree.gravity);
    for (const fm::Vec6<double>& found :
         {fm::khalil_moving_inverse<double>(r.tree, {span_of(r.q), zero}, r.base, zero).base,
          fm::khalil_moving_inverse_by_matrices<double>(r.tree, {span_of(r.q), zero}, r.base, zero).base}) {
      proof.add(found.top - g, found.top, g);
    }
  }

  // 7.1: the virtual link 0 needs σ_1 = 2, which makes link 1 the base; σ_2 = 2 would freeze a joint of the robot.
  void section7_1_sigma(Proof& proof) const {
    const Robot r(kChain, true, JointType::free);
    const auto with_virtual_link = [&](int fixed) {
      fm::MdhTree tree;  // link 0 without inertia, link 1 the base, then the robot
      tree.links.push_back(r.link(0));
      tree.links[1].sigma = 0, tree.links[1].variable = 3;
      for (int j = 1; j <= 3; ++j) tree.links.push_back(r.link(j)), tree.links.back().antecedent += 1;
      tree.variables = 4;
      tree.links[static_cast<std::size_t>(fixed)].sigma = 2;
      tree.links[static_cast<std::size_t>(fixed)].variable = -1;
      const Eigen::VectorXd q = (Eigen::VectorXd(4) << r.q, 0.7).finished(),
                            v = (Eigen::VectorXd(4) << r.v, 1).finished(),
                            a = (Eigen::VectorXd(4) << r.a, 1).finished();
      const auto out =
          fm::khalil_inverse<double>(tree, {span_of(q), span_of(v)}, span_of(a), {r.base.omega, {1, 2, 3}, {4, 5, 6}});
      return eigen(out.wrench[1]);
    };
    const fm::Vec6<double> truth =
        fm::khalil_inverse<double>(r.tree, r.state(), span_of(r.a), {r.base.omega, {1, 2, 3}, {4, 5, 6}}).wrench[0];
    proof.add(with_virtual_link(2), with_virtual_link(1), eigen(truth));
  }
};

}  // namespace

std::vector<Erratum> khalil_errata() {
  static constexpr ErratumEntry<KhalilErrata> kEntries[]{
      {"KhalilErrata.Eq1", "1", &KhalilErrata::eq1},
      {"KhalilErrata.Eq8", "8", &KhalilErrata::eq8},
      {"KhalilErrata.Eq14And112", "14, 112", &KhalilErrata::eq14_and112},
      {"KhalilErrata.Eq51", "51", &KhalilErrata::eq51},
      {"KhalilErrata.Eq57", "57", &KhalilErrata::eq57},
      {"KhalilErrata.Eq66", "66", &KhalilErrata::eq66},
      {"KhalilErrata.Eq59Weight", "59 with 9", &KhalilErrata::eq59_weight},
      {"KhalilErrata.Eq76", "76", &KhalilErrata::eq76},
      {"KhalilErrata.Eq81", "81", &KhalilErrata::eq81},
      {"KhalilErrata.Eq82", "82", &KhalilErrata::eq82},
      {"KhalilErrata.Eq90", "90, 102", &KhalilErrata::eq90},
      {"KhalilErrata.Eq96", "96, text after 97", &KhalilErrata::eq96},
      {"KhalilErrata.Eq105And108", "105, 108", &KhalilErrata::eq105_and108},
      {"KhalilErrata.Eq107", "107", &KhalilErrata::eq107},
      {"KhalilErrata.Eq110", "110", &KhalilErrata::eq110},
      {"KhalilErrata.Section7Weight", "97, 109", &KhalilErrata::section7_weight},
      {"KhalilErrata.Section7_1Sigma", "section 7.1", &KhalilErrata::section7_1_sigma},
  };
  return proven(KhalilErrata(), kEntries);
}

}  // namespace verne::reproduce
