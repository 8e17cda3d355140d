#include "motion/values/closed_forces.h"

#include <cmath>
#include <limits>

#include "base/decompositions.h"
#include "motion/terms/loop_drives.h"
#include "motion/terms/task_loads.h"

namespace verne {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ClosedForces::ClosedForces(const Task& task)
    : efforts(Eigen::VectorXd::Zero(task.model.nv())),
      joint_wrenches(6, task.model.joints().size()),
      loop_wrenches(6, task.model.loops().size()),
      mechanism_(*task.mechanism),
      data_(mechanism_),
      loads_(loads_of(task)),
      drives_(drives_of(mechanism_)),
      along_(mechanism_.mobility()),
      shares_(Eigen::VectorXd::Ones(static_cast<Eigen::Index>(drives_.size()))),
      motors_(mechanism_.actuated().size()),
      a_(task.model.nv()),
      G_(task.model.nv(), mechanism_.mobility()) {
  for (std::size_t k = 0; k < drives_.size() && !task.effort_weights.empty(); ++k) {
    shares_[static_cast<Eigen::Index>(k)] = 1 / std::sqrt(task.effort_weights[drives_[k]]);
  }
}

void ClosedForces::find_efforts(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
  const bool known = ask(q, [&] { generalized_forces<double>(mechanism_, data_, q, v, a, along_, &loads_); });
  if (!known) {
    efforts.setConstant(kUnknown);
    return;
  }
  const std::span<const int> independent = mechanism_.independent();
  if (std::equal(drives_.begin(), drives_.end(), independent.begin(), independent.end())) {
    efforts(drives_) = along_;
    return;
  }
  closed_jacobian<double>(mechanism_, data_, q, G_);
  const Eigen::MatrixXd felt = G_(drives_, Eigen::all).transpose() * shares_.asDiagonal();
  efforts(drives_) = shares_.cwiseProduct(Eigen::VectorXd(least_norm(felt, along_)));
}

void ClosedForces::choose_anew(const Eigen::VectorXd& q) {
  ModelSpec spec = mechanism_.model().spec();
  spec.independent.clear();
  spec.home.clear();
  for (const Joint& joint : mechanism_.model().joints()) {
    if (joint.nq == 0 || joint.coupled()) continue;
    spec.home.push_back({joint.spec.name, {q.data() + joint.q, q.data() + joint.q + joint.nq}, 0});
  }
  mechanism_ = Mechanism(build_model(std::move(spec)));
  data_ = MechanismData<double>(mechanism_);
}

template <class Ask>
bool ClosedForces::ask(const Eigen::VectorXd& q, const Ask& question) {
  try {
    question();
    return true;
  } catch (const InputError&) {
  }
  try {
    choose_anew(q);
    question();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void ClosedForces::take_motors() {
  for (Eigen::Index k = 0; k < motors_.size(); ++k) motors_[k] = efforts[mechanism_.actuated()[k]];
}

void ClosedForces::find_wrenches(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  take_motors();
  const bool known = ask(q, [&] {
    forward_dynamics<double>(mechanism_, data_, q, v, motors_, a_, &loads_, &loop_wrenches, &joint_wrenches);
  });
  if (!known) loop_wrenches.setConstant(kUnknown), joint_wrenches.setConstant(kUnknown);
}

void ClosedForces::accelerate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::Ref<Eigen::VectorXd> a) {
  take_motors();
  if (!ask(q, [&] { forward_dynamics<double>(mechanism_, data_, q, v, motors_, a, &loads_); })) a.setConstant(kUnknown);
}

}  // namespace verne
