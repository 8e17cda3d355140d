/// What keeps a support on the ground: docs/theory/gait.md, (10) to (12). F and M are what it bears, divided by its
/// share: force, and moment about the world's origin.
#pragma once

#include <cmath>

#include "motion/terms/node_term.h"

namespace verne {

/// The centre of pressure does not leave the hull of contacts beyond the edge from a to b, or beyond its end b. Inputs:
/// F, M, a, b.
class PressureSide : public LimitTerm {
 public:
  enum class Across { side, end };
  /// `length`: of the edge, about; a margin is as wide as it says where that is exact. `weight`: what forces are
  /// divided by.
  PressureSide(LimitName name, std::vector<int> inputs, Across across, const Vec3<double>& up, double margin,
               double length, double weight)
      : LimitTerm(std::move(name), std::move(inputs)),
        end_(across == Across::end),
        up_(up),
        margin_(margin),
        imposed_(margin),
        length_(length),
        weight_(weight) {}

  void value(const double* u, double* rows) const override;
  void jacobian(const double* u, double* J) const override;
  void hessian(const double* u, const double* multipliers, double* H) const override;
  Interval bounds(int) const override { return {0, kInfinity}; }
  double measured(const double* u) const override;
  Interval measured_bounds() const override { return {-margin_, kInfinity}; }
  bool tightens_as_a_whole() const override { return true; }
  void tighten(double fraction) override { imposed_ -= fraction * scale_of(-margin_, measured_bounds()); }

 private:
  /// What the moment about the edge is taken along, and where.
  Vec3<double> direction(const Vec3<double>& edge) const;
  /// The moment, which is the distance from the edge times the vertical force.
  double moment(const double* u) const;

  bool end_;
  Vec3<double> up_;
  double margin_, imposed_, length_, weight_;
};

/// The ground pushes by at least so much. Inputs: F.
class PushLimit : public LimitTerm {
 public:
  PushLimit(LimitName name, int force, const Vec3<double>& up, double least, double weight)
      : LimitTerm(std::move(name), {force, force + 1, force + 2}), up_(up), least_(least), weight_(weight) {}

  void value(const double* u, double* rows) const override { rows[0] = dot(Vec3<double>::load(u), up_) / weight_; }
  void jacobian(const double*, double* J) const override { (up_ * (1 / weight_)).store(J); }
  void hessian(const double*, const double*, double*) const override {}
  bool linear() const override { return true; }
  Interval bounds(int) const override { return {least_ / weight_, kInfinity}; }
  double measured(const double* u) const override { return dot(Vec3<double>::load(u), up_); }
  Interval measured_bounds() const override { return {least_, kInfinity}; }
  double rate() const override { return 1 / weight_; }

 private:
  Vec3<double> up_;
  double least_, weight_;
};

/// |tangential force| ≤ friction · vertical force, squared. Inputs: F.
class FrictionCone : public LimitTerm {
 public:
  FrictionCone(LimitName name, int force, const Vec3<double>& up, double friction, double weight)
      : LimitTerm(std::move(name), {force, force + 1, force + 2}),
        up_(up),
        friction_(friction),
        imposed_(friction),
        weight_(weight) {}

  void value(const double* u, double* rows) const override {
    const Vec3<double> F = Vec3<double>::load(u);
    const double n = dot(F, up_);
    rows[0] = (dot(F, F) - (1 + imposed_ * imposed_) * n * n) / (weight_ * weight_);
  }
  void jacobian(const double* u, double* J) const override {
    const Vec3<double> F = Vec3<double>::load(u);
    ((F - up_ * ((1 + imposed_ * imposed_) * dot(F, up_))) * (2 / (weight_ * weight_))).store(J);
  }
  void hessian(const double*, const double* multipliers, double* H) const override {
    const double scale = 2 * multipliers[0] / (weight_ * weight_);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        H[3 * i + k] += scale * ((i == k ? 1.0 : 0.0) - (1 + imposed_ * imposed_) * up_[i] * up_[k]);
      }
    }
  }
  Interval bounds(int) const override { return {-kInfinity, 0}; }
  double measured(const double* u) const override {
    const Vec3<double> F = Vec3<double>::load(u);
    const double n = dot(F, up_);
    const Vec3<double> along = F - up_ * n;
    return std::sqrt(dot(along, along)) / n;
  }
  Interval measured_bounds() const override { return {-kInfinity, friction_}; }
  double rate() const override { return 2 * friction_; }  // where the vertical force is the weight
  bool tightens_as_a_whole() const override { return true; }
  void tighten(double fraction) override { imposed_ -= fraction * friction_; }

 private:
  Vec3<double> up_;
  double friction_, imposed_, weight_;
};

}  // namespace verne
