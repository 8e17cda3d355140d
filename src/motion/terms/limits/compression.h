/// The term of the limit `compression`, of joints with their muscles' pull.
#pragma once

#include <cmath>

#include "ergonomics/joint_muscles.h"
#include "motion/terms/node_term.h"

namespace verne {

/// Channels of the wrench of a joint, from `first` on.
inline std::vector<int> wrench_inputs(int first) {
  return {first, first + 1, first + 2, first + 3, first + 4, first + 5};
}

/// What a joint bears along its bone with its muscles' pull is at most so much.
class CompressionLimit : public LimitTerm {
 public:
  CompressionLimit(LimitName name, const JointMuscles& joint, int first, double limit)
      : LimitTerm(std::move(name), wrench_inputs(first)), joint_(&joint), limit_(limit) {}

  void value(const double* u, double* rows) const override { rows[0] = joint_->compression(u) / limit_; }
  void jacobian(const double* u, double* J) const override {
    double second[3];
    joint_->compression_derivatives(u, J, second);
    for (int i = 0; i < 6; ++i) J[i] /= limit_;
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    double first[6], second[3];
    joint_->compression_derivatives(u, first, second);
    for (int k = 0; k < 3; ++k) H[7 * (3 + k)] += multipliers[0] * second[k] / limit_;
  }
  Interval bounds(int) const override { return {-kInfinity, 1}; }
  double measured(const double* u) const override { return joint_->compression(u); }
  Interval measured_bounds() const override { return {-kInfinity, limit_}; }
  double rate() const override { return 1 / limit_; }

 private:
  const JointMuscles* joint_;
  double limit_;
};

/// The force across the bone is at most so much: (x² + z²) / limit² ≤ 1.
class ShearLimit : public LimitTerm {
 public:
  ShearLimit(LimitName name, int first, double limit) : LimitTerm(std::move(name), {first, first + 2}), limit_(limit) {}

  void value(const double* u, double* rows) const override {
    rows[0] = (u[0] * u[0] + u[1] * u[1]) / (limit_ * limit_);
  }
  void jacobian(const double* u, double* J) const override {
    for (int i = 0; i < 2; ++i) J[i] = 2 * u[i] / (limit_ * limit_);
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    for (int i = 0; i < 2; ++i) H[3 * i] += 2 * multipliers[0] / (limit_ * limit_);
  }
  Interval bounds(int) const override { return {-kInfinity, 1}; }
  double measured(const double* u) const override { return std::hypot(u[0], u[1]); }
  Interval measured_bounds() const override { return {-kInfinity, limit_}; }
  double rate() const override { return 2 / limit_; }

 private:
  double limit_;
};

/// scale · C², of the compression C of a joint.
class SquaredCompression : public NodeTerm {
 public:
  SquaredCompression(const JointMuscles& joint, int first, double scale)
      : NodeTerm(wrench_inputs(first)), joint_(&joint), scale_(scale) {}

  void value(const double* u, double* rows) const override {
    const double c = joint_->compression(u);
    rows[0] = scale_ * c * c;
  }
  void jacobian(const double* u, double* J) const override {
    double second[3];
    joint_->compression_derivatives(u, J, second);
    const double c = joint_->compression(u);
    for (int i = 0; i < 6; ++i) J[i] *= 2 * scale_ * c;
  }
  void hessian(const double* u, const double* multipliers, double* H) const override {
    double first[6], second[3];
    joint_->compression_derivatives(u, first, second);
    const double factor = 2 * scale_ * multipliers[0], c = joint_->compression(u);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) H[6 * i + j] += factor * first[i] * first[j];
    }
    for (int k = 0; k < 3; ++k) H[7 * (3 + k)] += factor * c * second[k];
  }

 private:
  const JointMuscles* joint_;
  double scale_;
};

}  // namespace verne
