#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>

#include "commands.h"
#include "model_option.h"
#include "output.h"
#include "verne/codegen/base_parameters.h"
#include "verne/io/model_io.h"
#include "verne/io/par.h"
#include "verne/model/repair.h"
#include "verne/structures/mechanism.h"

namespace verne::cli {

namespace {

struct ConvertOptions {
  ModelOption model;
  bool repair = false, base_parameters = false;
  std::string output, to;
};

/// "yaml", "urdf", "mjcf" or "par": as asked for, or else by the name of the file.
std::string target_format(const ConvertOptions& options) {
  if (!options.to.empty()) return options.to;
  const std::string& path = options.output;
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return "yaml";
  if (path.ends_with(".urdf")) return "urdf";
  if (path.ends_with(".xml")) return "mjcf";
  if (path.ends_with(".par")) return "par";
  throw InputError("-o " + path +
                   ": expected a name that ends in .urdf, .xml, .yaml or .par, or --to urdf, mjcf, yaml or par");
}

std::string moments_text(const Vec3<double>& J) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", J.x, J.y, J.z);
}

std::string repair_text(const InertiaRepair& repair) {
  std::string text = fmt::format("link '{}': ", repair.link);
  if (repair.mass_after != repair.mass_before)
    text += fmt::format("mass {} -> {:.6g}, ", repair.mass_before, repair.mass_after);
  return text + fmt::format("principal moments {} -> {}", moments_text(repair.moments_before),
                            moments_text(repair.moments_after));
}

void repair_and_tell(ModelSpec& spec) {
  const std::vector<InertiaRepair> repairs = repair_inertias(spec);
  for (const InertiaRepair& repair : repairs) complain(line_about({spec.file, 0, repair_text(repair)}, "repaired"));
  if (repairs.empty()) complain(to_string({spec.file, 0, "no inertia needs repair"}, "note"));
}

/// With the coordinates of a mechanism named, so that they are the same for who reads the file.
ModelSpec with_independent_joints(const Model& model) {
  ModelSpec spec = model.spec();
  if (spec.loops.empty() || !spec.independent.empty()) return spec;
  const Mechanism mechanism(model);
  const std::span<const int> independent = mechanism.independent();
  const auto is_independent = [&](int v) { return std::ranges::find(independent, v) != independent.end(); };
  for (const Joint& joint : model.joints()) {
    if (joint.nv > 0 && is_independent(joint.v)) spec.independent.push_back(joint.spec.name);
    for (int k = 1; k < joint.nv; ++k) {
      if (is_independent(joint.v + k) != is_independent(joint.v)) return model.spec();  // files name whole joints
    }
  }
  return spec;
}

std::string text_of(const ModelSpec& spec, const std::string& format, const std::string& path) {
  if (format == "yaml") return write_yaml(spec);
  std::vector<std::string> not_expressed;
  const auto write = format == "urdf" ? write_urdf : format == "mjcf" ? write_mjcf : write_par;
  const std::string text = write(spec, &not_expressed);
  const std::string target = format == "urdf" ? "URDF" : format == "mjcf" ? "MJCF" : ".par";
  for (const std::string& lost : not_expressed) {
    complain(line_about({path, 0, target + " cannot say: " + lost}, "warning"));
  }
  return text;
}

void run_convert(const ConvertOptions& options) {
  const std::string format = target_format(options);
  std::vector<Diagnostic> notes;
  ModelSpec spec = read(options.model, notes);
  const Model as_written = build_model(spec, &notes);  // errors first: only a sound model can be repaired
  if (options.repair) repair_and_tell(spec);
  Model model = options.repair ? build_model(std::move(spec)) : as_written;
  if (options.base_parameters) model = build_model(with_base_parameters(model));
  if (options.model.strict) require_none(model.plausibility_warnings());
  show_notes(notes);
  warn_of_implausible_data(model);
  const bool names_coordinates = format == "urdf";
  const std::string text =
      text_of(names_coordinates ? with_independent_joints(model) : model.spec(), format, options.output);
  Output output(options.output);
  output.write(text);
  output.finish();
}

}  // namespace

void add_convert_command(CLI::App& program) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App& command =
      *program.add_subcommand("convert", "Write a model in another format, or with its inertias repaired");
  add_model_option(command, options->model)->required();
  command
      .add_option("-o,--output", options->output,
                  "where it goes, .urdf, .xml (MJCF), .yaml or .par; - is standard output")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--to", options->to, "format, where the name of the file does not tell it")
      ->check(CLI::IsMember({"urdf", "mjcf", "yaml", "par"}))
      ->type_name("urdf|mjcf|yaml|par");
  command.add_flag("--repair", options->repair, "replace inertias that no body has by the nearest that one has");
  command.add_flag("--base-parameters", options->base_parameters,
                   "with grouped inertial parameters: the same torques and accelerations, wrenches mean nothing");
  command.footer(
      "Examples:\n  verne convert robot.urdf -o robot.yaml\n  verne convert robot.urdf -o mujoco.xml\n"
      "  verne convert robot.urdf --repair -o sound.urdf");
  command.callback([options] { run_convert(*options); });
}

}  // namespace verne::cli
