/// Steps 1-10 of [B20] without the sensitivities. Symbols: barman_steps.h.
#include "formulations/barman.h"

#include "formulations/barman_steps.h"
#include "formulations/instances.h"

namespace verne::formulations {

namespace {

/// Steps 2-7: how link j moves.
template <class S>
void forward_kinematics(const DhLink& link, const BarmanJoint<S>& joint, const BarmanLink<S>& before,
                        BarmanLink<S>& now) {
  const Mat3<S>& R = joint.R;
  const Vec3<S>& e = joint.e;
  const bool revolute = joint.kind == DhJoint::revolute;
  // Step 2. Δx_j is not printed in the thesis; (3.2) reaches the plane of x_j and z_{j-1} only.
  now.x_delta = {S(link.dh.a), joint.d * e.y, joint.d * e.z};
  now.xG_delta = now.x_delta + cast<S>(link.com);
  now.omega_delta = revolute ? e * joint.rate : Vec3<S>::zero();  // (3.5)
  // Step 3
  now.omega_carried = transpose_times(R, before.omega);  // (3.8)
  now.omega = now.omega_carried + now.omega_delta;       // (3.11)
  // Step 4
  now.omega_dot_carried = transpose_times(R, before.omega_dot);  // (3.14)
  now.omega_dot_delta =
      revolute ? e * joint.second_rate + cross(now.omega_carried, now.omega_delta) : Vec3<S>::zero();  // (3.17)
  now.omega_dot = now.omega_dot_carried + now.omega_dot_delta;                                         // (3.20)
  // Step 5
  now.x_carried = transpose_times(R, before.x);  // (3.23)
  now.x = now.x_carried + now.x_delta;           // (3.26)
  now.xG = now.x_carried + now.xG_delta;         // (3.29)
  // Step 6; ḋ_G = ḋ
  const Vec3<S> sliding = e * joint.d_dot;
  now.xd_carried = transpose_times(R, before.xd);            // (3.32)
  now.xd_delta = cross(now.omega, now.x_delta) + sliding;    // (3.35)
  now.xd = now.xd_carried + now.xd_delta;                    // (3.38)
  now.xdG_delta = cross(now.omega, now.xG_delta) + sliding;  // (3.41)
  now.xdG = now.xd_carried + now.xdG_delta;                  // (3.44)
  // Step 7
  now.xdd_carried = transpose_times(R, before.xdd);  // (3.47)
  const Vec3<S> driven = cross(now.omega, sliding) + e * joint.d_ddot;
  now.xdd_delta = cross(now.omega_dot, now.x_delta) + cross(now.omega, now.xd_delta) + driven;     // (3.50)
  now.xdd = now.xdd_carried + now.xdd_delta;                                                       // (3.53)
  now.xddG_delta = cross(now.omega_dot, now.xG_delta) + cross(now.omega, now.xdG_delta) + driven;  // (3.56) corrected
  now.xddG = now.xdd_carried + now.xddG_delta;                                                     // (3.59)
}

/// Step 8: rotation to the base, momentum, inertial force and torque.
template <class S>
void inertial_loads(const DhTree& tree, const DhLink& link, const BarmanJoint<S>& joint, const BarmanLink<S>& before,
                    BarmanLink<S>& now) {
  const Vec3<S> g = cast<S>(-tree.gravity);                            // (3.67) wants the upward vector
  now.R_0 = before.R_0 * joint.R;                                      // (3.62)
  now.H = link.inertia * now.omega;                                    // (3.64)
  now.F_G = (now.xddG + transpose_times(now.R_0, g)) * S(link.mass);   // (3.67)
  now.tau_G = link.inertia * now.omega_dot + cross(now.omega, now.H);  // (3.69)
}

/// Step 9. Parts a-e each run over all links: the distal force and torque of a and c must stay free of loads.
template <class S>
void internal_loads(const std::vector<BarmanJoint<S>>& joints, const BarmanState<S>& state,
                    std::vector<BarmanLink<S>>& links) {
  const int n = static_cast<int>(links.size()) - 1;
  const auto at = [&](int j) -> BarmanLink<S>& { return links[static_cast<std::size_t>(j)]; };
  const auto joint = [&](int j) -> const BarmanJoint<S>& { return joints[static_cast<std::size_t>(j)]; };
  for (int j = n; j >= 1; --j) {                                                 // a
    at(j).F_p = at(j).F_d + at(j).F_G;                                           // (3.74)
    if (joint(j).parent > 0) at(joint(j).parent).F_d += joint(j).R * at(j).F_p;  // (3.72)
  }
  for (int j = n; j >= 1; --j) {  // c
    at(j).tau_p =
        at(j).tau_d + at(j).tau_G - cross(at(j).F_d, at(j).x_delta) - cross(at(j).F_G, at(j).xG_delta);  // (3.82)
    if (joint(j).parent > 0) at(joint(j).parent).tau_d += joint(j).R * at(j).tau_p;                      // (3.80)
  }
  if (state.loads.empty()) return;
  for (const BarmanLoad<S>& load : state.loads) {  // j = k of (3.76) corrected, (3.84), (3.88)
    BarmanLink<S>& k = at(load.link);
    const Vec3<S> force = transpose_times(k.R_0, load.force);
    k.F_de += force;
    k.tau_def += cross(load.point, force);  // with Δx_k × F_de below
    k.tau_dem += transpose_times(k.R_0, load.moment);
  }
  for (int j = n; j >= 1; --j) {  // b, d, e
    at(j).tau_def += cross(at(j).x_delta, at(j).F_de);
    if (const int p = joint(j).parent; p > 0) {
      at(p).F_de += joint(j).R * at(j).F_de;        // (3.76)
      at(p).tau_def += joint(j).R * at(j).tau_def;  // (3.84)
      at(p).tau_dem += joint(j).R * at(j).tau_dem;  // (3.88)
    }
    at(j).F_p += at(j).F_de;                       // (3.78)
    at(j).tau_p += at(j).tau_def + at(j).tau_dem;  // (3.86), (3.90)
  }
}

}  // namespace

template <class S>
BarmanLink<S> BarmanLink<S>::zero() {
  BarmanLink link;
  for (const auto& [name, field] : barman_fields<S>()) link.*field = Vec3<S>::zero();
  link.R_0 = Mat3<S>::zero();
  return link;
}

template <class S>
std::span<const BarmanField<S>> barman_fields() {
  using L = BarmanLink<S>;
  static constexpr std::array<BarmanField<S>, 31> kFields{{{"omega_carried", &L::omega_carried},
                                                           {"omega_delta", &L::omega_delta},
                                                           {"omega", &L::omega},
                                                           {"omega_dot_carried", &L::omega_dot_carried},
                                                           {"omega_dot_delta", &L::omega_dot_delta},
                                                           {"omega_dot", &L::omega_dot},
                                                           {"x_carried", &L::x_carried},
                                                           {"x_delta", &L::x_delta},
                                                           {"x", &L::x},
                                                           {"xG_delta", &L::xG_delta},
                                                           {"xG", &L::xG},
                                                           {"xd_carried", &L::xd_carried},
                                                           {"xd_delta", &L::xd_delta},
                                                           {"xd", &L::xd},
                                                           {"xdG_delta", &L::xdG_delta},
                                                           {"xdG", &L::xdG},
                                                           {"xdd_carried", &L::xdd_carried},
                                                           {"xdd_delta", &L::xdd_delta},
                                                           {"xdd", &L::xdd},
                                                           {"xddG_delta", &L::xddG_delta},
                                                           {"xddG", &L::xddG},
                                                           {"H", &L::H},
                                                           {"F_G", &L::F_G},
                                                           {"tau_G", &L::tau_G},
                                                           {"F_d", &L::F_d},
                                                           {"F_p", &L::F_p},
                                                           {"tau_d", &L::tau_d},
                                                           {"tau_p", &L::tau_p},
                                                           {"F_de", &L::F_de},
                                                           {"tau_def", &L::tau_def},
                                                           {"tau_dem", &L::tau_dem}}};
  return kFields;
}

template <class S>
BarmanDynamics<S> barman_dynamics(const DhTree& tree, const BarmanState<S>& state) {
  check_sizes(tree, state, "barman_dynamics");
  BarmanDynamics<S> out{std::vector<BarmanLink<S>>(tree.links.size(), BarmanLink<S>::zero()),
                        std::vector<S>(static_cast<std::size_t>(tree.variables), S(0))};
  out.links[0].R_0 = Mat3<S>::identity();  // step 1e, 1f
  std::vector<BarmanJoint<S>> joints;
  for (const DhLink& link : tree.links) joints.emplace_back(link, state);
  for (std::size_t j = 1; j < tree.links.size(); ++j) {
    const BarmanLink<S>& before = out.links[static_cast<std::size_t>(tree.links[j].parent)];
    forward_kinematics(tree.links[j], joints[j], before, out.links[j]);
    inertial_loads(tree, tree.links[j], joints[j], before, out.links[j]);
  }
  internal_loads(joints, state, out.links);
  for (std::size_t j = 1; j < tree.links.size(); ++j) {  // step 10
    const BarmanJoint<S>& joint = joints[j];
    if (joint.variable < 0) continue;
    out.effort[static_cast<std::size_t>(joint.variable)] = joint.kind == DhJoint::revolute
                                                               ? dot(out.links[j].tau_p, joint.e)  // (3.92)
                                                               : dot(out.links[j].F_p, joint.e);   // (3.94)
  }
  return out;
}

#define VERNE_INSTANTIATE(S)                                   \
  template struct BarmanLink<S>;                               \
  template std::span<const BarmanField<S>> barman_fields<S>(); \
  template BarmanDynamics<S> barman_dynamics<S>(const DhTree&, const BarmanState<S>&);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
