/// What a program minimizes.
#pragma once

#include <vector>

#include "motion/curve/quadrature.h"
#include "motion/program/program.h"

namespace verne {

/// What terms of a stage depend on, in proportion within a phase.
ChannelLayout channels_on(const Stage& stage, const CurveVariables& curve);
/// For integrals of what depends on torques.
Quadrature torque_quadrature(const CurveVariables& curve, const SpanRange& spans);

/// Those of the task; `curve` tells the times of places.
void add_costs(Program& program, const Task& task, const Trajectory& curve);
/// The smoothest motion among equals, docs/theory/motion.md, (17a). Freedoms that are idle have nothing to lose: theirs
/// has more weight.
void add_tie_breakers(Program& program, const Task& task, const Eigen::VectorXd& x, const std::vector<int>& idle);
/// What contacts bear is divided evenly where costs do not care: docs/theory/gait.md, (24).
void add_even_forces(Program& program, const Task& task, const Eigen::VectorXd& x);

}  // namespace verne
