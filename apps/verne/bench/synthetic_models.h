/// Synthetic models of any length, to see how costs grow.
#pragma once

#include "verne/model/spec.h"

namespace verne::cli {

/// `joints` revolute joints about x, y and z in turn, on slender links of equal mass.
ModelSpec revolute_chain(int joints);
/// So many four-bars, each of which stands on the coupler of the one before; their cranks are driven.
ModelSpec four_bar_chain(int four_bars);

}  // namespace verne::cli
