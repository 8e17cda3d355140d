#include "codegen/recursions.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/kernels/inputs.h"
#include "dynamics/kernels/inverse_dynamics.h"

namespace verne::codegen {

namespace {

using Vector = Vec3<Traced>;

/// Sine and cosine of an angle.
struct Angle {
  Traced sn, cs;
};

Angle operator+(const Angle& a, const Angle& b) {
  return {a.sn * b.cs + a.cs * b.sn, a.cs * b.cs - a.sn * b.sn};
}

/// Rz(angle) x and Rz(angle)ᵀ x
Vector turned(const Angle& angle, const Vector& x) {
  return {angle.cs * x.x - angle.sn * x.y, angle.sn * x.x + angle.cs * x.y, x.z};
}
Vector turned_back(const Angle& angle, const Vector& x) {
  return {angle.cs * x.x + angle.sn * x.y, angle.cs * x.y - angle.sn * x.x, x.z};
}

/// A joint at its position. The fixed turn and the joint's own are done one after the other: together they would have
/// fewer zeros.
struct JointPose {
  JointPose(const TreeBody& body, const std::vector<Traced>& q) : fixed(mat3(body.R)), shape(shape_of(body.kind)) {
    const Traced* const own = q.data() + body.q;
    p = Vector::zero() + vec3(body.p);
    if (shape.turns == 1) angle = {sin(own[0]), cos(own[0])};
    if (shape.slides == 1) p += fixed.column(2) * (shape.is_screw() ? own[0] * body.pitch : own[0]);
    if (shape.slides == 3) p += fixed * Vector::load(own);
    if (shape.turns == 3) turn = rotation_of_quaternion(own + shape.quaternion());
  }

  Vector to_child(const Vector& x) const { return turn_back(transpose_times(fixed, x)); }
  Vector to_parent(const Vector& x) const {
    return fixed * (shape.turns == 1 ? turned(angle, x) : shape.turns == 3 ? turn * x : x);
  }
  Vector turn_back(const Vector& x) const {
    return shape.turns == 1 ? turned_back(angle, x) : shape.turns == 3 ? transpose_times(turn, x) : x;
  }
  RigidInertia<Traced> to_parent(const RigidInertia<Traced>& in) const {
    const Traced zero(0.0);
    const Mat3<Traced> about_z{{angle.cs, -angle.sn, zero, angle.sn, angle.cs, zero, zero, zero, Traced(1.0)}};
    const Mat3<Traced> R = shape.turns == 1 ? about_z : shape.turns == 3 ? turn : Mat3<Traced>::identity();
    const RigidInertia<Traced> in_joint = Transform<Traced>{R, Vector::zero()} * in;
    return shifted(Transform<double>{fixed, {0, 0, 0}} * in_joint, p);
  }

  Mat3<double> fixed;
  JointShape shape;
  Angle angle{Traced(0.0), Traced(1.0)};
  Mat3<Traced> turn = Mat3<Traced>::identity();
  Vector p;  ///< origin of the child, in the parent's axes
};

/// Where a run of parallel axes begins: angular motion of the body before it, in the axes of its first joint, and how
/// far, how fast and with what acceleration the axes turn together.
struct ParallelRun {
  Vector w, dw;
  Angle angle;
  Traced speed, acceleration;
};

bool continues_run(const TreeBody& body, const TreeBody& parent) {
  return shape_of(body.kind).turns == 1 && shape_of(parent.kind).turns == 1 && body.R[8] == 1;
}

struct LinkState {
  BodyMotion<Traced> motion;
  ParallelRun run;
};

/// (3) angular velocity and acceleration of a body, and what its joint adds to the acceleration of the origin.
Vector joint_motion(const TreeBody& b, const JointPose& joint, const TracedState& s, const Vector& w_parent,
                    const Vector& dw_parent, Vector& w, Vector& dw) {
  const Traced* const v = s.v.data() + b.v;
  const Traced* const a = s.a.data() + b.v;
  const Vector w0 = joint.to_child(w_parent);
  w = w0, dw = joint.to_child(dw_parent);
  const JointShape& shape = joint.shape;
  if (shape.turns == 1) {
    dw += Vector{w0.y * v[0], -(w0.x * v[0]), a[0]};
    w.z = w.z + v[0];
  } else if (shape.turns == 3) {
    const Vector rate = Vector::load(v + shape.slides);
    dw += cross(w0, rate) + Vector::load(a + shape.slides);
    w += rate;
  }
  if (shape.slides == 1) {
    const Traced pitch(shape.is_screw() ? b.pitch : 1.0), twice = pitch * (v[0] + v[0]);
    return {w0.y * twice, -(w0.x * twice), pitch * a[0]};
  }
  if (shape.slides == 3) return cross(w0 + w, Vector::load(v)) + Vector::load(a);
  return Vector::zero();
}

/// (4) the same at the end of a run of parallel axes, which turns by the sum of their angles.
void turn_at_once(const ParallelRun& run, Vector& w, Vector& dw) {
  w = turned_back(run.angle, run.w);
  dw = turned_back(run.angle, run.dw) + Vector{w.y * run.speed, -(w.x * run.speed), run.acceleration};
  w.z = w.z + run.speed;
}

ParallelRun begin_run(const TreeBody& b, const JointPose& joint, const TracedState& s,
                      const BodyMotion<Traced>& parent) {
  return {transpose_times(joint.fixed, parent.w), transpose_times(joint.fixed, parent.dw), joint.angle,
          s.v[static_cast<std::size_t>(b.v)], s.a[static_cast<std::size_t>(b.v)]};
}

ParallelRun continue_run(const TreeBody& b, const JointPose& joint, const TracedState& s, const ParallelRun& before) {
  const Angle fixed{Traced(b.R[3]), Traced(b.R[0])};
  return {before.w, before.dw, before.angle + (fixed + joint.angle), before.speed + s.v[static_cast<std::size_t>(b.v)],
          before.acceleration + s.a[static_cast<std::size_t>(b.v)]};
}

/// (5) force and moment that the motion of a body takes. Differences of moments of inertia are the model's own
/// business: constants, or computed once from symbols.
BodyForce<Traced> force_of_motion(const RigidInertia<Traced>& in, const BodyMotion<Traced>& k) {
  const Vector &w = k.w, &dw = k.dw;
  const Mat3<Traced>& U = k.U;
  const Sym3<Traced>& I = in.I;
  const Traced xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  const Traced xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  const Vector moment{I.xx * dw.x + (I.zz - I.yy) * yz - I.xy * U.m[6] + I.xz * U.m[3] + I.yz * (yy - zz),
                      I.yy * dw.y + (I.xx - I.zz) * xz + I.xy * U.m[7] - I.yz * U.m[1] + I.xz * (zz - xx),
                      I.zz * dw.z + (I.yy - I.xx) * xy - I.xz * U.m[5] + I.yz * U.m[2] + I.xy * (xx - yy)};
  return {k.a * in.mass + U * in.mc, moment + cross(in.mc, k.a)};
}

Traced friction(const TracedModel& model, int k, const Traced& v) {
  const std::size_t i = static_cast<std::size_t>(k);
  return v * model.viscous[i] + unit_coulomb(model.tree, k, v) * model.coulomb[i];
}

/// Inverse dynamics from the root to the tips and back, limb after limb: a limb is done with before the next one
/// begins, so that, in the order in which things are traced, few numbers wait for their use.
class LimbByLimb {
 public:
  LimbByLimb(const TracedModel& model, const TracedState& state, ParallelAxes axes)
      : model_(model),
        tree_(model.tree),
        s_(state),
        axes_(axes),
        bodies_(static_cast<std::size_t>(tree_.body_count)),
        lengths_(bodies_.size(), 1) {
    for (int i = tree_.body_count - 1; i >= 0; --i) {
      const int parent = tree_.bodies[i].parent;
      if (parent < 0) continue;
      int& length = lengths_[static_cast<std::size_t>(parent)];
      length = std::max(length, lengths_[static_cast<std::size_t>(i)] + 1);
    }
  }

  std::vector<Traced> torques() {
    struct Step {
      int body;
      bool back;
    };
    std::vector<Traced> tau(static_cast<std::size_t>(tree_.nv));
    std::vector<Step> steps;
    for (int i = 0; i < tree_.body_count; i = tree_.bodies[i].subtree_end) {
      steps.push_back({i, false});
      while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        if (step.back) {
          come_back(step.body, tau);
          continue;
        }
        go_out(step.body, tau);
        steps.push_back({step.body, true});
        for (const int child : children_backwards(step.body)) steps.push_back({child, false});
      }
    }
    return tau;
  }

 private:
  struct Body {
    std::optional<JointPose> joint;
    LinkState link;
    BodyForce<Traced> force;  ///< of the body and what was added by those it carries
  };
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  void go_out(int i, std::vector<Traced>& tau) {
    const TreeBody& b = tree_.bodies[i];
    Body& own = body(i);
    own.joint.emplace(b, s_.q);
    own.link = link_state(b, *own.joint, b.parent < 0 ? nullptr : &body(b.parent).link);
    own.force = force_of_motion(model_.inertias[static_cast<std::size_t>(i)], own.link.motion);
    for (int k = b.v; k < b.v + b.nv; ++k) tau[static_cast<std::size_t>(k)] = passive_torque(k);
  }

  void come_back(int i, std::vector<Traced>& tau) {
    const TreeBody& b = tree_.bodies[i];
    const Body& own = body(i);
    project(b, own.force, true, tau.data());
    if (b.parent < 0) return;
    const Vector f = own.joint->to_parent(own.force.f);
    body(b.parent).force += {f, own.joint->to_parent(own.force.n) + cross(own.joint->p, f)};
  }

  /// The one that carries the longest chain is visited last, when nothing else needs the motion of this body any more.
  std::vector<int> children_backwards(int i) const {
    std::vector<int> out;
    for (int j = i + 1; j < tree_.bodies[i].subtree_end; j = tree_.bodies[j].subtree_end) out.insert(out.begin(), j);
    const auto length = [&](int j) { return lengths_[static_cast<std::size_t>(j)]; };
    std::stable_sort(out.begin(), out.end(), [&](int x, int y) { return length(x) > length(y); });
    return out;
  }
  LinkState link_state(const TreeBody& b, const JointPose& joint, const LinkState* parent) const {
    const BodyMotion<Traced> before = parent ? parent->motion : base_motion<Traced>(tree_);
    LinkState link;
    BodyMotion<Traced>& motion = link.motion;
    const Vector added = joint_motion(b, joint, s_, before.w, before.dw, motion.w, motion.dw);
    if (parent && axes_ == ParallelAxes::summed && continues_run(b, tree_.bodies[b.parent])) {
      link.run = continue_run(b, joint, s_, parent->run);
      turn_at_once(link.run, motion.w, motion.dw);
    } else if (joint.shape.turns == 1) {
      link.run = begin_run(b, joint, s_, before);
    }
    motion.a = joint.to_child(before.a + before.U * joint.p) + added;
    motion.U = acceleration_map(motion.w, motion.dw);
    return link;
  }

  /// What rotors, friction and springs take.
  Traced passive_torque(int k) const {
    const std::size_t i = static_cast<std::size_t>(k);
    const Traced torque = s_.a[i] * model_.rotors[i] + friction(model_, k, s_.v[i]);
    return tree_.has_spring ? torque + spring_torque(tree_, k, s_.q.data()) : torque;
  }

  const TracedModel& model_;
  const Tree& tree_;
  const TracedState& s_;
  ParallelAxes axes_;
  std::vector<Body> bodies_;
  std::vector<int> lengths_;  ///< of the longest chain from each body to a tip
};

/// The momentum of all that a joint carries when its freedom k alone moves at unit speed, about the body's origin.
BodyForce<Traced> momentum_of_freedom(const TreeBody& b, const RigidInertia<Traced>& in, int k) {
  const JointShape shape = shape_of(b.kind);
  const auto axis = [](int i) { return Vector{Traced(i == 0), Traced(i == 1), Traced(i == 2)}; };
  const Vector e = axis(shape.nv == 1 ? 2 : k % 3);
  BodyForce<Traced> h = BodyForce<Traced>::zero();
  if (k < shape.slides) {
    const Vector linear = shape.is_screw() ? e * b.pitch : e;
    h += {linear * in.mass, cross(in.mc, linear)};
  }
  if (k >= shape.slides || shape.is_screw()) h += {cross(e, in.mc), in.I * e};
  return h;
}

}  // namespace

std::vector<Traced> inverse_dynamics(const TracedModel& model, const TracedState& state, ParallelAxes axes) {
  return LimbByLimb(model, state, axes).torques();
}

std::vector<Traced> mass_matrix(const TracedModel& model, const std::vector<Traced>& q) {
  const Tree& tree = model.tree;
  const std::size_t n = static_cast<std::size_t>(tree.nv);
  std::vector<JointPose> joints;
  for (int i = 0; i < tree.body_count; ++i) joints.emplace_back(tree.bodies[i], q);
  std::vector<RigidInertia<Traced>> composites = model.inertias;
  std::vector<Traced> M(n * n, Traced(0.0));
  for (int i = tree.body_count - 1; i >= 0; --i) {
    const TreeBody& b = tree.bodies[i];
    const RigidInertia<Traced>& in = composites[static_cast<std::size_t>(i)];
    for (int k = 0; k < b.nv; ++k) {
      const std::size_t column = static_cast<std::size_t>(b.v + k);
      BodyForce<Traced> h = momentum_of_freedom(b, in, k);
      std::vector<Traced> row(n, Traced(0.0));
      for (int j = i; j >= 0; j = tree.bodies[j].parent) {
        project(tree.bodies[j], h, false, row.data());
        const JointPose& joint = joints[static_cast<std::size_t>(j)];
        const Vector f = joint.to_parent(h.f);
        h = {f, joint.to_parent(h.n) + cross(joint.p, f)};
      }
      for (std::size_t j = 0; j <= column; ++j) M[j * n + column] = M[column * n + j] = row[j];
      M[column * n + column] = row[column] + model.rotors[column];
    }
    if (b.parent >= 0)
      composites[static_cast<std::size_t>(b.parent)] += joints[static_cast<std::size_t>(i)].to_parent(in);
  }
  return M;
}

}  // namespace verne::codegen
