#include <memory>
#include <optional>

#include "base_parameters_report.h"
#include "commands.h"
#include "info_report.h"
#include "model_option.h"
#include "output.h"
#include "scene_option.h"
#include "srdf_option.h"

namespace verne::cli {

namespace {

struct InfoOptions {
  ModelOption model;
  bool json = false, base_parameters = false, collisions = false;
  std::string srdf, scene;
  std::vector<std::string> package_paths;
  std::optional<std::string> write;
};

void run_info(const InfoOptions& options) {
  if (options.write) {
    throw InputError("info --write is gone: use `verne convert MODEL -o " + *options.write + "`");
  }
  std::vector<Diagnostic> notes;
  const Model model = build_model(read(options.model, notes), &notes, {.strict = options.model.strict});
  if (options.base_parameters) {
    const FoundParameters found{base_parameters(model), numerical_base_parameters(model)};
    return options.json ? print(base_parameters_json(found))
                        : show(base_parameters_text(found, !model.loops().empty()));
  }
  if (options.collisions) {
    std::vector<Diagnostic> about;
    const Srdf srdf = load_srdf(options.srdf, options.model.path, model);
    const Collisions collisions = collisions_of(model, srdf, options.scene, options.package_paths, about);
    return options.json ? print(collisions_json(collisions, about)) : show(collisions_text(collisions, about));
  }
  if (options.json) return print(info_json(model, notes));
  show(info_text(model, notes));
}

}  // namespace

void add_info_command(CLI::App& program) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& command =
      *program.add_subcommand("info", "Show joints in order, limits, masses, frames, and what looks wrong");
  add_model_option(command, options->model)->required();
  command.add_flag("--json", options->json, "print JSON");
  command.add_flag("--base-parameters", options->base_parameters,
                   "which inertial parameters have no effect on the torques, and which act together");
  command.add_flag("--collisions", options->collisions,
                   "which pairs of links, and of links and objects of a scene, are kept apart, and which are not");
  const auto with_collisions = [&](CLI::Option* option) { option->needs("--collisions"); };
  add_srdf_option(command, options->srdf);
  with_collisions(command.get_option("--srdf"));
  with_collisions(command.add_option("--scene", options->scene, "what stands around: YAML or MoveIt's .scene")
                      ->type_name("FILE")
                      ->check(not_empty()));
  with_collisions(
      command
          .add_option("--package-path", options->package_paths, "folder of packages, for meshes that package:// names")
          ->type_name("DIR")
          ->allow_extra_args(false));
  command.add_option("--write", options->write)->group("");  // hidden: says what to use instead
  command.footer("Examples:\n  verne info models/humanoid.yaml\n  verne info robot.urdf --floating-base --json");
  command.callback([options] { run_info(*options); });
}

}  // namespace verne::cli
