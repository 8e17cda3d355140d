/// Platforms on legs, leg by leg, with a state in each lane (docs/theory/loops.md, sections 7 and 8).
#pragma once

#include "structures/kernels/ball_leg.h"
#include "structures/kernels/leg_systems.h"
#include "structures/kernels/slider_leg.h"

namespace verne {
inline namespace VERNE_ISA {

class LegBatch : PlatformAtState<Lanes> {
 public:
  /// (19). `torques` of the whole tree, or null: then they are found here, without loads.
  static void inverse(const LegPlan& plan, const Inputs<Lanes>& in, const Lanes* torques, Lanes* tau, Lanes* quality,
                      Lanes* memory) {
    LegBatch work(plan, in, torques, memory);
    const int n = plan.platform->nv;
    const Branch<Lanes> platform = work.platform({!plan.balls, false});
    Lanes* const forces = work.forces_of(platform);
    const TransposedK K = work.rows_of_platform();
    BodyForce<Lanes> on_balls = BodyForce<Lanes>::zero();
    const Scratch<Lanes> left = work.scratch_;
    for (int k = 0; k < plan.pack_count; ++k) {
      if (plan.packs[k].slider) {
        work.scratch_ = left;
        work.add_slider_reactions(plan.packs[k], platform, on_balls, K);
        continue;
      }
      for (int leg = 0; leg < plan.packs[k].leg_count; ++leg) {
        work.scratch_ = left;  // a leg is forgotten once its part of K is known
        if (plan.packs[k].ball) {
          work.add_ball_reactions(k, leg, platform, on_balls, K);
        } else {
          work.add_reactions(k, leg, platform, forces, K);
        }
      }
    }
    project(plan.platform->bodies[0], on_balls, true, forces);
    K.put_right(forces);
    work.put_quality(quality, n == 6 ? K.solve<6>(plan.usual_pivots) : K.solve(plan.usual_pivots));
    for (int k = 0; k < plan.motor_count; ++k) tau[k] = K.right(k);
  }

  /// (20). `torques` are those at accelerations of zero; in.tau those of the motors.
  static void forward(const LegPlan& plan, const Inputs<Lanes>& in, const Lanes* torques, Lanes* a, Lanes* quality,
                      Lanes* memory) {
    LegBatch work(plan, in, torques, memory);
    const int n = plan.platform->nv, motors = plan.motor_count, held = n - motors, all = n + held;
    const Branch<Lanes> platform = work.platform({true, true});
    Lanes *const forces = work.forces_of(platform), *const M = mass_of(*plan.platform, platform, work.scratch_),
                 *const right = work.scratch_.take(all), *const balance = work.scratch_.take(all * all);
    const TransposedK K = work.rows_of_platform();
    LegEquations first{};
    for (int k = 0; k < plan.pack_count; ++k) {
      for (int leg = 0; leg < plan.packs[k].leg_count; ++leg) {
        const LegEquations equations = work.put_leg(plan.packs[k], leg, platform, forces, M);
        if (!first.rows) first = equations;
        work.put_rows_of_K(k, leg, equations, K);
      }
    }
    for (int i = 0; i < n; ++i) {
      right[i] = -forces[i];
      for (int k = 0; k < motors; ++k) right[i] = right[i] + K(k, i) * in.tau[k];
      for (int j = 0; j <= i; ++j) balance[i * all + j] = M[i * n + j];
    }
    for (int k = 0; k < held; ++k) {
      Lanes* const row = balance + (n + k) * all;
      for (int j = 0; j < n; ++j) row[j] = K(motors + k, j);
      for (int j = 0; j <= k; ++j) row[n + j] = Lanes(0.0);
      right[n + k] = work.drifts_[motors + k];
    }
    K.put_right(forces);  // of no use: only the pivots are
    work.put_quality(quality, smaller(solve_balance(n, all, balance, right), K.solve(plan.usual_pivots)));
    for (int i = 0; i < n; ++i) a[plan.first_v + i] = right[i];
    Lanes* rows = first.rows;  // of one leg after the other
    for (int k = 0; k < plan.pack_count; ++k) {
      const LegPack& pack = plan.packs[k];
      const LegEquations of_pack{nullptr, pack.tree->nv + n + 1, pack.tree->nv, n};
      for (int leg = 0; leg < pack.leg_count; ++leg, rows += pack.row_count * of_pack.width) {
        put_accelerations(pack, leg, {rows, of_pack.width, of_pack.leg, n}, right, a);
      }
    }
  }

 private:
  LegBatch(const LegPlan& plan, const Inputs<Lanes>& in, const Lanes* torques, Lanes* memory)
      : PlatformAtState{plan, in, torques, Scratch<Lanes>(memory, leg_batch_lanes(plan))} {}

  static VERNE_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return select(less(a, b), a, b); }
  VERNE_INLINE void put_quality(Lanes* quality, const Lanes& of_platform) const {
    *quality = smaller(pivots_ * (1 / kLeastLoopPivot), of_platform);
  }

  /// K, with those rows that are velocities of the platform.
  TransposedK rows_of_platform() {
    const int n = plan_.platform->nv;
    const TransposedK K{scratch_.zeros(n * (n + 1)), plan_.places, n};
    drifts_ = scratch_.zeros(n);
    for (int i = 0; i < n; ++i) {
      if (plan_.rows[i].pack < 0) K(i, plan_.rows[i].index) = Lanes(1.0);
    }
    return K;
  }

  Inputs<Lanes> inputs_of(const LegPack& pack, int leg, Scratch<Lanes>& scratch) const {
    const int first_v = pack.first_v[leg];
    Inputs<Lanes> in;
    in.q = in_.q + pack.first_q[leg], in.v = in_.v + first_v;
    in.a = in_.a ? in_.a + first_v : scratch.zeros(pack.tree->nv);
    return in;
  }
  Branch<Lanes> branch_of(const LegPack& pack, int leg, bool with_motions, const Inputs<Lanes>& in,
                          Scratch<Lanes>& scratch) const {
    const LegOfStates constants{leg, plan_.lanes};
    return branch_at<Lanes>(*pack.tree, leg_rotation(constants, pack.root), leg_position(constants, pack.root), in,
                            {true, with_motions}, scratch);
  }
  const Lanes* torques_on(const LegPack& pack, int leg, const Inputs<Lanes>& in, const Trig<Lanes>& trig,
                          Scratch<Lanes>& scratch) const {
    if (torques_) return torques_ + pack.first_v[leg];
    return torques_of(*pack.tree, leg_rotation(LegOfStates{leg, plan_.lanes}, pack.root), in, trig, scratch);
  }

  /// What a leg needs of the platform, and its rows of K: wrenches of its equations that hold its torques, or a unit
  /// torque of a motor, so that P is not formed (21).
  void add_reactions(int pack_index, int leg, const Branch<Lanes>& platform, Lanes* forces, const TransposedK& K) {
    const LegPack& pack = plan_.packs[pack_index];
    const int n = pack.tree->nv, rows = plan_.platform->nv;
    const Inputs<Lanes> in = inputs_of(pack, leg, scratch_);
    const Branch<Lanes> branch = branch_of(pack, leg, false, in, scratch_);
    const Lanes* const torques = torques_on(pack, leg, in, branch.trig, scratch_);
    const auto has = [&](int i)
                         VERNE_INLINE_LAMBDA { return plan_.rows[i].pack == pack_index && plan_.rows[i].lane == leg; };
    int own = 0;
    for (int i = 0; i < rows; ++i) own += has(i);
    const TransposedLeg system{scratch_.zeros(n * (n + 1 + own)), n, 1 + own};
    auto* const units = scratch_.take<ClosingWrench<Lanes>>(pack.row_count);
    const auto put = [&](int column, int position, const Lanes& x) VERNE_INLINE_LAMBDA {
      if (position < n) {
        system(column, position) = x;
        return;
      }
      for (int i = 0, side = 1; i < rows; ++i) {
        if (!has(i)) continue;
        if (plan_.rows[i].equation && plan_.rows[i].index == position) system.right(column, side) = x;
        ++side;
      }
    };
    put_leg_units(LegOfStates{leg, plan_.lanes}, pack, branch, platform, units, put);
    for (int k = 0; k < n; ++k) system.right(k, 0) = torques[pack.columns[k]];
    for (int i = 0, side = 1; i < rows; ++i) {
      if (!has(i)) continue;
      if (!plan_.rows[i].equation) system.right(plan_.rows[i].index, side) = Lanes(1.0);
      ++side;
    }
    if (n == 3) {
      system.solve<3>(pack.pivot_scales, leg, plan_.lanes, pivots_);
    } else {
      system.solve(pack.pivot_scales, leg, plan_.lanes, pivots_);
    }
    add_wrenches(pack, platform, system, 0, -1, units, [&](int j) -> Lanes& { return forces[j]; });
    for (int i = 0, side = 1; i < rows; ++i) {
      if (!has(i)) continue;
      add_wrenches(pack, platform, system, side++, plan_.rows[i].equation ? plan_.rows[i].index : -1, units,
                   [&](int j) -> Lanes& { return K(i, j); });
    }
  }
  void add_ball_reactions(int pack_index, int leg, const Branch<Lanes>& platform, BodyForce<Lanes>& reactions,
                          const TransposedK& K) {
    const LegPack& pack = plan_.packs[pack_index];
    const LegOfStates constants{leg, plan_.lanes};
    const Inputs<Lanes> in = inputs_of(pack, leg, scratch_);
    const Trig<Lanes> trig = branch_trigonometry(*pack.tree, in.q, scratch_);
    const BallForces forces =
        ball_forces(constants, pack, in.q, trig, torques_on(pack, leg, in, trig, scratch_), pivots_);
    reactions += on_platform(constants, pack, platform, forces.all);
    for (int i = 0; i < plan_.motor_count; ++i) {
      if (plan_.rows[i].pack != pack_index || plan_.rows[i].lane != leg) continue;
      put_ball_row(pack, leg, platform, forces.units[pack.columns[plan_.rows[i].index]], K, i);
    }
  }
  void add_slider_reactions(const LegPack& pack, const Branch<Lanes>& platform, BodyForce<Lanes>& reactions,
                            const TransposedK& K) {
    // Of all legs at once, since a leg by itself waits for them.
    auto* const turns = scratch_.take<SliderTurns>(pack.leg_count);
    for (int leg = 0; leg < pack.leg_count; ++leg) {
      sincos(in_.q + pack.first_q[leg], turns[leg].sn, turns[leg].cs, 2);
    }
    const Scratch<Lanes> left = scratch_;
    for (int leg = 0; leg < pack.leg_count; ++leg) {
      scratch_ = left;
      add_slider_reactions(pack, leg, turns[leg], platform, reactions, K);
    }
  }
  void add_slider_reactions(const LegPack& pack, int leg, const SliderTurns& turns, const Branch<Lanes>& platform,
                            BodyForce<Lanes>& reactions, const TransposedK& K) {
    const LegOfStates constants{leg, plan_.lanes};
    const Inputs<Lanes> in = inputs_of(pack, leg, scratch_);
    const SliderLegAtState at(constants, pack, in, turns);
    const auto forces = at.forces(torques_ ? at.given(torques_ + pack.first_v[leg]) : at.torques(), pivots_);
    reactions += on_platform(constants, pack, platform, forces.all);
    put_ball_row(pack, leg, platform, forces.of_slider, K, pack.slider->rows[leg]);
  }
  VERNE_INLINE void put_ball_row(const LegPack& pack, int leg, const Branch<Lanes>& platform, const Vec3<Lanes>& unit,
                                 const TransposedK& K, int i) const {
    for_each_projection(plan_.platform->bodies[0], on_platform(LegOfStates{leg, plan_.lanes}, pack, platform, unit),
                        [&](int j, const Lanes& x) VERNE_INLINE_LAMBDA { K(i, j) = x; });
  }
  /// What the wrenches of a solution, less that of the equation `left` unless −1, do along the platform's velocities.
  template <class To>
  static VERNE_INLINE void add_wrenches(const LegPack& pack, const Branch<Lanes>& platform, const TransposedLeg& system,
                                        int side, int left, const ClosingWrench<Lanes>* units, To&& to) {
    for (int l = 0; l < pack.loop_count; ++l) {
      const LegLoop& loop = pack.loops[l];
      Vec3<Lanes> force = Vec3<Lanes>::zero(), moment = force;
      for (int i = 0; i < loop.row_count; ++i) {
        const int position = pack.rows[loop.first_row + i].position;
        if (position >= system.n && position != left) continue;
        const Lanes y = position == left ? Lanes(-1.0) : system.right(position, side);
        force += units[position].force * y, moment += units[position].moment * y;
      }
      for (int k = 0; k < loop.platform.reach_count; ++k) {
        const LegReach& reach = loop.platform.reaches[k];
        const Spatial<Lanes>& freedom = platform.freedoms[reach.velocity];
        Lanes& sum = to(reach.column);
        sum = sum + (dot(force, freedom.linear) + dot(moment, freedom.angular));
      }
    }
  }

  /// P and c of a leg. Adds what it needs to the forces on the platform and to M.
  LegEquations put_leg(const LegPack& pack, int leg, const Branch<Lanes>& platform, Lanes* forces, Lanes* M) {
    const int n = pack.tree->nv, x = plan_.platform->nv, width = n + x + 1;
    const LegEquations equations{scratch_.take(pack.row_count * width), width, n, x};
    const LegOfStates constants{leg, plan_.lanes};
    Scratch<Lanes> scratch = scratch_;
    const Inputs<Lanes> in = inputs_of(pack, leg, scratch);
    const Branch<Lanes> branch = branch_of(pack, leg, true, in, scratch);
    put_leg_equations(constants, pack, branch, platform, equations);
    eliminate_leg(constants, pack, equations, pivots_);
    const Lanes* const torques = torques_on(pack, leg, in, branch.trig, scratch);
    Lanes* const right = scratch.take(n);
    for (int k = 0; k < n; ++k) right[k] = torques[pack.columns[k]];
    add_leg_mass(constants, pack, equations, mass_of(*pack.tree, branch, scratch), right, scratch.take(n * x), M);
    add_leg_forces(constants, equations, right, forces);
    return equations;
  }

  /// Rows of K that a leg has, and what K ẍ is for motors that do not accelerate.
  VERNE_INLINE void put_rows_of_K(int pack, int leg, const LegEquations& equations, const TransposedK& K) const {
    const int n = equations.platform;
    for (int i = 0; i < n; ++i) {
      const PlatformRow& row = plan_.rows[i];
      if (row.pack != pack || row.lane != leg) continue;
      const double sign = row.equation ? 1 : -1;
      const Lanes* const source = equations.of_platform(row.index);
      for (int j = 0; j < n; ++j) K(i, j) = source[j] * sign;
      drifts_[i] = equations.drift(row.index) * -sign;
    }
  }

  static VERNE_INLINE void put_accelerations(const LegPack& pack, int leg, const LegEquations& equations,
                                             const Lanes* x, Lanes* a) {
    for (int k = 0; k < equations.leg; ++k) {
      Lanes found = -equations.drift(k);
      for (int j = 0; j < equations.platform; ++j) found = found - equations.of_platform(k)[j] * x[j];
      a[pack.first_v[leg] + pack.columns[k]] = found;
    }
  }

  Lanes* drifts_ = nullptr;  ///< of the rows of K
  Lanes pivots_{1e300};      ///< the smallest of each state, in parts of the usual ones
};

}  // namespace VERNE_ISA
}  // namespace verne
