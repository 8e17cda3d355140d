#include "motion/closed_forces.h"

#include "motion/task_loads.h"

namespace verne {

ClosedForces::ClosedForces(const Task& task)
    : efforts(Eigen::VectorXd::Zero(task.model.nv())),
      joint_wrenches(6, task.model.joints().size()),
      loop_wrenches(6, task.model.loops().size()),
      mechanism_(*task.mechanism),
      data_(mechanism_),
      loads_(loads_of(task)),
      along_(mechanism_.mobility()),
      motors_(mechanism_.actuated().size()),
      a_(task.model.nv()) {}

void ClosedForces::find_efforts(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
  generalized_forces<double>(mechanism_, data_, q, v, a, along_, &loads_);
  for (Eigen::Index k = 0; k < along_.size(); ++k) efforts[mechanism_.independent()[k]] = along_[k];
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
