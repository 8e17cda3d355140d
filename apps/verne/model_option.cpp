#include "model_option.h"

#include "input.h"
#include "output.h"
#include "verne/io/model_io.h"

namespace verne::cli {

CLI::Option* add_model_option(CLI::App& command, ModelOption& option) {
  command.add_flag("--floating-base", option.floating_base, "put a free joint under the root");
  return command.add_option("MODEL", option.path, "model file: URDF or Verne YAML; - is standard input")->type_name("");
}

Model load(const ModelOption& option, std::vector<Problem>* warnings) {
  std::vector<Problem> found;
  ModelSpec spec = read_spec(read_input(option.path), input_name(option.path), &found);
  if (option.floating_base) spec = with_floating_base(std::move(spec));
  Model model = build_model(std::move(spec), &found);
  if (warnings) {
    *warnings = std::move(found);
    return model;
  }
  for (const Problem& problem : found) {
    if (problem.line > 0) complain(to_string(problem, "warning"));
  }
  return model;
}

const std::string& title_of(const Model& model) {
  return model.name().empty() ? model.spec().file : model.name();
}

}  // namespace verne::cli
