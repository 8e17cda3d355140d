/// What is linear: torques and joint wrenches in the inertial parameters of links, and in the loads.
///
/// Ten parameters a link, in its own frame: mass, m c (x y z), I about the origin (xx xy xz yy yz zz). The wrench that
/// a link takes is (docs/theory/sensitivities.md, eq. 34)  f = m a + U (m c),  n = (m c) × a + I dw + w × I w.
#pragma once

#include "dynamics/kernels/column_block.h"
#include "dynamics/kernels/sites.h"
#include "dynamics/kernels/wrench_derivatives.h"

namespace verne {
inline namespace VERNE_ISA {

constexpr int kLinkParameters = 10;

/// The wrench about the link's origin, in link axes, for each unit parameter; w, dw, a (minus gravity) likewise.
template <class S>
VERNE_INLINE void parameter_wrenches(const Vec3<S>& w, const Vec3<S>& dw, const Vec3<S>& a, Spatial<S>* out) {
  const Vec3<S> none = Vec3<S>::zero();
  const S zero(0.0);
  out[0] = {a, none};
  const Mat3<S> U = acceleration_map(w, dw);
  out[1] = {U.column(0), {zero, -a.z, a.y}};
  out[2] = {U.column(1), {a.z, zero, -a.x}};
  out[3] = {U.column(2), {-a.y, a.x, zero}};
  int k = 4;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++k) {
      Vec3<S> Idw = none, Iw = none;
      Idw[i] = dw[j], Iw[i] = w[j];
      Idw[j] = dw[i], Iw[j] = w[i];
      out[k] = {none, Idw + cross(w, Iw)};
    }
  }
}

/// Calls visit(link, index) for every link that has columns, index being its place among them.
template <class Visit>
VERNE_INLINE void for_each_link(const Tree& tree, const ParameterColumns& columns, Visit&& visit) {
  for (int link = 0; link < tree.link_count && columns.every_link; ++link) visit(link, link);
  for (int i = 0, index = 0; i < tree.body_count && !columns.every_link; ++i) {
    const TreeBody& b = tree.bodies[i];  // the first of its links is the one that its joint carries
    if (b.first_site < b.end_site) visit(tree.sites_by_body[b.first_site], index++);
  }
}

inline int link_columns(const Tree& tree, const ParameterColumns& columns) {
  int count = 0;
  for_each_link(tree, columns, [&](int, int) { count += kLinkParameters; });
  return count;
}

/// The same times freedoms s, about the link's origin in link axes as well: ten torques each.
template <class S, class V>
VERNE_INLINE void parameter_torques(const BodyMotion<S>& k, const Spatial<V>& s, V* out) {
  const Vec3<S>&w = k.w, &dw = k.dw;
  const Vec3<V>& z = s.angular;
  out[0] = dot(s.linear, k.a);
  (transpose_times(k.U, s.linear) + cross(k.a, z)).store(out + 1);
  const Vec3<V> y = cross(z, w);  // z · (w × I w) = y · I w
  out[4] = z.x * dw.x + y.x * w.x;
  out[5] = z.x * dw.y + z.y * dw.x + y.x * w.y + y.y * w.x;
  out[6] = z.x * dw.z + z.z * dw.x + y.x * w.z + y.z * w.x;
  out[7] = z.y * dw.y + y.y * w.y;
  out[8] = z.y * dw.z + z.z * dw.y + y.y * w.z + y.z * w.y;
  out[9] = z.z * dw.z + y.z * w.z;
}

/// Freedoms about O, the origin of the first body: six arrays of nv values and some room behind them, so that
/// neighbours fill a register.
template <class S>
struct FreedomRows {
  S* rows[6];

  template <class V = typename ColumnBlock<S>::Value>
  VERNE_INLINE Spatial<V> load(int first) const {
    const auto row = [&](int i) { return ColumnBlock<S>::load_padded(rows[i] + first); };
    return {{row(0), row(1), row(2)}, {row(3), row(4), row(5)}};
  }
};

template <class S>
VERNE_INLINE void freedoms_about_origin(const Tree& tree, const WorldPose<S>* poses, const FreedomRows<S>& out) {
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    const Vec3<S> r = poses[i].p - poses[0].p;
    for (int k = 0; k < b.nv; ++k) {
      const Spatial<S> s = freedom_at(r, b.kind, b, poses[i].R, k);
      for (int c = 0; c < 3; ++c) {
        out.rows[c][b.v + k] = s.linear[c];
        out.rows[3 + c][b.v + k] = s.angular[c];
      }
    }
  }
}

/// Adds the torques for the parameters of one link to its ten columns Y, which are zero: model_nv values each. Freedoms
/// are turned into link axes, where most numbers of the ten wrenches are zero, as many as fit side by side.
template <class S>
VERNE_INLINE void add_link_torques(const Tree& tree, const WorldPose<S>* poses, const WorldMotion<S>* motions,
                                   const FreedomRows<S>& freedoms, int link, S* Y) {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  const TreeSite& site = tree.sites[link];
  if (site.body < 0) return;
  const WorldPose<S>& x = poses[site.body];
  const Mat3<S> R = site.same_axes ? x.R : x.R * mat3(site.R);
  const Vec3<S> arm = site_offset(site, x.R);
  const WorldMotion<S> motion = at_point(motions[site.body], arm);
  const Vec3<S> w = transpose_times(R, motion.w), dw = transpose_times(R, motion.dw);
  const BodyMotion<S> k{w, dw, transpose_times(R, motion.a - vec3(tree.gravity)), acceleration_map(w, dw)};
  const Vec3<S> r = x.p + arm - poses[0].p;
  const TreeBody& b = tree.bodies[site.body];
  for (int last = b.v + b.nv - 1, first; last >= 0; last = tree.v_parent[first]) {
    first = last;
    while (first > 0 && last - first + 1 < Block::kWidth && tree.v_parent[first] == first - 1) --first;
    const int count = last - first + 1;
    const Spatial<V> s = freedoms.load(first);
    V torques[kLinkParameters];
    parameter_torques(k, Spatial<V>{transpose_times(R, s.linear + cross(s.angular, r)), transpose_times(R, s.angular)},
                      torques);
    if (!tree.coupled) {
      for (int m = 0; m < kLinkParameters; ++m)
        Block::store(torques[m], count, tree.nv - first, Y + m * tree.nv + first);
      continue;
    }
    for (int i = first; i <= last; ++i) {
      const TreeCoupling& c = tree.v_coupling[i];
      for (int m = 0; m < kLinkParameters; ++m) {
        S& y = Y[m * tree.model_nv + c.source];
        y = y + Block::lane(torques[m], i - first) * c.ratio;
      }
    }
  }
}

/// Columns of one link about O in world axes.
template <class S>
inline void link_wrenches(const Tree& tree, const SensitivityWork<S>& work, int link, Spatial<S>* columns) {
  const TreeSite& site = tree.sites[link];
  const bool in_world = site.body < 0;
  const Vec3<S> O = tree.body_count ? work.poses[0].p : Vec3<S>::zero();
  const Mat3<S> R = in_world ? Mat3<S>::identity() * mat3(site.R) : work.poses[site.body].R * mat3(site.R);
  const Vec3<S> p =
      in_world ? Vec3<S>::zero() + vec3(site.p) : work.poses[site.body].p + work.poses[site.body].R * vec3(site.p);
  const Vec3<S> r = p - O;
  Vec3<S> w = Vec3<S>::zero(), dw = w;
  Vec3<S> a{S(-tree.gravity[0]), S(-tree.gravity[1]), S(-tree.gravity[2])};
  if (!in_world) {
    const BodyRates<S>& k = work.rates[site.body];
    w = k.V.angular, dw = k.A.angular;
    a = k.A.linear + cross(dw, r) + cross(w, k.V.linear + cross(w, r));
  }
  parameter_wrenches(transpose_times(R, w), transpose_times(R, dw), transpose_times(R, a), columns);
  for (int k = 0; k < kLinkParameters; ++k) {
    const Vec3<S> f = R * columns[k].linear;
    columns[k] = {f, R * columns[k].angular + cross(r, f)};
  }
}

/// Whether a joint carries a link.
VERNE_INLINE bool carries(const TreeJoint& j, int link) {
  return link >= j.first_link && link < j.end_link;
}

/// The torques that a wrench about O, taken by a body, asks of the joints: nv values.
template <class S>
VERNE_INLINE void project_wrench(const Tree& tree, const SensitivityWork<S>& work, int body, const Spatial<S>& w,
                                 S* column) {
  for (int i = 0; i < tree.nv; ++i) column[i] = S(0);
  if (body < 0) return;
  const TreeBody& b = tree.bodies[body];
  for (int i = b.v + b.nv - 1; i >= 0; i = tree.v_parent[i]) column[i] = pairing(work.freedoms[i].s, w);
}

/// (35) How tau changes with force, moment and point (nine columns) of load k: minus what the load does to the joints.
template <class S>
inline void load_columns(const Tree& tree, const Inputs<S>& in, const SensitivityWork<S>& work, int k,
                         Spatial<S>* columns) {
  const TreeSite& site = tree.sites[in.load_sites[k].site];
  const bool in_world = in.load_sites[k].world_point;
  const S* const values = in.load_values + 9 * k;
  const Vec3<S> force = Vec3<S>::load(values), point = Vec3<S>::load(values + 6);
  const Vec3<S> O = tree.body_count ? work.poses[0].p : Vec3<S>::zero();
  const Mat3<S> R_WB = site.body < 0 ? Mat3<S>::identity() : work.poses[site.body].R;
  const Vec3<S> p_WB = site.body < 0 ? Vec3<S>::zero() : work.poses[site.body].p;
  const Mat3<S> R = R_WB * mat3(site.R);
  const Vec3<S> r = (in_world ? point : p_WB + R_WB * vec3(site.p) + R * point) - O;
  for (int i = 0; i < 3; ++i) {
    Vec3<S> e = Vec3<S>::zero();
    e[i] = S(1.0);
    columns[i] = {-e, -cross(r, e)};
    columns[3 + i] = {Vec3<S>::zero(), -e};
    columns[6 + i] = {Vec3<S>::zero(), -cross(in_world ? e : R.column(i), force)};
  }
}

}  // namespace VERNE_ISA
}  // namespace verne
