/// The library's loads and free base in Khalil's terms.
#pragma once

#include "formulations/formulation_support.h"
#include "formulations/khalil_moving_base.h"
#include "model/tree.h"
#include "support/reference.h"

namespace verne::test {

/// Loads on links as wrenches of the links on the environment, in their frames.
inline std::vector<fm::Vec6<double>> on_environment(const Model& model, const fm::MdhTree& tree,
                                                    const Loads<double>& loads, const Eigen::VectorXd& q) {
  const std::vector<Eigen::Isometry3d> poses = link_poses(model, q);
  std::vector<fm::Vec6<double>> f_e(tree.links.size(), fm::Vec6<double>::zero());
  for (int k = 0; k < loads.size(); ++k) {
    const int link = link_of_site(model, loads.sites()[k].site);
    const TreeSite& site = model.tree().sites[link];
    if (site.body < 0) continue;
    const Transform<double> X_BS = pose_in_body(site);
    const Eigen::Isometry3d X_WB = poses[static_cast<std::size_t>(link)] * to_eigen(X_BS).inverse();
    const Eigen::Matrix<double, 6, 1> about = load_wrench(model, loads, k, poses).about(X_WB.translation());
    const auto at = static_cast<std::size_t>(site.body) + (tree.moving_base ? 0 : 1);
    f_e[at] -= {vec3(X_WB.linear().transpose() * about.head(3)), vec3(X_WB.linear().transpose() * about.tail(3))};
  }
  return f_e;
}

inline fm::KhalilMovingBase<double> khalil_base(const Model& model, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& v) {
  // The frame of the free body is the child-side frame of its joint.
  const std::vector<Eigen::Isometry3d> poses = link_poses(model, q);
  for (int link = 0; link < model.tree().link_count; ++link) {
    const TreeSite& site = model.tree().sites[link];
    if (site.body != 0) continue;
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R_BS(site.R);
    const Eigen::Matrix3d R = poses[static_cast<std::size_t>(link)].linear() * R_BS.transpose();
    fm::KhalilMovingBase<double> base;
    for (int i = 0; i < 9; ++i) base.R_w0.m[i] = R(i / 3, i % 3);
    base.omega = vec3(v.segment<3>(3));
    return base;
  }
  return {};
}

/// V̇_0 is the acceleration of the origin; the entries of `a` are those of v's coordinates (docs/conventions.md, eq. 4).
inline Eigen::Matrix<double, 6, 1> free_joint_acceleration(const fm::Vec6<double>& V_dot_0, const Eigen::VectorXd& v) {
  Eigen::Matrix<double, 6, 1> a = eigen(V_dot_0);
  a.head(3) -= v.segment<3>(3).cross(v.head<3>());
  return a;
}

}  // namespace verne::test
