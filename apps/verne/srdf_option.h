/// Configurations of a model that have names.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "io/named_state.h"

namespace verne::cli {

/// --srdf
void add_srdf_option(CLI::App& command, std::string& path);
/// The SRDF file, where `path` names one, with key frames of an MJCF model among its states.
Srdf load_srdf(const std::string& path, const std::string& model_path, const Model& model);

}  // namespace verne::cli
