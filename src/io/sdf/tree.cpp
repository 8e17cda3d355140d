#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "io/number.h"
#include "io/sdf/contents.h"
#include "io/xml/writer.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// A joint between links, with all poses in the world. Node 0 is the world, node k + 1 link k.
struct PlacedJoint {
  JointSpec spec;
  std::size_t parent = 0, child = 0;
  Transform<double> X_WJ = Transform<double>::identity();
  int line = 0;
  bool cut = false;
};

/// The sets of nodes that joints connect.
class ConnectedNodes {
 public:
  explicit ConnectedNodes(std::size_t count) : root_(count) { std::iota(root_.begin(), root_.end(), std::size_t{0}); }

  std::size_t root(std::size_t node) {
    while (root_[node] != node) node = root_[node] = root_[root_[node]];
    return node;
  }
  /// False when they were connected already.
  bool connect(std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    root_[std::max(a, b)] = std::min(a, b);  // the world's set is 0
    return true;
  }

 private:
  std::vector<std::size_t> root_;
};

/// The same joint with its ends exchanged: its coordinates are the same, but those of a ball, which turn back.
JointSpec reversed(JointSpec joint) {
  joint.axis = -joint.axis;
  if (joint.type == JointType::universal) {
    joint.axis2 = -joint.axis2;
    std::swap(joint.axis, joint.axis2);
    std::reverse(joint.dofs.begin(), joint.dofs.end());
  }
  return joint;
}

class SdfTree {
 public:
  SdfTree(SdfContents contents, Diagnostics& diagnostics, ModelSpec& spec)
      : contents_(std::move(contents)), diagnostics_(diagnostics), spec_(spec), joint_of_(contents_.links.size() + 1) {}

  void make() {
    place_links();
    place_joints();
    if (!diagnostics_.errors().empty()) return;
    for (const PlacedJoint& joint : joints_) joint_names_.insert(joint.spec.name);
    choose_carriers();
    add_links();
    for (const PlacedJoint& joint : closing_) add_loop(joint);
    add_frames();
  }

 private:
  void place_links() {
    X_WL_.push_back(Transform<double>::identity());
    for (SdfLink& link : contents_.links) {
      SdfScope& scope = *link.scope;
      const Transform<double> X_SL = scope.pose(link.name, link.spec.line);
      X_WL_.push_back(scope.place() * X_SL);
      const auto place = [&](std::vector<VisualSpec>& shapes, const std::vector<SdfPose>& places) {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          const SdfPose& at = places[i];
          shapes[i].X_LV = at.relative_to.empty() ? at.X : inverse(X_SL) * scope.pose(at.relative_to, at.line) * at.X;
        }
      };
      place(link.spec.visuals, link.visual_places);
      place(link.spec.collisions, link.collision_places);
    }
  }

  void place_joints() {
    for (SdfJoint& joint : contents_.joints) {
      SdfScope& scope = *joint.scope;
      const std::size_t problems = scope.file().diagnostics.errors().size();
      if (joint.parent.empty() || joint.child.empty()) continue;  // reported
      const auto parent = scope.link_of(joint.parent, joint.line), child = scope.link_of(joint.child, joint.line);
      const Transform<double> X_SJ = scope.pose(joint.name, joint.line);
      if (!parent || !child || scope.file().diagnostics.errors().size() > problems) continue;
      PlacedJoint placed{std::move(joint.spec), node(*parent), node(*child),
                         scope.place() * X_SJ,  joint.line,    joint.cut};
      const std::string place = "joint " + in_quotes(placed.spec.name) + ": ";
      if (placed.parent == placed.child) {
        scope.file().diagnostics.error(joint.line, place + "parent and child are the same body");
        continue;
      }
      for (std::size_t k = 0; k < placed.spec.dofs.size(); ++k) {
        const SdfAxis& axis = joint.axes[k];
        const Mat3<double> R_SE = axis.expressed_in.empty() ? X_SJ.R : scope.pose(axis.expressed_in, axis.line).R;
        const Vec3<double> direction = transpose(X_SJ.R) * (R_SE * axis.direction);
        if (norm(direction) == 0) scope.file().diagnostics.error(axis.line, place + "its axis is zero");
        (k == 0 ? placed.spec.axis : placed.spec.axis2) = norm(direction) == 0 ? direction : normalized(direction);
      }
      if (contents_.fixed) placed.spec = fixed(std::move(placed.spec));
      joints_.push_back(std::move(placed));
    }
  }

  static std::size_t node(int link) { return static_cast<std::size_t>(link + 1); }

  static JointSpec fixed(JointSpec joint) {
    joint.type = JointType::fixed, joint.axis = {0, 0, 1};
    joint.dofs.clear();
    joint.mimic.reset();
    return joint;
  }

  /// First each link's first joint carries it, then joints carry what is in no way connected yet; others close loops.
  void choose_carriers() {
    ConnectedNodes nodes(X_WL_.size());
    std::vector<bool> carried(X_WL_.size()), used(joints_.size());
    carried[0] = true;
    std::vector<std::size_t> tree;
    for (int pass = 0; pass < 3; ++pass) {
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        const PlacedJoint& joint = joints_[j];
        if (used[j] || (pass < 2 && joint.cut) || (pass == 0 && carried[joint.child])) continue;
        if (!nodes.connect(joint.parent, joint.child)) continue;
        carried[joint.child] = used[j] = true;
        tree.push_back(j);
      }
    }
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (!used[j]) closing_.push_back(joints_[j]);
    }
    orient(tree, nodes);
  }

  /// Goes from the world, and from one link of whatever is not connected to it, along the joints of the tree.
  void orient(const std::vector<std::size_t>& tree, ConnectedNodes& nodes) {
    std::vector<std::vector<std::size_t>> at(X_WL_.size());
    std::vector<bool> is_child(X_WL_.size());
    for (const std::size_t j : tree) {
      at[joints_[j].parent].push_back(j), at[joints_[j].child].push_back(j);
      is_child[joints_[j].child] = true;
    }
    std::vector<bool> reached(X_WL_.size());
    std::vector<std::size_t> from;
    const auto walk = [&](std::size_t root) {
      reached[root] = true;
      from.push_back(root);
      while (!from.empty()) {
        const std::size_t near = from.back();
        from.pop_back();
        for (const std::size_t j : at[near]) {
          const std::size_t far = joints_[j].parent == near ? joints_[j].child : joints_[j].parent;
          if (reached[far]) continue;
          reached[far] = true;
          joint_of_[far] = {near, joints_[j], joints_[j].child == near};
          from.push_back(far);
        }
      }
    };
    walk(0);
    std::vector<std::size_t> root_of(X_WL_.size());
    for (const bool natural : {true, false}) {
      for (std::size_t node = 1; node < X_WL_.size(); ++node) {
        std::size_t& root = root_of[nodes.root(node)];
        if (root == 0 && !reached[node] && (!natural || !is_child[node])) root = node;
      }
    }
    for (const std::size_t root : root_of) {
      if (root == 0) continue;
      joint_of_[root] = {0, root_joint(root), false};
      walk(root);
    }
  }

  PlacedJoint root_joint(std::size_t root) {
    PlacedJoint joint;
    joint.spec.name = unique_name("root_joint", joint_names_);
    joint.spec.type = contents_.fixed ? JointType::fixed : JointType::free;
    joint.spec.actuated = contents_.fixed;
    joint.spec.line = contents_.links[root - 1].spec.line;
    joint.X_WJ = X_WL_[root];
    return joint;
  }

  void add_links() {
    std::set<std::string> taken;
    std::size_t roots = 0;
    for (const SdfLink& link : contents_.links) names_.push_back(link.spec.name), taken.insert(link.spec.name);
    for (std::size_t node = 1; node < X_WL_.size(); ++node) roots += joint_of_[node].parent == 0 ? 1 : 0;
    if (names_.size() == 1) diagnostics_.error(0, "the model has no links");
    if (roots > 1) {  // they stand on one link
      LinkSpec base;
      base.name = names_[0] = unique_name("world", taken);
      base.joint.name = unique_name("root_joint", joint_names_);
      spec_.links.push_back(std::move(base));
    }
    for (std::size_t node = 1; node < X_WL_.size(); ++node) {
      LinkSpec link = std::move(contents_.links[node - 1].spec);
      const Carrier& carrier = joint_of_[node];
      link.parent = names_[carrier.parent];
      link.joint = carrier.backwards ? reversed(carrier.joint.spec) : carrier.joint.spec;
      link.X_PJ = inverse(X_WL_[carrier.parent]) * carrier.joint.X_WJ;
      link.X_JL = inverse(carrier.joint.X_WJ) * X_WL_[node];
      spec_.links.push_back(std::move(link));
    }
  }

  /// What a joint that closes a loop demands, and the axes of its frames at the child's and the parent's end.
  bool choose_loop(const JointSpec& joint, LoopSpec& loop, Mat3<double>& R_JA, Mat3<double>& R_JB) const {
    R_JA = R_JB = Mat3<double>::identity();
    switch (joint.type) {
      case JointType::fixed:
        loop.type = LoopType::rigid;
        return true;
      case JointType::spherical:
        loop.type = LoopType::spherical;
        return true;
      case JointType::revolute:
      case JointType::prismatic:
        loop.type = joint.type == JointType::revolute ? LoopType::revolute : LoopType::prismatic;
        R_JA = R_JB = frame_with_z_along(joint.axis);
        return true;
      case JointType::universal:  // x of a at right angles to y of b
        loop.type = LoopType::universal;
        R_JA = turned(frame_with_z_along(joint.axis2), 2, 0, 1), R_JB = turned(frame_with_z_along(joint.axis), 1, 2, 0);
        return std::abs(dot(joint.axis, joint.axis2)) < kUnitTolerance;
      default:
        return false;
    }
  }

  /// Columns x, y and z of R as columns of another rotation.
  static Mat3<double> turned(const Mat3<double>& R, int x, int y, int z) {
    Mat3<double> turned;
    const int from[] = {x, y, z};
    for (int row = 0; row < 3; ++row) {
      for (int k = 0; k < 3; ++k) turned.m[3 * row + k] = R.m[3 * row + from[k]];
    }
    return turned;
  }

  void add_loop(const PlacedJoint& joint) {
    const std::string place = "joint " + in_quotes(joint.spec.name) + ": ";
    LoopSpec loop;
    loop.name = joint.spec.name, loop.line = joint.spec.line;
    Mat3<double> R_JA, R_JB;
    if (!choose_loop(joint.spec, loop, R_JA, R_JB)) {
      diagnostics_.error(joint.spec.line,
                         place +
                             "it closes a loop, which a screw and a revolute2 with axes that are not at right "
                             "angles cannot: put another joint of the loop after it");
      return;
    }
    const Transform<double>& X_WJ = joint.X_WJ;
    loop.a = {joint.child == 0 ? "world" : names_[joint.child],
              inverse(X_WL_[joint.child]) * Transform<double>{X_WJ.R * R_JA, X_WJ.p}};
    loop.b = {joint.parent == 0 ? "world" : names_[joint.parent],
              inverse(X_WL_[joint.parent]) * Transform<double>{X_WJ.R * R_JB, X_WJ.p}};
    if (std::ranges::any_of(joint.spec.dofs, [](const DofSpec& dof) { return does_something(dof); }) ||
        joint.spec.mimic) {
      diagnostics_.warning(joint.spec.line, "not modelled: friction, springs and limits of " + place +
                                                "it closes a loop; put another joint of the loop after it");
    }
    spec_.loops.push_back(std::move(loop));
  }

  static bool does_something(const DofSpec& dof) {
    return dof.viscous != 0 || dof.coulomb != 0 || dof.stiffness != 0 || std::isfinite(dof.lower) ||
           std::isfinite(dof.upper);
  }

  void add_frames() {
    for (const SdfNamedFrame& frame : contents_.frames) {
      const auto link = frame.scope->link_of(frame.local, frame.line);
      const Transform<double> X_WF = frame.scope->place() * frame.scope->pose(frame.local, frame.line);
      if (!link || *link == SdfScope::kWorld) continue;
      spec_.frames.push_back({frame.name, names_[node(*link)], inverse(X_WL_[node(*link)]) * X_WF,
                              frame.scope->file().first ? frame.line : 0});
    }
  }

  /// What carries a link, as node of the world's or a link's; backwards where it is the joint's child.
  struct Carrier {
    std::size_t parent = 0;
    PlacedJoint joint;
    bool backwards = false;
  };

  SdfContents contents_;
  Diagnostics& diagnostics_;
  ModelSpec& spec_;
  std::vector<Transform<double>> X_WL_;  ///< of each node
  std::vector<PlacedJoint> joints_, closing_;
  std::vector<Carrier> joint_of_;       ///< of each node
  std::vector<std::string> names_{""};  ///< of each node
  std::set<std::string> joint_names_;
};

}  // namespace

void make_sdf_tree(SdfContents contents, Diagnostics& diagnostics, ModelSpec& spec) {
  SdfTree(std::move(contents), diagnostics, spec).make();
}

}  // namespace verne
