#include "structures/joint_wrench_changes.h"

#include <cmath>

namespace verne {

JointWrenchChanges::JointWrenchChanges(const Model& model, Data<double>& data, VectorIn<double> q,
                                       WrenchDerivatives<double> at_fixed_loads)
    : model_(model), at_fixed_loads_(std::move(at_fixed_loads)) {
  const Kinematics<double> kinematics = forward_kinematics(model, data, q);
  for (std::size_t k = 0; k < model.links().size(); ++k) {
    const double* const pose = kinematics.poses.col(static_cast<Eigen::Index>(k)).data();
    Transform<double> X_WL;
    X_WL.p = Vec3<double>::load(pose);
    std::copy_n(pose + 3, 9, X_WL.R.m);
    links_.push_back(X_WL);
    joints_.push_back(X_WL * inverse(model.spec().links[k].X_JL));
  }
}

/// (10)
void JointWrenchChanges::subtract(const Loads<double>& loads, Eigen::Index j, Eigen::Index directions,
                                  Eigen::Ref<Matrix6X<double>> out) const {
  for (int i = 0; i < loads.size(); ++i) {
    const int site = loads.sites()[i].site;
    const double* const values = loads.values() + 9 * i;
    const Vec3<double> force = Vec3<double>::load(values), moment = Vec3<double>::load(values + 3);
    const Transform<double>& link = links_[static_cast<std::size_t>(site)];
    const Vec3<double> point = link.p + link.R * Vec3<double>::load(values + 6);
    for (int k = site; k >= 0; k = model_.links()[static_cast<std::size_t>(k)].parent) {
      const Transform<double>& joint = joints_[static_cast<std::size_t>(k)];
      const Vec3<double> pushed = transpose_times(joint.R, force);
      const Vec3<double> turned = transpose_times(joint.R, moment + cross(point - joint.p, force));
      auto column = out.col(k * directions + j);
      for (int axis = 0; axis < 3; ++axis) column[axis] -= pushed[axis], column[3 + axis] -= turned[axis];
    }
  }
}

void JointWrenchChanges::put(const TreeChanges& motion, std::span<const Loads<double>> loads,
                             const std::vector<std::array<bool, 6>>& determined,
                             Eigen::Ref<Matrix6X<double>> out) const {
  const WrenchDerivatives<double>& tree = at_fixed_loads_;
  const Eigen::Index n = motion.q.cols();
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int joint = static_cast<int>(k);
    out.middleCols(joint * n, n) = tree.joint(tree.dq, joint) * motion.q + tree.joint(tree.dv, joint) * motion.v +
                                   tree.joint(tree.dx, joint) * motion.a;
  }
  for (Eigen::Index j = 0; j < n; ++j) subtract(loads[static_cast<std::size_t>(j)], j, n, out);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    for (std::size_t i = 0; i < 6; ++i) {
      if (determined[k][i]) continue;
      out.row(static_cast<Eigen::Index>(i)).segment(static_cast<Eigen::Index>(k) * n, n).setConstant(std::nan(""));
    }
  }
}

}  // namespace verne
