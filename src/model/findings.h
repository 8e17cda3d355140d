/// What the checks of a model find: errors, doubts and notes (which Diagnostics calls warnings).
#pragma once

#include <vector>

#include "verne/base/error.h"
#include "verne/model/doubt.h"

namespace verne {

struct Findings : Diagnostics {
  using Diagnostics::Diagnostics;
  std::vector<Doubt> doubts;
};

}  // namespace verne
