/// Synthetic arms of any length, to see how costs grow.
#pragma once

#include "verne/model/spec.h"

namespace verne::cli {

/// `joints` revolute joints about x, y and z in turn, on slender links of equal mass.
ModelSpec revolute_chain(int joints);

}  // namespace verne::cli
