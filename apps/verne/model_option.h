/// The model that a command works on, as the user names it.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/model/model.h"

namespace verne::cli {

struct ModelOption {
  std::string path;  ///< "-" is standard input
  bool floating_base = false;
};

/// MODEL and --floating-base.
CLI::Option* add_model_option(CLI::App& command, ModelOption& option);

/// Loads it. Warnings go to `warnings` or, without it, to standard error when they concern a line of the file.
Model load(const ModelOption& option, std::vector<Problem>* warnings = nullptr);

/// What to call a model: its name or, when it has none, its file.
const std::string& title_of(const Model& model);

}  // namespace verne::cli
