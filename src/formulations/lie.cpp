/// Sections 3-7 of [L].
///
///   notes                      here
///   𝒜_i, 𝒮_i                   A[i], links[i].screw      screw axis in body and in space coordinates
///   M_{i,i-1}, T_{i,i-1}       home, T[i]                 frame of the parent in frame i, at home and now
///   𝒱_i, 𝒱̇_i, ℱ_i             V[i], V_dot[i], F[i]
///   z_i, b_i                   A[i].top, A[i].bottom
///   R_{i,i-1}, p_{i,i-1}       T[i].R, T[i].p
///   𝒢_i                        inertia(), mass
#include "formulations/lie.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "formulations/instances.h"

namespace verne::formulations {

namespace {

/// Takes rounding off numbers that are 0, 1 or −1, so that it does not hide them from a count.
double snapped(double x) {
  const double whole = std::round(x);
  return std::abs(whole) <= 1 && std::abs(x - whole) < 1e-14 ? whole : x;
}
Vec3<double> snapped(const Vec3<double>& v) {
  return {snapped(v.x), snapped(v.y), snapped(v.z)};
}

/// M_{i,i-1}
Transform<double> home_of(const ScrewTree& tree, std::size_t i) {
  const Transform<double> M =
      inverse(tree.links[i].M_0i) * tree.links[static_cast<std::size_t>(tree.links[i].parent)].M_0i;
  return {Mat3<double>::columns(snapped(M.R.column(0)), snapped(M.R.column(1)), snapped(M.R.column(2))), snapped(M.p)};
}

/// Everything before the recursion: sizes, the base, 𝒜_i (step 1) and T_{i,i-1} (step 2).
template <class S>
struct Start {
  std::vector<Vec6<double>> A;
  LieDynamics<S> out;

  Start(const ScrewTree& tree, const LieState<S>& state, const char* function) {
    const auto n = static_cast<std::size_t>(tree.variables);
    if (state.theta.size() != n || state.rate.size() != n || state.acceleration.size() != n) {
      throw std::invalid_argument(std::string(function) + ": theta, rate and acceleration must have " +
                                  std::to_string(n) + " entries");
    }
    const std::size_t count = tree.links.size();
    out.T.assign(count, Transform<S>::identity());
    out.V.assign(count, Vec6<S>::zero());
    out.V_dot.assign(count, Vec6<S>::zero());
    out.F.assign(count, Vec6<S>::zero());
    out.tau.assign(n, S(0));
    out.V_dot[0].bottom = cast<S>(-tree.gravity);  // section 8.3
    A.push_back(Vec6<double>::zero());
    for (std::size_t i = 1; i < count; ++i) {
      const ScrewLink& link = tree.links[i];
      const Vec6<double> axis = adjoint(inverse(link.M_0i)) * link.screw;
      A.push_back({snapped(axis.top), snapped(axis.bottom)});
      const S& theta = state.theta[static_cast<std::size_t>(link.variable)];
      out.T[i] = screw_exponential<S>(-A.back(), theta) * home_of(tree, i);
    }
  }
};

template <class S>
Mat6<S> spatial_inertia(const ScrewLink& link) {
  Sym3<S> I{S(link.inertia.xx), S(link.inertia.xy), S(link.inertia.xz),
            S(link.inertia.yy), S(link.inertia.yz), S(link.inertia.zz)};
  return Mat6<S>::blocks(full(I), Mat3<S>::zero(), Mat3<S>::zero(), scaled_identity(S(link.mass)));  // section 6.1
}

}  // namespace

template <class S>
Transform<S> screw_exponential(const Vec6<double>& A, const S& theta) {
  using std::cos;
  using std::sin;
  const double turning = dot(A.top, A.top);
  if (turning == 0) return {Mat3<S>::identity(), A.bottom * theta};
  // With |ω| = 1: R = 1 + sin θ [ω] + (1 − cos θ) [ω]², p = (θ + (1 − cos θ) [ω] + (θ − sin θ) [ω]²) v.
  const Mat3<double> W = skew(A.top), W2 = W * W;
  const S s = sin(theta), versine = S(1) - cos(theta);
  Transform<S> T;
  for (int k = 0; k < 9; ++k) T.R.m[k] = S(k % 4 == 0 ? 1 : 0) + s * S(W.m[k]) + versine * S(W2.m[k]);
  T.p = A.bottom * theta + (W * A.bottom) * versine + (W2 * A.bottom) * (theta - s);
  return T;
}

template <class S>
Mat6<S> adjoint(const Transform<S>& T) {
  return Mat6<S>::blocks(T.R, Mat3<S>::zero(), skew(T.p) * T.R, T.R);
}

template <class S>
Mat6<S> lie_bracket(const Vec6<S>& V) {
  return Mat6<S>::blocks(skew(V.top), Mat3<S>::zero(), skew(V.bottom), skew(V.top));
}

template <class S>
LieDynamics<S> lie_dynamics(const ScrewTree& tree, const LieState<S>& state) {
  Start<S> start(tree, state, "lie_dynamics");
  LieDynamics<S>& out = start.out;
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const auto before = static_cast<std::size_t>(tree.links[i].parent),
               k = static_cast<std::size_t>(tree.links[i].variable);
    const Vec6<S> A = cast<S>(start.A[i]);
    const Mat6<S> Ad = adjoint(out.T[i]);
    out.V[i] = Ad * out.V[before] + A * state.rate[k];  // step 3
    out.V_dot[i] = Ad * out.V_dot[before] + lie_bracket(out.V[i]) * A * state.rate[k] + A * state.acceleration[k];  // 4
  }
  for (std::size_t i = tree.links.size(); i-- > 1;) {
    const ScrewLink& link = tree.links[i];
    const Mat6<S> G = spatial_inertia<S>(link);
    out.F[i] += G * out.V_dot[i] - transpose(lie_bracket(out.V[i])) * (G * out.V[i]);  // step 5
    if (link.parent > 0) out.F[static_cast<std::size_t>(link.parent)] += transpose(adjoint(out.T[i])) * out.F[i];
    out.tau[static_cast<std::size_t>(link.variable)] = dot(out.F[i], cast<S>(start.A[i]));  // step 6
  }
  return std::move(out);
}

template <class S>
LieDynamics<S> lie_dynamics_expanded(const ScrewTree& tree, const LieState<S>& state) {
  Start<S> start(tree, state, "lie_dynamics_expanded");
  LieDynamics<S>& out = start.out;
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const auto before = static_cast<std::size_t>(tree.links[i].parent),
               k = static_cast<std::size_t>(tree.links[i].variable);
    const auto& [R, p] = out.T[i];
    const Vec3<S> z = cast<S>(start.A[i].top), b = cast<S>(start.A[i].bottom);
    const S &rate = state.rate[k], &acceleration = state.acceleration[k];
    auto& [omega, v] = out.V[i];
    auto& [omega_dot, v_dot] = out.V_dot[i];
    const Vec3<S> R_omega = R * out.V[before].top, R_omega_dot = R * out.V_dot[before].top;
    omega = R_omega + z * rate;                                           // section 5.3
    v = cross(p, R_omega) + R * out.V[before].bottom + b * rate;          // section 5.3
    omega_dot = R_omega_dot + cross(omega, z) * rate + z * acceleration;  // section 5.4
    v_dot = cross(p, R_omega_dot) + R * out.V_dot[before].bottom + (cross(v, z) + cross(omega, b)) * rate +
            b * acceleration;  // section 5.4
  }
  for (std::size_t i = tree.links.size(); i-- > 1;) {
    const ScrewLink& link = tree.links[i];
    const auto& [omega, v] = out.V[i];
    auto& [n, f] = out.F[i];
    n += link.inertia * out.V_dot[i].top + cross(omega, link.inertia * omega);  // section 6.2, with [v] v = 0
    f += (out.V_dot[i].bottom + cross(omega, v)) * S(link.mass);                // section 6.2
    if (link.parent > 0) {                                                      // R_{i-1,i} n + [p_{i-1,i}] R_{i-1,i} f
      auto& [n_before, f_before] = out.F[static_cast<std::size_t>(link.parent)];
      n_before += transpose_times(out.T[i].R, n - cross(out.T[i].p, f));
      f_before += transpose_times(out.T[i].R, f);
    }
    const Vec3<S> z = cast<S>(start.A[i].top), b = cast<S>(start.A[i].bottom);
    out.tau[static_cast<std::size_t>(link.variable)] = dot(n, z) + dot(f, b);  // section 7
  }
  return std::move(out);
}

#define VERNE_INSTANTIATE(S)                                                     \
  template Transform<S> screw_exponential<S>(const Vec6<double>&, const S&);     \
  template Mat6<S> adjoint<S>(const Transform<S>&);                              \
  template Mat6<S> lie_bracket<S>(const Vec6<S>&);                               \
  template LieDynamics<S> lie_dynamics<S>(const ScrewTree&, const LieState<S>&); \
  template LieDynamics<S> lie_dynamics_expanded<S>(const ScrewTree&, const LieState<S>&);
VERNE_INSTANTIATE(double)
VERNE_INSTANTIATE(std::complex<double>)
VERNE_INSTANTIATE(Counted)
#undef VERNE_INSTANTIATE

}  // namespace verne::formulations
