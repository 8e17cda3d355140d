#include "support/reference.h"

#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne::test {

namespace {

using Eigen::Vector3d;

Eigen::Matrix3d to_eigen(const Mat3<double>& R) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R.m);
}

Eigen::Quaterniond quaternion(const Eigen::VectorXd& q, Eigen::Index first) {
  return {q[first + 3], q[first], q[first + 1], q[first + 2]};
}

double ratio_of(const Joint& joint) {
  return joint.coupled() ? joint.spec.mimic->ratio : 1.0;
}

DofSpec dof_of(const Joint& joint, int k) {
  return joint.spec.dofs.empty() ? DofSpec{} : joint.spec.dofs[static_cast<std::size_t>(k)];
}

/// Calls visit(joint, k, index in the model's v) for every velocity of every joint.
template <class Visit>
void for_each_velocity(const Model& model, Visit&& visit) {
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < velocity_count(joint.spec.type); ++k) visit(joint, k, joint.v + k);
  }
}

/// The two directions across the axis of a planar joint, and the axis.
Eigen::Matrix3d planar_axes(const JointSpec& joint) {
  return to_eigen(frame_with_z_along(joint.axis));
}

/// How far beyond the slack range, with the sign of the side.
double overstretch(const DofSpec& dof, double q) {
  return q > dof.slack_upper ? q - dof.slack_upper : q < dof.slack_lower ? q - dof.slack_lower : 0;
}

}  // namespace

Eigen::Isometry3d to_eigen(const Transform<double>& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = to_eigen(X.R);
  out.translation() = to_eigen(X.p);
  return out;
}

Eigen::VectorXd joint_positions(const Joint& joint, const Eigen::VectorXd& q) {
  Eigen::VectorXd out = q.segment(joint.q, position_count(joint.spec.type));
  if (joint.coupled()) out = (out * ratio_of(joint)).array() + joint.spec.mimic->offset;
  return out;
}

Eigen::VectorXd joint_velocities(const Joint& joint, const Eigen::VectorXd& v) {
  return v.segment(joint.v, velocity_count(joint.spec.type)) * ratio_of(joint);
}

Eigen::Isometry3d joint_motion(const JointSpec& joint, const Eigen::VectorXd& q) {
  const Vector3d axis = to_eigen(joint.axis).normalized(), axis2 = to_eigen(joint.axis2).normalized();
  const auto about = [](const Vector3d& direction, double angle) { return Eigen::AngleAxisd(angle, direction); };
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
      X.rotate(about(axis, q[0]));
      break;
    case JointType::prismatic:
      X.translate(axis * q[0]);
      break;
    case JointType::helical:
      X.translate(axis * (joint.pitch * q[0])).rotate(about(axis, q[0]));
      break;
    case JointType::cylindrical:
      X.translate(axis * q[0]).rotate(about(axis, q[1]));
      break;
    case JointType::universal:
      X.rotate(about(axis, q[0])).rotate(about(axis2, q[1]));
      break;
    case JointType::planar:
      X.translate(planar_axes(joint).leftCols(2) * q.head(2)).rotate(about(axis, q[2]));
      break;
    case JointType::spherical:
      X.rotate(quaternion(q, 0));
      break;
    case JointType::free:
      X.translate(Vector3d(q.head(3))).rotate(quaternion(q, 3));
      break;
  }
  return X;
}

Matrix6X<double> joint_freedoms(const JointSpec& joint, const Eigen::VectorXd& q) {
  const Vector3d axis = to_eigen(joint.axis).normalized(), axis2 = to_eigen(joint.axis2).normalized();
  Matrix6X<double> S = Matrix6X<double>::Zero(6, velocity_count(joint.type));
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
      S.col(0) << Vector3d::Zero(), axis;
      break;
    case JointType::prismatic:
      S.col(0) << axis, Vector3d::Zero();
      break;
    case JointType::helical:
      S.col(0) << axis * joint.pitch, axis;
      break;
    case JointType::cylindrical:
      S.col(0) << axis, Vector3d::Zero();
      S.col(1) << Vector3d::Zero(), axis;
      break;
    case JointType::universal:  // the second rotation turns the frame away from the first axis
      S.col(0) << Vector3d::Zero(), Eigen::AngleAxisd(-q[1], axis2) * axis;
      S.col(1) << Vector3d::Zero(), axis2;
      break;
    case JointType::planar:
      S.topLeftCorner(3, 2) = Eigen::AngleAxisd(-q[2], axis).toRotationMatrix() * planar_axes(joint).leftCols(2);
      S.col(2) << Vector3d::Zero(), axis;
      break;
    case JointType::spherical:
      S.bottomRows(3).setIdentity();
      break;
    case JointType::free:
      S.setIdentity();
      break;
  }
  return S;
}

std::vector<Eigen::Isometry3d> link_poses(const Model& model, const Eigen::VectorXd& q) {
  std::vector<Eigen::Isometry3d> poses;
  for (const Joint& joint : model.joints()) {
    const LinkSpec& link = model.spec().links[static_cast<std::size_t>(joint.child_link)];
    const Eigen::Isometry3d parent =
        joint.parent_link < 0 ? Eigen::Isometry3d::Identity() : poses[static_cast<std::size_t>(joint.parent_link)];
    poses.push_back(parent * to_eigen(link.X_PJ) * joint_motion(joint.spec, joint_positions(joint, q)) *
                    to_eigen(link.X_JL));
  }
  return poses;
}

Eigen::VectorXd friction_torques(const Model& model, const Eigen::VectorXd& v) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
  for_each_velocity(model, [&](const Joint& joint, int k, int index) {
    const DofSpec dof = dof_of(joint, k);
    const double rate = joint_velocities(joint, v)[k];
    const double slip = dof.friction_width > 0 ? std::tanh(rate / dof.friction_width) : double((rate > 0) - (rate < 0));
    tau[index] += ratio_of(joint) * (dof.coulomb * slip + dof.viscous * rate);
  });
  return tau;
}

Eigen::MatrixXd rotor_matrix(const Model& model) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for_each_velocity(model, [&](const Joint& joint, int k, int index) {
    M(index, index) += std::pow(ratio_of(joint), 2) * dof_of(joint, k).rotor_inertia;
  });
  return M;
}

Eigen::VectorXd spring_torques(const Model& model, const Eigen::VectorXd& q) {
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(model.nv());
  for_each_velocity(model, [&](const Joint& joint, int k, int index) {
    const DofSpec dof = dof_of(joint, k);
    const double at = joint_positions(joint, q)[k];
    tau[index] +=
        ratio_of(joint) * (dof.stiffness * (at - dof.rest) + dof.ligament * std::pow(overstretch(dof, at), 3));
  });
  return tau;
}

Eigen::MatrixXd stiffness_matrix(const Model& model, const Eigen::VectorXd& q) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for_each_velocity(model, [&](const Joint& joint, int k, int index) {
    const DofSpec dof = dof_of(joint, k);
    const double x = overstretch(dof, joint_positions(joint, q)[k]);
    K(index, index) += std::pow(ratio_of(joint), 2) * (dof.stiffness + 3 * dof.ligament * x * x);
  });
  return K;
}

double spring_energy(const Model& model, const Eigen::VectorXd& q) {
  double energy = 0;
  for_each_velocity(model, [&](const Joint& joint, int k, int) {
    const DofSpec dof = dof_of(joint, k);
    const double at = joint_positions(joint, q)[k];
    energy += dof.stiffness * std::pow(at - dof.rest, 2) / 2 + dof.ligament * std::pow(overstretch(dof, at), 4) / 4;
  });
  return energy;
}

Eigen::Matrix<double, 6, 1> Wrench::about(const Vector3d& point) const {
  return (Eigen::Matrix<double, 6, 1>() << force, moment - point.cross(force)).finished();
}

Wrench wrench_at(const Vector3d& point, const Vector3d& force, const Vector3d& moment) {
  return {force, moment + point.cross(force)};
}

int link_of_site(const Model& model, int site) {
  const int links = static_cast<int>(model.links().size());
  return site < links ? site : model.link(model.frames()[static_cast<std::size_t>(site - links)].link);
}

Wrench load_wrench(const Model& model, const Loads<double>& loads, int k, const std::vector<Eigen::Isometry3d>& poses) {
  const Eigen::Map<const Eigen::Matrix3d> values(loads.values() + 9 * k);  // columns: force, moment, point
  const LoadSite& site = loads.sites()[k];
  const Vector3d point = values.col(2);
  const int frame = site.site - static_cast<int>(model.links().size());
  const Eigen::Isometry3d X_LS =
      frame < 0 ? Eigen::Isometry3d::Identity() : to_eigen(model.frames()[static_cast<std::size_t>(frame)].X_LF);
  const Eigen::Isometry3d X_WS = poses[static_cast<std::size_t>(link_of_site(model, site.site))] * X_LS;
  const Vector3d place = site.world_point ? point : X_WS * point;
  return wrench_at(place, values.col(0), values.col(1));
}

Wrench joint_wrench(const Model& model, int joint, const Matrix6X<double>& wrenches,
                    const std::vector<Eigen::Isometry3d>& poses) {
  const auto link = static_cast<std::size_t>(model.joints()[static_cast<std::size_t>(joint)].child_link);
  const Eigen::Isometry3d X_WJ = poses[link] * to_eigen(model.spec().links[link].X_JL).inverse();
  return wrench_at(X_WJ.translation(), X_WJ.linear() * wrenches.block<3, 1>(0, joint),
                   X_WJ.linear() * wrenches.block<3, 1>(3, joint));
}

Wrench inertial_wrench(const Model& model, int link, const Kinematics<double>& kinematics) {
  const LinkSpec& spec = model.spec().links[static_cast<std::size_t>(link)];
  const Eigen::Matrix3d R = kinematics.rotation(link);
  const Eigen::Matrix3d I = R * to_eigen(spec.inertia) * R.transpose();
  const Vector3d w = kinematics.velocities.block<3, 1>(3, link), dw = kinematics.accelerations.block<3, 1>(3, link);
  const Vector3d c = R * to_eigen(spec.com);
  const Vector3d a = kinematics.accelerations.block<3, 1>(0, link) + dw.cross(c) + w.cross(w.cross(c));
  return wrench_at(kinematics.position(link) + c, spec.mass * (a - to_eigen(model.gravity())), I * dw + w.cross(I * w));
}

}  // namespace verne::test
