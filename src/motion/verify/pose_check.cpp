#include "motion/verify/pose_check.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "motion/terms/task_terms.h"
#include "verne/dynamics/kinematics.h"

namespace verne {

namespace {

Eigen::Vector3d vector_of(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

/// Of the rotation between two orientations, accurate from 0 to π: |R − G| = 2 √2 sin(angle / 2) in the Frobenius norm.
double angle_between(const Eigen::Matrix3d& R, const Mat3<double>& goal) {
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> G(goal.m);
  const double sine = (R - G).norm() / (2 * std::sqrt(2.0));
  const double cosine = std::sqrt(std::max(0.0, 1 + R.cwiseProduct(G).sum())) / 2;
  return 2 * std::atan2(sine, cosine);
}

/// Between two unit vectors, accurate from 0 to π.
double angle_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// How far a vector is outside of what was asked for: the largest of its coordinates; nothing where nothing was asked.
std::optional<double> outside(const Eigen::Vector3d& vector, const std::vector<Interval>& asked) {
  std::optional<double> largest;
  for (int i = 0; i < static_cast<int>(asked.size()); ++i) {
    if (!asked[i].bounded()) continue;
    const double off = std::abs(vector[i] - std::clamp(vector[i], asked[i].lower, asked[i].upper));
    largest = std::max(largest.value_or(0), off);
  }
  return largest;
}

class Poses {
 public:
  Poses(const Task& task, const Trajectory& trajectory)
      : task_(task), trajectory_(trajectory), data_(task.model), kinematics_(task.model) {}

  FrameError at(const Place& place, const FrameGoalSpec& frame) {
    forward_kinematics<double>(task_.model, data_, trajectory_.at(place), trajectory_.at(place, 1),
                               trajectory_.at(place, 2), kinematics_);
    const Eigen::Matrix3d R = kinematics_.rotation(frame.site);
    const Eigen::Vector3d r = R * vector_of(frame.point);
    const Eigen::Vector3d v = kinematics_.velocities.col(frame.site).head<3>();
    const Eigen::Vector3d omega = kinematics_.velocities.col(frame.site).tail<3>();
    FrameError error;
    error.frame = label_of(task_.model, frame);
    error.time = trajectory_.time(place);
    error.position = outside(kinematics_.position(frame.site) + r, frame.position);
    error.position_tolerance = frame.position_tolerance;
    if (frame.orientation) error.angle = angle_between(R, *frame.orientation);
    if (frame.axis) error.angle = angle_between(R * vector_of(frame.axis->axis), vector_of(frame.axis->points));
    error.angle_tolerance = frame.angle_tolerance;
    error.velocity = outside(v + omega.cross(r), frame.velocity);
    return error;
  }

 private:
  const Task& task_;
  const Trajectory& trajectory_;
  Data<double> data_;
  Kinematics<double> kinematics_;
};

/// Keeps the larger errors; the time is that of the one which is farther beyond its tolerance.
void keep_worst(FrameError& worst, const FrameError& other) {
  const auto beyond = [](const FrameError& e) {
    return std::max({e.position.value_or(0) - e.position_tolerance, e.angle.value_or(0) - e.angle_tolerance,
                     e.velocity.value_or(0)});
  };
  if (beyond(other) > beyond(worst)) worst.time = other.time;
  worst.position = std::max(worst.position, other.position);
  worst.angle = std::max(worst.angle, other.angle);
  worst.velocity = std::max(worst.velocity, other.velocity);
}

}  // namespace

std::vector<FrameError> check_frames(const Task& task, const Trajectory& trajectory, const std::vector<Place>& places,
                                     const std::vector<Place>& dense) {
  Poses poses(task, trajectory);
  std::vector<FrameError> errors;
  for (std::size_t f = 0; f < task.frames.size(); ++f) {
    const FrameGoalSpec& frame = task.frames[f];
    errors.push_back(poses.at(frame.when.path ? dense.front() : places[f], frame));
    if (!frame.when.path) continue;
    for (const Place& place : dense) keep_worst(errors.back(), poses.at(place, frame));
  }
  return errors;
}

}  // namespace verne
