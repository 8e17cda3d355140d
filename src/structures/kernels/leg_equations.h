/// How legs hang together with the platform (docs/theory/loops.md, section 7): legs that are alike side by side in
/// lanes, for one state, or one leg of several states.
///
///   A, X    J of a leg's equations along its own velocities and the platform's; γ their drift
///   P, c    A⁻¹ X and A⁻¹ γ, so that a leg moves as −P ẋ and accelerates by −P ẍ − c
#pragma once

#include "structures/kernels/branch.h"
#include "structures/kernels/closing.h"
#include "structures/kernels/leg_plan.h"

namespace verne {
inline namespace VERNE_ISA {

/// The legs of a pack, each with its numbers in its own lane: what they need adds up over the lanes.
struct LegsInLanes {
  VERNE_INLINE Lanes number(const double* values, int k) const { return Lanes::load(values + k * Lanes::kCount); }
  VERNE_INLINE Lanes used(const LegPack& pack, const Lanes& x) const { return x * Lanes::load(pack.used); }
  VERNE_INLINE double total(const Lanes& x) const {
    double part[Lanes::kCount];
    __builtin_memcpy(part, &x, sizeof part);
    for (int half = Lanes::kCount / 2; half > 0; half /= 2) {  // in pairs, which do not wait for each other
      for (int k = 0; k < half; ++k) part[k] += part[k + half];
    }
    return part[0];
  }
};

/// One leg of a pack, with a state in each lane.
struct LegOfStates {
  int leg, stride;
  VERNE_INLINE double number(const double* values, int k) const { return values[k * stride + leg]; }
  VERNE_INLINE const Lanes& used(const LegPack&, const Lanes& x) const { return x; }
  VERNE_INLINE const Lanes& total(const Lanes& x) const { return x; }
};

/// Poses among the constants of legs.
template <class Constants>
VERNE_INLINE auto leg_rotation(const Constants& constants, const double* pose) {
  Mat3<decltype(constants.number(pose, 0))> R;
  for (int i = 0; i < 9; ++i) R.m[i] = constants.number(pose, i);
  return R;
}
template <class Constants>
VERNE_INLINE auto leg_position(const Constants& constants, const double* pose) {
  return Vec3<decltype(constants.number(pose, 0))>{constants.number(pose, 9), constants.number(pose, 10),
                                                   constants.number(pose, 11)};
}

/// The platform at one state, or at one in each lane.
template <class S>
struct PlatformAtState {
  Branch<S> platform(BranchParts with) {
    const TreeBody& root = plan_.platform->bodies[0];
    of_platform_.q = in_.q + plan_.first_q, of_platform_.v = in_.v + plan_.first_v;
    of_platform_.a = in_.a ? in_.a + plan_.first_v : scratch_.zeros(plan_.platform->nv);
    return branch_at<S>(*plan_.platform, mat3(root.R), vec3(root.p), of_platform_, with, scratch_);
  }
  /// Torques of the platform, to which legs add what they need.
  S* forces_of(const Branch<S>& platform) {
    S* const forces = scratch_.take(plan_.platform->nv);
    const Tree& tree = *plan_.platform;
    const S* const own = torques_ ? torques_ + plan_.first_v
                                  : torques_of(tree, mat3(tree.bodies[0].R), of_platform_, platform.trig, scratch_);
    for (int k = 0; k < plan_.platform->nv; ++k) forces[k] = own[k];
    return forces;
  }

  const LegPlan& plan_;
  const Inputs<S>& in_;
  const S* torques_;  // of the whole tree, or null
  Scratch<S> scratch_;
  Inputs<S> of_platform_{};
};

/// Rows [A | X | γ] of a leg, and then [· | P | c], or of equations that are left what they say of the platform.
struct LegEquations {
  Lanes* rows;
  int width, leg, platform;
  VERNE_INLINE Lanes* row(int k) const { return rows + static_cast<long>(width) * k; }
  VERNE_INLINE Lanes* of_platform(int k) const { return row(k) + leg; }
  VERNE_INLINE Lanes& drift(int k) const { return row(k)[leg + platform]; }
  VERNE_INLINE bool has_drift() const { return width > leg + platform; }
};

/// Where it has no use its rotation is left out.
template <class Constants, class S>
VERNE_INLINE ClosingFrame<Lanes> leg_frame(const Constants& constants, const Branch<S>& branch, const LegEnd& end,
                                           bool with_axes) {
  const WorldPose<S>& at = branch.poses[end.body];
  const Vec3<Lanes> r = at.R * leg_position(constants, end.pose);
  ClosingFrame<Lanes> out;
  out.p = at.p + r, out.origin = r;  // in place of the origin
  if (with_axes) out.R = at.R * leg_rotation(constants, end.pose);
  return out;
}

template <class S>
VERNE_INLINE ClosingMotion<Lanes> leg_motion(const Branch<S>& branch, const LegEnd& end,
                                             const ClosingFrame<Lanes>& frame) {
  const auto wide = [](const Vec3<S>& u) { return Vec3<Lanes>{Lanes(u.x), Lanes(u.y), Lanes(u.z)}; };
  const WorldMotion<S>& k = branch.motions[end.body];
  const WorldMotion<Lanes> of_body{wide(k.w), wide(k.v), wide(k.dw), wide(k.a)};
  const WorldMotion<Lanes> at = at_point(of_body, frame.origin);
  return {at.v, at.w, at.a, at.dw};
}

/// Entries of a row along the velocities of a branch, for the wrench of its equation about the root's origin.
template <class S>
VERNE_INLINE void put_leg_entries(const Branch<S>& branch, const LegEnd& end, const Vec3<Lanes>& force,
                                  const Vec3<Lanes>& moment, Lanes* row) {
  for (int k = 0; k < end.reach_count; ++k) {
    const Spatial<S>& freedom = branch.freedoms[end.reaches[k].velocity];
    row[end.reaches[k].column] = dot(force, freedom.linear) + dot(moment, freedom.angular);
  }
}

/// An equation's unit wrench on the leg (4).
VERNE_INLINE Closing<Lanes>::UnitAt leg_unit(const LegLoop& loop, const ClosingRow& row, const ClosingFrame<Lanes>& a,
                                             const ClosingFrame<Lanes>& b, const Vec3<Lanes>* parts) {
  Closing<Lanes>::UnitAt unit = Closing<Lanes>::unit_at(row, a, b, loop.has_directions, parts);
  if (!loop.leg_is_a) unit.wrench = {-unit.wrench.force, -unit.wrench.moment};
  return unit;
}

/// Unit wrenches of a leg's equations about the platform's origin, by position, and entries of A as
/// put(column, position, value).
template <class Constants, class S, class Put>
VERNE_INLINE void put_leg_units(const Constants& constants, const LegPack& pack, const Branch<Lanes>& branch,
                                const Branch<S>& platform, ClosingWrench<Lanes>* units, Put&& put) {
  for (int l = 0; l < pack.loop_count; ++l) {
    const LegLoop& loop = pack.loops[l];
    const ClosingFrame<Lanes> on_leg = leg_frame(constants, branch, loop.leg, loop.leg_is_a || loop.has_directions),
                              on_platform =
                                  leg_frame(constants, platform, loop.platform, !loop.leg_is_a || loop.has_directions);
    const ClosingFrame<Lanes>&a = loop.leg_is_a ? on_leg : on_platform, &b = loop.leg_is_a ? on_platform : on_leg;
    Vec3<Lanes> parts[4];
    if (loop.has_directions) Closing<Lanes>::put_parts(a, b, true, parts);
    for (int i = 0; i < loop.row_count; ++i) {
      const ClosingRow& row = pack.rows[loop.first_row + i];
      const Closing<Lanes>::UnitAt unit = leg_unit(loop, row, a, b, parts);
      const Vec3<Lanes>& force = unit.wrench.force;
      const Vec3<Lanes> moment = unit.wrench.moment + cross(unit.at - branch.poses[0].p, force);
      for (int k = 0; k < loop.leg.reach_count; ++k) {
        const Spatial<Lanes>& freedom = branch.freedoms[loop.leg.reaches[k].velocity];
        put(loop.leg.reaches[k].column, row.position, dot(force, freedom.linear) + dot(moment, freedom.angular));
      }
      units[row.position] = {force, unit.wrench.moment + cross(unit.at - platform.poses[0].p, force)};
    }
  }
}

template <class Constants, class S>
VERNE_INLINE void put_leg_equations(const Constants& constants, const LegPack& pack, const Branch<Lanes>& branch,
                                    const Branch<S>& platform, const LegEquations& legs) {
  const bool with_drift = legs.has_drift();
  for (int k = 0; k < pack.row_count * legs.width; ++k) legs.rows[k] = Lanes(0.0);
  for (int l = 0; l < pack.loop_count; ++l) {
    const LegLoop& loop = pack.loops[l];
    const ClosingFrame<Lanes> on_leg = leg_frame(constants, branch, loop.leg, loop.leg_is_a || loop.has_directions),
                              on_platform =
                                  leg_frame(constants, platform, loop.platform, !loop.leg_is_a || loop.has_directions);
    const ClosingFrame<Lanes>&a = loop.leg_is_a ? on_leg : on_platform, &b = loop.leg_is_a ? on_platform : on_leg;
    Vec3<Lanes> parts[4], drifts[4];
    if (loop.has_directions || with_drift) Closing<Lanes>::put_parts(a, b, loop.has_directions, parts);
    if (with_drift) {
      const ClosingMotion<Lanes> of_leg = leg_motion(branch, loop.leg, on_leg),
                                 of_platform = leg_motion(platform, loop.platform, on_platform);
      Closing<Lanes>::put_drifts(a, b, loop.leg_is_a ? of_leg : of_platform, loop.leg_is_a ? of_platform : of_leg,
                                 loop.has_directions, parts, drifts);
    }
    for (int i = 0; i < loop.row_count; ++i) {
      const ClosingRow& row = pack.rows[loop.first_row + i];
      const Closing<Lanes>::UnitAt of_row = leg_unit(loop, row, a, b, parts);
      ClosingWrench<Lanes> unit = of_row.wrench;
      const Vec3<Lanes>& at = of_row.at;
      put_leg_entries(branch, loop.leg, unit.force, unit.moment + cross(at - branch.poses[0].p, unit.force),
                      legs.row(row.position));
      unit = {-unit.force, -unit.moment};
      put_leg_entries(platform, loop.platform, unit.force, unit.moment + cross(at - platform.poses[0].p, unit.force),
                      legs.of_platform(row.position));
      if (!with_drift) continue;
      legs.drift(row.position) =
          drifts[row.part[0]][row.axis[0]] * row.coefficient[0] + drifts[row.part[1]][row.axis[1]] * row.coefficient[1];
    }
  }
}

/// Gauss and Jordan's elimination of A. `pivots` are the smallest of each lane so far, in parts of the usual ones.
template <class Constants>
VERNE_INLINE void eliminate_leg(const Constants& constants, const LegPack& pack, const LegEquations& legs,
                                Lanes& pivots) {
  for (int k = 0; k < legs.leg; ++k) {
    Lanes* VERNE_RESTRICT const pivot_row = legs.row(k);
    const Lanes inverse = Lanes(1.0) / pivot_row[k];
    const Lanes size = Closing<Lanes>::positive_size(pivot_row[k] * constants.number(pack.pivot_scales, k));
    pivots = select(less(size, pivots), size, pivots);
    for (int j = k + 1; j < legs.width; ++j) pivot_row[j] = pivot_row[j] * inverse;
    for (int i = 0; i < pack.row_count; ++i) {
      if (i == k) continue;
      Lanes* VERNE_RESTRICT const row = legs.row(i);
      const Lanes factor = row[k];
      for (int j = k + 1; j < legs.width; ++j) row[j] = row[j] - factor * pivot_row[j];
    }
  }
}

/// What torques `right`, by columns, need of the platform.
template <class Constants, class S>
VERNE_INLINE void add_leg_forces(const Constants& constants, const LegEquations& legs, const Lanes* right, S* forces) {
  for (int j = 0; j < legs.platform; ++j) {
    Lanes force(0.0);
    for (int k = 0; k < legs.leg; ++k) force = force + legs.of_platform(k)[j] * right[k];
    forces[j] = forces[j] - constants.total(force);
  }
}

/// Pᵀ M P into `M`, and right −= M c.
template <class Constants, class S>
VERNE_INLINE void add_leg_mass(const Constants& constants, const LegPack& pack, const LegEquations& legs,
                               const Lanes* own, Lanes* right, Lanes* MP, S* M) {
  const int n = legs.leg, x = legs.platform;
  for (int i = 0; i < n; ++i) {
    Lanes* VERNE_RESTRICT const row = MP + i * x;
    for (int j = 0; j < x; ++j) row[j] = Lanes(0.0);
    for (int k = 0; k < n; ++k) {
      const Lanes m = constants.used(pack, own[pack.columns[i] * n + pack.columns[k]]);
      right[i] = right[i] - m * legs.drift(k);
      for (int j = 0; j < x; ++j) row[j] = row[j] + m * legs.of_platform(k)[j];
    }
  }
  for (int i = 0; i < x; ++i) {
    for (int j = 0; j <= i; ++j) {
      Lanes entry(0.0);
      for (int k = 0; k < n; ++k) entry = entry + legs.of_platform(k)[i] * MP[k * x + j];
      M[j * x + i] = M[j * x + i] + constants.total(entry);
      if (i != j) M[i * x + j] = M[j * x + i];
    }
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
