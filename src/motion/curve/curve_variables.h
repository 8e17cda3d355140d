/// How decision variables make the curve: control points, point by point, then the timing variables, whose multiples
/// are the lengths of the spans (docs/theory/motion.md, (1)). Behind them a program may have peaks that it minimizes.
/// One timing variable is a free duration with knots in fixed proportions, one for each phase its duration; as many as
/// spans are free knots.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "verne/trajectory/trajectory.h"

namespace verne {

struct CurveVariables {
  SplineBasis basis;
  int dofs;
  int groups;                    ///< timing variables
  std::vector<int> group;        ///< of each span
  std::vector<double> fraction;  ///< length of a span = fraction * timing variable of its group

  /// One timing variable, the duration, split in proportion to `lengths`.
  static CurveVariables with_duration(SplineBasis basis, int dofs, const Eigen::VectorXd& lengths);
  /// One timing variable for each group of spans, the sum of their lengths, which it keeps in proportion to `lengths`.
  static CurveVariables with_groups(SplineBasis basis, int dofs, const Eigen::VectorXd& lengths,
                                    std::vector<int> group);
  /// The length of each span is a variable.
  static CurveVariables with_free_knots(SplineBasis basis, int dofs);

  int control_point(int point, int dof) const { return point * dofs + dof; }
  int timing(int g) const { return basis.control_points() * dofs + g; }
  int size() const { return timing(groups); }
  int peak(int k) const { return size() + k; }
  double length(int span, std::span<const double> x) const { return fraction[span] * x[timing(group[span])]; }
  /// Sum of the lengths, and its derivative by a timing variable.
  double duration(std::span<const double> x) const;
  double duration_by_timing(int g) const;
  Eigen::VectorXd lengths(std::span<const double> x) const;
  Trajectory trajectory(std::span<const double> x) const;
  /// The variables that make a curve of the same basis and proportions.
  Eigen::VectorXd variables(const Trajectory& trajectory) const;
  /// Timing variables that the basis functions on a span depend on.
  std::vector<int> timing_of_span(int span) const;
};

}  // namespace verne
