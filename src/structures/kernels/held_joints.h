/// Derivatives of the wrenches of joints with contacts held (docs/theory/loops.md, sections 5 and 6): along each
/// coordinate, velocity and torque the accelerations change as held_derivatives.h finds, and the contacts' wrenches,
/// which are loads that turn with their links.
#pragma once

#include "structures/kernels/closed_blocks.h"
#include "structures/kernels/held_derivatives.h"
#include "structures/kernels/wrench_tangents.h"

namespace verne {
inline namespace VERNE_ISA {

template <class S>
class HeldJoints {
  using Block = ColumnBlock<S>;
  using V = typename Block::Value;
  static constexpr int W = Block::kWidth;

 public:
  /// At the accelerations a and multipliers that HeldDerivatives found.
  HeldJoints(const Tree& of, const Inputs<S>& given, const ContactPlan& with, const S* a, const S* lambda,
             Scratch<S>& scratch)
      : tree(of), plan(with), in(tree_inputs(of, given, scratch)) {
    in.a = a;
    work = outward_sweep(tree, in, true, scratch);
    work.composites = scratch.template take<Composite<S>>(tree.body_count);
    work.loads = scratch.template take<Spatial<S>>(tree.body_count);
    work.responses = scratch.template take<LoadResponse<S>>(tree.body_count);
    work.load_rows = scratch.template take<Spatial<S>>(tree.nv);
    gather_loads(tree, in, work.poses, work.loads, work.responses);
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& at = plan.contacts[c];
      const S* const own = lambda + at.first;
      Vec3<S> moment = Vec3<S>::zero();
      for (int k = 3; k < at.rows; ++k) moment[k - 3] = own[k] * plan.length;
      work.loads[at.frame.slot] = work.loads[at.frame.slot] + about_origin(at, Vec3<S>::load(own), moment);
    }
    sensitivity_backward(tree, work);
  }

  /// From derivatives of a and of the contacts' wrenches, in as many columns as there are velocities.
  void put(const Blocks<S>& da, const Blocks<S>& contacts, const Blocks<S>& out, Scratch<S> room) const {
    const int n = tree.nv;
    V* const unit = room.template take<V>(n);
    V* const a = room.template take<V>(n);
    auto* const changes = room.template take<Spatial<V>>(plan.contact_count);
    const WrenchTangents<S> tangents(tree, in, work, room, 1);
    const auto load = [&](int c) { return TangentLoad<V>{plan.contacts[c].site, changes + c}; };
    for (int first = 0; first < n; first += W) {
      const int count = n - first < W ? n - first : W;
      for (int k = 0; k < n; ++k) {
        unit[k] = k < first || k >= first + count ? V(0.0) : V(Block::place(S(1.0), k - first));
      }
      for (int block = 0; block < 3; ++block) {
        for (int k = 0; k < n; ++k) a[k] = gathered(da[block] + da.ld * first + k, da.ld, count);
        for (int c = 0; c < plan.contact_count; ++c) {
          V six[6];
          const S* const own = contacts[block] + 6L * (static_cast<long>(n) * c + first);
          for (int x = 0; x < 6; ++x) six[x] = gathered(own + x, 6, count);
          changes[c] = about_origin(plan.contacts[c], Vec3<V>::load(six), Vec3<V>::load(six + 3));
        }
        tangents.put({block == 0 ? unit : nullptr, block == 1 ? unit : nullptr, a, count, 1, n}, plan.contact_count,
                     load, out[block] + 6L * first);
      }
    }
  }

 private:
  /// A wrench of a contact in its axes.
  template <class T>
  VERNE_INLINE Spatial<T> about_origin(const HeldPlan& at, const Vec3<T>& force, const Vec3<T>& moment) const {
    const double *const R = at.frame.R, *const p = at.frame.p;
    const WorldPose<S>& body = work.poses[at.frame.slot];
    const Mat3<S> axes = body.R * Mat3<double>{{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}};
    const Vec3<S> r = body.p + body.R * Vec3<double>{p[0], p[1], p[2]} - work.poses[0].p;
    const Vec3<T> f = axes * force;
    return {f, axes * moment + cross(r, f)};
  }
  /// Values that stand `ld` apart, in lanes.
  VERNE_INLINE static V gathered(const S* p, long ld, int count) {
    V x(0.0);
    for (int k = 0; k < count; ++k) x = x + Block::place(p[ld * k], k);
    return x;
  }

  const Tree& tree;
  const ContactPlan& plan;
  Inputs<S> in;
  SensitivityWork<S> work;
};

/// a, its derivatives and those of wrenches that are wanted. Returns the quality.
template <class S>
S held_derivatives(const Tree& tree, const Inputs<S>& in, const ContactPlan& plan, S* a, const ClosedBlocks<S>& out,
                   S* memory, Scratch<S> scratch) {
  Blocks<S> contacts = out.loops;
  Scratch<S> room(memory + held_memory(plan, 0), held_memory(plan, tree.joint_count) - held_memory(plan, 0));
  if (out.joints.dq && !contacts.dq) {
    const int size = 6 * tree.nv * plan.contact_count;
    contacts = {room.take(size), room.take(size), room.take(size), 6};
  }
  const S quality = HeldDerivatives<S>::compute(tree, in, plan, a, out.found, contacts, memory, scratch);
  if (out.joints.dq) {
    const S* const lambda = take_held_rows<S>(plan, memory).lambda;
    HeldJoints<S>(tree, in, plan, a, lambda, scratch).put(out.found, contacts, out.joints, room);
  }
  return quality;
}

}  // namespace VERNE_ISA
}  // namespace verne
