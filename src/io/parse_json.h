/// JSON from elsewhere, for sources only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "verne/base/export.h"

namespace verne {

/// Parses JSON from a file. Throws InputError with the line where it ends to be JSON.
VERNE_API nlohmann::json parse_json(const std::string& text, const std::string& file);

}  // namespace verne
