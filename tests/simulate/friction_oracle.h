/// Which joints friction holds, found by trying every combination of sticking and slipping.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace verne::test {

/// The x that minimizes ½ xᵀ M x − forceᵀ x + Σ bound_k |rows_k x|: the accelerations of joints at rest, by Gauss's
/// principle. It is the minimizer of one of the 3ⁿ combinations, in which each rows_k x is zero or counts with one
/// sign; each is tried, and the function is evaluated where it leads to.
inline Eigen::VectorXd enumerated_accelerations(const Eigen::MatrixXd& M, const Eigen::VectorXd& force,
                                                const Eigen::MatrixXd& rows, const Eigen::VectorXd& bound) {
  const auto value = [&](const Eigen::VectorXd& x) {
    return x.dot(M * x) / 2 - force.dot(x) + bound.dot((rows * x).cwiseAbs());
  };
  Eigen::VectorXd best = Eigen::VectorXd::Zero(force.size());  // all stick
  double least = value(best);
  const auto combinations = static_cast<long>(std::lround(std::pow(3.0, static_cast<double>(bound.size()))));
  for (long code = 0; code < combinations; ++code) {
    Eigen::VectorXd rest = force;
    std::vector<int> stuck;
    long digits = code;
    for (int k = 0; k < bound.size(); ++k, digits /= 3) {
      if (digits % 3 == 0) stuck.push_back(k);
      rest -= rows.row(k).transpose() * (bound[k] * (static_cast<double>(digits % 3 == 2) - (digits % 3 == 1)));
    }
    Eigen::MatrixXd free = Eigen::MatrixXd::Identity(force.size(), force.size());
    if (!stuck.empty()) {
      Eigen::FullPivLU<Eigen::MatrixXd> lu(rows(stuck, Eigen::all));
      lu.setThreshold(1e-9);
      if (lu.dimensionOfKernel() == 0) continue;  // all stick
      free = lu.kernel();
    }
    const Eigen::VectorXd x = free * (free.transpose() * M * free).ldlt().solve(free.transpose() * rest);
    if (value(x) < least) least = value(x), best = x;
  }
  return best;
}

}  // namespace verne::test
