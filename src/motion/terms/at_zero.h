/// Poses of links and contacts at zero, by which tasks and terms measure a model.
#pragma once

#include "verne/dynamics/kinematics.h"
#include "verne/motion/task.h"

namespace verne {

/// Where things are when all coordinates are zero.
class AtZero {
 public:
  explicit AtZero(const Model& model) : kinematics_(of(model)) {}
  Eigen::Vector3d position(int site) const { return kinematics_.position(site); }
  Eigen::Matrix3d rotation(int site) const { return kinematics_.rotation(site); }
  Eigen::Vector3d place(const ContactPoint& c) const {
    return position(c.site) + rotation(c.site) * Eigen::Vector3d(c.point.x, c.point.y, c.point.z);
  }

 private:
  static Kinematics<double> of(const Model& model) {
    Data<double> data(model);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
    return forward_kinematics<double>(model, data, zero, zero, zero);
  }
  Kinematics<double> kinematics_;
};

}  // namespace verne
