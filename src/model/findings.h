/// What the checks of a model find: errors, implausible data and notes (which Diagnostics calls warnings).
#pragma once

#include <vector>

#include "verne/base/error.h"
#include "verne/model/plausibility.h"

namespace verne {

struct Findings : Diagnostics {
  using Diagnostics::Diagnostics;
  std::vector<PlausibilityWarning> plausibility_warnings;
};

}  // namespace verne
