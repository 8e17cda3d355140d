#include "motion/output/body_posture.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace verne {

namespace {

// Link axes of a person: x forwards, y up, z to the right; all are alike when upright with hanging arms.
const Eigen::Vector3d kForward = Eigen::Vector3d::UnitX(), kUp = Eigen::Vector3d::UnitY(),
                      kRight = Eigen::Vector3d::UnitZ();
constexpr double kGripBeyondWrist = 0.3;  // of the forearm's length
constexpr double kOutOfBody = 0.1;        // m beyond the shoulder

double degrees(double angle) {
  return angle * 180 / M_PI;
}
double slope(double sine) {
  return degrees(std::asin(std::clamp(sine, -1.0, 1.0)));
}
double between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return degrees(std::atan2(a.cross(b).norm(), a.dot(b)));
}
/// The part of a rotation about its second axis, as that of its quaternion.
double twist(const Eigen::Matrix3d& R) {
  return degrees(std::atan2(R(0, 2) - R(2, 0), R(0, 0) + R(2, 2)));
}

}  // namespace

BodyPostures::BodyPostures(const Model& model, const SampledMotion& motion) : parts_(model), motion_(&motion) {
  const Vec3<double> g = model.gravity();
  const Eigen::Vector3d down(g.x, g.y, g.z);
  up_ = down.norm() > 0 ? Eigen::Vector3d(-down.normalized()) : kUp;
}

Eigen::Matrix3d BodyPostures::rotation(int link, Eigen::Index frame) const {
  const double* const pose = motion_->link_poses.eigen().col(frame).data() + 12 * static_cast<std::ptrdiff_t>(link);
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose + 3);
}
Eigen::Vector3d BodyPostures::position(int link, Eigen::Index frame) const {
  return motion_->link_poses.eigen().col(frame).segment<3>(12 * static_cast<Eigen::Index>(link));
}

Eigen::Vector3d BodyPostures::grip(std::size_t side, Eigen::Index frame) const {
  const int hand = parts_.hands[side];
  const Eigen::Vector3d wrist = position(hand, frame);
  const double forearm = (wrist - position(parts_.forearms[side], frame)).norm();
  return wrist - rotation(hand, frame) * kUp * (kGripBeyondWrist * forearm);
}

void BodyPostures::measure_arm(std::size_t side, Eigen::Index frame, ArmPosture& arm) const {
  const double out = side == 0 ? 1 : -1;
  const Eigen::Matrix3d trunk = rotation(parts_.trunk, frame), upper = rotation(parts_.upper_arms[side], frame),
                        fore = rotation(parts_.forearms[side], frame), hand = rotation(parts_.hands[side], frame);
  const Eigen::Vector3d along = -trunk.transpose() * upper * kUp;
  arm.flexion = degrees(std::atan2(along.x(), -along.y()));
  arm.abduction = out * slope(along.z());
  const Eigen::Vector3d shoulder = out * (trunk.transpose() * rotation(parts_.clavicles[side], frame) * kRight);
  arm.raised = slope(shoulder.y());
  arm.elbow = between(upper * kUp, fore * kUp);
  arm.twist = twist(upper.transpose() * fore);
  const Eigen::Vector3d palm = -fore.transpose() * hand * kUp;
  arm.wrist_flexion = degrees(std::atan2(palm.z(), -palm.y()));
  arm.wrist_deviation = slope(palm.x());
  const auto sideways = [&](const Eigen::Vector3d& p) {
    return out * (trunk.transpose() * (p - position(parts_.trunk, frame))).z();
  };
  const double reach = sideways(grip(side, frame));
  arm.across_or_out = reach < 0 || reach > sideways(position(parts_.upper_arms[side], frame)) + kOutOfBody;
}

BodyPosture BodyPostures::at(Eigen::Index frame) const {
  const Eigen::Matrix3d pelvis = rotation(parts_.pelvis, frame), trunk = rotation(parts_.trunk, frame),
                        head = rotation(parts_.head, frame);
  BodyPosture posture;
  const Eigen::Vector3d side = pelvis * kRight;
  const Eigen::Vector3d right = (side - side.dot(up_) * up_).normalized(), forward = up_.cross(right);
  const Eigen::Vector3d spine = trunk * kUp;
  posture.trunk_flexion = degrees(std::atan2(spine.dot(forward), spine.dot(up_)));
  posture.trunk_side = slope(spine.dot(right));
  posture.trunk_twist = twist(pelvis.transpose() * trunk);
  const Eigen::Matrix3d nod = trunk.transpose() * head;
  const Eigen::Vector3d neck = nod * kUp;
  posture.neck_flexion = degrees(std::atan2(neck.x(), neck.y()));
  posture.neck_side = slope(neck.z());
  posture.neck_twist = twist(nod);
  for (std::size_t k = 0; k < 2; ++k) {
    measure_arm(k, frame, posture.arms[k]);
    posture.knees[k] = between(rotation(parts_.thighs[k], frame) * kUp, rotation(parts_.shanks[k], frame) * kUp);
  }
  return posture;
}

double BodyPostures::hand_height(Eigen::Index frame) const {
  return (grip(0, frame) + grip(1, frame)).dot(up_) / 2;
}

LiftPlace BodyPostures::lift_place(Eigen::Index frame) const {
  const auto flat = [&](const Eigen::Vector3d& v) { return Eigen::Vector3d(v - v.dot(up_) * up_); };
  const Eigen::Vector3d ankles = (position(parts_.feet[0], frame) + position(parts_.feet[1], frame)) / 2;
  const Eigen::Vector3d hands = (grip(0, frame) + grip(1, frame)) / 2;
  const Eigen::Vector3d reach = flat(hands - ankles);
  const Eigen::Vector3d ahead =
      flat(rotation(parts_.feet[0], frame) * kForward + rotation(parts_.feet[1], frame) * kForward);
  LiftPlace place;
  place.horizontal = reach.norm();
  place.vertical = hands.dot(up_);
  if (reach.norm() > 0 && ahead.norm() > 0) place.asymmetry = between(reach.normalized(), ahead.normalized());
  return place;
}

}  // namespace verne
