#include "simulate/dry_friction.h"

#include <algorithm>
#include <cmath>

#include "model/tree.h"
#include "simulate/friction_step.h"

namespace verne {

namespace {

/// A joint this slow (rad/s or m/s) is at rest when it is decided what sticks.
constexpr double kRests = 1e-9;
/// A joint at rest that nothing holds moves from here on.
constexpr double kMoves = 2e-9;
/// Slip ends this far beyond zero: so a joint that begins to slip, at rest, is not seen to end at once.
constexpr double kBeyondRest = 1e-11;
/// By this part of the bound more than it, friction is needed where a joint breaks loose: then it accelerates.
constexpr double kBeyondBound = 1e-9;

}  // namespace

DryFriction::DryFriction(const Model& model, std::span<const int> prescribed) {
  const Tree& tree = model.tree();
  Eigen::VectorXd bounds = Eigen::VectorXd::Zero(model.nv());
  for (int k = 0; k < tree.nv; ++k) {
    const TreeCoupling& coupling = tree.v_coupling[k];
    if (tree.friction_width[k] == 0) bounds[coupling.source] += std::abs(coupling.ratio) * tree.coulomb[k];
  }
  for (const int k : prescribed) bounds[k] = 0;
  for (int k = 0; k < model.nv(); ++k) {  // friction below zero drives, and holds nothing
    if (bounds[k] > 0) joints_.push_back({k, bounds[k]});
  }
}

void DryFriction::add_correction(const Eigen::Ref<const Eigen::VectorXd>& v, Eigen::VectorXd& torques) const {
  for (const DryJoint& joint : joints_) {
    if (!joint.held) torques[joint.velocity] += model_friction(joint, v[joint.velocity]) - joint.friction;
  }
}

double DryFriction::power_correction(const Eigen::Ref<const Eigen::VectorXd>& v) const {
  double power = 0;
  for (const DryJoint& joint : joints_) {
    power += (model_friction(joint, v[joint.velocity]) - joint.friction) * v[joint.velocity];
  }
  return power;
}

void DryFriction::take_held(const Eigen::VectorXd& driving, const Eigen::VectorXd& needed) {
  for (DryJoint& joint : joints_) {
    if (joint.held) joint.friction = driving[joint.velocity] - needed[joint.velocity];
  }
}

double DryFriction::load() const {
  double sum = 0;
  for (const DryJoint& joint : joints_) {
    if (joint.held) sum += (joint.friction / joint.bound) * (joint.friction / joint.bound);
  }
  return sum;
}

void DryFriction::put_margins(const Eigen::Ref<const Eigen::VectorXd>& v, std::span<double> margins) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const DryJoint& joint = joints_[i];
    if (joint.held) {
      margins[i] = joint.bound + joint.margin - std::abs(joint.friction);
    } else if (joint.direction != 0) {
      margins[i] = joint.direction * v[joint.velocity] + kBeyondRest;
    } else {
      margins[i] = kMoves - std::abs(v[joint.velocity]);
    }
  }
}

void DryFriction::release() {
  held_.clear();
  for (DryJoint& joint : joints_) joint.rests = joint.held = false, joint.friction = 0, joint.direction = 0;
}

bool DryFriction::find_resting(const Eigen::Ref<const Eigen::VectorXd>& v) {
  bool more = false;
  for (DryJoint& joint : joints_) {
    if (joint.rests) continue;
    const double speed = v[joint.velocity];
    joint.rests = std::abs(speed) <= kRests;
    joint.direction = joint.rests ? 0 : speed > 0 ? 1 : -1;
    joint.friction = joint.direction * joint.bound;
    more = more || joint.rests;
  }
  return more;
}

std::vector<int> DryFriction::resting() const {
  std::vector<int> velocities;
  for (const DryJoint& joint : joints_) {
    if (joint.rests) velocities.push_back(joint.velocity);
  }
  return velocities;
}

void DryFriction::decide(const Eigen::MatrixXd& inverse, const Eigen::VectorXd& a, std::span<const int> crossed) {
  std::vector<DryJoint*> resting;
  std::vector<char> broke_loose;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (!joints_[i].rests) continue;
    resting.push_back(&joints_[i]);
    broke_loose.push_back(!crossed.empty() && crossed[i] != 0);
  }
  Eigen::VectorXd bound(a.size());
  for (std::size_t i = 0; i < resting.size(); ++i) bound[static_cast<Eigen::Index>(i)] = resting[i]->bound;
  const FrictionStep step = solve_friction(inverse, a, bound, broke_loose);
  for (std::size_t i = 0; i < resting.size(); ++i) {
    DryJoint& joint = *resting[i];
    joint.friction = step.friction[static_cast<Eigen::Index>(i)];
    joint.direction = step.direction[i];
  }
  held_.clear();
  for (const int i : step.held) {
    resting[static_cast<std::size_t>(i)]->held = true;
    held_.push_back(resting[static_cast<std::size_t>(i)]->velocity);
  }
}

void DryFriction::settle() {
  for (DryJoint& joint : joints_) {
    joint.margin = kBeyondBound * joint.bound + 2 * std::max(0.0, std::abs(joint.friction) - joint.bound);
  }
}

}  // namespace verne
