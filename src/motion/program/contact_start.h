/// Where contact forces that are variables start: from what the rule for supports gives.
#pragma once

#include "motion/curve/contact_curve.h"

namespace verne {

/// Components that come nearest to what the supports of a phase bear by the rule: docs/theory/gait.md, (23). One column
/// for each of the curve's places().
Eigen::MatrixXd components_by_rule(const Stage& stage, const Trajectory& trajectory, const ContactCurve& contacts);

}  // namespace verne
