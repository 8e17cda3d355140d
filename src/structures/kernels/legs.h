/// Platforms on legs, leg by leg: one state, with legs that are alike side by side in lanes (docs/theory/loops.md,
/// section 7).
///
///   A, X    J of a leg's equations along its own velocities and the platform's; γ their drift
///   P, c    A⁻¹ X and A⁻¹ γ, so that a leg moves as −P ẋ and accelerates by −P ẍ − c
#pragma once

#include "structures/kernels/branch.h"
#include "structures/kernels/closing.h"
#include "structures/kernels/leg_plan.h"
#include "structures/kernels/platform_system.h"

namespace verne {
inline namespace VERNE_ISA {

class LegByLeg {
 public:
  /// (19). `torques` of the whole tree, or null: then they are found here, without loads.
  static void inverse(const LegPlan& plan, const Inputs<double>& in, const double* torques, double* tau,
                      double* quality, double* memory) {
    LegByLeg work(plan, in, torques, memory);
    const int n = plan.platform->nv;
    const Branch<double> platform = work.platform(!torques);
    double* const forces = work.forces_of(platform);
    PlatformSystem transposed = work.system(n);
    const auto put = [&](int i, int j, double x) VERNE_INLINE_LAMBDA { transposed.set(plan.places[j], i, x); };
    for (int k = 0; k < plan.pack_count; ++k) {
      const Equations legs = work.put_legs(plan.packs[k], platform, forces, nullptr);
      if (plan.in_lanes) {
        for (int j = 0; j < n; ++j) transposed.rows[plan.places[j]] = -legs.of_platform(plan.rows[0].index)[j];
      } else {
        work.put_rows_of_K(k, legs, put);
      }
    }
    work.put_rows_of_platform(put);
    for (int k = 0; k < n; ++k) transposed.set(plan.places[k], n, forces[k]);
    double pivots = n == 6 ? transposed.solve_in_order<6>(kLeastPlatformPivot, plan.usual_pivots) : 0;
    if (!(pivots > 0)) pivots = transposed.solve(kLeastPlatformPivot);
    *quality = smaller(work.quality(), pivots);
    for (int k = 0; k < plan.motor_count; ++k) tau[k] = transposed.get(k, n);
  }

  /// (20). `torques` are those at accelerations of zero; in.tau those of the motors.
  static void forward(const LegPlan& plan, const Inputs<double>& in, const double* torques, double* a, double* quality,
                      double* memory) {
    LegByLeg work(plan, in, torques, memory);
    const int n = plan.platform->nv, motors = plan.motor_count, all = n + n - motors;
    const Branch<double> platform = work.platform(true);
    double *const forces = work.forces_of(platform), *const M = mass_of(*plan.platform, platform, work.scratch_),
                  *const x = work.scratch_.take(n);
    auto* const legs = work.scratch_.take<Equations>(plan.pack_count);
    PlatformSystem K = work.system(n), balance = work.system(all);
    const auto put = [&](int i, int j, double entry) VERNE_INLINE_LAMBDA { K.set(i, j, entry); };
    for (int k = 0; k < plan.pack_count; ++k) {
      legs[k] = work.put_legs(plan.packs[k], platform, forces, M);
      work.put_rows_of_K(k, legs[k], put);
    }
    work.put_rows_of_platform(put);
    for (int i = 0; i < n; ++i) {
      double right = -forces[i];
      for (int k = 0; k < motors; ++k) right += K.get(k, i) * in.tau[k];
      for (int j = 0; j < n; ++j) balance.set(i, j, M[i * n + j]);
      for (int k = motors; k < n; ++k) {
        balance.set(i, n + k - motors, -K.get(k, i));
        balance.set(n + k - motors, i, K.get(k, i));
      }
      balance.set(i, all, right);
    }
    for (int k = motors; k < n; ++k) balance.set(n + k - motors, all, K.get(k, n));
    *quality = smaller(work.quality(), smaller(K.solve(kLeastPlatformPivot), balance.solve(kLeastBalancePivot)));
    for (int i = 0; i < n; ++i) x[i] = balance.get(i, all);
    for (int i = 0; i < n; ++i) a[plan.first_v + i] = x[i];
    for (int k = 0; k < plan.pack_count; ++k) put_accelerations(plan.packs[k], legs[k], x, a);
  }

 private:
  static constexpr int W = Lanes::kCount;

  /// Rows [A | X | γ] of a leg, and then [· | P | c], or of equations that are left what they say of the platform.
  struct Equations {
    Lanes* rows;
    int width, leg, platform;
    VERNE_INLINE Lanes* row(int k) const { return rows + static_cast<long>(width) * k; }
    VERNE_INLINE Lanes* of_platform(int k) const { return row(k) + leg; }
    VERNE_INLINE Lanes& drift(int k) const { return row(k)[leg + platform]; }
    VERNE_INLINE bool has_drift() const { return width > leg + platform; }
  };

  LegByLeg(const LegPlan& plan, const Inputs<double>& in, const double* torques, double* memory)
      : plan_(plan),
        in_(in),
        torques_(torques),
        lanes_(reinterpret_cast<Lanes*>(memory), leg_lanes(plan)),
        scratch_(memory + W * leg_lanes(plan), platform_values(plan)) {}

  /// Zeros.
  PlatformSystem system(int n) {
    const int width = (n + W) / W;
    Lanes* const rows = lanes_.take(n * width);
    for (int k = 0; k < n * width; ++k) rows[k] = Lanes(0.0);
    return {rows, n, width};
  }
  /// The smallest pivot of all legs in parts of the least that will do.
  double quality() const {
    double least = 1e300;
    for (int k = 0; k < W; ++k) least = pivots_.v[k] < least ? pivots_.v[k] : least;
    return least * (1 / kLeastLoopPivot);
  }

  VERNE_INLINE static double smaller(double a, double b) { return a < b ? a : b; }
  VERNE_INLINE static double sum(const Lanes& x) {
    double part[W];
    __builtin_memcpy(part, &x, sizeof part);
    for (int half = W / 2; half > 0; half /= 2) {  // in pairs, which do not wait for each other
      for (int k = 0; k < half; ++k) part[k] += part[k + half];
    }
    return part[0];
  }

  Branch<double> platform(bool with_motion) {
    const TreeBody& root = plan_.platform->bodies[0];
    of_platform_.q = in_.q + plan_.first_q, of_platform_.v = in_.v + plan_.first_v;
    of_platform_.a = in_.a ? in_.a + plan_.first_v : scratch_.zeros(plan_.platform->nv);
    return branch_at<double>(*plan_.platform, mat3(root.R), vec3(root.p), of_platform_, with_motion, scratch_);
  }
  /// Torques of the platform, to which legs add what they need.
  double* forces_of(const Branch<double>& platform) {
    double* const forces = scratch_.take(plan_.platform->nv);
    const double* const own =
        torques_ ? torques_ + plan_.first_v : torques_of(*plan_.platform, of_platform_, platform, scratch_);
    for (int k = 0; k < plan_.platform->nv; ++k) forces[k] = own[k];
    return forces;
  }

  /// Values of the whole tree, of which each lane has its own.
  static const Lanes* gathered(const double* values, const int* first, int count, Scratch<Lanes>& scratch) {
    Lanes* const out = scratch.take(count);
    for (int k = 0; k < count; ++k) {
      for (int lane = 0; lane < W; ++lane) out[k].v[lane] = values[first[lane] + k];
    }
    return out;
  }

  /// P and, with M, c of the legs of a pack. Adds what they need to the forces on the platform and, unless null, to M.
  Equations put_legs(const LegPack& pack, const Branch<double>& platform, double* forces, double* M) {
    const Tree& tree = *pack.tree;
    const int n = tree.nv, x = plan_.platform->nv, width = n + x + (M ? 1 : 0);
    const Equations legs{lanes_.take(pack.row_count * width), width, n, x};
    Scratch<Lanes> scratch = lanes_;
    Inputs<Lanes> in;
    in.q = gathered(in_.q, pack.first_q, tree.nq, scratch), in.v = gathered(in_.v, pack.first_v, n, scratch);
    in.a = in_.a ? gathered(in_.a, pack.first_v, n, scratch) : scratch.zeros(n);
    const Branch<Lanes> branch =
        branch_at<Lanes>(tree, rotation(pack.root), position(pack.root), in, M || !torques_, scratch);
    put_equations(pack, branch, platform, legs);
    eliminate(pack, legs);
    const Lanes* const torques =
        torques_ ? gathered(torques_, pack.first_v, n, scratch) : torques_of(tree, in, branch, scratch);
    Lanes* const right = scratch.take(n);
    const Lanes used = Lanes::load(pack.used);
    for (int k = 0; k < n; ++k) right[k] = torques[pack.columns[k]] * used;
    if (M) add_mass(pack, legs, mass_of(tree, branch, scratch), right, scratch.take(n * x), M);
    for (int j = 0; j < x; ++j) {
      Lanes force(0.0);
      for (int k = 0; k < n; ++k) force = force + legs.of_platform(k)[j] * right[k];
      forces[j] -= sum(force);
    }
    return legs;
  }

  /// Pᵀ M P into `M`, and right −= M c.
  static void add_mass(const LegPack& pack, const Equations& legs, const Lanes* own, Lanes* right, Lanes* MP,
                       double* M) {
    const int n = legs.leg, x = legs.platform;
    const Lanes used = Lanes::load(pack.used);
    for (int i = 0; i < n; ++i) {
      Lanes* VERNE_RESTRICT const row = MP + i * x;
      for (int j = 0; j < x; ++j) row[j] = Lanes(0.0);
      for (int k = 0; k < n; ++k) {
        const Lanes m = own[pack.columns[i] * n + pack.columns[k]] * used;
        right[i] = right[i] - m * legs.drift(k);
        for (int j = 0; j < x; ++j) row[j] = row[j] + m * legs.of_platform(k)[j];
      }
    }
    for (int i = 0; i < x; ++i) {
      for (int j = 0; j <= i; ++j) {
        Lanes entry(0.0);
        for (int k = 0; k < n; ++k) entry = entry + legs.of_platform(k)[i] * MP[k * x + j];
        M[j * x + i] += sum(entry);
        if (i != j) M[i * x + j] = M[j * x + i];
      }
    }
  }

  static VERNE_INLINE Mat3<Lanes> rotation(const double* pose) {
    Mat3<Lanes> R;
    for (int i = 0; i < 9; ++i) R.m[i] = Lanes::load(pose + i * W);
    return R;
  }
  static VERNE_INLINE Vec3<Lanes> position(const double* pose) {
    return {Lanes::load(pose + 9 * W), Lanes::load(pose + 10 * W), Lanes::load(pose + 11 * W)};
  }
  /// Where it has no use its rotation is left out.
  template <class S>
  static VERNE_INLINE ClosingFrame<Lanes> frame(const Branch<S>& branch, const LegEnd& end, bool with_axes) {
    const WorldPose<S>& at = branch.poses[end.body];
    const Vec3<Lanes> r = at.R * position(end.pose);
    ClosingFrame<Lanes> out{{}, at.p + r, r};  // r in place of the origin
    if (with_axes) out.R = at.R * rotation(end.pose);
    return out;
  }
  template <class S>
  static VERNE_INLINE ClosingMotion<Lanes> motion(const Branch<S>& branch, const LegEnd& end,
                                                  const ClosingFrame<Lanes>& frame) {
    const auto wide = [](const Vec3<S>& u) { return Vec3<Lanes>{Lanes(u.x), Lanes(u.y), Lanes(u.z)}; };
    const WorldMotion<S>& k = branch.motions[end.body];
    const WorldMotion<Lanes> of_body{wide(k.w), wide(k.v), wide(k.dw), wide(k.a)};
    const WorldMotion<Lanes> at = at_point(of_body, frame.origin);
    return {at.v, at.w, at.a, at.dw};
  }

  /// Entries of a row along the velocities of a branch, for the wrench of its equation about the root's origin.
  template <class S>
  static VERNE_INLINE void put_entries(const Branch<S>& branch, const LegEnd& end, const Vec3<Lanes>& force,
                                       const Vec3<Lanes>& moment, Lanes* row) {
    for (int k = 0; k < end.reach_count; ++k) {
      const Spatial<S>& freedom = branch.freedoms[end.reaches[k].velocity];
      row[end.reaches[k].column] = dot(force, freedom.linear) + dot(moment, freedom.angular);
    }
  }

  static void put_equations(const LegPack& pack, const Branch<Lanes>& branch, const Branch<double>& platform,
                            const Equations& legs) {
    const bool with_drift = legs.has_drift();
    for (int k = 0; k < pack.row_count * legs.width; ++k) legs.rows[k] = Lanes(0.0);
    for (int l = 0; l < pack.loop_count; ++l) {
      const LegLoop& loop = pack.loops[l];
      const ClosingFrame<Lanes> on_leg = frame(branch, loop.leg, loop.leg_is_a || loop.has_directions),
                                on_platform = frame(platform, loop.platform, !loop.leg_is_a || loop.has_directions);
      const ClosingFrame<Lanes>&a = loop.leg_is_a ? on_leg : on_platform, &b = loop.leg_is_a ? on_platform : on_leg;
      Vec3<Lanes> parts[4], drifts[4];
      if (loop.has_directions || with_drift) Closing<Lanes>::put_parts(a, b, loop.has_directions, parts);
      if (with_drift) {
        const ClosingMotion<Lanes> of_leg = motion(branch, loop.leg, on_leg),
                                   of_platform = motion(platform, loop.platform, on_platform);
        Closing<Lanes>::put_drifts(a, b, loop.leg_is_a ? of_leg : of_platform, loop.leg_is_a ? of_platform : of_leg,
                                   loop.has_directions, parts, drifts);
      }
      for (int i = 0; i < loop.row_count; ++i) {
        const ClosingRow& row = pack.rows[loop.first_row + i];
        // On a. Without directions it is a force through the origin of b: (R e) × d moves it there from that of a.
        ClosingWrench<Lanes> unit{Vec3<Lanes>::zero(), Vec3<Lanes>::zero()};
        if (loop.has_directions) {
          unit = Closing<Lanes>::unit_wrench(row, a, parts);
        } else {
          for (int k = 0; k < 2 && row.coefficient[k] != 0; ++k) {
            unit.force += a.R.column(row.axis[k]) * row.coefficient[k];
          }
        }
        if (!loop.leg_is_a) unit = {-unit.force, -unit.moment};
        const Vec3<Lanes>& at = loop.has_directions ? a.p : b.p;
        put_entries(branch, loop.leg, unit.force, unit.moment + cross(at - branch.poses[0].p, unit.force),
                    legs.row(row.position));
        unit = {-unit.force, -unit.moment};
        put_entries(platform, loop.platform, unit.force, unit.moment + cross(at - platform.poses[0].p, unit.force),
                    legs.of_platform(row.position));
        if (!with_drift) continue;
        legs.drift(row.position) = drifts[row.part[0]][row.axis[0]] * row.coefficient[0] +
                                   drifts[row.part[1]][row.axis[1]] * row.coefficient[1];
      }
    }
  }

  /// Gauss and Jordan's elimination of A.
  void eliminate(const LegPack& pack, const Equations& legs) {
    for (int k = 0; k < legs.leg; ++k) {
      Lanes* VERNE_RESTRICT const pivot_row = legs.row(k);
      const Lanes inverse = Lanes(1.0) / pivot_row[k];
      const Lanes size = Closing<Lanes>::positive_size(pivot_row[k] * Lanes::load(pack.pivot_scales + W * k));
      pivots_ = select(less(size, pivots_), size, pivots_);
      for (int j = k + 1; j < legs.width; ++j) pivot_row[j] = pivot_row[j] * inverse;
      for (int i = 0; i < pack.row_count; ++i) {
        if (i == k) continue;
        Lanes* VERNE_RESTRICT const row = legs.row(i);
        const Lanes factor = row[k];
        for (int j = k + 1; j < legs.width; ++j) row[j] = row[j] - factor * pivot_row[j];
      }
    }
  }

  /// Rows of K that a pack has, as put(row, column, value), and with drifts the right side of K ẍ for motors that do
  /// not accelerate.
  template <class Put>
  VERNE_INLINE void put_rows_of_K(int pack, const Equations& legs, Put&& put) const {
    const int n = legs.platform;
    for (int i = 0; i < n; ++i) {
      const PlatformRow& row = plan_.rows[i];
      if (row.pack != pack) continue;
      const double sign = row.equation ? 1 : -1;
      const Lanes* const source = legs.of_platform(row.index);
      for (int j = 0; j < n; ++j) put(i, j, sign * source[j].v[row.lane]);
      if (legs.has_drift()) put(i, n, -sign * legs.drift(row.index).v[row.lane]);
    }
  }
  template <class Put>
  VERNE_INLINE void put_rows_of_platform(Put&& put) const {
    for (int i = 0; i < plan_.platform->nv; ++i) {
      if (plan_.rows[i].pack < 0) put(i, plan_.rows[i].index, 1);
    }
  }

  static void put_accelerations(const LegPack& pack, const Equations& legs, const double* x, double* a) {
    for (int k = 0; k < legs.leg; ++k) {
      Lanes found = -legs.drift(k);
      for (int j = 0; j < legs.platform; ++j) found = found - legs.of_platform(k)[j] * x[j];
      for (int lane = 0; lane < W; ++lane) a[pack.first_v[lane] + pack.columns[k]] = found.v[lane];
    }
  }

  const LegPlan& plan_;
  const Inputs<double>& in_;
  const double* torques_;
  Scratch<Lanes> lanes_;
  Scratch<double> scratch_;
  Inputs<double> of_platform_;
  Lanes pivots_{1e300};  ///< the smallest of each lane, in parts of the usual ones
};

}  // namespace VERNE_ISA
}  // namespace verne
