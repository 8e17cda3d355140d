/// The model that a command works on, as the user names it.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/model/model.h"
#include "verne/report/meshes.h"
#include "verne/structures/mechanism.h"

namespace verne::cli {

struct ModelOption {
  std::string path;  ///< "-" is standard input
  bool floating_base = false;
  bool strict = false;  ///< implausible data are errors
};

/// MODEL, --floating-base and --strict.
CLI::Option* add_model_option(CLI::App& command, ModelOption& option);

/// --package-path and --full-meshes, for pictures.
void add_mesh_options(CLI::App& command, MeshOptions& options);
/// meshes_json(); what is missing goes to standard error.
std::string load_meshes(const Model& model, const MeshOptions& options);

/// --strict alone, for commands that find their model elsewhere.
void add_strict_option(CLI::App& command, bool& strict);

/// What the user names, not built yet. Notes go to `notes`.
ModelSpec read(const ModelOption& option, std::vector<Diagnostic>& notes);
/// Loads it. Plausibility warnings go to standard error, and notes that concern a line of the file.
Model load(const ModelOption& option);

/// One line for each kind of implausible data, on standard error.
void warn_of_implausible_data(const Model& model);
void warn_of_implausible_data(std::span<const PlausibilityWarning> warnings, const std::string& file);
/// What closing its loops brought up. With `strict` warnings are errors.
void warn_of_loops(const Mechanism& mechanism, bool strict);
/// On standard error, those that concern a line of the file: others are for `verne info`.
void show_notes(const std::vector<Diagnostic>& notes);

/// What to call a model: its name or, when it has none, its file.
const std::string& title_of(const Model& model);

}  // namespace verne::cli
