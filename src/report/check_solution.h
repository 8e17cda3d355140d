/// Solution files as parsed JSON, for the sources of this layer only.
#pragma once

#include "io/parse_json.h"
#include "verne/base/error.h"

namespace verne {

/// Gathers what a solution lacks: format and version, time, model and poses must be there; other series may be missing,
/// but must have one row per frame when present.
void check_solution(const nlohmann::json& solution, Diagnostics& diagnostics);

}  // namespace verne
