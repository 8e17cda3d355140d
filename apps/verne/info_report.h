/// What `verne info` says about a model.
#pragma once

#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/model/model.h"

namespace verne::cli {

/// Tables for people.
std::string info_text(const Model& model, const std::vector<Diagnostic>& notes);

/// One JSON object. Limits that do not exist are null.
std::string info_json(const Model& model, const std::vector<Diagnostic>& notes);

}  // namespace verne::cli
