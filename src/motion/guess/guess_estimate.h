/// What a first guess would cost, before anything is solved. docs/theory/motion.md, section 7.
#pragma once

#include "motion/curve/nodes.h"
#include "motion/terms/task_terms.h"
#include "motion/values/node_values.h"

namespace verne {

/// For curves on one basis.
class GuessEstimate {
 public:
  /// With even knots.
  GuessEstimate(const Task& task, const SplineBasis& basis);
  /// With spans of these proportions, looked at as often.
  GuessEstimate(const Task& task, const SplineBasis& basis, const Eigen::VectorXd& lengths, int times);

  struct Estimate {
    double duration = 0;  ///< as the task says, else the shortest that the limits allow
    double cost = 0;      ///< the task's, in that duration
    double excess = 0;    ///< over limits, Σ (value − bound) / |bound| of each where it is worst
    /// Cost with a price on what exceeds limits: smaller is better.
    double score() const;
  };
  Estimate of(const Eigen::MatrixXd& control_points);

 private:
  void evaluate(double duration);
  double value_of_limit(std::size_t term, int node);
  /// The largest excess over limits that a slower motion keeps; above zero, it is too fast.
  double haste(double duration);
  double duration();
  double cost(double duration);
  /// Of the efforts whose peak costs something.
  double largest_effort(int peak);
  double excess();

  const Task& task_;
  ChannelLayout channels_;
  LimitTerms limits_;
  IntegralTerms costs_;
  Nodes nodes_;
  NodeValues values_;
  Eigen::VectorXd x_;
  std::vector<double> inputs_;
};

}  // namespace verne
