/// Coriolis matrix C with C v = bias − gravity torques and Ṁ = C + Cᵀ (so that Ṁ − 2C is skew), by composite bodies.
///
/// For particles at x with Jacobians T J, T = [1, −[x]], take C = Σ m (T J)ᵀ d/dt(T J). Summed over rigid bodies about
/// a fixed point O this is Σ Jᵀ (I J̇ + B J) with (docs/theory/dynamics.md, eq. 20-24)
///   B = [0, −[h]; 0, K],  K = tr(P) 1 − P,  P = Σ m ẋ xᵀ = v_O (m c)ᵀ + [w] E,   h = linear momentum.
/// O is the origin of the first body, which keeps the numbers small when the model is far from the world's origin.
#pragma once

#include "dynamics/kernels/sensitivity.h"

namespace verne {
inline namespace VERNE_ISA {

/// Full matrix, column-major nv x nv, from the sweeps of sensitivity.h at any acceleration.
template <class S>
VERNE_INLINE void coriolis_entries(const Tree& tree, const SensitivityWork<S>& work, S* C) {
  const long n = tree.nv;
  for (long k = 0; k < n * n; ++k) C[k] = S(0);
  for (int body = 0; body < tree.body_count; ++body) {
    const TreeBody& b = tree.bodies[body];
    const Composite<S>& c = work.composites[body];
    for (int j = b.v; j < b.v + b.nv; ++j) {
      const FreedomState<S>& f = work.freedoms[j];
      // I Ṡ + B S, where Ṡ = rate − psi: the freedom is fixed in the moving body
      const Spatial<S> right = momentum_of(b.subtree_mass, c.inertia, f.rate - f.psi) + c.twice_B(f.s) * 0.5;
      const Vec3<S> left = c.twice_B.transposed(f.s) * 0.5;
      C[j * n + j] = pairing(f.s, right);
      for (int i = tree.v_parent[j]; i >= 0; i = tree.v_parent[i]) {
        const FreedomState<S>& above = work.freedoms[i];
        C[j * n + i] = pairing(above.s, right);
        C[i * n + j] = pairing(above.rate - above.psi, f.Fa) + dot(above.s.angular, left);
      }
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
