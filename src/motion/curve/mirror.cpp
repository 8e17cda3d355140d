#include "motion/curve/mirror.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "io/number.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

constexpr double kSameAxis = 1e-6, kSameMass = 1e-6;

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
Twist reflected(const Twist& twist, const Eigen::Matrix3d& H) {
  Twist out;
  out << H * twist.head<3>(), -H * twist.tail<3>();
  return out;
}

/// A load on one side: the motion that goes on mirrored would have it on the other.
void compare_masses(const Model& model, const MirrorSpec& spec, std::vector<std::string>& problems) {
  for (const Link& link : model.links()) {
    const std::string partner = mirrored_name(link.name, spec);
    for (const Link& other : model.links()) {
      if (other.name != partner || link.mass - other.mass <= kSameMass * link.mass) continue;
      problems.push_back(in_quotes(link.name) + " has " + format_number(link.mass) + " kg, and " + in_quotes(partner) +
                         " " + format_number(other.mass) + " kg");
    }
  }
}

/// [x]: [x] y = x × y
Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& x) {
  Eigen::Matrix3d out;
  out << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return out;
}

}  // namespace

/// The other ending stands on the part that names the joint: `cart_r.x` and `cart_l.x`.
std::string mirrored_name(const std::string& name, const MirrorSpec& mirror) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string joint = name.substr(0, dot), rest = name.substr(dot);
  for (int k = 0; k < 2; ++k) {
    const std::string &mine = mirror.endings[k], &other = mirror.endings[1 - k];
    if (joint.ends_with(mine)) return joint.substr(0, joint.size() - mine.size()) + other + rest;
  }
  return name;
}

Eigen::Matrix3d reflection(const MirrorSpec& mirror) {
  const Eigen::Vector3d n(mirror.across.x, mirror.across.y, mirror.across.z);
  return Eigen::Matrix3d::Identity() - 2 * n * n.transpose();
}

Mirror mirror_of(const Model& model) {
  const MirrorSpec& spec = *model.spec().mirror;
  const std::vector<Twist> axes = axes_at_zero(model);
  const Eigen::Matrix3d H = reflection(spec);
  const auto& names = model.dof_names();
  Mirror mirror;
  for (int i = 0; i < model.nv(); ++i) {
    const std::string partner = mirrored_name(names[i], spec);
    const auto found = std::find(names.begin(), names.end(), partner);
    mirror.partner.push_back(found == names.end() ? i : static_cast<int>(found - names.begin()));
    mirror.sign.push_back(1);
    if (found == names.end()) {
      mirror.problems.push_back("there is no " + in_quotes(partner) + " that mirrors " + in_quotes(names[i]));
      continue;
    }
    const Twist image = reflected(axes[mirror.partner[i]], H);
    if ((axes[i] + image).norm() < kSameAxis) {
      mirror.sign[i] = -1;
    } else if ((axes[i] - image).norm() > kSameAxis) {
      mirror.problems.push_back(in_quotes(names[i]) + " is no mirror image of " + in_quotes(partner));
    }
  }
  compare_masses(model, spec, mirror.problems);
  return mirror;
}

Mirror no_mirror(std::size_t count) {
  Mirror mirror{std::vector<int>(count), std::vector<double>(count, 1.0), {}};
  std::iota(mirror.partner.begin(), mirror.partner.end(), 0);
  return mirror;
}

std::vector<WrenchImage> wrench_images(const Model& model) {
  const MirrorSpec& spec = *model.spec().mirror;
  const Eigen::Matrix3d H = reflection(spec);
  Data<double> data(model);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  const Kinematics<double> at = forward_kinematics<double>(model, data, zero, zero, zero);
  struct Frame {
    Eigen::Vector3d p;
    Eigen::Matrix3d R;
  };
  const auto joint_frame = [&](int j) -> Frame {  // the child's side, in which wrenches are given
    const int link = model.joints()[j].child_link;
    const auto& specs = model.spec().links;
    const auto of = std::find_if(specs.begin(), specs.end(),
                                 [&](const LinkSpec& one) { return one.name == model.links()[link].name; });
    const Transform<double> X_LJ = inverse(of->X_JL);
    Eigen::Matrix3d R_LJ;
    for (int k = 0; k < 9; ++k) R_LJ(k / 3, k % 3) = X_LJ.R.m[k];
    const Eigen::Matrix3d R_WL = at.rotation(link);
    return {at.position(link) + R_WL * Eigen::Vector3d(X_LJ.p.x, X_LJ.p.y, X_LJ.p.z), R_WL * R_LJ};
  };
  std::vector<WrenchImage> images;
  for (int j = 0; j < static_cast<int>(model.joints().size()); ++j) {
    const std::string partner = mirrored_name(model.joints()[j].spec.name, spec);
    const auto found = std::find_if(model.joints().begin(), model.joints().end(),
                                    [&](const Joint& other) { return other.spec.name == partner; });
    WrenchImage image{static_cast<int>(found == model.joints().end() ? j : found - model.joints().begin()), {}};
    const Frame to = joint_frame(j), from = joint_frame(image.partner);
    const Eigen::Matrix3d Q = to.R.transpose() * H * from.R;
    image.map << Q, Eigen::Matrix3d::Zero(), cross_matrix(to.R.transpose() * (H * from.p - to.p)) * Q, -Q;
    images.push_back(image);
  }
  return images;
}

}  // namespace verne
