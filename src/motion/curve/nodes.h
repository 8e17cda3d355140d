/// Places on the curve, and the state z = (q, v, a, jerk) there as a function of the decision variables.
///
///   z_d = Σ_c B_d(c; θ) P_c        d: order of the time derivative, c: control point, θ: timing variables
///
/// z is linear in the control points P, and its other derivatives are those of the basis functions B. Equations (3),
/// (4) and (13) of docs/theory/motion.md. What contacts bear stands behind the joints in q and has basis functions of
/// its own, which do not depend on θ; its derivatives by time are not given and are zero in z.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/curve/contact_curve.h"
#include "motion/curve/curve_variables.h"
#include "motion/curve/state_orders.h"
#include "nlp/kernels/panel_kernels.h"
#include "trajectory/basis_at.h"

namespace verne {

class Nodes {
 public:
  /// `all_timing`: whether functions at nodes depend on the duration of the motion, too, thus on all timing variables.
  Nodes(const CurveVariables& curve, std::vector<Place> places, const ContactCurve& contacts = {},
        bool all_timing = false);

  int count() const { return static_cast<int>(places_.size()); }
  const std::vector<Place>& places() const { return places_; }
  const CurveVariables& curve() const { return curve_; }
  const ContactCurve& contacts() const { return contacts_; }
  /// Freedoms: those of the curve, then components of what contacts bear.
  int dofs() const { return dofs_; }
  /// Indices in x of what the nodes of a span depend on: control points, point by point, then timing. Contacts have
  /// fewer points than the curve: the last one stands for those that are missing, whose functions are zero.
  const std::vector<int>& variables(int span) const { return variables_[span]; }
  int points() const { return curve_.basis.degree() + 1; }
  /// Timing variables that a span depends on.
  int timings(int span) const { return static_cast<int>(timing_[span].size()); }
  /// Adds, for each of them, its share in a derivative by the duration of the motion.
  void add_by_duration(int span, double by_duration, double* by_timing) const;

  /// With one timing variable all derivatives are evaluated at once, since they are multiples of each other.
  void evaluate(std::span<const double> x, SplineBasis::Want want);
  bool evaluates_all() const { return curve_.groups == 1; }
  /// One column per node.
  const Eigen::MatrixXd& z() const { return z_; }

  /// Basis functions of a node, with derivatives by timing variables in place of lengths: (order, control point).
  struct Basis {
    Eigen::MatrixXd value;
    Eigen::VectorXd contact;                    // of what contacts bear
    std::vector<Eigen::MatrixXd> by_timing;     // one per timing variable of the span
    std::vector<Eigen::MatrixXd> by_timings;    // all pairs; none where one timing variable scales all
    Eigen::MatrixXd z_by_timing, z_by_timings;  // columns: timing variables, pairs
    /// For sums over orders, one for each control point.
    nlp::RowFactors by_order() const { return {value.data(), 1, kStateOrders, static_cast<int>(value.cols())}; }
  };
  const Basis& basis(int node) const { return basis_[node]; }

  /// Chain rule: the gradient with respect to variables(span) of a function whose gradient in z is given.
  void pull_back(int node, const double* gradient_z, double* gradient) const;

 private:
  Eigen::MatrixX2d multiples_of_two(int span) const;
  void evaluate_basis(int node, SplineBasis::Want want);
  void scale(int node, double duration);
  void scale_states(int node, double duration);
  void find_contact_functions();
  void evaluate_contacts(int node, std::span<const double> x);
  /// out = basis · (control points of the node), for the joints
  void state(int node, const Eigen::MatrixXd& basis, std::span<const double> x, double* out) const;

  CurveVariables curve_;
  ContactCurve contacts_;
  int dofs_;
  std::vector<Place> places_;
  std::vector<std::vector<int>> variables_;  // by span
  std::vector<std::vector<int>> timing_;     // by span
  std::vector<double> duration_by_timing_;   // of all timing variables
  std::vector<Eigen::MatrixX2d> two_;        // by span, where it has two timing variables: lengths by these
  std::vector<Eigen::MatrixXd> unit_;        // by node, where its span has one: basis at duration one
  std::vector<Basis> basis_;
  Eigen::MatrixXd z_;
  Eigen::VectorXd lengths_;
  BasisAt at_;  // of the node that is being evaluated
};

}  // namespace verne
