#include "formulations/lie_two_link.h"

namespace verne::formulations {

namespace {

using Form = VelocityForm<Vec3<double>>;

/// f(squared_1), f(product), f(squared_2)
template <class Map>
auto mapped(const Form& form, Map&& map) {
  return VelocityForm<decltype(map(form.product))>{map(form.squared_1), map(form.product), map(form.squared_2)};
}
Form operator+(const Form& a, const Form& b) {
  return {a.squared_1 + b.squared_1, a.product + b.product, a.squared_2 + b.squared_2};
}
VelocityForm<double> operator+(const VelocityForm<double>& a, const VelocityForm<double>& b) {
  return {a.squared_1 + b.squared_1, a.product + b.product, a.squared_2 + b.squared_2};
}

}  // namespace

LieTwoLinkTerms lie_two_link_terms(const LieTwoLink& arm) {
  const Mat3<double>&R = arm.R_21, &I_1 = arm.I_1, &I_2 = arm.I_2;
  const Vec3<double>&p = arm.p_21, &z_1 = arm.z_1, &b_1 = arm.b_1, &z_2 = arm.z_2, &b_2 = arm.b_2;
  const Vec3<double> none{0, 0, 0}, Rz_1 = R * z_1, Rb_1 = R * b_1, lever = cross(p, Rz_1);
  LieTwoLinkTerms out;
  out.omega_dot_2 = {none, cross(Rz_1, z_2), none};  // 9.1
  // 10.2: v̇_2 = θ̇_2 (v_2 × z_2 + ω_2 × b_2); b_2 × z_2 + z_2 × b_2 = 0
  out.v_dot_2 = {none, cross(lever, z_2) + cross(Rb_1, z_2) + cross(Rz_1, b_2), none};
  out.omega_2_cross_v_2 = {cross(Rz_1, lever) + R * cross(z_1, b_1),
                           cross(Rz_1, b_2) + cross(z_2, lever) + cross(z_2, Rb_1), cross(z_2, b_2)};
  // 10.1: n_2 = I_2 ω̇_2 + ω_2 × I_2 ω_2
  out.n_2 = mapped(out.omega_dot_2, [&](const Vec3<double>& x) { return I_2 * x; }) +
            Form{cross(Rz_1, I_2 * Rz_1), cross(Rz_1, I_2 * z_2) + cross(z_2, I_2 * Rz_1), cross(z_2, I_2 * z_2)};
  out.f_2 = mapped(out.v_dot_2 + out.omega_2_cross_v_2, [&](const Vec3<double>& x) { return x * arm.m_2; });
  out.tau_2 = mapped(out.n_2, [&](const Vec3<double>& n) { return dot(n, z_2); }) +
              mapped(out.f_2, [&](const Vec3<double>& f) { return dot(f, b_2); });  // 10.3
  // 10.4: R_12 n_2 + [p_12] R_12 f_2 = R_21ᵀ (n_2 − p_21 × f_2)
  out.n_1 = mapped(out.n_2, [&](const Vec3<double>& n) { return transpose_times(R, n); }) +
            mapped(out.f_2, [&](const Vec3<double>& f) { return -transpose_times(R, cross(p, f)); }) +
            Form{cross(z_1, I_1 * z_1), none, none};
  out.f_1 = mapped(out.f_2, [&](const Vec3<double>& f) { return transpose_times(R, f); }) +
            Form{cross(z_1, b_1) * arm.m_1, none, none};
  out.tau_1 = mapped(out.n_1, [&](const Vec3<double>& n) { return dot(n, z_1); }) +
              mapped(out.f_1, [&](const Vec3<double>& f) { return dot(f, b_1); });  // 10.5
  return out;
}

}  // namespace verne::formulations
