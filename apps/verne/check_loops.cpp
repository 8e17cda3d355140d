/// The formulations for closed loops, in the terms of `verne check`: sections 4 and 5 of Khalil.
#include <algorithm>
#include <cmath>

#include "check_formulation.h"
#include "formulations/khalil_loops.h"
#include "formulations/khalil_parallel.h"
#include "formulations/tree_reading.h"
#include "verne/dynamics/kinematics.h"
#include "verne/structures/closed_dynamics.h"

namespace verne::cli {

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

class ClosedLoops : public Formulation {
 public:
  ClosedLoops(const Model& model, fm::MdhTree tree)
      : library_(model), robot_{std::move(tree), {}, std::vector<bool>(static_cast<std::size_t>(model.nv()), false)} {
    for (const LoopSpec& loop : model.loops()) {
      // b is the side that the cut joint's variable moves away from.
      const Place i = place_of(model, loop.b), j = place_of(model, loop.a);
      robot_.cuts.push_back(
          {i.link, j.link, loop.type == LoopType::prismatic, mdh_parameters_of(i.pose), mdh_parameters_of(j.pose)});
    }
    for (const int dof : library_.mechanism().actuated()) robot_.active[static_cast<std::size_t>(dof)] = true;
  }

  Differences compare(const CheckState& s) override {
    const Eigen::VectorXd q = with_cuts(s.q), qd = library_.of_motors(s.v);
    Differences out;
    out[kTorques] =
        relative_difference(fm::khalil_closed_inverse(robot_, q, qd, library_.of_motors(s.a)), library_.inverse(s));
    out[kAccelerations] =
        relative_difference(fm::khalil_closed_direct(robot_, q, qd, library_.of_motors(s.tau)), library_.forward(s));
    return out;
  }
  void run(const CheckState& s) const override {
    fm::khalil_closed_inverse(robot_, with_cuts(s.q), library_.of_motors(s.v), library_.of_motors(s.a));
  }

 private:
  /// Positions of the tree and of the cut joints.
  Eigen::VectorXd with_cuts(const Eigen::VectorXd& q) const {
    const auto poses = fm::khalil_poses<double>(robot_.tree, span_of(q));
    Eigen::VectorXd all(q.size() + static_cast<Eigen::Index>(robot_.cuts.size()));
    all.head(q.size()) = q;
    for (std::size_t k = 0; k < robot_.cuts.size(); ++k) {
      const fm::KhalilCutJoint& cut = robot_.cuts[k];
      const Transform<double> i = poses[static_cast<std::size_t>(cut.link_i)] * mdh_transform(cut.on_i);
      const Transform<double> j = poses[static_cast<std::size_t>(cut.link_j)] * mdh_transform(cut.on_j);
      const Transform<double> apart = inverse(i) * j;
      all[q.size() + static_cast<Eigen::Index>(k)] = cut.sigma ? apart.p.z : std::atan2(apart.R(1, 0), apart.R(0, 0));
    }
    return all;
  }

  ClosedLibrary library_;
  fm::KhalilClosedRobot robot_;
};

/// A leg of a parallel robot, and which of the model's coordinates are its own.
struct LegOfModel {
  fm::KhalilLeg leg;
  std::vector<int> dofs;
};

/// Links from the root to a link.
std::vector<int> way_to(const Model& model, int link) {
  std::vector<int> way;
  for (; link >= 0; link = model.links()[link].parent) way.push_back(link);
  std::reverse(way.begin(), way.end());
  return way;
}

std::optional<LegOfModel> leg_of(const Model& model, const LoopEnd& tip, const LoopEnd& attachment) {
  ModelSpec spec = model.spec();
  LegOfModel out;
  const std::vector<int> way = way_to(model, model.link(tip.link));
  std::vector<LinkSpec> links;
  int motors = 0;
  for (const int link : way) {
    links.push_back(spec.links[link]);
    const Joint& joint = model.joints()[model.links()[link].joint];
    for (int k = 0; k < joint.nv; ++k) {
      if (joint.spec.actuated) out.leg.active = static_cast<int>(out.dofs.size()), ++motors;
      out.dofs.push_back(joint.v + k);
    }
  }
  if (out.dofs.size() != 3 || motors != 1) return std::nullopt;
  spec.links = std::move(links);
  spec.frames.clear(), spec.contacts.clear(), spec.loops.clear(), spec.home.clear(), spec.independent.clear();
  const Model alone = build_model(std::move(spec));
  const auto tree = fm::mdh_tree_of(alone);
  if (!tree) return std::nullopt;
  out.leg.tree = *tree;
  out.leg.tip = place_of(alone, tip).pose.p;
  out.leg.attachment = attachment.X_LF.p;
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
    const Eigen::VectorXd expected = library_.inverse(s), found = torques(s);
    Eigen::VectorXd in_order(expected.size());
    for (std::size_t i = 0; i < legs_.size(); ++i) {
      const int dof = legs_[i].dofs[static_cast<std::size_t>(legs_[i].leg.active)];
      const auto motors = library_.mechanism().actuated();
      in_order[std::find(motors.begin(), motors.end(), dof) - motors.begin()] = found[static_cast<Eigen::Index>(i)];
    }
    Differences out;
    out[kTorques] = relative_difference(in_order, expected);
    return out;
  }
  void run(const CheckState& s) const override { torques(s); }

 private:
  Eigen::VectorXd torques(const CheckState& s) const {
    const Kinematics<double> at = forward_kinematics<double>(library_.mechanism().model(), data_, s.q, s.v, s.a);
    const auto vec = [](const Eigen::Vector3d& v) { return Vec3<double>{v.x(), v.y(), v.z()}; };
    fm::KhalilPlatformMotion motion;
    motion.pose.p = vec(at.position(platform_));
    const Eigen::Matrix3d R = at.rotation(platform_);
    for (int k = 0; k < 9; ++k) motion.pose.R.m[k] = R(k / 3, k % 3);
    motion.velocity = {vec(at.velocities.col(platform_).head<3>()), vec(at.velocities.col(platform_).tail<3>())};
    motion.acceleration = {vec(at.accelerations.col(platform_).head<3>()),
                           vec(at.accelerations.col(platform_).tail<3>())};
    std::vector<Eigen::Vector3d> guess;
    for (const LegOfModel& leg : legs_) guess.emplace_back(joints(s, leg));
    return fm::khalil_parallel_inverse(robot_, motion, guess).torque;
  }
  /// Positions of a leg; those of the platform's quaternion are one more than its velocities.
  Eigen::Vector3d joints(const CheckState& s, const LegOfModel& leg) const {
    const Model& model = library_.mechanism().model();
    Eigen::Vector3d q;
    for (const Joint& joint : model.joints()) {
      for (int k = 0; k < 3; ++k) {
        const int dof = leg.dofs[static_cast<std::size_t>(k)];
        if (dof >= joint.v && dof < joint.v + joint.nv) q[k] = s.q[joint.q + dof - joint.v];
      }
    }
    return q;
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
  const auto tree = fm::mdh_tree_of(plain);
  const auto other = std::find_if(model.loops().begin(), model.loops().end(), [](const LoopSpec& loop) {
    return loop.type != LoopType::revolute && loop.type != LoopType::prismatic;
  });
  if (!tree) {
    row.reason = tree.reason;
  } else if (other != model.loops().end()) {
    row.reason = "loop '" + other->name + "' is " + to_string(other->type) + ": a cut joint has one variable";
  } else if (Mechanism mechanism(plain); static_cast<int>(mechanism.actuated().size()) != mechanism.mobility()) {
    row.reason = "not as many motors as degrees of freedom";
  } else {
    row.formulation = std::make_unique<ClosedLoops>(plain, *tree);
  }
  return row;
}

CheckedFormulation parallel_robot(const Model& model) {
  CheckedFormulation row{"Khalil, parallel", "mdh", lacking(model, {.springs = true}), nullptr, ""};
  const Model plain = without(model, {.springs = true});
  row.reason = "not a platform on six legs that end in spherical joints";
  std::vector<LegOfModel> legs;
  int platform = -1;
  for (const LoopSpec& loop : plain.loops()) {
    const bool on_b = is_platform(plain, loop.b.link);
    if (loop.type != LoopType::spherical || (!on_b && !is_platform(plain, loop.a.link))) return row;
    const LoopEnd &top = on_b ? loop.b : loop.a, &tip = on_b ? loop.a : loop.b;
    if (tip.link == "world" || (platform >= 0 && platform != plain.link(top.link))) return row;
    platform = plain.link(top.link);
    std::optional<LegOfModel> leg = leg_of(plain, tip, top);
    if (!leg) return row;
    legs.push_back(std::move(*leg));
  }
  if (legs.size() != 6 || Mechanism(plain).mobility() != 6) return row;
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

}  // namespace verne::cli
