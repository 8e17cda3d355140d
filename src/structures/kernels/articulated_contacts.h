/// Forward dynamics with contacts by articulated bodies (docs/theory/loops.md, section 6): what its sweeps leave of
/// each joint, U, D and u, also tells how a wrench on a body moves all others.
///
///   P   wrench of one multiplier, handed on from body to body as bias forces are, about their origins
///   β   Sᵀ P: what it does along the freedoms of a joint; `rows`, by equations
///   x   D⁻¹ β; `answers`
#pragma once

#include "dynamics/kernels/algorithms.h"
#include "structures/kernels/contact_response.h"

namespace verne {
inline namespace VERNE_ISA {

/// For plans whose frames are on bodies (ClosingEnd::slot).
template <class S>
class ArticulatedContacts {
 public:
  /// (14) up to λ: the accelerations of the contacts without them into `drift`, and the matrix for −λ into `response`.
  /// `a` and the scratch memory must be left to release() as they are.
  static void respond(const Tree& tree, const Inputs<S>& given, const ContactPlan& plan, const ContactRoom<S>& room,
                      S* a, Scratch<S> scratch) {
    const ForwardDynamicsWork<S> work = take_work(tree, scratch);
    const Inputs<S> in = tree_inputs(tree, given, scratch);
    const Trig<S> trig = trigonometry(tree, in.q, scratch);
    const WorldPose<S>* const poses = in.load_count ? poses_of(tree, in, trig, scratch) : nullptr;
    const BodyForce<S>* const loads = body_loads(tree, in, poses, scratch);
    velocity_sweep(tree, in.q, in.v, trig, work.states);
    articulated_sweep(tree, kNoneGiven, driving_torques(tree, in, kNoneGiven, scratch), loads, work);
    acceleration_sweep<S>(tree, kNoneGiven, work, true, a, nullptr);
    for (int c = 0; c < plan.contact_count; ++c) {
      put_acceleration(tree, plan, c, work, room);
      hand_on(tree, plan, plan.contacts[c], work, room);
    }
    const auto answer = [&](int i, int k) { return room.answers[static_cast<long>(plan.ld) * i + k]; };
    put_responses(plan, room.rows, answer, room.response);
  }

  /// (14): a from λ and what respond() left.
  static void release(const Tree& tree, const ContactPlan& plan, const S* rows, const S* lambda, S* a,
                      Scratch<S> scratch) {
    const ForwardDynamicsWork<S> work = take_work(tree, scratch);
    for (int c = 0; c < plan.contact_count; ++c) {
      const HeldPlan& held = plan.contacts[c];
      for (int i = held.frame.slot; i >= 0; i = tree.bodies[i].parent) {
        const TreeBody& b = tree.bodies[i];
        S* const u = is_wide(b) ? work.wide[wide_index(tree, i)].u : &work.projections[i].u;
        for (int j = 0; j < b.nv; ++j) {
          const S* const row = rows + static_cast<long>(plan.ld) * (b.v + j);
          for (int k = held.first; k < held.first + held.rows; ++k) u[j] = u[j] + row[k] * lambda[k];
        }
      }
    }
    acceleration_sweep<S>(tree, kNoneGiven, work, false, a, nullptr);
  }

 private:
  static constexpr NoneGiven kNoneGiven{};

  /// First of all, so that release() finds it where respond() had it.
  VERNE_INLINE static ForwardDynamicsWork<S> take_work(const Tree& tree, Scratch<S>& scratch) {
    const int n = tree.body_count, wide_count = wide_index(tree, n);
    return {scratch.template take<VelocityState<S>>(n),
            scratch.template take<ArticulatedInertia<S>>(n),
            scratch.template take<JointProjection<S>>(n),
            scratch.template take<WideProjection<S>>(wide_count),
            wide_count,
            scratch.template take<Spatial<S>>(n)};
  }
  VERNE_INLINE static int wide_index(const Tree& tree, int body) {
    int count = 0;
    for (int i = 0; i < body; ++i) count += is_wide(tree.bodies[i]);
    return count;
  }

  /// Axes of a contact in the world, and its point as seen from the origin of its body.
  struct Frame {
    Mat3<S> R;
    Vec3<S> r;
  };
  VERNE_INLINE static Frame frame(const HeldPlan& held, const ForwardDynamicsWork<S>& work) {
    const double *const R = held.frame.R, *const p = held.frame.p;
    const Mat3<S>& body = work.states[held.frame.slot].R;
    return {body * Mat3<double>{{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}},
            body * Vec3<double>{p[0], p[1], p[2]}};
  }

  /// Of the contact's frame, in its axes (11).
  VERNE_INLINE static void put_acceleration(const Tree& tree, const ContactPlan& plan, int c,
                                            const ForwardDynamicsWork<S>& work, const ContactRoom<S>& room) {
    const HeldPlan& held = plan.contacts[c];
    S* const out = room.drift + held.first;
    if (held.frame.slot < 0) {  // the world does not move
      for (int k = 0; k < held.rows; ++k) out[k] = S(0);
      for (int k = 0; k < 9 && room.axes; ++k) room.axes[9 * c + k] = S(held.frame.R[k]);
      return;
    }
    const Frame at = frame(held, work);
    const Spatial<S>& a = work.accelerations[held.frame.slot];
    const Vec3<S>& w = work.states[held.frame.slot].w;
    const Vec3<S> linear = a.linear + vec3(tree.gravity) + cross(a.angular, at.r) + cross(w, cross(w, at.r));
    transpose_times(at.R, linear).store(out);
    const Vec3<S> turn = transpose_times(at.R, a.angular) * plan.length;
    for (int k = 3; k < held.rows; ++k) out[k] = turn[k - 3];
    for (int k = 0; k < 9 && room.axes; ++k) room.axes[9 * c + k] = at.R.m[k];
  }

  VERNE_INLINE static void hand_on(const Tree& tree, const ContactPlan& plan, const HeldPlan& held,
                                   const ForwardDynamicsWork<S>& work, const ContactRoom<S>& room) {
    if (held.frame.slot < 0) return;
    const Frame at = frame(held, work);
    Spatial<S> P[6];
    for (int k = 0; k < 3; ++k) P[k] = {at.R.column(k), cross(at.r, at.R.column(k))};
    for (int k = 3; k < held.rows; ++k) P[k] = {Vec3<S>::zero(), at.R.column(k - 3) * plan.length};
    for (int i = held.frame.slot; i >= 0; i = tree.bodies[i].parent) {
      const TreeBody& b = tree.bodies[i];
      const VelocityState<S>& state = work.states[i];
      const long first = static_cast<long>(plan.ld) * b.v + held.first;
      S *const beta = room.rows + first, *const x = room.answers + first;
      if (is_wide(b)) {
        pass_wide(b, state.R, plan.ld, held.rows, work.wide[wide_index(tree, i)], P, beta, x);
      } else if (b.kind == JointKind::revolute) {
        pass(Kind<JointKind::revolute>{}, b, state.R, held.rows, work.projections[i], P, beta, x);
      } else {
        pass(b.kind, b, state.R, held.rows, work.projections[i], P, beta, x);
      }
      if (b.parent < 0) return;
      for (int k = 0; k < held.rows; ++k) P[k].angular += cross(state.r, P[k].linear);
    }
  }

  /// Through a joint: P − U D⁻¹ β is left.
  template <class K>
  VERNE_INLINE static void pass(K kind, const TreeBody& b, const Mat3<S>& R, int rows, const JointProjection<S>& of,
                                Spatial<S>* P, S* beta, S* x) {
    const Spatial<S> s = freedom(kind, b, R, 0);
    const JointShape shape = shape_of(kind);
    for (int k = 0; k < rows; ++k) {
      beta[k] = S(0);
      if (shape.turns > 0) beta[k] = dot(s.angular, P[k].angular);
      if (shape.slides > 0) beta[k] = beta[k] + dot(s.linear, P[k].linear);
      x[k] = beta[k] * of.inverse_D;
      P[k].linear -= of.Uf * x[k];
      P[k].angular -= of.Un * x[k];
    }
  }
  static void pass_wide(const TreeBody& b, const Mat3<S>& R, int ld, int rows, const WideProjection<S>& of,
                        Spatial<S>* P, S* beta, S* x) {
    const Spatial<S> still{Vec3<S>::zero(), Vec3<S>::zero()};
    WideProjection<S> own = of;  // with β in place of u
    Spatial<S> s[6];
    for (int j = 0; j < b.nv; ++j) s[j] = freedom(b.kind, b, R, j);
    S solved[6];
    for (int k = 0; k < rows; ++k) {
      for (int j = 0; j < b.nv; ++j) {
        own.u[j] = dot(s[j].linear, P[k].linear) + dot(s[j].angular, P[k].angular);
        beta[static_cast<long>(ld) * j + k] = own.u[j];
      }
      wide_accelerations(b, own, still, solved);
      for (int j = 0; j < b.nv; ++j) {
        x[static_cast<long>(ld) * j + k] = solved[j];
        P[k].linear -= of.U[j].linear * solved[j];
        P[k].angular -= of.U[j].angular * solved[j];
      }
    }
  }
};

}  // namespace VERNE_ISA
}  // namespace verne
