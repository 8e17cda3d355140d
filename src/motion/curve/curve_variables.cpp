#include "motion/curve/curve_variables.h"

#include <algorithm>
#include <numeric>

namespace verne {

CurveVariables CurveVariables::with_duration(SplineBasis basis, int dofs, const Eigen::VectorXd& lengths) {
  return with_groups(std::move(basis), dofs, lengths, std::vector<int>(lengths.size(), 0));
}

CurveVariables CurveVariables::with_groups(SplineBasis basis, int dofs, const Eigen::VectorXd& lengths,
                                           std::vector<int> group) {
  const int groups = 1 + *std::max_element(group.begin(), group.end());
  std::vector<double> sum(groups, 0.0), fraction(lengths.begin(), lengths.end());
  for (std::size_t s = 0; s < group.size(); ++s) sum[group[s]] += lengths[s];
  for (std::size_t s = 0; s < group.size(); ++s) fraction[s] /= sum[group[s]];
  return {std::move(basis), dofs, groups, std::move(group), std::move(fraction)};
}

CurveVariables CurveVariables::with_free_knots(SplineBasis basis, int dofs) {
  std::vector<int> group(basis.spans());
  std::iota(group.begin(), group.end(), 0);
  return {basis, dofs, basis.spans(), group, std::vector<double>(basis.spans(), 1.0)};
}

double CurveVariables::duration(std::span<const double> x) const {
  double sum = 0;
  for (int s = 0; s < basis.spans(); ++s) sum += length(s, x);
  return sum;
}

double CurveVariables::duration_by_timing(int g) const {
  double sum = 0;
  for (int s = 0; s < basis.spans(); ++s) sum += group[s] == g ? fraction[s] : 0;
  return sum;
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
