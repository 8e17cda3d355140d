/// The recursion that sections 3.3.2, 6.3 and 7.3 of [K10] share: forward, backward, forward.
///
/// A joint is either force-given, as in the direct models and for elastic joints, or acceleration-given, as are the
/// rigid joints of section 6.3. Symbols: khalil_steps.h; also
///
///   ʲ𝕁*_j, ʲβ*_j    J[j], beta_star[j]    inertia and bias wrench of link j with what it carries
///   H_j, ʲ𝕂_j, ʲα_j  H, K, alpha           f_j = K (T V̇_i) + α
///   τ_j             force                 joint force without friction
#pragma once

#include "formulations/khalil_steps.h"

namespace verne::formulations {

template <class S>
class KhalilRecursion {
 public:
  /// What a joint is given: its acceleration, or the force of its actuator or spring without friction.
  struct Given {
    bool acceleration;
    S value;
  };

  KhalilRecursion(const MdhTree& tree, const KhalilState<S>& state, const Vec3<S>& omega_0, std::vector<Given> given)
      : tree_(tree), given_(std::move(given)), joints_(khalil_joints(tree, state.q, state.qd)) {
    first_forward(state, omega_0);
    backward();
  }

  /// ⁰V̇_0 of a base that nothing holds (109).
  Vec6<S> free_base_acceleration() const { return solve(J_[0], beta_star_[0], "the inertia of the whole robot"); }

  /// The third pass, from the acceleration of the base: joint accelerations, f_j and V̇_j.
  KhalilDirect<S> second_forward(const Vec6<S>& V_dot_0) const {
    KhalilDirect<S> out{std::vector<S>(given_.size(), S(0)), std::vector<Vec6<S>>(count(), Vec6<S>::zero()),
                        std::vector<Vec6<S>>(count(), Vec6<S>::zero())};
    out.acceleration[0] = V_dot_0;
    for (std::size_t j = 1; j < count(); ++j) {
      const Link& l = links_[j];
      const Vec6<S> carried = l.T * out.acceleration[static_cast<std::size_t>(joints_[j].i)];
      const int variable = tree_.links[j].variable;
      S qdd(0);
      if (variable >= 0) {
        const Given& given = given_[static_cast<std::size_t>(variable)];
        qdd = given.acceleration ? given.value
                                 : (force(j, given) + dot(l.a, beta_star_[j]) - dot(l.a, J_[j] * (carried + l.gamma))) /
                                       l.H;  // (41), (80), (110)
        out.qdd[static_cast<std::size_t>(variable)] = qdd;
      }
      out.wrench[j] = l.K * carried + l.alpha;              // (42), (79), (111)
      out.acceleration[j] = carried + l.a * qdd + l.gamma;  // (43), (81), (112)
    }
    return out;
  }

 private:
  struct Link {
    Mat6<S> T, K;
    Vec6<S> a, gamma, alpha;
    S H;
  };

  std::size_t count() const { return tree_.links.size(); }
  /// τ_j (44), (106)
  S force(std::size_t j, const Given& given) const { return given.value - friction(tree_.links[j], joints_[j].rate); }

  void first_forward(const KhalilState<S>& state, const Vec3<S>& omega_0) {
    std::vector<Vec3<S>> omega(count());
    for (std::size_t j = 0; j < count(); ++j) {
      const KhalilJoint<S>& joint = joints_[j];
      Link l{Mat6<S>::identity(), Mat6<S>::zero(), Vec6<S>::zero(), Vec6<S>::zero(), Vec6<S>::zero(), S(0)};
      omega[j] = omega_0;
      if (j > 0) {
        const Vec3<S>& omega_i = omega[static_cast<std::size_t>(joint.i)];
        l.T = joint.T(), l.a = joint.a();
        l.gamma = joint.gamma(omega_i);                           // (34), (101)
        omega[j] = transpose_times(joint.R, omega_i);             // (18)
        if (joint.revolute) omega[j] += joint.axis * joint.rate;  // (19)
      }
      links_.push_back(l);
      J_.push_back(spatial_inertia<S>(tree_.links[j]));
      beta_star_.push_back(beta(tree_.links[j], omega[j], state, static_cast<int>(j)));  // (35), (90), (102)
    }
  }

  void backward() {
    for (std::size_t j = count(); j-- > 1;) {
      Link& l = links_[j];
      const int variable = tree_.links[j].variable;
      const Mat6<S>& J = J_[j];
      if (variable >= 0 && !given_[static_cast<std::size_t>(variable)].acceleration) {
        const Vec6<S> Ja = J * l.a;
        l.H = dot(l.a, Ja) + S(tree_.links[j].rotor_inertia);  // (36), (72), (103)
        require_inertia(l.H, J, tree_.links[j].rotor_inertia, static_cast<int>(j));
        l.K = reduced(J, Ja, l.H);  // (37), (73), (104)
        const S drive = (force(j, given_[static_cast<std::size_t>(variable)]) + dot(l.a, beta_star_[j])) / l.H;
        l.alpha = l.K * l.gamma + Ja * drive - beta_star_[j];  // (38), (74), (107)
      } else {
        const S qdd = variable < 0 ? S(0) : given_[static_cast<std::size_t>(variable)].value;
        l.K = J;                                              // (75)
        l.alpha = J * (l.gamma + l.a * qdd) - beta_star_[j];  // (76) corrected
      }
      const auto i = static_cast<std::size_t>(joints_[j].i);
      if (i == 0 && !tree_.moving_base) continue;
      const Mat6<S> T_transposed = transpose(l.T);
      beta_star_[i] -= T_transposed * l.alpha;   // (39), (77), (108)
      J_[i] = J_[i] + T_transposed * l.K * l.T;  // (40), (78), (105)
    }
  }

  const MdhTree& tree_;
  std::vector<Given> given_;
  std::vector<KhalilJoint<S>> joints_;
  std::vector<Link> links_;
  std::vector<Mat6<S>> J_;
  std::vector<Vec6<S>> beta_star_;
};

}  // namespace verne::formulations
