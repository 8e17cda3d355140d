/// What each contact with the ground bears while a phase lasts, as variables: docs/theory/gait.md, (16) to (18).
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "motion/curve/phases.h"

namespace verne {

/// The force at a contact is a sum of edges of a pyramid inside of its friction cone, and the factors of the edges are
/// splines that are not negative. Factors of all contacts, contact by contact, are the *components*; behind them come
/// six for each grip: the force and moment that a second hand bears, (26), of either sign.
class ContactCurve {
 public:
  static constexpr int kEdges = 4, kWrench = 6;
  static constexpr double kArm = 0.1;  ///< m: a component of a moment that is one is the weight at this arm

  /// No contacts.
  ContactCurve() = default;
  /// On some spans of a curve of this degree with these lengths, or others in the same proportions. `first_variable`:
  /// where the factors are among the variables of a program.
  ContactCurve(const Model& model, const GroundSpec& task, int degree, const SpanRange& spans,
               const Eigen::VectorXd& lengths, int first_variable, std::vector<GripSpec> grips = {});

  int contacts() const { return static_cast<int>(contacts_.size()); }
  const ContactPoint& contact(int c) const { return contacts_[c].point; }
  /// The support that a contact is part of.
  int support(int c) const { return contacts_[c].support; }
  int grips() const { return static_cast<int>(grips_.size()); }
  const GripSpec& grip(int g) const { return grips_[g]; }
  int components() const { return kEdges * contacts() + kWrench * grips(); }
  /// The first component of a grip.
  int of_grip(int g) const { return kEdges * contacts() + kWrench * g; }
  /// The force (k below 3) or moment of a component of a grip that is one.
  double grip_unit(int k) const { return k < 3 ? weight_ : weight_ * kArm; }
  /// The force of a component that is one.
  const Vec3<double>& edge(int component) const { return edges_[component % kEdges]; }
  /// What a contact bears.
  Vec3<double> force(int c, const double* components) const;

  int first_variable() const { return first_variable_; }
  /// Variables, point by point.
  int size() const { return components() == 0 ? 0 : basis_->control_points() * components(); }
  bool holds(int span) const { return components() > 0 && span >= spans_.first && span < spans_.end; }
  /// Functions that act at a place.
  int points() const { return basis_->degree() + 1; }
  int variable(int span, int point, int component) const;
  /// Values of these functions.
  Eigen::VectorXd functions(const Place& place) const;
  /// Whether a control point may be more than zero: not where the support's share begins or ends with nothing.
  bool borne(int point, int component) const;
  /// Between what it may be, if it is borne.
  Interval bounds(int component) const;
  /// Places at which the splines are determined, one for each control point.
  std::vector<Place> places() const;

  /// Of some components, one column for each of places(): as variables, and those as a curve over time from 0.
  Eigen::VectorXd variables(const Eigen::MatrixXd& components) const;
  Eigen::VectorXd variables(const Trajectory& curve) const;
  Trajectory trajectory(const double* variables) const;

 private:
  struct Contact {
    ContactPoint point;
    int support;
  };

  std::vector<Contact> contacts_;
  std::vector<GripSpec> grips_;
  double weight_ = 1;
  std::vector<std::pair<double, double>> shares_;  // of supports, at the begin and at the end
  std::array<Vec3<double>, kEdges> edges_;
  SpanRange spans_;
  std::optional<SplineBasis> basis_;  // where there are contacts
  Eigen::VectorXd lengths_;
  int first_variable_ = 0;
};

}  // namespace verne
