/// The formulations for closed loops, in the terms of `verne check`: sections 4 and 5 of Khalil.
#include <algorithm>
#include <cmath>

#include "formulations/khalil_loops.h"
#include "formulations/khalil_parallel.h"
#include "formulations/tree_reading.h"
#include "model/one_axis_joints.h"
#include "reproduce/comparison.h"
#include "structures/closed_dynamics.h"
#include "verne/dynamics/kinematics.h"

namespace verne::reproduce {

namespace fm = formulations;

namespace {

/// What the library says of a closed state: torques of the motors for its motion, accelerations under others.
class ClosedLibrary {
 public:
  explicit ClosedLibrary(const Model& model) : mechanism_(model), data_(mechanism_) {}

  const Mechanism& mechanism() const { return mechanism_; }
  Eigen::VectorXd inverse(const CheckState& s) {
    Eigen::VectorXd tau(mechanism_.actuated().size());
    inverse_dynamics<double>(mechanism_, data_, s.q, s.v, s.a, tau);
    return tau;
  }
  Eigen::VectorXd forward(const CheckState& s) {
    Eigen::VectorXd a(s.v.size());
    forward_dynamics<double>(mechanism_, data_, s.q, s.v, of_motors(s.tau), a);
    return of_motors(a);
  }
  Eigen::VectorXd of_motors(const Eigen::VectorXd& all) const {
    Eigen::VectorXd motors(mechanism_.actuated().size());
    for (Eigen::Index k = 0; k < motors.size(); ++k)
      motors[k] = all[mechanism_.actuated()[static_cast<std::size_t>(k)]];
    return motors;
  }

 private:
  Mechanism mechanism_;
  MechanismData<double> data_;
};

/// A link's frame, or what is fixed in it, in the frame of its body; the body's number in Khalil's terms.
struct Place {
  int link = 0;
  Transform<double> pose;
};
Place place_of(const Model& model, const LoopEnd& end) {
  if (end.link == "world") return {0, end.X_LF};
  const TreeSite& site = model.tree().sites[model.link(end.link)];
  return {site.body + 1, fm::pose_in_body(site) * end.X_LF};
}

/// A freedom of a cut joint, about (sigma 0) or along (1) an axis of a frame that both of its sides share.
struct CutFreedom {
  int axis, sigma;
};
/// From b to a.
std::vector<CutFreedom> freedoms_of(LoopType type) {
  constexpr int kTurn = 0, kSlide = 1;
  switch (type) {
    case LoopType::revolute:
      return {{2, kTurn}};
    case LoopType::prismatic:
      return {{2, kSlide}};
    case LoopType::cylindrical:
      return {{2, kTurn}, {2, kSlide}};
    case LoopType::planar:
      return {{0, kSlide}, {1, kSlide}, {2, kTurn}};
    case LoopType::point_on_line:
      return {{0, kTurn}, {1, kTurn}, {2, kTurn}, {2, kSlide}};
    case LoopType::universal:
      return {{1, kTurn}, {0, kTurn}};
    case LoopType::spherical:
      return {{0, kTurn}, {1, kTurn}, {2, kTurn}};
    case LoopType::rigid:
      break;
  }
  return {};
}
/// The frame in which they are, while the loop is closed.
Transform<double> shared_frame(LoopType type, const Transform<double>& a, const Transform<double>& b) {
  if (type == LoopType::point_on_line) return {a.R, b.p};
  if (type != LoopType::universal) return a;
  const Vec3<double> x = a.R.column(0), y = b.R.column(1);
  return {Mat3<double>::columns(x, y, cross(x, y)), a.p};
}
/// Turns z to an axis.
Transform<double> to_axis(int axis) {
  const auto unit = [&](int k) {
    return Vec3<double>{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0, k % 3 == 2 ? 1.0 : 0.0};
  };
  return {Mat3<double>::columns(unit(axis + 1), unit(axis + 2), unit(axis)), {0, 0, 0}};
}

class ClosedLoops : public Formulation {
 public:
  /// `chains`: the model with one-axis joints alone, of which `tree` is.
  ClosedLoops(const Model& model, Model chains, fm::MdhTree tree)
      : library_(model), chains_(std::move(chains)), tree_(std::move(tree)) {
    for (const Joint& joint : chains_.joints()) {
      for (int k = 0; k < joint.nv; ++k) active_.push_back(joint.spec.actuated);
    }
  }

  Differences compare(const CheckState& s) override {
    const auto [robot, q] = robot_at(s.q);
    const Eigen::VectorXd qd = library_.of_motors(s.v);
    Differences out;
    out[kTorques] =
        relative_difference(fm::khalil_closed_inverse(robot, q, qd, library_.of_motors(s.a)), library_.inverse(s));
    out[kAccelerations] =
        relative_difference(fm::khalil_closed_direct(robot, q, qd, library_.of_motors(s.tau)), library_.forward(s));
    return out;
  }
  void run(const CheckState& s) const override {
    const auto [robot, q] = robot_at(s.q);
    fm::khalil_closed_inverse(robot, q, library_.of_motors(s.v), library_.of_motors(s.a));
  }

 private:
  /// At a state the variables of all cut joints are zero: their frames are placed so.
  struct At {
    fm::KhalilClosedRobot robot;
    Eigen::VectorXd q;
  };
  At robot_at(const Eigen::VectorXd& q) const {
    const Eigen::VectorXd positions = chain_positions(q);
    const auto poses = fm::khalil_poses<double>(tree_, span_of(positions));
    At out{{tree_, {}, active_}, positions};
    Eigen::Index variables = positions.size();
    for (const LoopSpec& loop : chains_.loops()) {
      // b is the side that the cut joint's variables move away from.
      const Place i = place_of(chains_, loop.b), j = place_of(chains_, loop.a);
      const Transform<double>&of_i = poses[static_cast<std::size_t>(i.link)],
            &of_j = poses[static_cast<std::size_t>(j.link)];
      const Transform<double> shared = shared_frame(loop.type, of_j * j.pose, of_i * i.pose);
      fm::KhalilCutJoint cut{i.link, j.link, {}, {}};
      Transform<double> last = of_i;
      for (const CutFreedom& freedom : freedoms_of(loop.type)) {
        const Transform<double> next = shared * to_axis(freedom.axis);
        cut.variables.push_back({freedom.sigma, mdh_parameters_of(inverse(last) * next)});
        last = next;
      }
      cut.on_j = mdh_parameters_of(inverse(of_j) * last);
      variables += static_cast<Eigen::Index>(cut.variables.size());
      out.robot.cuts.push_back(std::move(cut));
    }
    out.q.conservativeResizeLike(Eigen::VectorXd::Zero(variables));
    return out;
  }
  Eigen::VectorXd chain_positions(const Eigen::VectorXd& q) const {
    std::vector<double> out;
    for (const Joint& joint : library_.mechanism().model().joints()) {
      std::vector<double> own(q.data() + joint.q, q.data() + joint.q + joint.nq);
      if (joint.coupled()) continue;
      if (becomes_one_axis_joints(joint.spec)) own = one_axis_positions(own);
      out.insert(out.end(), own.begin(), own.end());
    }
    return vector_of(out);
  }

  ClosedLibrary library_;
  Model chains_;
  fm::MdhTree tree_;
  std::vector<bool> active_;
};

/// A leg of a parallel robot, and which of the model's coordinates are its own: velocities and positions.
struct LegOfModel {
  int first_link = 0;
  Model alone;
  fm::KhalilLeg leg;
  std::vector<int> dofs, positions;
};

/// The first link that moves on the way to a link.
int first_moving(const Model& model, int link) {
  int first = -1;
  for (; link >= 0; link = model.links()[link].parent) {
    if (model.joints()[model.links()[link].joint].nv > 0) first = link;
  }
  return first;
}

/// What hangs on a link, by itself.
std::optional<LegOfModel> leg_on(const Model& model, int first_link) {
  ModelSpec spec = model.spec();
  std::vector<LinkSpec> links;
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    const int first = first_moving(model, static_cast<int>(k));
    if (first < 0 || first == first_link) links.push_back(spec.links[k]);
  }
  spec.links = std::move(links);
  spec.frames.clear(), spec.contacts.clear(), spec.loops.clear(), spec.home.clear(), spec.independent.clear();
  const Model alone = build_model(std::move(spec));
  const auto tree = fm::mdh_tree_of(alone);
  if (!tree) return std::nullopt;
  LegOfModel out{first_link, alone, {*tree, {}, {}}, {}, {}};
  for (const Joint& own : alone.joints()) {
    const Joint& joint = model.joints()[model.joint(own.spec.name)];
    for (int k = 0; k < joint.nv; ++k) {
      if (joint.spec.actuated) out.leg.active.push_back(static_cast<int>(out.dofs.size()));
      out.dofs.push_back(joint.v + k), out.positions.push_back(joint.q + k);
    }
  }
  return out;
}

/// A body that floats and that nothing but loops holds.
bool is_platform(const Model& model, const std::string& name) {
  if (name == "world") return false;
  const int link = model.link(name);
  const auto carries = [&](const Link& other) { return other.parent == link; };
  return model.joints()[model.links()[link].joint].spec.type == JointType::free &&
         std::none_of(model.links().begin(), model.links().end(), carries);
}

class ParallelRobotOnLegs : public Formulation {
 public:
  ParallelRobotOnLegs(const Model& model, int platform, std::vector<LegOfModel> legs)
      : library_(model), data_(model), platform_(platform), legs_(std::move(legs)) {
    for (const LegOfModel& leg : legs_) robot_.legs.push_back(leg.leg);
    const LinkSpec& body = model.spec().links[platform];
    const RigidInertia<double> inertia = inertia_from_com(body.mass, body.com, body.inertia);
    robot_.platform.mass = inertia.mass;
    robot_.platform.first_moment = inertia.mc;
    robot_.platform.inertia = inertia.I;
    robot_.gravity = model.gravity();
  }

  Differences compare(const CheckState& s) override {
    const std::vector<Eigen::Index> order = motors();
    const Eigen::VectorXd of_legs = library_.of_motors(s.tau)(order);
    Differences out;
    out[kTorques] = relative_difference(torques(s), library_.inverse(s)(order));
    out[kAccelerations] = relative_difference(fm::khalil_parallel_direct(robot_, motion_of(s), positions(s), of_legs),
                                              library_.forward(s)(order));
    return out;
  }
  void run(const CheckState& s) const override { torques(s); }

 private:
  /// Where the motors of the legs stand among those of the mechanism.
  std::vector<Eigen::Index> motors() const {
    const auto all = library_.mechanism().actuated();
    std::vector<Eigen::Index> order;
    for (const LegOfModel& leg : legs_) {
      for (const int active : leg.leg.active)
        order.push_back(std::find(all.begin(), all.end(), leg.dofs[static_cast<std::size_t>(active)]) - all.begin());
    }
    return order;
  }
  Eigen::VectorXd torques(const CheckState& s) const {
    return fm::khalil_parallel_inverse(robot_, motion_of(s), positions(s)).torque;
  }
  fm::KhalilPlatformMotion motion_of(const CheckState& s) const {
    const Kinematics<double> at = forward_kinematics<double>(library_.mechanism().model(), data_, s.q, s.v, s.a);
    const auto vec = [](const Eigen::Vector3d& v) { return Vec3<double>{v.x(), v.y(), v.z()}; };
    fm::KhalilPlatformMotion motion;
    motion.pose.p = vec(at.position(platform_));
    const Eigen::Matrix3d R = at.rotation(platform_);
    for (int k = 0; k < 9; ++k) motion.pose.R.m[k] = R(k / 3, k % 3);
    motion.velocity = {vec(at.velocities.col(platform_).head<3>()), vec(at.velocities.col(platform_).tail<3>())};
    motion.acceleration = {vec(at.accelerations.col(platform_).head<3>()),
                           vec(at.accelerations.col(platform_).tail<3>())};
    return motion;
  }
  std::vector<Eigen::VectorXd> positions(const CheckState& s) const {
    std::vector<Eigen::VectorXd> all;
    for (const LegOfModel& leg : legs_) all.emplace_back(s.q(leg.positions));
    return all;
  }

  ClosedLibrary library_;
  mutable Data<double> data_;
  int platform_;
  std::vector<LegOfModel> legs_;
  fm::KhalilParallelRobot robot_;
};

CheckedFormulation closed_loops(const Model& model) {
  CheckedFormulation row{"Khalil, closed loops", "mdh", lacking(model, {.springs = true}), nullptr, ""};
  const Model plain = without(model, {.springs = true});
  Model chains = build_model(with_one_axis_joints(plain.spec()));
  const auto tree = fm::mdh_tree_of(chains);
  if (!tree) {
    row.reason = tree.reason;
  } else if (Mechanism mechanism(plain); static_cast<int>(mechanism.actuated().size()) != mechanism.mobility()) {
    row.reason = "not as many motors as degrees of freedom";
  } else {
    row.formulation = std::make_unique<ClosedLoops>(plain, std::move(chains), *tree);
  }
  return row;
}

CheckedFormulation parallel_robot(const Model& model) {
  CheckedFormulation row{"Khalil, parallel", "mdh", lacking(model, {.springs = true}), nullptr, ""};
  const Model plain = without(model, {.springs = true});
  row.reason = "not a platform on legs that end in spherical joints";
  std::vector<LegOfModel> legs;
  int platform = -1;
  for (const LoopSpec& loop : plain.loops()) {
    const bool on_b = is_platform(plain, loop.b.link);
    if (loop.type != LoopType::spherical || (!on_b && !is_platform(plain, loop.a.link))) return row;
    const LoopEnd &top = on_b ? loop.b : loop.a, &tip = on_b ? loop.a : loop.b;
    if (tip.link == "world" || (platform >= 0 && platform != plain.link(top.link))) return row;
    platform = plain.link(top.link);
    const int first = first_moving(plain, plain.link(tip.link));
    if (first < 0 || first == first_moving(plain, platform)) return row;
    auto leg =
        std::find_if(legs.begin(), legs.end(), [&](const LegOfModel& known) { return known.first_link == first; });
    if (leg == legs.end()) {
      std::optional<LegOfModel> made = leg_on(plain, first);
      if (!made) return row;
      leg = legs.insert(leg, std::move(*made));
    }
    const Place at = place_of(leg->alone, tip);
    leg->leg.tips.push_back({at.link, at.pose.p, top.X_LF.p});
  }
  std::size_t motors = 0;
  for (const LegOfModel& leg : legs) motors += leg.leg.active.size();
  const Mechanism mechanism(plain);
  if (legs.empty() || motors != mechanism.actuated().size() || static_cast<int>(motors) != mechanism.mobility())
    return row;
  row.reason.clear();
  row.formulation = std::make_unique<ParallelRobotOnLegs>(plain, platform, std::move(legs));
  return row;
}

}  // namespace

std::vector<CheckedFormulation> loop_formulations(const Model& model) {
  std::vector<CheckedFormulation> rows;
  if (model.loops().empty()) return rows;
  rows.push_back(closed_loops(model));
  rows.push_back(parallel_robot(model));
  return rows;
}

}  // namespace verne::reproduce
