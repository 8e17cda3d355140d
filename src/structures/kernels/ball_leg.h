/// Legs of three bodies in a row, of one velocity each, that end in a ball of a platform of one body: the force F there
/// is that of Vᵀ F = Γ, with V the velocities of the ball, by Cramer's rule (docs/theory/loops.md, section 8).
#pragma once

#include "structures/kernels/leg_equations.h"

namespace verne {
inline namespace VERNE_ISA {

/// Velocities of the ball along those of the leg, in world axes.
template <class Constants>
VERNE_INLINE void put_ball_velocities(const Constants& constants, const LegPack& pack, const Lanes* q,
                                      const Trig<Lanes>& trig, Vec3<Lanes> (&V)[3]) {
  const auto root = leg_rotation(constants, pack.root);
  Mat3<Lanes> R = Mat3<Lanes>::identity();
  Vec3<Lanes> p = Vec3<Lanes>::zero(), axes[3], origins[3];  // about the root's origin
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const TreeBody& b = pack.tree->bodies[k];
    by_kind(b.kind, [&](auto kind) VERNE_INLINE_LAMBDA {
      if constexpr (shape_of(kind).nv == 1) {
        Mat3<Lanes> turned;
        Vec3<Lanes> r;
        if (k == 0) {
          move(kind, b, root, decltype(root.column(0))::zero(), q, trig, turned, r);
        } else {
          const Vec3<Lanes> to_joint = is_apart(b) ? R * vec3(b.p) : Vec3<Lanes>::zero();
          move(kind, b, turned_by_frame(R, b), to_joint, q, trig, turned, r);
        }
        R = turned;
        p += r;
      }
    });
    axes[k] = R.column(2), origins[k] = p;
  }
  const LegEnd& end = pack.loops[0].leg;
  if (!end.at_origin) p += R * leg_position(constants, end.pose);
#pragma GCC unroll 3
  for (int k = 0; k < 3; ++k) {
    const TreeBody& b = pack.tree->bodies[k];
    V[k] = axes[k];
    if (b.kind == JointKind::prismatic) continue;
    V[k] = cross(axes[k], p - origins[k]);
    if (b.kind == JointKind::helical) V[k] += axes[k] * b.pitch;
  }
}

/// Forces at the ball.
struct BallForces {
  Vec3<Lanes> units[3];  ///< that hold a unit torque at one of the joints and nothing at the others
  Vec3<Lanes> all;       ///< that holds all torques
  VERNE_INLINE const Vec3<Lanes>& unit(int velocity) const { return units[velocity]; }
};
/// `pivots`: the smallest so far, in parts of the usual ones.
template <class Constants>
VERNE_INLINE BallForces ball_forces(const Constants& constants, const LegPack& pack, const Lanes* q,
                                    const Trig<Lanes>& trig, const Lanes* torques, Lanes& pivots) {
  Vec3<Lanes> V[3];
  put_ball_velocities(constants, pack, q, trig, V);
  const Vec3<Lanes> normals[3] = {cross(V[1], V[2]), cross(V[2], V[0]), cross(V[0], V[1])};
  const Lanes volume = dot(V[0], normals[0]), inverse = Lanes(1.0) / volume;
  const auto usual = constants.number(pack.pivot_scales, 0) * constants.number(pack.pivot_scales, 1) *
                     constants.number(pack.pivot_scales, 2);
  const Lanes size = Closing<Lanes>::positive_size(volume * usual);
  pivots = select(less(size, pivots), size, pivots);
  BallForces out;
  for (int k = 0; k < 3; ++k) out.units[k] = normals[k] * inverse;
  out.all = out.units[0] * torques[0] + out.units[1] * torques[1] + out.units[2] * torques[2];
  return out;
}

/// What a force at the ball is to the platform, in its axes and about its origin.
template <class Constants, class S>
VERNE_INLINE BodyForce<Lanes> on_platform(const Constants& constants, const LegPack& pack, const Branch<S>& platform,
                                          const Vec3<Lanes>& force) {
  const Vec3<Lanes> f = transpose_times(platform.poses[0].R, force);
  return {f, cross(leg_position(constants, pack.loops[0].platform.pose), f)};
}

}  // namespace VERNE_ISA
}  // namespace verne
