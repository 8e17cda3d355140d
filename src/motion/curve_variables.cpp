#include "motion/curve_variables.h"

#include <algorithm>
#include <numeric>

namespace verne {

CurveVariables CurveVariables::with_duration(SplineBasis basis, int dofs, const Eigen::VectorXd& lengths) {
  const Eigen::VectorXd fractions = lengths / lengths.sum();
  return {basis, dofs, 1, std::vector<int>(lengths.size(), 0), {fractions.begin(), fractions.end()}};
}

CurveVariables CurveVariables::with_free_knots(SplineBasis basis, int dofs) {
  std::vector<int> group(basis.spans());
  std::iota(group.begin(), group.end(), 0);
  return {basis, dofs, basis.spans(), group, std::vector<double>(basis.spans(), 1.0)};
}

Eigen::VectorXd CurveVariables::lengths(std::span<const double> x) const {
  Eigen::VectorXd lengths(basis.spans());
  for (int s = 0; s < basis.spans(); ++s) lengths[s] = length(s, x);
  return lengths;
}

Trajectory CurveVariables::trajectory(std::span<const double> x) const {
  Eigen::MatrixXd points(basis.control_points(), dofs);
  for (int c = 0; c < points.rows(); ++c) {
    for (int i = 0; i < dofs; ++i) points(c, i) = x[control_point(c, i)];
  }
  return {basis, lengths(x), std::move(points)};
}

Eigen::VectorXd CurveVariables::variables(const Trajectory& trajectory) const {
  Eigen::VectorXd x(size());
  for (int c = 0; c < basis.control_points(); ++c) {
    for (int i = 0; i < dofs; ++i) x[control_point(c, i)] = trajectory.control_points()(c, i);
  }
  for (int s = 0; s < basis.spans(); ++s) x[timing(group[s])] = trajectory.lengths()[s] / fraction[s];
  return x;
}

std::vector<int> CurveVariables::timing_of_span(int span) const {
  std::vector<int> groups_used;
  for (int s = basis.first_length(span); s <= basis.last_length(span); ++s) groups_used.push_back(group[s]);
  std::sort(groups_used.begin(), groups_used.end());
  groups_used.erase(std::unique(groups_used.begin(), groups_used.end()), groups_used.end());
  return groups_used;
}

}  // namespace verne
