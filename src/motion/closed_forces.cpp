#include "motion/closed_forces.h"

#include <Eigen/QR>
#include <cmath>

#include "motion/loop_drives.h"
#include "motion/task_loads.h"

namespace verne {

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
  generalized_forces<double>(mechanism_, data_, q, v, a, along_, &loads_);
  const std::span<const int> independent = mechanism_.independent();
  if (std::equal(drives_.begin(), drives_.end(), independent.begin(), independent.end())) {
    efforts(drives_) = along_;
    return;
  }
  closed_jacobian<double>(mechanism_, data_, q, G_);
  const Eigen::MatrixXd felt = G_(drives_, Eigen::all).transpose() * shares_.asDiagonal();
  efforts(drives_) = shares_.asDiagonal() * felt.completeOrthogonalDecomposition().solve(along_).eval();
}

void ClosedForces::take_motors() {
  for (Eigen::Index k = 0; k < motors_.size(); ++k) motors_[k] = efforts[mechanism_.actuated()[k]];
}

void ClosedForces::find_wrenches(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  take_motors();
  forward_dynamics<double>(mechanism_, data_, q, v, motors_, a_, &loads_, &loop_wrenches, &joint_wrenches);
}

void ClosedForces::accelerate(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::Ref<Eigen::VectorXd> a) {
  take_motors();
  forward_dynamics<double>(mechanism_, data_, q, v, motors_, a, &loads_);
}

}  // namespace verne
