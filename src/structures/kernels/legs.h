/// Platforms on legs, leg by leg: one state, with legs that are alike side by side in lanes (docs/theory/loops.md,
/// section 7).
#pragma once

#include "structures/kernels/ball_leg.h"
#include "structures/kernels/platform_system.h"
#include "structures/kernels/slider_leg.h"

namespace verne {
inline namespace VERNE_ISA {

class LegByLeg : PlatformAtState<double> {
 public:
  /// (19). `torques` of the whole tree, or null: then they are found here, without loads.
  static void inverse(const LegPlan& plan, const Inputs<double>& in, const double* torques, double* tau,
                      double* quality, double* memory) {
    LegByLeg work(plan, in, torques, memory);
    const int n = plan.platform->nv;
    const Branch<double> platform = work.platform({!plan.balls, false});
    double* const forces = work.forces_of(platform);
    PlatformSystem transposed = work.system(n);
    const auto put = [&](int i, int j, double x) VERNE_INLINE_LAMBDA { transposed.set(plan.places[j], i, x); };
    for (int k = 0; k < plan.pack_count; ++k) {
      if (plan.packs[k].ball) {
        work.put_ball_legs(k, platform, forces, transposed, put);
        continue;
      }
      const LegEquations legs = work.put_legs(plan.packs[k], platform, forces, nullptr);
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
    const Branch<double> platform = work.platform({true, true});
    double *const forces = work.forces_of(platform), *const M = mass_of(*plan.platform, platform, work.scratch_),
                  *const x = work.scratch_.take(n);
    auto* const legs = work.scratch_.take<LegEquations>(plan.pack_count);
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

  LegByLeg(const LegPlan& plan, const Inputs<double>& in, const double* torques, double* memory)
      : PlatformAtState{plan, in, torques, Scratch<double>(memory + W * leg_lanes(plan), platform_values(plan))},
        lanes_(reinterpret_cast<Lanes*>(memory), leg_lanes(plan)) {}

  /// Zeros.
  PlatformSystem system(int n) {
    const int width = (n + W) / W;
    Lanes* const rows = lanes_.take(n * width);
    for (int k = 0; k < n * width; ++k) rows[k] = Lanes(0.0);
    return {rows, n, width};
  }
  /// min|pivot| of all legs / the least that is allowed; below 1: ill-conditioned.
  double quality() const {
    double least = 1e300;
    for (int k = 0; k < W; ++k) least = pivots_.v[k] < least ? pivots_.v[k] : least;
    return least * (1 / kLeastLoopPivot);
  }

  VERNE_INLINE static double smaller(double a, double b) { return a < b ? a : b; }

  /// Values of the whole tree, of which each lane has its own.
  static const Lanes* gathered(const double* values, const int* first, int count, Scratch<Lanes>& scratch) {
    Lanes* const out = scratch.take(count);
    for (int k = 0; k < count; ++k) {
      for (int lane = 0; lane < W; ++lane) out[k].v[lane] = values[first[lane] + k];
    }
    return out;
  }

  Inputs<Lanes> inputs_of(const LegPack& pack, Scratch<Lanes>& scratch) const {
    const int n = pack.tree->nv;
    Inputs<Lanes> in;
    in.q = gathered(in_.q, pack.first_q, pack.tree->nq, scratch), in.v = gathered(in_.v, pack.first_v, n, scratch);
    in.a = in_.a ? gathered(in_.a, pack.first_v, n, scratch) : scratch.zeros(n);
    return in;
  }
  const Lanes* torques_on(const LegPack& pack, const Inputs<Lanes>& in, const Trig<Lanes>& trig,
                          Scratch<Lanes>& scratch) const {
    if (torques_) return gathered(torques_, pack.first_v, pack.tree->nv, scratch);
    return torques_of(*pack.tree, leg_rotation(LegsInLanes{}, pack.root), in, trig, scratch);
  }

  /// Of legs that end in balls: what they need of the platform, and their rows of K.
  template <class Put>
  VERNE_INLINE void put_ball_legs(int pack_index, const Branch<double>& platform, double* forces,
                                  PlatformSystem& transposed, Put&& put) {
    const LegPack& pack = plan_.packs[pack_index];
    const LegsInLanes constants;
    Scratch<Lanes> scratch = lanes_;
    const Inputs<Lanes> in = inputs_of(pack, scratch);
    if (pack.slider) {
      SliderTurns turns;
      sincos(in.q, turns.sn, turns.cs, 2);
      const SliderLegAtState at(constants, pack, in, turns);
      const auto torques = torques_ ? at.given(gathered(torques_, pack.first_v, 3, scratch)) : at.torques();
      put_balls(pack_index, platform, at.forces(torques, pivots_), forces, transposed, put);
    } else {
      const Trig<Lanes> trig = branch_trigonometry(*pack.tree, in.q, scratch);
      const Lanes* const torques = torques_on(pack, in, trig, scratch);
      put_balls(pack_index, platform, ball_forces(constants, pack, in.q, trig, torques, pivots_), forces, transposed,
                put);
    }
  }
  template <class Forces, class Put>
  VERNE_INLINE void put_balls(int pack_index, const Branch<double>& platform, const Forces& at_ball, double* forces,
                              PlatformSystem& transposed, Put&& put) {
    const LegPack& pack = plan_.packs[pack_index];
    const LegsInLanes constants;
    const BodyForce<Lanes> each = on_platform(constants, pack, platform, at_ball.all);
    const auto total = [&](const Vec3<Lanes>& u) VERNE_INLINE_LAMBDA {
      return Vec3<double>{constants.total(constants.used(pack, u.x)), constants.total(constants.used(pack, u.y)),
                          constants.total(constants.used(pack, u.z))};
    };
    project(plan_.platform->bodies[0], BodyForce<double>{total(each.f), total(each.n)}, true, forces);
    for (int index = 0; index < 3; ++index) {
      const auto has = [&](int i) VERNE_INLINE_LAMBDA {
        return plan_.rows[i].pack == pack_index && plan_.rows[i].index == index;
      };
      int first = 0;
      while (first < plan_.motor_count && !has(first)) ++first;
      if (first == plan_.motor_count) continue;
      const Vec3<Lanes>& unit = at_ball.unit(pack.columns[index]);
      for_each_projection(plan_.platform->bodies[0], on_platform(constants, pack, platform, unit),
                          [&](int j, const Lanes& x) VERNE_INLINE_LAMBDA {
                            if (plan_.in_lanes) {
                              transposed.rows[plan_.places[j]] = x;
                              return;
                            }
                            for (int i = first; i < plan_.motor_count; ++i) {
                              if (has(i)) put(i, j, x.v[plan_.rows[i].lane]);
                            }
                          });
    }
  }

  /// P and, with M, c of the legs of a pack. Adds what they need to the forces on the platform and, unless null, to M.
  LegEquations put_legs(const LegPack& pack, const Branch<double>& platform, double* forces, double* M) {
    const Tree& tree = *pack.tree;
    const int n = tree.nv, x = plan_.platform->nv, width = n + x + (M ? 1 : 0);
    const LegEquations legs{lanes_.take(pack.row_count * width), width, n, x};
    const LegsInLanes constants;
    Scratch<Lanes> scratch = lanes_;
    const Inputs<Lanes> in = inputs_of(pack, scratch);
    const Branch<Lanes> branch =
        branch_at<Lanes>(tree, leg_rotation(constants, pack.root), leg_position(constants, pack.root), in,
                         {true, M != nullptr}, scratch);
    put_leg_equations(constants, pack, branch, platform, legs);
    eliminate_leg(constants, pack, legs, pivots_);
    const Lanes* const torques = torques_on(pack, in, branch.trig, scratch);
    Lanes* const right = scratch.take(n);
    for (int k = 0; k < n; ++k) right[k] = constants.used(pack, torques[pack.columns[k]]);
    if (M) add_leg_mass(constants, pack, legs, mass_of(tree, branch, scratch), right, scratch.take(n * x), M);
    add_leg_forces(constants, legs, right, forces);
    return legs;
  }

  /// Rows of K that a pack has, as put(row, column, value), and with drifts the right side of K ẍ for motors that do
  /// not accelerate.
  template <class Put>
  VERNE_INLINE void put_rows_of_K(int pack, const LegEquations& legs, Put&& put) const {
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

  static void put_accelerations(const LegPack& pack, const LegEquations& legs, const double* x, double* a) {
    for (int k = 0; k < legs.leg; ++k) {
      Lanes found = -legs.drift(k);
      for (int j = 0; j < legs.platform; ++j) found = found - legs.of_platform(k)[j] * x[j];
      for (int lane = 0; lane < W; ++lane) a[pack.first_v[lane] + pack.columns[k]] = found.v[lane];
    }
  }

  Scratch<Lanes> lanes_;
  Lanes pivots_{1e300};  ///< the smallest of each lane, in parts of the usual ones
};

}  // namespace VERNE_ISA
}  // namespace verne
