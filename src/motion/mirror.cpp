#include "motion/mirror.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "io/number.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

constexpr double kSameAxis = 1e-6;

using Twist = Eigen::Matrix<double, 6, 1>;

/// What each freedom does at zero: velocity of the world's origin, as if it moved along, and angular velocity.
std::vector<Twist> axes_at_zero(const Model& model) {
  Data<double> data(model);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const Kinematics<double> at = forward_kinematics<double>(model, data, zero, zero, zero);
  std::vector<Twist> axes(model.nv(), Twist::Zero());
  for (const Joint& joint : model.joints()) {
    if (joint.coupled()) continue;
    const Eigen::MatrixXd J = jacobian<double>(model, data, zero, joint.child_link);
    const Eigen::Vector3d p = at.position(joint.child_link);
    for (int i = joint.v; i < joint.v + joint.nv; ++i) {
      const Eigen::Vector3d omega = J.col(i).tail<3>();
      axes[i] << J.col(i).head<3>() + p.cross(omega), omega;
    }
  }
  return axes;
}

/// A motion as the mirror shows it: angular velocities turn the other way.
Twist reflected(const Twist& twist, const Vec3<double>& across) {
  const Eigen::Vector3d n(across.x, across.y, across.z);
  const auto reflect = [&](const Eigen::Vector3d& v) -> Eigen::Vector3d { return v - 2 * n.dot(v) * n; };
  Twist out;
  out << reflect(twist.head<3>()), -reflect(twist.tail<3>());
  return out;
}

/// `name` with the other ending on the part that names the joint.
std::string partner_of(const std::string& name, const MirrorSpec& mirror) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string joint = name.substr(0, dot), rest = name.substr(dot);
  for (int k = 0; k < 2; ++k) {
    const std::string &mine = mirror.endings[k], &other = mirror.endings[1 - k];
    if (joint.ends_with(mine)) return joint.substr(0, joint.size() - mine.size()) + other + rest;
  }
  return name;
}

}  // namespace

Mirror mirror_of(const Model& model) {
  const MirrorSpec& spec = *model.spec().mirror;
  const std::vector<Twist> axes = axes_at_zero(model);
  const auto& names = model.dof_names();
  Mirror mirror;
  for (int i = 0; i < model.nv(); ++i) {
    const std::string partner = partner_of(names[i], spec);
    const auto found = std::find(names.begin(), names.end(), partner);
    mirror.partner.push_back(found == names.end() ? i : static_cast<int>(found - names.begin()));
    mirror.sign.push_back(1);
    if (found == names.end()) {
      mirror.problems.push_back("there is no " + in_quotes(partner) + " that mirrors " + in_quotes(names[i]));
      continue;
    }
    const Twist image = reflected(axes[mirror.partner[i]], spec.across);
    if ((axes[i] + image).norm() < kSameAxis) {
      mirror.sign[i] = -1;
    } else if ((axes[i] - image).norm() > kSameAxis) {
      mirror.problems.push_back(in_quotes(names[i]) + " is no mirror image of " + in_quotes(partner));
    }
  }
  return mirror;
}

}  // namespace verne
