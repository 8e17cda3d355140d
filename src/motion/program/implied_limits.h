/// Limits that a given state keeps by itself. docs/theory/motion.md, section 7.
#pragma once

#include <vector>

#include "motion/program/program.h"

namespace verne {

/// Numbers of a term among others, and of a node among others.
struct TermAtNode {
  int term, node;
};

/// Limits of position, velocity and acceleration at those of the nodes where the start, the end, a via point or the end
/// of a phase gives a state at one of their bounds. Beside the equations of such a state they leave no inside. `nv`:
/// velocities of the model.
std::vector<TermAtNode> implied_by_states(const Task& task, const Program& program, const std::vector<Place>& nodes,
                                          const LimitTerms& terms, int nv);

}  // namespace verne
