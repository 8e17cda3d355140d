/// What a motion leaves of its limits between nodes: docs/theory/motion.md, (20a).
#pragma once

#include "motion/program/program.h"

namespace verne {

/// What the cost would fall by, to first order, if limits were used between their nodes as they are at them: each node
/// stands for the half of the way to its neighbours, at its price.
double cost_of_limit_slack(const Program& program, const nlp::Point& point, const Trajectory& curve);

}  // namespace verne
