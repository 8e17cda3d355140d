/// Terms of a task wherever one likes on a curve, for checks.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "motion/curve/curve_variables.h"
#include "motion/curve/phases.h"
#include "motion/terms/task_terms.h"
#include "motion/values/node_values.h"
#include "trajectory/basis_at.h"

namespace verne {

class Measuring {
 public:
  /// On some spans.
  Measuring(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
            const std::function<LimitTerms(ChannelLayout&)>& make_terms);

  const LimitTerms& terms() const { return terms_; }
  /// What terms measure, in the units that people know: one column per place, one row per term.
  Eigen::MatrixXd at(const std::vector<Place>& places);

 private:
  /// The state (q, v, a, jerk) there.
  void put_state(const Place& place, double* z);

  Model model_;
  CurveVariables curve_;
  ChannelLayout channels_;
  LimitTerms terms_;
  Eigen::VectorXd x_, lengths_;
  BasisAt basis_;
  // Places are many: memory for a block of them, which stays in the caches, serves them all.
  std::optional<NodeValues> values_;
  std::vector<Place> block_;
  Eigen::MatrixXd z_;
};

/// Twenty points between all neighbouring nodes and breakpoints of some spans; both ends of each are among them.
std::vector<Place> dense_places(const SpanRange& spans, const std::vector<Place>& nodes);

}  // namespace verne
