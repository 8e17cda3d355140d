#include "codegen/grouping.h"

#include <algorithm>
#include <cmath>

#include "dynamics/kernels/joint.h"

namespace verne::codegen {

namespace {

/// Geometry in files has some fifteen digits: directions that are closer than this are the same.
constexpr double kSameDirection = 1e-12;

enum class Turning { none, about_one_direction, any };

/// How a body can move, whatever its joints do.
struct Mobility {
  Turning turning = Turning::none;
  Vec3<double> direction{0, 0, 1};  ///< in body axes
  bool origin_moves = false;        ///< across that direction
  bool origin_rests = true;         ///< always
};

double size(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

bool parallel(const Vec3<double>& a, const Vec3<double>& b) {
  return size(cross(a, b)) <= kSameDirection * size(a) * size(b);
}

/// Of the body in question, from that of the body before it.
Mobility mobility_after(const TreeBody& b, const Mobility& before) {
  const JointShape shape = shape_of(b.kind);
  const Vec3<double> z{0, 0, 1}, e = transpose_times(mat3(b.R), before.direction), p = vec3(b.p);
  const bool along =
      before.turning == Turning::none || (before.turning == Turning::about_one_direction && parallel(e, z));
  const bool swings = before.turning != Turning::none && !parallel(p, before.direction);
  const bool on_axes = before.turning == Turning::none || (before.turning == Turning::any ? size(p) == 0 : !swings);
  Mobility out{before.turning, e, before.origin_moves || swings, before.origin_rests && shape.slides == 0 && on_axes};
  if (shape.slides > 0 && (shape.slides == 3 || !along)) out.origin_moves = true;
  if (shape.turns == 3 || (shape.turns == 1 && !along)) out.turning = Turning::any;
  if (shape.turns == 1 && along) {
    out.turning = Turning::about_one_direction;
    out.direction = z;
  }
  return out;
}

class Grouper {
 public:
  Grouper(const Tree& tree, MassOf holders, TreeParameters& parameters)
      : tree_(tree), holders_(holders), parameters_(parameters) {
    for (int i = 0; i < tree.body_count; ++i) {
      const TreeBody& b = tree.bodies[i];
      mobility_.push_back(mobility_after(b, before(b)));
      if (before(b).turning == Turning::none && slides_across(i)) mobility_.back().origin_moves = true;
    }
  }

  void run() {
    for (int k = 0; k < tree_.body_count; ++k) group_rotor(k);
    for (int i = tree_.body_count - 1; i >= 0; --i) {
      move_on(i);
      drop_without_effect(i);
    }
  }

 private:
  RigidInertia<double>& inertia(int body) { return parameters_.bodies[static_cast<std::size_t>(body)]; }
  const Mobility& mobility(int body) const { return mobility_[static_cast<std::size_t>(body)]; }
  Mobility before(const TreeBody& b) const { return b.parent < 0 ? Mobility{} : mobility(b.parent); }

  /// Whether some joint between the world and body i, none of which turns, slides across the axis of body i.
  bool slides_across(int i) const {
    Vec3<double> z = {0, 0, 1};
    for (int k = i; k >= 0; k = tree_.bodies[k].parent) {
      const TreeBody& b = tree_.bodies[k];
      if (k != i && shape_of(b.kind).slides > 0 && !parallel(z, Vec3<double>{0, 0, 1})) return true;
      z = mat3(b.R) * z;
    }
    return false;
  }

  bool may_hold(int i) const {
    const bool between_primitives = tree_.bodies[i].parent >= 0 && tree_.attached_link[i] < 0;
    return holders_ == MassOf::every_body || !between_primitives;
  }

  double& rotor_of(int velocity) { return parameters_.rotors[static_cast<std::size_t>(velocity)]; }

  void group_rotor(int i) {
    const TreeBody& b = tree_.bodies[i];
    if (tree_.coupled || !may_hold(i)) return;
    if (b.kind == JointKind::revolute) return group_turning_rotor(i);
    if (before(b).turning != Turning::none) return;
    if (b.kind == JointKind::prismatic && b.parent < 0 &&
        std::abs(gravity_at(i).z) <= kSameDirection * size(gravity_at(i))) {
      inertia(i).mass += rotor_of(b.v);
      rotor_of(b.v) = 0;
    }
    if (shape_of(b.kind).turns == 3) {  // three equal rotors are like a ball
      const int x = b.v + shape_of(b.kind).slides;
      const double rotor = rotor_of(x + 2);
      inertia(i).I += Sym3<double>{rotor, 0, 0, rotor, 0, rotor};
      for (int k = 0; k < 3; ++k) rotor_of(x + k) -= rotor;
    }
  }

  /// A rotor is like a moment of inertia about the axis where nothing turned before; where all that turned before is at
  /// right angles to the axis it is like a ball, less the ball's part in that turning.
  void group_turning_rotor(int i) {
    const TreeBody& b = tree_.bodies[i];
    double& rotor = rotor_of(b.v);
    const Mobility parent = before(b);
    const Vec3<double> axis = mat3(b.R).column(2);
    if (parent.turning == Turning::none) {
      inertia(i).I.zz += rotor;
      rotor = 0;
    } else if (parent.turning == Turning::about_one_direction &&
               std::abs(dot(axis, parent.direction)) <= kSameDirection) {
      const Vec3<double> e = parent.direction;
      inertia(i).I += Sym3<double>{rotor, 0, 0, rotor, 0, rotor};
      inertia(b.parent).I += Sym3<double>{-rotor * e.x * e.x, -rotor * e.x * e.y, -rotor * e.x * e.z,
                                          -rotor * e.y * e.y, -rotor * e.y * e.z, -rotor * e.z * e.z};
      rotor = 0;
    }
  }

  void move_on(int i) {
    const TreeBody& b = tree_.bodies[i];
    if (!may_hold(i)) return;
    RigidInertia<double>& own = inertia(i);
    RigidInertia<double> moved = RigidInertia<double>::zero();
    const JointShape shape = shape_of(b.kind);
    if (shape.turns == 0) moved.I = own.I;
    if (shape.turns == 1) moved.I = {own.I.yy, 0, 0, own.I.yy, 0, 0};
    if (shape.slides == 0) moved.mass = own.mass;
    if (shape.slides == 0 && shape.turns == 1) moved.mc = {0, 0, own.mc.z};
    own += {-moved.mass, -moved.mc, {-moved.I.xx, -moved.I.xy, -moved.I.xz, -moved.I.yy, -moved.I.yz, -moved.I.zz}};
    if (b.parent >= 0) inertia(b.parent) += Transform<double>{mat3(b.R), vec3(b.p)} * moved;
  }

  void drop_without_effect(int i) {
    RigidInertia<double>& own = inertia(i);
    const Mobility& m = mobility(i);
    if (m.origin_rests && size(gravity_at(i)) == 0) own.mc = {0, 0, 0};
    if (m.turning == Turning::any) return;
    const Vec3<double> e = m.direction;
    if (m.turning == Turning::none) {
      own.mc = {0, 0, 0};
      own.I = Sym3<double>::zero();
      return;
    }
    int largest = 0;  // what is along e goes, so that an entry becomes zero
    for (int k = 1; k < 3; ++k) largest = std::abs(e[k]) > std::abs(e[largest]) ? k : largest;
    own.mc -= e * (own.mc[largest] / e[largest]);
    own.mc[largest] = 0;
    if (!m.origin_moves && parallel(gravity_at(i), e)) own.mc = {0, 0, 0};
    if (shape_of(tree_.bodies[i].kind).turns == 1) own.I = {0, 0, 0, 0, 0, own.I.zz};
  }

  /// In the axes of a body that only turns about one direction: known but for turns about that direction.
  Vec3<double> gravity_at(int i) const {
    if (i < 0) return vec3(tree_.gravity);
    const TreeBody& b = tree_.bodies[i];
    return transpose_times(mat3(b.R), gravity_at(b.parent));
  }

  const Tree& tree_;
  MassOf holders_;
  TreeParameters& parameters_;
  std::vector<Mobility> mobility_;
};

}  // namespace

TreeParameters parameters_of(const Tree& tree) {
  TreeParameters out;
  for (int i = 0; i < tree.body_count; ++i) {
    const TreeBody& b = tree.bodies[i];
    out.bodies.push_back({b.mass, vec3(b.mc), sym3(b.I)});
  }
  out.rotors.assign(tree.rotor_inertia, tree.rotor_inertia + tree.nv);
  return out;
}

void group(const Tree& tree, MassOf holders, TreeParameters& parameters) {
  Grouper(tree, holders, parameters).run();
}

}  // namespace verne::codegen
