/// Loops and contacts of several states at once (docs/theory/loops.md, sections 4, 6 and 8).
#pragma once

#include "base/scalar.h"
#include "dynamics/kernels/factorization.h"
#include "structures/kernels/closing_frames.h"
#include "structures/kernels/contact_response.h"
#include "structures/kernels/positive_solution.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class Closing : public ClosingFrames<S>, public PositiveSolution<S> {
 public:
  using Frames = ClosingFrames<S>;
  using Frames::axis_cross, Frames::frame, Frames::jacobian, Frames::motion, Frames::pose, Frames::put_drifts,
      Frames::put_parts, Frames::unit_at, Frames::unit_wrench, Frames::values;
  using typename Frames::UnitAt;
  using Positive = PositiveSolution<S>;
  using Positive::positive_size, Positive::smaller, Positive::solve_positive;

  /// The independent rows of J into `J_values`, and unless v is null γ into `drift` by position; φ the same way unless
  /// null.
  static VERNE_INLINE void put_rows(const ClosingPlan& plan, const ClosingTerms& t, const S* v, S* J_values, S* drift,
                                    S* phi = nullptr) {
    for (int k = 0; k < plan.value_count; ++k) J_values[k] = S(0);
    for (int l = 0; l < plan.loop_count; ++l) {
      const ClosingLoop& loop = plan.loops[l];
      const ClosingReach* const reaches = plan.reaches + loop.first_reach;
      const bool directions = loop.has_directions;
      const ClosingFrame<S> a = frame(t, loop.a), b = frame(t, loop.b, directions);
      Vec3<S> parts[4], drifts[4];
      if (directions || v || phi) put_parts(a, b, directions, parts);
      if (v) {
        const auto reach = [&](int side) {
          return [=](auto&& visit) {
            for (int k = 0; k < loop.reach_count; ++k) {
              if (reaches[k].sides & side) visit(reaches[k].velocity);
            }
          };
        };
        put_drifts(a, b, motion(t, plan.nv, loop.a, a, v, reach(1)), motion(t, plan.nv, loop.b, b, v, reach(2)),
                   directions, parts, drifts);
      }
      for (int i = 0; i < loop.row_count; ++i) {
        const ClosingRow& row = plan.rows[loop.first_row + i];
        const auto [unit, at] = unit_at(row, a, b, directions, parts);
        Vec3<S> about_a = cross(at - a.origin, unit.force), about_b = cross(at - b.origin, unit.force);
        if (directions) about_a += unit.moment, about_b += unit.moment;
        for (int k = 0; k < loop.reach_count; ++k) {
          if (plan.targets[row.first_target + k] < 0) continue;  // moves both ends alike
          S entry(0);
          if (reaches[k].sides & 1) {
            const S* const column = jacobian(t, plan.nv, loop.a.slot) + 6L * reaches[k].velocity;
            entry = dot(unit.force, Vec3<S>::load(column)) + dot(about_a, Vec3<S>::load(column + 3));
          }
          if (reaches[k].sides & 2) {
            const S* const column = jacobian(t, plan.nv, loop.b.slot) + 6L * reaches[k].velocity;
            entry = entry - dot(unit.force, Vec3<S>::load(column)) - dot(about_b, Vec3<S>::load(column + 3));
          }
          J_values[plan.targets[row.first_target + k]] = entry;
        }
        if (phi) phi[row.position] = of_row(row, parts);
        if (v) drift[row.position] = of_row(row, drifts);
      }
    }
  }

  /// The largest |φ| of all equations beyond their slack; kMirroredOpening where frames point in opposite directions.
  static void openings(const ClosingPlan& plan, const ClosingTerms& t, S* opening) {
    S widest(0), sum(0);  // the sum is NaN where any is
    for (int l = 0; l < plan.loop_count; ++l) {
      const ClosingLoop& loop = plan.loops[l];
      Vec3<S> parts[4];
      put_parts(frame(t, loop.a), frame(t, loop.b), true, parts);
      for (int i = loop.first_check; i < loop.first_check + loop.check_count; ++i) {
        const ClosingCheck& check = plan.checks[i];
        if (check.coefficient[0] == 0) {
          const S& along = parts[check.part[0]][check.axis[0]];
          widest = select(less(along, S(0)), S(kMirroredOpening), widest);
          continue;
        }
        const S phi = of_row(check, parts);
        const S size = select(less(phi, S(0)), -phi, phi);
        sum = sum + size;
        widest = select(less(widest, size - check.slack), size - check.slack, widest);
      }
    }
    *opening = widest + sum * 0.0;
  }

  /// (5) of one motion: the dependent entries of x with J x + keep φ + γ = 0.
  static void complete(const ClosingPlan& plan, const ClosingTerms& t, const S* keep, const S* v, S* x, S* quality,
                       S* scratch) {
    S* const J = scratch;
    S* const right = J + plan.value_count;
    S* const phi = right + plan.rank;
    put_rows(plan, t, v, J, right, keep ? phi : nullptr);
    for (int k = 0; k < plan.rank; ++k) {
      right[k] = v ? -right[k] : S(0);
      if (keep) right[k] = right[k] - *keep * phi[k];
    }
    for (int k = 0; k < plan.side_count; ++k) {
      const ClosingEntry& entry = plan.side[k];
      right[entry.position] = right[entry.position] - J[entry.value] * x[plan.independent[entry.index]];
    }
    *quality = eliminate(plan, J);
    solve(plan, J, right);
    for (int k = 0; k < plan.rank; ++k) x[plan.steps[k].velocity] = right[k];
  }

  /// Pivots become their inverses. Returns the quality.
  static VERNE_INLINE S eliminate(const ClosingPlan& plan, S* J) {
    S least(1e300);
    for (int k = 0; k < plan.rank; ++k) {
      const ClosingStep& step = plan.steps[k];
      least = smaller(least, positive_size(J[step.pivot]) * (1 / (kLeastLoopPivot * step.usual_pivot)));
      const S inverse = S(1.0) / J[step.pivot];
      J[step.pivot] = inverse;
      const int* to = plan.updates + step.first_update;
      for (int i = 0; i < step.lower_count; ++i) {
        const int place = plan.lower[step.first_lower + i].value;
        const S factor = J[place] * inverse;  // not read from J again after each update
        J[place] = factor;
        for (int j = 0; j < step.upper_count; ++j, ++to) {
          J[*to] = J[*to] - factor * J[plan.upper[step.first_upper + j].value];
        }
      }
    }
    return least;
  }

  /// x := J_rd⁻¹ x, by position
  static VERNE_INLINE void solve(const ClosingPlan& plan, const S* J, S* x) {
    solve(plan, J, x, plan.rank, [](int k) VERNE_INLINE_LAMBDA { return k; });
  }
  /// The same where x has entries in so many steps only, before and after.
  template <class Step>
  static VERNE_INLINE void solve(const ClosingPlan& plan, const S* J, S* x, int count, Step&& number) {
    for (int s = 0; s < count; ++s) {
      const int k = number(s);
      const ClosingStep& step = plan.steps[k];
      for (int i = 0; i < step.lower_count; ++i) {
        const ClosingEntry& entry = plan.lower[step.first_lower + i];
        x[entry.position] = x[entry.position] - J[entry.value] * x[k];
      }
    }
    for (int s = count - 1; s >= 0; --s) {
      const int k = number(s);
      const ClosingStep& step = plan.steps[k];
      S sum = x[k];
      for (int j = 0; j < step.upper_count; ++j) {
        const ClosingEntry& entry = plan.upper[step.first_upper + j];
        sum = sum - J[entry.value] * x[entry.position];
      }
      x[k] = sum * J[step.pivot];
    }
  }

  /// x := J_rd⁻ᵀ x
  static VERNE_INLINE void solve_transposed(const ClosingPlan& plan, const S* J, S* x) {
    solve_transposed(plan, J, x, plan.rank, [](int k) VERNE_INLINE_LAMBDA { return k; });
  }
  template <class Step>
  static VERNE_INLINE void solve_transposed(const ClosingPlan& plan, const S* J, S* x, int count, Step&& number) {
    for (int s = 0; s < count; ++s) {
      const int k = number(s);
      const ClosingStep& step = plan.steps[k];
      const S known = x[k] * J[step.pivot];
      x[k] = known;
      for (int j = 0; j < step.upper_count; ++j) {
        const ClosingEntry& entry = plan.upper[step.first_upper + j];
        x[entry.position] = x[entry.position] - J[entry.value] * known;
      }
    }
    for (int s = count - 1; s >= 0; --s) {
      const int k = number(s);
      const ClosingStep& step = plan.steps[k];
      S sum = x[k];
      for (int i = 0; i < step.lower_count; ++i) {
        const ClosingEntry& entry = plan.lower[step.first_lower + i];
        sum = sum - J[entry.value] * x[entry.position];
      }
      x[k] = sum;
    }
  }

  /// G (nv x free, by rows): unit entries, and the dependent velocities by (5).
  template <bool kLocal>
  static VERNE_INLINE void put_G(const ClosingPlan& plan, const S* J, S* column, S* G) {
    const long free = plan.free_count;
    for (long k = 0; k < plan.nv * free; ++k) G[k] = S(0);
    for (int k = 0; k < plan.rank; ++k) column[k] = S(0);
    int entry = 0;  // sides come by independent coordinates
    for (int f = 0; f < plan.free_count; ++f) {
      for (; entry < plan.side_count && plan.side[entry].index == f; ++entry) {
        column[plan.side[entry].position] = -J[plan.side[entry].value];
      }
      const int first = plan.first_reached[f], count = kLocal ? plan.first_reached[f + 1] - first : plan.rank;
      const auto step = [&](int s) VERNE_INLINE_LAMBDA { return kLocal ? plan.reached[first + s] : s; };
      solve(plan, J, column, count, step);
      G[plan.independent[f] * free + f] = S(1.0);
      for (int s = 0; s < count; ++s) {
        G[plan.steps[step(s)].velocity * free + f] = column[step(s)];
        column[step(s)] = S(0);
      }
    }
  }

  /// (6): Gᵀ Γ without G, then the torques.
  static void inverse(const ClosingPlan& plan, const ClosingTerms& t, S* tau, S* quality, S* scratch) {
    S* const J = scratch;
    S* const y = J + plan.value_count;
    S* const forces = y + plan.rank;
    const S* const torques = values(t.torques);
    put_rows(plan, t, nullptr, J, nullptr);
    *quality = eliminate(plan, J);
    for (int k = 0; k < plan.rank; ++k) y[k] = torques[plan.steps[k].velocity];
    solve_transposed(plan, J, y);
    for (int f = 0; f < plan.free_count; ++f) forces[f] = torques[plan.independent[f]];
    for (int k = 0; k < plan.side_count; ++k) {
      const ClosingEntry& entry = plan.side[k];
      forces[entry.index] = forces[entry.index] - J[entry.value] * y[entry.position];
    }
    if (plan.direct) {
      for (int f = 0; f < plan.free_count; ++f) tau[f] = forces[f];
      return;
    }
    // τ = A (Aᵀ A)⁻¹ forces with the rows of G that belong to motors, A.
    const int n = plan.nv, free = plan.free_count;
    S* const G = forces + free;
    S* const square = G + static_cast<long>(n) * free;
    put_G<false>(plan, J, y, G);
    for (int k = 0; k < free * free; ++k) square[k] = S(0);
    for (int k = 0; k < plan.actuated_count; ++k) {
      const S* const row = G + static_cast<long>(plan.actuated[k]) * free;
      for (int i = 0; i < free; ++i) {
        for (int j = 0; j <= i; ++j) square[i * free + j] = square[i * free + j] + row[i] * row[j];
      }
    }
    for (int f = 0; f < free; ++f) {
      S whole(0);
      for (int k = 0; k < n; ++k) whole = whole + G[k * free + f] * G[k * free + f];
      *quality = smaller(*quality, square[f * free + f] / whole * (1 / (kLeastFelt * kLeastFelt)));
    }
    *quality = smaller(*quality, solve_positive(free, square, forces));
    for (int k = 0; k < plan.actuated_count; ++k) {
      const S* const row = G + static_cast<long>(plan.actuated[k]) * free;
      S sum(0);
      for (int f = 0; f < free; ++f) sum = sum + row[f] * forces[f];
      tau[k] = sum;
    }
  }

  /// (7)
  static void forward(const ClosingPlan& plan, const ClosingTerms& t, const S* v, const S* tau, S* a, S* quality,
                      S* scratch) {
    const bool local = plan.first_reached[plan.free_count] < plan.free_count * plan.rank;
    local ? forward<true>(plan, t, v, tau, a, quality, scratch) : forward<false>(plan, t, v, tau, a, quality, scratch);
  }
  template <bool kLocal>  // rows of G have entries for few coordinates
  static void forward(const ClosingPlan& plan, const ClosingTerms& t, const S* v, const S* tau, S* a, S* quality,
                      S* scratch) {
    const int n = plan.nv, free = plan.free_count;
    const auto span = [&](int k) VERNE_INLINE_LAMBDA { return kLocal ? plan.spans[k] : ClosingSpan{0, free}; };
    S* const J = scratch;
    S* const drift = J + plan.value_count;
    S* const column = drift + plan.rank;
    S* const G = column + plan.rank;
    S* const MG = G + static_cast<long>(n) * free;
    S* const mass = MG + static_cast<long>(n) * free;
    S* const right = mass + static_cast<long>(free) * free;
    S* const torques = right + free;
    const S* const M = values(t.M);
    put_rows(plan, t, v, J, drift);
    *quality = eliminate(plan, J);
    put_G<kLocal>(plan, J, column, G);
    for (int k = 0; k < plan.rank; ++k) drift[k] = -drift[k];
    solve(plan, J, drift);
    // a0 in a, Γ(a0) and M G in one walk over M
    for (int k = 0; k < n; ++k) a[k] = S(0), torques[k] = values(t.torques)[k];
    for (int k = 0; k < plan.rank; ++k) a[plan.steps[k].velocity] = drift[k];
    for (long k = 0; k < static_cast<long>(n) * free; ++k) MG[k] = S(0);
    for (int k = 0; k < plan.pair_count; ++k) {
      const int i = plan.pairs[k].i, j = plan.pairs[k].j;
      const S m = M[static_cast<long>(n) * i + j];
      torques[i] = torques[i] + m * a[j];
      if (i != j) torques[j] = torques[j] + m * a[i];
      const S *const G_i = G + static_cast<long>(free) * i, *const G_j = G + static_cast<long>(free) * j;
      S *const to_i = MG + static_cast<long>(free) * i, *const to_j = MG + static_cast<long>(free) * j;
      const ClosingSpan of_i = span(i), of_j = span(j);
      for (int f = of_j.begin; f < of_j.end; ++f) to_i[f] = to_i[f] + m * G_j[f];
      for (int f = of_i.begin; f < of_i.end && i != j; ++f) to_j[f] = to_j[f] + m * G_i[f];
    }
    for (int k = 0; k < plan.actuated_count; ++k) {
      torques[plan.actuated[k]] = torques[plan.actuated[k]] - tau[k];
    }
    for (int k = 0; k < free * (free + 1); ++k) mass[k] = S(0);  // and right
    for (int k = 0; k < n; ++k) {
      const S *const g = G + static_cast<long>(free) * k, *const mg = MG + static_cast<long>(free) * k;
      for (int f = span(k).begin; f < span(k).end; ++f) {
        right[f] = right[f] - g[f] * torques[k];
        S* VERNE_RESTRICT const out = mass + f * free;
        for (int h = 0; h <= f; ++h) out[h] = out[h] + g[f] * mg[h];
      }
    }
    *quality = smaller(*quality, solve_positive(free, mass, right));
    for (int k = 0; k < n; ++k) {
      const S* const g = G + static_cast<long>(free) * k;
      for (int f = span(k).begin; f < span(k).end; ++f) a[k] = a[k] + g[f] * right[f];
    }
  }

  /// (13) up to λ: M becomes its factors, rows become those of J L⁻¹, and a, the right side of (12) without contacts,
  /// D⁻¹ L⁻ᵀ a. `drift` becomes the right side for −λ, and the lower triangle of `response`, by rows, the matrix.
  static void respond(const ContactPlan& plan, S* M, S* rows, S* a, S* drift, S* response) {
    const int n = plan.nv, ld = plan.ld;
    factorize(n, plan.parent, M);
    const auto L = [&](int i, int j) -> const S& { return M[static_cast<long>(n) * i + j]; };
    for (int i = n - 1; i >= 0; --i) {
      for (int j = plan.parent[i]; j >= 0; j = plan.parent[j]) a[j] = a[j] - L(i, j) * a[i];
      a[i] = a[i] * L(i, i);
    }
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& held = plan.contacts[c];
      const int end = held.first + held.rows;
      for (int i = held.last; i >= 0; i = plan.parent[i]) {
        const S* VERNE_RESTRICT const own = rows + static_cast<long>(ld) * i;
        for (int j = plan.parent[i]; j >= 0; j = plan.parent[j]) {
          S* VERNE_RESTRICT const above = rows + static_cast<long>(ld) * j;
          const S factor = L(i, j);
          for (int k = held.first; k < end; ++k) above[k] = above[k] - factor * own[k];
        }
        for (int k = held.first; k < end; ++k) drift[k] = drift[k] + own[k] * a[i];
      }
    }
    const auto scaled = [&](int i, int k) { return rows[static_cast<long>(ld) * i + k] * L(i, i); };
    put_responses(plan, rows, scaled, response);
  }

  /// (13): a from λ and what respond() left.
  static void release(const ContactPlan& plan, const S* M, const S* rows, const S* lambda, S* a) {
    const int n = plan.nv;
    const auto L = [&](int i, int j) -> const S& { return M[static_cast<long>(n) * i + j]; };
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& held = plan.contacts[c];
      for (int i = held.last; i >= 0; i = plan.parent[i]) {
        const S* const own = rows + static_cast<long>(plan.ld) * i;
        S force(0);
        for (int k = held.first; k < held.first + held.rows; ++k) force = force + own[k] * lambda[k];
        a[i] = a[i] + L(i, i) * force;
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = plan.parent[i]; j >= 0; j = plan.parent[j]) a[i] = a[i] - L(i, j) * a[j];
    }
  }

  static void forward_held(const ContactPlan& plan, const ClosingTerms& t, S* M, const S* v, const S* tau, S* a,
                           S* quality, S* scratch) {
    const int n = plan.nv, m = plan.equations;
    S* const rows = scratch;  // n columns of m
    S* const response = rows + static_cast<long>(m) * n;
    S* const drift = response + static_cast<long>(m) * m;
    for (int k = 0; k < n; ++k) a[k] = tau[k] - values(t.torques)[k];
    for (int c = 0; c < plan.contact_count; ++c) put_held(plan, t, plan.contacts[c], v, rows, drift);
    respond(plan, M, rows, a, drift, response);
    for (int k = 0; k < m; ++k) drift[k] = -drift[k];
    *quality = solve_positive(m, response, drift);
    release(plan, M, rows, drift, a);
  }

 private:
  /// (11), into the columns on the contact's way to the root.
  static VERNE_INLINE void put_held(const ContactPlan& plan, const ClosingTerms& t, const HeldPlan& held, const S* v,
                                    S* rows, S* drift) {
    const ClosingFrame<S> at = frame(t, held.frame);
    const Vec3<S> r = at.p - at.origin;
    const auto put = [&](const Vec3<S>& linear, const Vec3<S>& angular, S* out) {
      transpose_times(at.R, linear).store(out);
      const Vec3<S> turn = transpose_times(at.R, angular) * plan.length;
      for (int i = 3; i < held.rows; ++i) out[i] = turn[i - 3];
    };
    const S* const J = jacobian(t, plan.nv, held.frame.slot);
    for (int j = held.last; j >= 0; j = plan.parent[j]) {
      const Vec3<S> turn = Vec3<S>::load(J + 6L * j + 3);
      put(Vec3<S>::load(J + 6L * j) + cross(turn, r), turn, rows + static_cast<long>(plan.ld) * j + held.first);
    }
    const auto way = [&](auto&& visit) {
      for (int j = held.last; j >= 0; j = plan.parent[j]) visit(j);
    };
    const ClosingMotion<S> moves = motion(t, plan.nv, held.frame, at, v, way);
    put(moves.a, moves.alpha, drift + held.first);
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
