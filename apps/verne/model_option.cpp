#include "model_option.h"

#include "input.h"
#include "output.h"
#include "verne/io/model_io.h"

namespace verne::cli {

CLI::Option* add_model_option(CLI::App& command, ModelOption& option) {
  command.add_flag("--floating-base", option.floating_base, "put a free joint under the root");
  add_strict_option(command, option.strict);
  return command.add_option("MODEL", option.path, "model file: URDF, SDF, MJCF or Verne YAML; - is standard input")
      ->type_name("");
}

void add_strict_option(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "refuse a model with implausible data (inertias that no body has, ...)");
}

void add_mesh_options(CLI::App& command, MeshOptions& options) {
  command.add_option("--package-path", options.package_paths, "folder of packages, for meshes that package:// names")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_flag("--full-meshes", options.full, "all triangles of meshes in the picture, however large its file");
}

std::string load_meshes(const Model& model, const MeshOptions& options) {
  std::vector<Diagnostic> notes;
  std::string meshes = meshes_json(model, options, notes);
  for (const Diagnostic& note : notes) complain(line_about(note, "note"));
  return meshes;
}

ModelSpec read(const ModelOption& option, std::vector<Diagnostic>& notes) {
  ModelSpec spec = read_spec(read_input(option.path), input_name(option.path), &notes);
  return option.floating_base ? with_floating_base(std::move(spec)) : spec;
}

Model load(const ModelOption& option) {
  std::vector<Diagnostic> notes;
  Model model = build_model(read(option, notes), &notes, {.strict = option.strict});
  show_notes(notes);
  warn_of_implausible_data(model);
  return model;
}

void warn_of_implausible_data(const Model& model) {
  warn_of_implausible_data(model.plausibility_warnings(), model.spec().file);
}

void warn_of_implausible_data(std::span<const PlausibilityWarning> warnings, const std::string& file) {
  for (const std::string& text : grouped(warnings)) complain(line_about({file, 0, text}, "warning"));
}

void warn_of_loops(const Mechanism& mechanism, bool strict) {
  const auto warnings = mechanism.warnings();
  if (strict && !warnings.empty()) throw InputError(std::vector<Diagnostic>(warnings.begin(), warnings.end()));
  for (const Diagnostic& warning : warnings) complain(line_about(warning, "warning"));
  for (const Diagnostic& note : mechanism.notes()) complain(line_about(note, "note"));
}

void show_notes(const std::vector<Diagnostic>& notes) {
  for (const Diagnostic& note : notes) {
    if (note.line > 0) complain(line_about(note, is_not_modelled(note) ? "warning" : "note"));
  }
}

const std::string& title_of(const Model& model) {
  return model.name().empty() ? model.spec().file : model.name();
}

}  // namespace verne::cli
