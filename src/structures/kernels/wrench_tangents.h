/// How the wrenches through all joints change along directions in which the motion of a tree and the loads on it do,
/// side by side in registers (docs/theory/loops.md, section 5), from the sweeps of sensitivity.h:
///
///   D = Σ s δq,  Ψ = Σ (psi δq + s δv),  Ψ₂ = Σ (psi2 δq + rate δv + s δa)     of freedoms on the way to a joint
///   (10a) δW = 2 B Ψ + I Ψ₂ − R(D) + Σ (Fq δq + Fv δv + Fa δa) − Σ δF           of freedoms, and loads, behind it
///
/// in the axes of the joint, which sees I, 2 B and R of what it carries; δF is what a load does not do by turning with
/// its link.
#pragma once

#include "dynamics/kernels/column_block.h"
#include "dynamics/kernels/wrench_derivatives.h"

namespace verne {
inline namespace VERNE_ISA {

/// The same value in every lane.
template <class V, class S>
VERNE_INLINE Vec3<V> wide(const Vec3<S>& x) {
  return {V(x.x), V(x.y), V(x.z)};
}
template <class V, class S>
VERNE_INLINE Mat3<V> wide(const Mat3<S>& x) {
  Mat3<V> out;
  for (int k = 0; k < 9; ++k) out.m[k] = V(x.m[k]);
  return out;
}
template <class V, class S>
VERNE_INLINE Sym3<V> wide(const Sym3<S>& x) {
  return {V(x.xx), V(x.xy), V(x.xz), V(x.yy), V(x.yz), V(x.zz)};
}

/// Rows of velocities of the tree, `count` registers each: how q, v and a change in so many columns, of `total` that a
/// wrench has; null: not at all.
template <class V>
struct TangentRows {
  const V *q, *v, *a;
  int columns, count, total;
};

/// A load on the link of a site: how it changes about O, `count` registers; of no link: −1.
template <class V>
struct TangentLoad {
  int site;
  const Spatial<V>* change;
};

template <class S>
class WrenchTangents {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

 public:
  /// `work` as sensitivity_backward() leaves it; `room` has wrench_tangent_memory() values.
  WrenchTangents(const Tree& of, const Inputs<S>& at, const SensitivityWork<S>& with, Scratch<S> room, int registers)
      : tree(of), in(at), work(with) {
    motions = room.template take<Motion>(tree.body_count * registers);
    below = room.template take<Spatial<V>>(tree.body_count * registers);
    handed = room.template take<Spatial<V>>(tree.body_count * registers);
    cuts = room.template take<JointCut<S>>(tree.joint_count);
    for (int k = 0; k < tree.joint_count; ++k) cuts[k] = joint_cut(tree, tree.joints[k], in, work);
  }

  /// Six rows of columns for each joint, one after the other; load(k) of so many.
  template <class Load>
  void put(const TangentRows<V>& rows, int load_count, const Load& load, S* out) const {
    put_motions(rows);
    for (int k = 0; k < tree.body_count * rows.count; ++k) below[k] = zero();
    for (int k = 0; k < load_count; ++k) {
      const int body = load(k).site < 0 ? -1 : tree.sites[load(k).site].body;
      for (int c = 0; c < rows.count && body >= 0; ++c) {
        Spatial<V>& on = below[body * rows.count + c];
        on = on - load(k).change[c];
      }
    }
    put_forces(rows);
    for (int k = 0; k < tree.joint_count; ++k) {
      const TreeJoint& j = tree.joints[k];
      for (int c = 0; c < rows.count; ++c) {
        Spatial<V> behind = j.fixed ? hanging_on(j, rows.count, c) : below[j.body * rows.count + c];
        for (int i = 0; i < load_count && j.fixed; ++i) {
          if (load(i).site >= 0 && j.body >= 0 && is_behind(tree, j, load(i).site)) behind = behind - load(i).change[c];
        }
        put_joint(j, cuts[k], rows, c, behind, out + 6L * rows.total * k);
      }
    }
  }

 private:
  /// D, Ψ and Ψ₂ of a body.
  struct Motion {
    Spatial<V> D, psi, psi2;
  };
  VERNE_INLINE static Spatial<V> zero() { return {Vec3<V>::zero(), Vec3<V>::zero()}; }

  void put_motions(const TangentRows<V>& rows) const {
    for (int i = 0; i < tree.body_count; ++i) {
      const TreeBody& b = tree.bodies[i];
      for (int c = 0; c < rows.count; ++c) {
        Motion m{zero(), zero(), zero()};
        if (b.parent >= 0) m = motions[b.parent * rows.count + c];
        for (int k = b.v; k < b.v + b.nv; ++k) {
          const FreedomState<S>& f = work.freedoms[k];
          const long at = static_cast<long>(k) * rows.count + c;
          if (rows.q) {
            const V x = rows.q[at];
            m.D = m.D + f.s * x, m.psi = m.psi + f.psi * x, m.psi2 = m.psi2 + f.psi2 * x;
          }
          if (rows.v) {
            const V x = rows.v[at];
            m.psi = m.psi + f.s * x, m.psi2 = m.psi2 + f.rate * x;
          }
          m.psi2 = m.psi2 + f.s * rows.a[at];
        }
        motions[i * rows.count + c] = m;
      }
    }
  }

  /// What freedoms behind a body's own joint do to the wrench there, to which loads were put, and that with its own.
  void put_forces(const TangentRows<V>& rows) const {
    for (int i = tree.body_count - 1; i >= 0; --i) {
      const TreeBody& b = tree.bodies[i];
      for (int c = 0; c < rows.count; ++c) {
        Spatial<V> force = below[i * rows.count + c];
        for (int k = b.v; k < b.v + b.nv; ++k) {
          const FreedomState<S>& f = work.freedoms[k];
          const long at = static_cast<long>(k) * rows.count + c;
          if (rows.q) force = force + f.Fq * rows.q[at];
          if (rows.v) force = force + f.Fv * rows.v[at];
          force = force + f.Fa * rows.a[at];
        }
        handed[i * rows.count + c] = force;
        if (b.parent < 0) continue;
        Spatial<V>& on = below[b.parent * rows.count + c];
        on = on + force;
      }
    }
  }

  void put_joint(const TreeJoint& j, const JointCut<S>& cut, const TangentRows<V>& rows, int c, Spatial<V> w,
                 S* out) const {
    if (j.body >= 0) {
      const Composite<S>& carried = cut.composite;
      const WorldInertia<V> inertia{wide<V>(carried.inertia.mc), wide<V>(carried.inertia.I)};
      const TwiceB<V> twice_B{wide<V>(carried.twice_B.h), wide<V>(carried.twice_B.T)};
      const Motion& m = motions[j.body * rows.count + c];
      w = w + twice_B(m.psi) + momentum_of(cut.mass, inertia, m.psi2);
      if (work.loads && rows.q) {
        const LoadResponse<V> response{wide<V>(cut.response.F), wide<V>(cut.response.G), wide<V>(cut.response.Q)};
        w = w - response(m.D);
      }
    }
    V six[6];
    transpose_times(cut.frame.R, w.linear).store(six);
    transpose_times(cut.frame.R, w.angular - cross(cut.frame.r, w.linear)).store(six + 3);
    for (int i = W * c; i < rows.columns && i < W * (c + 1); ++i) {
      for (int x = 0; x < 6; ++x) out[6L * i + x] = Block::lane(six[x], i - W * c);
    }
  }

  /// What hangs on the links behind a merged joint.
  Spatial<V> hanging_on(const TreeJoint& j, int count, int c) const {
    Spatial<V> w = zero();
    for (int i = 0; i < tree.body_count; ++i) {
      if (hangs_behind(tree, j, i)) w = w + handed[i * count + c];
    }
    return w;
  }

  const Tree& tree;
  const Inputs<S>& in;
  const SensitivityWork<S>& work;
  Motion* motions;
  Spatial<V>*below, *handed;
  JointCut<S>* cuts;
};

}  // namespace VERNE_ISA
}  // namespace verne
