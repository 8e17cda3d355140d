/// Do torques and what joints bear stay within limits at all times? docs/theory/clearance.md, section 6.
#pragma once

#include "motion/curve/phases.h"
#include "verne/motion/solution.h"

namespace verne {

/// Of each kind of limit, whether it is shown to hold; nothing: there are none, or the model has more than a tree.
struct LoadProof {
  std::optional<bool> effort, joint_force, joint_moment;
  int stretches = 0;  ///< that were looked at
};

/// Along some spans, of the task as it reads there, to this part of each limit. By enclosures of inverse dynamics on
/// stretches of time that are halved where they say too little, but not without end.
LoadProof prove_loads(const Task& task, const Trajectory& trajectory, const SpanRange& spans, double tolerance);

}  // namespace verne
