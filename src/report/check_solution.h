/// Solution files as parsed JSON, for the sources of this layer only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "verne/base/error.h"

namespace verne {

/// Parses JSON from a file. Throws InputError with the line where it ends to be JSON.
nlohmann::json parse_json(const std::string& text, const std::string& file);

/// Gathers what a solution lacks: format and version, time, model and poses must be there; other series may be missing,
/// but must have one row per frame when present.
void check_solution(const nlohmann::json& solution, Diagnostics& diagnostics);

}  // namespace verne
