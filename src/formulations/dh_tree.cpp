#include "formulations/dh_tree.h"

#include "formulations/mdh_tree.h"
#include "formulations/tree_reading.h"

namespace verne::formulations {

namespace {

/// Where a joint begins: the link whose frame has z along its axis, and how far about and along z its own zero is.
struct Seat {
  int link = 0;
  double theta = 0, d = 0;
};

class Converter {
 public:
  explicit Converter(const Model& model) : tree_(model.tree()) {
    built_.gravity = Vec3<double>::load(tree_.gravity);
    built_.variables = tree_.nv;
    seats_.resize(static_cast<std::size_t>(tree_.body_count));
    for (const int child : children_of(-1)) seat_at(child) = seat_on(0, placement_of(tree_.bodies[child]));
    for (int b = 0; b < tree_.body_count; ++b) add(b);
  }
  DhTree result() && { return std::move(built_); }

 private:
  Seat& seat_at(int body) { return seats_[static_cast<std::size_t>(body)]; }

  std::vector<int> children_of(int body) const {
    std::vector<int> children;
    for (int b = 0; b < tree_.body_count; ++b) {
      if (tree_.bodies[b].parent == body) children.push_back(b);
    }
    return children;
  }

  /// A seat for a joint whose frame is at X in the frame of a link: there, if the axis is that frame's z, else on a
  /// frozen link between them.
  Seat seat_on(int link, const Transform<double>& X) {
    const MdhParameters way = mdh_parameters_of(X);
    if (way.alpha == 0 && way.d == 0) return {link, way.gamma + way.theta, way.b + way.r};
    DhLink frozen;
    frozen.parent = link;
    frozen.dh = {.a = way.d, .alpha = way.alpha, .d = way.b, .theta = way.gamma};
    built_.links.push_back(frozen);
    return {static_cast<int>(built_.links.size()) - 1, way.theta, way.r};
  }

  void add(int b) {
    const TreeBody& body = tree_.bodies[b];
    const std::vector<int> children = children_of(b);
    // The pose of the first child: Rz(γ) Tz(b) Tx(d) Rx(α), which is this link's, then Rz(θ) Tz(r), which is the
    // child's.
    MdhParameters way;
    if (!children.empty()) way = mdh_parameters_of(placement_of(tree_.bodies[children[0]]));
    const Seat seat = seat_at(b);
    DhLink link;
    link.parent = seat.link;
    link.joint = body.kind == JointKind::prismatic ? DhJoint::prismatic : DhJoint::revolute;
    link.dh = {.a = way.d, .alpha = way.alpha, .d = seat.d + way.b, .theta = seat.theta + way.gamma};
    link.variable = body.v;
    link.rotor_inertia = tree_.rotor_inertia[body.v];
    link.body = b;
    link.X_LB = inverse(dh_transform({.a = way.d, .alpha = way.alpha, .d = way.b, .theta = way.gamma}));
    const RigidInertia<double> inertia = link.X_LB * inertia_of(body);
    const CentralInertia about_com = central(inertia);
    link.mass = inertia.mass;
    link.com = about_com.com;
    link.inertia = about_com.inertia;
    const int index = static_cast<int>(built_.links.size());
    built_.links.push_back(link);
    for (const int child : children) {
      seat_at(child) = child == children[0] ? Seat{index, way.theta, way.r}
                                            : seat_on(index, link.X_LB * placement_of(tree_.bodies[child]));
    }
  }

  const Tree& tree_;
  DhTree built_;
  std::vector<Seat> seats_;
};

}  // namespace

Expressed<DhTree> dh_tree_of(const Model& model) {
  Expressed<DhTree> out;
  out.reason = beyond_reach(model, {.rule = "a Denavit-Hartenberg row has one angle or one distance"});
  if (out.reason.empty()) out.reason = badly_placed(model);
  if (out.reason.empty()) out.description = Converter(model).result();
  return out;
}

}  // namespace verne::formulations
