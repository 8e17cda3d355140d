#include "motion/pose_check.h"

#include <algorithm>
#include <cmath>

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

class Poses {
 public:
  Poses(const Task& task, const Trajectory& trajectory)
      : task_(task), trajectory_(trajectory), data_(task.model), kinematics_(task.model) {}

  FrameError at(const Place& place, const FrameTask& frame) {
    forward_kinematics<double>(task_.model, data_, trajectory_.at(place), kinematics_);
    const Eigen::Matrix3d R = kinematics_.rotation(frame.site);
    const Eigen::Vector3d p = kinematics_.position(frame.site) + R * vector_of(frame.point);
    FrameError error;
    error.frame = task_.model.site_name(frame.site);
    error.time = trajectory_.time(place);
    for (int i = 0; i < static_cast<int>(frame.position.size()); ++i) {
      const Interval& asked = frame.position[i];
      if (!asked.bounded()) continue;
      error.position = std::max(error.position.value_or(0), std::abs(p[i] - (asked.lower + asked.upper) / 2));
      error.position_tolerance = (asked.upper - asked.lower) / 2;
    }
    if (frame.orientation) error.angle = angle_between(R, *frame.orientation);
    error.angle_tolerance = frame.orientation_tolerance;
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
    return std::max(e.position.value_or(0) - e.position_tolerance, e.angle.value_or(0) - e.angle_tolerance);
  };
  if (beyond(other) > beyond(worst)) worst.time = other.time;
  worst.position = std::max(worst.position, other.position);
  worst.angle = std::max(worst.angle, other.angle);
}

}  // namespace

std::vector<FrameError> check_frames(const Task& task, const Trajectory& trajectory, const std::vector<Place>& places,
                                     const std::vector<Place>& dense) {
  Poses poses(task, trajectory);
  std::vector<FrameError> errors;
  for (std::size_t f = 0; f < task.frames.size(); ++f) {
    const FrameTask& frame = task.frames[f];
    errors.push_back(poses.at(frame.when.path ? dense.front() : places[f], frame));
    if (!frame.when.path) continue;
    for (const Place& place : dense) keep_worst(errors.back(), poses.at(place, frame));
  }
  return errors;
}

}  // namespace verne
