/// Places on the curve, and the state z = (q, v, a, jerk) there as a function of the decision variables.
///
///   z_d = Σ_c B_d(c; θ) P_c        d: order of the time derivative, c: control point, θ: timing variables
///
/// z is linear in the control points P, and its other derivatives are those of the basis functions B. Equations (3),
/// (4), (13) and (14) of docs/theory/motion.md.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/channels.h"
#include "motion/curve_variables.h"

namespace verne {

class Nodes {
 public:
  Nodes(const CurveVariables& curve, std::vector<Place> places);

  int count() const { return static_cast<int>(places_.size()); }
  const std::vector<Place>& places() const { return places_; }
  const CurveVariables& curve() const { return curve_; }
  /// Indices in x of what the nodes of a span depend on: control points, point by point, then timing.
  const std::vector<int>& variables(int span) const { return variables_[span]; }

  void evaluate(std::span<const double> x, SplineBasis::Want want);
  /// One column per node.
  const Eigen::MatrixXd& z() const { return z_; }

  /// Chain rule: the gradient with respect to variables(span) of a function whose gradient in z is given.
  void pull_back(int node, const double* gradient_z, double* gradient) const;
  /// The same for second derivatives; H += those with respect to variables(span), in the lower triangle.
  void pull_back(int node, const double* gradient_z, const Eigen::MatrixXd& H_z, Eigen::MatrixXd& H) const;

 private:
  /// Basis functions of a node, with derivatives by timing variables in place of lengths.
  struct Basis {
    Eigen::MatrixXd value;                      // (order, control point)
    std::vector<Eigen::MatrixXd> by_timing;     // one per timing variable of the span
    std::vector<Eigen::MatrixXd> by_timings;    // all pairs
    Eigen::MatrixXd z_by_timing, z_by_timings;  // columns: timing variables, pairs
  };
  void evaluate_basis(int node, const Eigen::VectorXd& lengths, SplineBasis::Want want);
  void scale_basis(int node, double duration);
  Eigen::VectorXd state(int node, const Eigen::MatrixXd& basis, std::span<const double> x) const;

  CurveVariables curve_;
  std::vector<Place> places_;
  std::vector<std::vector<int>> variables_;  // by span
  std::vector<std::vector<int>> timing_;     // by span
  std::vector<Eigen::MatrixXd> unit_;        // one timing variable only: basis at duration one
  std::vector<Basis> basis_;
  Eigen::MatrixXd z_;
};

}  // namespace verne
