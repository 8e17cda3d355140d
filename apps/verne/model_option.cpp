#include "model_option.h"

#include <fmt/core.h>

#include "verne/io/model_io.h"

namespace verne::cli {

CLI::Option* add_model_option(CLI::App& command, ModelOption& option) {
  command.add_flag("--floating-base", option.floating_base, "put a free joint under the root");
  return command.add_option("MODEL", option.path, "model file: URDF or Verne YAML; - is standard input")->type_name("");
}

Model load(const ModelOption& option, std::vector<Problem>* warnings) {
  std::vector<Problem> found;
  LoadOptions how;
  how.floating_base = option.floating_base;
  Model model = load_model(option.path == "-" ? "/dev/stdin" : option.path, how, &found);
  if (warnings) {
    *warnings = std::move(found);
    return model;
  }
  for (const Problem& problem : found) {
    if (problem.line > 0) fmt::print(stderr, "{}\n", to_string(problem, "warning"));
  }
  return model;
}

const std::string& title_of(const Model& model) {
  return model.name().empty() ? model.spec().file : model.name();
}

}  // namespace verne::cli
