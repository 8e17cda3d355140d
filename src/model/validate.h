/// The checks that a ModelSpec passes before it is compiled. Each adds what it finds.
#pragma once

#include "model/findings.h"
#include "verne/model/spec.h"

namespace verne {

/// Everything that can be told without the compiled tree.
void validate(const ModelSpec& spec, Findings& findings);

// Its parts, one file each.

/// Names are there and unique, parents exist, there is one root and no cycle.
void check_structure(const ModelSpec& spec, Findings& findings);
/// Axes, pitch, limits, friction and couplings.
void check_joints(const ModelSpec& spec, Findings& findings);
/// Mass and inertia of each link.
void check_inertias(const ModelSpec& spec, Findings& findings);

/// Loops, where their search starts, and the joints that are to be independent.
void check_loops(const ModelSpec& spec, Findings& findings);

/// Where a joint is written down: its own line, or else its link's.
int joint_line(const LinkSpec& link);

}  // namespace verne
