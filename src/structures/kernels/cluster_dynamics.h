/// Forward dynamics of mechanisms with local loops, at a cost in proportion to their bodies: bodies
/// between which loops close are one joint of a tree [Jain's constraint embedding], and articulated inertias pass
/// through it (docs/theory/loops.md, section 10). All of a cluster is in world axes about one point O, where its first
/// body stands.
///
///   s, V, A   a freedom; velocity of a body, and the acceleration that it has when the cluster's parent has none
///   I, p      articulated inertia of a body and of the clusters that hang on it; then of its subtree in the cluster
///   G         velocities of the cluster by its independent ones
///   U, D, u   Σ I s G, Gᵀ M G with M_jk = s_j · I s_k, and Gᵀ of what is left of the torques
#pragma once

#include "structures/kernels/cluster_rows.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class ClusterDynamics : public ClusterRows<S> {
  using Rows = ClusterRows<S>;
  using Rows::clusters, Rows::column, Rows::freedoms, Rows::J, Rows::plan, Rows::poses, Rows::right, Rows::room,
      Rows::tree;
  using Rows::moved, Rows::origin_of, Rows::parent_velocity, Rows::place, Rows::put_rates, Rows::put_rows, Rows::rates,
      Rows::still, Rows::v;
  using In = Inputs<S>;

 public:
  using Rows::Rows;

  /// Accelerations of the tree under tau of the actuators. Returns the quality.
  S forward(const In& given, const S* tau, S* a, Scratch<S> scratch) {
    In in = tree_inputs(tree, given, scratch);
    S* const all = scratch.zeros(tree.nv);
    for (int k = 0; k < plan.actuated_count; ++k) all[plan.actuated[k]] = tau[k];
    in.tau = all;
    place(in, scratch);
    rates = room.template take<BodyRates<S>>(tree.body_count);
    v = in.v;
    put_rates();
    put_rows(true);
    S quality = Closing<S>::eliminate(plan, J);
    for (int k = 0; k < plan.rank; ++k) right[k] = -right[k];
    Closing<S>::solve(plan, J, right);
    put_biases();
    inertias = room.template take<ArticulatedInertia<S>>(tree.body_count);
    momenta = room.template take<Spatial<S>>(tree.nv);
    losses = room.take(tree.nv);
    G = room.take(clusters.G_size), MG = room.take(clusters.G_size), D = room.take(clusters.D_size);
    answers = room.template take<Spatial<S>>(plan.free_count),
    loads_of_free = room.template take<Spatial<S>>(plan.free_count);
    found = room.take(plan.free_count);
    const S* const driving = driving_torques(tree, in, NoneGiven(), scratch);
    const BodyForce<S>* const loads = body_loads(tree, in, poses, scratch);
    for (int i = 0; i < tree.body_count; ++i) inertias[i] = ArticulatedInertia<S>::zero();
    for (int c = clusters.count - 1; c >= 0; --c) {
      const LoopCluster& cluster = clusters.clusters[c];
      put_G(cluster);
      const ArticulatedInertia<S> whole = gather(cluster, loads, driving);
      quality = PositiveSolution<S>::smaller(quality, project(cluster, clusters.first_D[c]));
      if (cluster.parent >= 0) hand_on(c, whole);
    }
    for (int c = 0; c < clusters.count; ++c) accelerate(c, a);
    return quality;
  }

 private:
  /// A with what the dependent accelerations are when the independent ones are zero.
  void put_biases() {
    for (int c = 0; c < clusters.count; ++c) {
      const LoopCluster& cluster = clusters.clusters[c];
      const BodyRates<S> base{parent_velocity(c), still()};
      for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count && cluster.step_count > 0; ++n) {
        const int i = clusters.bodies[n];
        const TreeBody& b = tree.bodies[i];
        const BodyRates<S>& parent = b.parent == cluster.parent ? base : rates[b.parent];
        Spatial<S> A = parent.A;
        for (int k = b.v; k < b.v + b.nv; ++k) {
          A = A + motion_cross(parent.V, freedoms[k]) * v[k];
          if (clusters.step_of[k] >= 0) A = A + freedoms[k] * right[clusters.step_of[k]];
        }
        rates[i].A = A;
      }
    }
  }

  VERNE_INLINE S* row_of_G(S* matrix, int velocity) const { return matrix + clusters.G_row[velocity]; }

  /// (5), by rows.
  void put_G(const LoopCluster& cluster) {
    const int free = cluster.free_count;
    for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
      const TreeBody& b = tree.bodies[clusters.bodies[n]];
      S* const rows = row_of_G(G, b.v);
      for (int k = 0; k < b.nv * free; ++k) rows[k] = S(0);
    }
    for (int k = 0; k < cluster.step_count; ++k) column[clusters.steps[cluster.first_step + k]] = S(0);
    for (int g = 0; g < free; ++g) {
      const int f = clusters.free[cluster.first_free + g];
      row_of_G(G, plan.independent[f])[g] = S(1.0);
      for (int k = plan.first_side[f]; k < plan.first_side[f + 1]; ++k) {
        column[plan.side[k].position] = -J[plan.side[k].value];
      }
      const int first = plan.first_reached[f], count = plan.first_reached[f + 1] - first;
      const auto step = [&](int s) VERNE_INLINE_LAMBDA { return plan.reached[first + s]; };
      Closing<S>::solve(plan, J, column, count, step);
      for (int s = 0; s < count; ++s) {
        row_of_G(G, plan.steps[step(s)].velocity)[g] = column[step(s)];
        column[step(s)] = S(0);
      }
    }
  }

  /// I of subtrees in the cluster and I s; what the torques do not hold. Returns the sum of all bodies.
  ArticulatedInertia<S> gather(const LoopCluster& cluster, const BodyForce<S>* loads, const S* driving) {
    ArticulatedInertia<S> whole = ArticulatedInertia<S>::zero();
    const Vec3<S> O = poses[clusters.bodies[cluster.first_body]].p;
    for (int n = cluster.first_body + cluster.body_count - 1; n >= cluster.first_body; --n) {
      const int i = clusters.bodies[n];
      const TreeBody& b = tree.bodies[i];
      ArticulatedInertia<S>& s = inertias[i];
      add_body_alone(b, poses[i], poses[i].p - O, rates[i], loads ? loads + i : nullptr, s);
      for (int k = b.v; k < b.v + b.nv; ++k) {
        momenta[k] = articulated_times(s, freedoms[k]);
        losses[k] = pairing(Spatial<S>{s.f, s.n}, freedoms[k]) - driving[k];
        if (clusters.step_of[k] >= 0) losses[k] = losses[k] + right[clusters.step_of[k]] * tree.rotor_inertia[k];
      }
      (b.parent == cluster.parent ? whole : inertias[b.parent]) += s;
    }
    return whole;
  }
  VERNE_INLINE static void add_body_alone(const TreeBody& b, const WorldPose<S>& pose, const Vec3<S>& r,
                                          const BodyRates<S>& rates, const BodyForce<S>* load,
                                          ArticulatedInertia<S>& s) {
    if (!b.massless) {
      const CentralInertia<S> in = central_inertia(b, pose.R, r);
      const WorldInertia<S> about = about_origin(in);
      const Vec3<S>& mc = about.mc;
      const Spatial<S> force = force_on_body(in, rates.V, speed_of_center(in, rates.V), rates.A);
      s.A.xx = s.A.xx + in.mass, s.A.yy = s.A.yy + in.mass, s.A.zz = s.A.zz + in.mass;
      s.H.m[1] = s.H.m[1] + mc.z, s.H.m[2] = s.H.m[2] - mc.y, s.H.m[3] = s.H.m[3] - mc.z;
      s.H.m[5] = s.H.m[5] + mc.x, s.H.m[6] = s.H.m[6] + mc.y, s.H.m[7] = s.H.m[7] - mc.x;
      s.C += about.I;
      s.f += force.linear, s.n += force.angular;
    }
    if (!load) return;
    const Vec3<S> f = pose.R * load->f;
    s.f -= f;
    s.n -= pose.R * load->n + cross(r, f);
  }

  /// D, U and u of a cluster; D becomes its factors, u and U become D⁻¹ u and D⁻¹ U beside U. Returns the quality.
  S project(const LoopCluster& cluster, long first_D) {
    const int free = cluster.free_count;
    S* const square = D + first_D;
    S* const u = found + cluster.first_free;
    Spatial<S>*const U = loads_of_free + cluster.first_free, *const X = answers + cluster.first_free;
    for (int k = 0; k < free * free; ++k) square[k] = S(0);
    for (int f = 0; f < free; ++f) U[f] = still(), u[f] = S(0);
    put_MG(cluster);
    for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
      const TreeBody& b = tree.bodies[clusters.bodies[n]];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const S *const g = row_of_G(G, k), *const mg = row_of_G(MG, k);
        for (int f = 0; f < free; ++f) {
          U[f] = U[f] + momenta[k] * g[f];
          u[f] = u[f] - g[f] * losses[k];
          for (int h = 0; h <= f; ++h) square[f * free + h] = square[f * free + h] + g[f] * mg[h];
        }
      }
    }
    const S quality = PositiveSolution<S>::solve_positive(free, square, u);
    for (int f = 0; f < free; ++f) {
      X[f] = U[f];
      for (int h = 0; h < f; ++h) X[f] = X[f] - X[h] * square[f * free + h];
    }
    for (int f = 0; f < free; ++f) X[f] = X[f] * square[f * free + f];
    for (int f = free - 1; f >= 0; --f) {
      for (int h = 0; h < f; ++h) X[h] = X[h] - X[f] * square[f * free + h];
    }
    return quality;
  }
  void put_MG(const LoopCluster& cluster) {
    const int free = cluster.free_count;
    for (int n = cluster.first_body + cluster.body_count - 1; n >= cluster.first_body; --n) {
      const TreeBody& b = tree.bodies[clusters.bodies[n]];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        const S* const g = row_of_G(G, k);
        S* const mg = row_of_G(MG, k);
        const S own = pairing(momenta[k], freedoms[k]) + tree.rotor_inertia[k];
        for (int f = 0; f < free; ++f) mg[f] = g[f] * own;
      }
    }
    const auto couple = [&](int k, int j) VERNE_INLINE_LAMBDA {
      const S m = pairing(momenta[k], freedoms[j]);
      const S *const g_k = row_of_G(G, k), *const g_j = row_of_G(G, j);
      S *const to_k = row_of_G(MG, k), *const to_j = row_of_G(MG, j);
      for (int f = 0; f < free; ++f) to_k[f] = to_k[f] + g_j[f] * m, to_j[f] = to_j[f] + g_k[f] * m;
    };
    for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
      const TreeBody& b = tree.bodies[clusters.bodies[n]];
      for (int k = b.v; k < b.v + b.nv; ++k) {
        for (int j = b.v; j < k; ++j) couple(k, j);
        for (int i = b.parent; i != cluster.parent; i = tree.bodies[i].parent) {
          for (int j = tree.bodies[i].v; j < tree.bodies[i].v + tree.bodies[i].nv; ++j) couple(k, j);
        }
      }
    }
  }

  /// What the cluster lets its parent feel, I − U D⁻¹ Uᵀ and p + U D⁻¹ u, about the parent's O, at the parent's A.
  void hand_on(int c, const ArticulatedInertia<S>& whole) {
    const LoopCluster& cluster = clusters.clusters[c];
    ArticulatedInertia<S> s = whole;
    for (int f = cluster.first_free; f < cluster.first_free + cluster.free_count; ++f) {
      subtract_outer(s, answers[f], loads_of_free[f]);
      s.f += loads_of_free[f].linear * found[f], s.n += loads_of_free[f].angular * found[f];
    }
    const Vec3<S> zero = Vec3<S>::zero();
    const VelocityState<S> shift{Mat3<S>::identity(), origin_of(c) - origin_of(clusters.cluster_of[cluster.parent]),
                                 zero, zero, zero};
    const JointProjection<S> rigid = JointProjection<S>::none();
    ArticulatedInertia<S> moved_s;
    verne::VERNE_ISA::hand_over(s, rigid, shift, false, moved_s);
    const Spatial<S> force = articulated_times(moved_s, rates[cluster.parent].A);
    moved_s.f += force.linear, moved_s.n += force.angular;
    inertias[cluster.parent] += moved_s;
  }

  /// Accelerations of the cluster's joints and, in place of A, of its bodies, from that of its parent.
  void accelerate(int c, S* a) {
    const LoopCluster& cluster = clusters.clusters[c];
    Spatial<S> base{{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])}, Vec3<S>::zero()};
    if (cluster.parent >= 0) {
      base = moved(rates[cluster.parent].A, origin_of(c) - origin_of(clusters.cluster_of[cluster.parent]));
    }
    S* const y = found + cluster.first_free;
    for (int f = 0; f < cluster.free_count; ++f) y[f] = y[f] - pairing(answers[cluster.first_free + f], base);
    const Spatial<S> V = parent_velocity(c);
    for (int n = cluster.first_body; n < cluster.first_body + cluster.body_count; ++n) {
      const int i = clusters.bodies[n];
      const TreeBody& b = tree.bodies[i];
      const bool first = b.parent == cluster.parent;
      const Spatial<S>& V_parent = first ? V : rates[b.parent].V;
      Spatial<S> A = first ? base : rates[b.parent].A;
      for (int k = b.v; k < b.v + b.nv; ++k) {
        S sum = clusters.step_of[k] < 0 ? S(0) : right[clusters.step_of[k]];
        const S* const g = row_of_G(G, k);
        for (int f = 0; f < cluster.free_count; ++f) sum = sum + g[f] * y[f];
        a[k] = sum;
        A = A + freedoms[k] * sum + motion_cross(V_parent, freedoms[k]) * v[k];
      }
      rates[i].A = A;
    }
  }

  ArticulatedInertia<S>* inertias = nullptr;
  Spatial<S>*momenta = nullptr, *answers = nullptr, *loads_of_free = nullptr;
  S *G = nullptr, *MG = nullptr, *D = nullptr, *losses = nullptr, *found = nullptr;
};

}  // namespace VERNE_ISA
}  // namespace verne
