/// The sensitivities of steps 2-10 of [B20]. Symbols: barman_steps.h; also
///
///   thesis                       here
///   (.)_{j,i}, i', i''           at(j, i) of by_q, by_qd, by_qdd
///   when i = j, i < j            own, else: variable i moves joint j itself, or one before it
///   ʲ(.)_{(j-1),i}               carried(): every quantity is taken over from the link before in the same way
///
/// In a tree, "i < j" means that joint i lies on the way from the base to link j. Links that variable i does not move
/// keep derivatives of zero; so the backward steps need no cases either.

#include "formulations/barman_steps.h"
#include "formulations/instances.h"

namespace verne::formulations {

namespace {

template <class S>
class Sensitivity {
 public:
  using Link = BarmanLink<S>;

  Sensitivity(const DhTree& tree, const BarmanState<S>& state)
      : tree_(tree),
        state_(state),
        n_(static_cast<int>(tree.links.size()) - 1),
        out_{barman_dynamics(tree, state),
             {tree.links.size(), tree.variables},
             {tree.links.size(), tree.variables},
             {tree.links.size(), tree.variables}} {
    for (const DhLink& link : tree.links) joints_.emplace_back(link, state);
  }

  BarmanSensitivities<S> run() && {
    for (int i = 0; i < tree_.variables; ++i) {
      for (int j = 1; j <= n_; ++j) forward(j, i);
      for (int j = n_; j >= 1; --j) backward(out_.by_q, j, i);
      for (int j = n_; j >= 1; --j) backward(out_.by_qd, j, i);
      for (int j = n_; j >= 1; --j) backward(out_.by_qdd, j, i);
      if (!state_.loads.empty()) external_loads(i);
      for (int j = 1; j <= n_; ++j) efforts(j, i);
    }
    return std::move(out_);
  }

 private:
  using Field = Vec3<S> Link::*;

  const Link& value(int j) const { return out_.values.links[static_cast<std::size_t>(j)]; }
  const BarmanJoint<S>& joint(int j) const { return joints_[static_cast<std::size_t>(j)]; }
  const DhLink& link(int j) const { return tree_.links[static_cast<std::size_t>(j)]; }

  void forward(int j, int i) {
    by_position(j, i, out_.by_q.at(j, i));
    by_velocity(j, i, out_.by_qd.at(j, i));
    by_acceleration(j, i, out_.by_qdd.at(j, i));
  }

  // Steps 2-8 by q_i.
  void by_position(int j, int i, Link& d) {
    const Link& now = value(j);
    const BarmanJoint<S>& own_joint = joint(j);
    const bool own = own_joint.variable == i, revolute = own_joint.kind == DhJoint::revolute;
    // (3.9), (3.10), (3.15), (3.16), (3.24), (3.25), (3.33), (3.34), (3.48), (3.49)
    const auto carried = [&](Field field) {
      return own ? transpose_times(own_joint.R_q, value(own_joint.parent).*field)
                 : transpose_times(own_joint.R, out_.by_q.at(own_joint.parent, i).*field);
    };
    const Vec3<S> sliding = own_joint.e * own_joint.d_dot;
    if (own && !revolute) d.x_delta = d.xG_delta = own_joint.e;  // (3.4)
    d.omega_carried = carried(&Link::omega);
    d.omega = d.omega_carried;  // (3.12), (3.13); Δω_{j,i} = 0 (3.6), (3.7)
    d.omega_dot_carried = carried(&Link::omega_dot);
    if (revolute) d.omega_dot_delta = cross(d.omega_carried, now.omega_delta);  // (3.18)
    d.omega_dot = d.omega_dot_carried + d.omega_dot_delta;                      // (3.21), (3.22)
    d.x_carried = carried(&Link::x);
    d.x = d.x_carried + d.x_delta;    // (3.27), (3.28)
    d.xG = d.x_carried + d.xG_delta;  // (3.30), (3.31)
    d.xd_carried = carried(&Link::xd);
    d.xd_delta = cross(d.omega, now.x_delta) + cross(now.omega, d.x_delta);     // (3.36), (3.37)
    d.xd = d.xd_carried + d.xd_delta;                                           // (3.39), (3.40)
    d.xdG_delta = cross(d.omega, now.xG_delta) + cross(now.omega, d.xG_delta);  // (3.42), (3.43)
    d.xdG = d.xd_carried + d.xdG_delta;                                         // (3.45), (3.46)
    d.xdd_carried = carried(&Link::xdd);
    d.xdd_delta = cross(d.omega_dot, now.x_delta) + cross(d.omega, now.xd_delta + sliding) +
                  cross(now.omega, d.xd_delta) + cross(now.omega_dot, d.x_delta);  // (3.51), (3.52) corrected
    d.xdd = d.xdd_carried + d.xdd_delta;                                           // (3.54), (3.55)
    d.xddG_delta = cross(d.omega_dot, now.xG_delta) + cross(d.omega, now.xdG_delta + sliding) +
                   cross(now.omega, d.xdG_delta) + cross(now.omega_dot, d.xG_delta);  // (3.57), (3.58)
    d.xddG = d.xdd_carried + d.xddG_delta;                                            // (3.60), (3.61) corrected
    d.R_0 = own ? value(own_joint.parent).R_0 * own_joint.R_q
                : out_.by_q.at(own_joint.parent, i).R_0 * own_joint.R;  // (3.63)
    inertial_loads(j, d);
    d.F_G += transpose_times(d.R_0, cast<S>(-tree_.gravity)) * S(link(j).mass);  // (3.68)
  }

  // Steps 2-8 by q̇_i.
  void by_velocity(int j, int i, Link& d) {
    const Link& now = value(j);
    const BarmanJoint<S>& own_joint = joint(j);
    const bool own = own_joint.variable == i, revolute = own_joint.kind == DhJoint::revolute;
    const auto carried = [&](Field field) {
      return own ? Vec3<S>::zero() : transpose_times(own_joint.R, out_.by_qd.at(own_joint.parent, i).*field);
    };
    const Vec3<S> slid = own && !revolute ? own_joint.e : Vec3<S>::zero();  // of ḋ e by ḋ
    if (own && revolute) d.omega_delta = own_joint.e;                       // (3.6)
    d.omega_carried = carried(&Link::omega);
    d.omega = d.omega_carried + d.omega_delta;  // (3.12), (3.13) corrected
    d.omega_dot_carried = carried(&Link::omega_dot);
    if (revolute) {
      d.omega_dot_delta =
          cross(d.omega_carried, now.omega_delta) + cross(now.omega_carried, d.omega_delta);  // (3.18) corrected
    }
    d.omega_dot = d.omega_dot_carried + d.omega_dot_delta;  // (3.21), (3.22)
    d.xd_carried = carried(&Link::xd);
    d.xd_delta = cross(d.omega, now.x_delta) + slid;    // (3.36), (3.37)
    d.xd = d.xd_carried + d.xd_delta;                   // (3.39), (3.40) corrected
    d.xdG_delta = cross(d.omega, now.xG_delta) + slid;  // (3.42), (3.43)
    d.xdG = d.xd_carried + d.xdG_delta;                 // (3.45), (3.46)
    const Vec3<S> sliding = own_joint.e * own_joint.d_dot, turned = cross(now.omega, slid);
    d.xdd_carried = carried(&Link::xdd);
    d.xdd_delta = cross(d.omega_dot, now.x_delta) + cross(d.omega, now.xd_delta + sliding) +
                  cross(now.omega, d.xd_delta) + turned;  // (3.51), (3.52)
    d.xdd = d.xdd_carried + d.xdd_delta;                  // (3.54), (3.55)
    d.xddG_delta = cross(d.omega_dot, now.xG_delta) + cross(d.omega, now.xdG_delta + sliding) +
                   cross(now.omega, d.xdG_delta) + turned;  // (3.57), (3.58)
    d.xddG = d.xdd_carried + d.xddG_delta;                  // (3.60), (3.61)
    inertial_loads(j, d);
  }

  // Steps 2-8 by q̈_i; positions and velocities do not depend on it.
  void by_acceleration(int j, int i, Link& d) {
    const Link& now = value(j);
    const BarmanJoint<S>& own_joint = joint(j);
    const bool own = own_joint.variable == i, revolute = own_joint.kind == DhJoint::revolute;
    const auto carried = [&](Field field) {
      return own ? Vec3<S>::zero() : transpose_times(own_joint.R, out_.by_qdd.at(own_joint.parent, i).*field);
    };
    const Vec3<S> slid = own && !revolute ? own_joint.e : Vec3<S>::zero();
    if (own && revolute) d.omega_dot_delta = own_joint.e;  // (3.18)
    d.omega_dot_carried = carried(&Link::omega_dot);
    d.omega_dot = d.omega_dot_carried + d.omega_dot_delta;  // (3.21), (3.22)
    d.xdd_carried = carried(&Link::xdd);
    d.xdd_delta = cross(d.omega_dot, now.x_delta) + slid;    // (3.51) corrected, (3.52)
    d.xdd = d.xdd_carried + d.xdd_delta;                     // (3.54), (3.55)
    d.xddG_delta = cross(d.omega_dot, now.xG_delta) + slid;  // (3.57), (3.58) corrected
    d.xddG = d.xdd_carried + d.xddG_delta;                   // (3.60), (3.61)
    inertial_loads(j, d);
  }

  // Step 8 but for the weight, which depends on q only.
  void inertial_loads(int j, Link& d) const {
    const Link& now = value(j);
    d.H = link(j).inertia * d.omega;                                                          // (3.65), (3.66)
    d.F_G = d.xddG * S(link(j).mass);                                                         // (3.68)
    d.tau_G = link(j).inertia * d.omega_dot + cross(d.omega, now.H) + cross(now.omega, d.H);  // (3.70), (3.71)
  }

  // Steps 9a and 9c; the rotation R_j and the lengths Δx depend on q only.
  void backward(BarmanDerivatives<S>& by, int j, int i) {
    const Link& now = value(j);
    Link& d = by.at(j, i);
    const BarmanJoint<S>& own_joint = joint(j);
    const Vec3<S> F_p = now.F_p - now.F_de, tau_p = now.tau_p - now.tau_def - now.tau_dem;  // before the loads
    d.F_p = d.F_d + d.F_G;                                                                  // (3.75)
    d.tau_p = d.tau_d + d.tau_G - cross(d.F_d, now.x_delta) - cross(d.F_G, now.xG_delta) - cross(now.F_d, d.x_delta) -
              cross(now.F_G, d.xG_delta);  // (3.83) corrected
    if (own_joint.parent == 0) return;
    Link& before = by.at(own_joint.parent, i);
    before.F_d += own_joint.R * d.F_p;      // (3.73)
    before.tau_d += own_joint.R * d.tau_p;  // (3.81)
    if (&by == &out_.by_q && own_joint.variable == i) {
      before.F_d += own_joint.R_q * F_p;
      before.tau_d += own_joint.R_q * tau_p;
    }
  }

  // Steps 9b, 9d, 9e: the loads are given, so that they bring derivatives by q only.
  void external_loads(int i) {
    for (const BarmanLoad<S>& load : state_.loads) {  // j = k
      Link& d = out_.by_q.at(load.link, i);
      const Vec3<S> force = transpose_times(d.R_0, load.force);
      d.F_de += force;                                   // (3.77)
      d.tau_def += cross(load.point, force);             // (3.85) corrected
      d.tau_dem += transpose_times(d.R_0, load.moment);  // (3.89)
    }
    for (int j = n_; j >= 1; --j) {
      const Link& now = value(j);
      Link& d = out_.by_q.at(j, i);
      const BarmanJoint<S>& own_joint = joint(j);
      d.tau_def += cross(d.x_delta, now.F_de) + cross(now.x_delta, d.F_de);  // (3.85)
      if (own_joint.parent > 0) {
        Link& before = out_.by_q.at(own_joint.parent, i);
        const bool own = own_joint.variable == i;
        const auto carry = [&](Field field) {
          before.*field += own_joint.R * (d.*field);
          if (own) before.*field += own_joint.R_q * (now.*field);
        };
        carry(&Link::F_de);     // (3.77)
        carry(&Link::tau_def);  // (3.85)
        carry(&Link::tau_dem);  // (3.89)
      }
      d.F_p += d.F_de;                   // (3.79)
      d.tau_p += d.tau_def + d.tau_dem;  // (3.87), (3.91); those by q̇ and q̈ stay as they are
    }
  }

  // Step 10; e is constant.
  void efforts(int j, int i) {
    const BarmanJoint<S>& own_joint = joint(j);
    if (own_joint.variable < 0) return;
    for (BarmanDerivatives<S>* by : {&out_.by_q, &out_.by_qd, &out_.by_qdd}) {
      const Link& d = by->at(j, i);
      by->effort(own_joint.variable, i) =
          dot(own_joint.kind == DhJoint::revolute ? d.tau_p : d.F_p, own_joint.e);  // (3.93), (3.95)
    }
  }

  const DhTree& tree_;
  const BarmanState<S>& state_;
  int n_;
  std::vector<BarmanJoint<S>> joints_;
  BarmanSensitivities<S> out_;
};

}  // namespace

template <class S>
BarmanDerivatives<S>::BarmanDerivatives(std::size_t links, int variables)
    : variables_(variables),
      links_(links * static_cast<std::size_t>(variables), BarmanLink<S>::zero()),
      effort_(static_cast<std::size_t>(variables) * static_cast<std::size_t>(variables), S(0)) {}

template <class S>
BarmanSensitivities<S> barman_sensitivities(const DhTree& tree, const BarmanState<S>& state) {
  check_sizes(tree, state, "barman_sensitivities");
  return Sensitivity<S>(tree, state).run();
}

#define VERNE_INSTANTIATE(S)           \
  template class BarmanDerivatives<S>; \
  template BarmanSensitivities<S> barman_sensitivities<S>(const DhTree&, const BarmanState<S>&);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
