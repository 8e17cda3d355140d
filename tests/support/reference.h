/// Slow, plain formulas straight from the specification of a model, independent of the kernels.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "support/states.h"

namespace verne::test {

inline Eigen::Vector3d to_eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}
inline Eigen::Matrix3d to_eigen(const Sym3<double>& m) {
  return (Eigen::Matrix3d() << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz).finished();
}
Eigen::Isometry3d to_eigen(const Transform<double>& X);

/// Positions and velocities of a joint, its own or those that it follows.
Eigen::VectorXd joint_positions(const Joint& joint, const Eigen::VectorXd& q);
Eigen::VectorXd joint_velocities(const Joint& joint, const Eigen::VectorXd& v);

/// Pose of the child-side joint frame in the joint frame, as spec.h defines the kinds.
Eigen::Isometry3d joint_motion(const JointSpec& joint, const Eigen::VectorXd& q);
/// The freedoms as columns (linear; angular) at the origin and in the axes of the child-side joint frame.
Matrix6X<double> joint_freedoms(const JointSpec& joint, const Eigen::VectorXd& q);

/// Of all links, in the order of the model.
std::vector<Eigen::Isometry3d> link_poses(const Model& model, const Eigen::VectorXd& q);

/// Friction of each velocity of the model, and the rotors' part of the mass matrix.
Eigen::VectorXd friction_torques(const Model& model, const Eigen::VectorXd& v);
Eigen::MatrixXd rotor_matrix(const Model& model);
/// What springs take of each velocity's torque, its slope by q, and what they hold.
Eigen::VectorXd spring_torques(const Model& model, const Eigen::VectorXd& q);
Eigen::MatrixXd stiffness_matrix(const Model& model, const Eigen::VectorXd& q);
double spring_energy(const Model& model, const Eigen::VectorXd& q);

/// A force and a moment about the world's origin, world axes.
struct Wrench {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();

  Wrench& operator+=(const Wrench& other) { return force += other.force, moment += other.moment, *this; }
  Wrench& operator-=(const Wrench& other) { return force -= other.force, moment -= other.moment, *this; }
  Eigen::Matrix<double, 6, 1> about(const Eigen::Vector3d& point) const;
};
Wrench wrench_at(const Eigen::Vector3d& point, const Eigen::Vector3d& force, const Eigen::Vector3d& moment);
/// The link that a site is, or that a frame is fixed to.
int link_of_site(const Model& model, int site);
/// What load k does to its link; `poses` are those of the links.
Wrench load_wrench(const Model& model, const Loads<double>& loads, int k, const std::vector<Eigen::Isometry3d>& poses);
/// What the parent does to the child through a joint, from the library's joint wrenches.
Wrench joint_wrench(const Model& model, int joint, const Matrix6X<double>& wrenches,
                    const std::vector<Eigen::Isometry3d>& poses);
/// What gravity and the motion of a link together demand: m (a_com − g) and the rate of angular momentum.
Wrench inertial_wrench(const Model& model, int link, const Kinematics<double>& kinematics);

}  // namespace verne::test
