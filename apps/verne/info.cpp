#include <memory>

#include "commands.h"
#include "info_report.h"
#include "model_option.h"
#include "output.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"

namespace verne::cli {

namespace {

struct InfoOptions {
  ModelOption model;
  bool json = false;
  std::string write;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

void write_model(const ModelSpec& spec, const std::string& path) {
  if (ends_with(path, ".yaml") || ends_with(path, ".yml")) return write_text_file(path, write_yaml(spec));
  if (!ends_with(path, ".urdf")) throw InputError("--write " + path + ": expected a name that ends in .urdf or .yaml");
  std::vector<std::string> not_expressed;
  write_text_file(path, write_urdf(spec, &not_expressed));
  for (const std::string& text : not_expressed) complain(path + ": warning: " + text);
}

void run_info(const InfoOptions& options) {
  std::vector<Problem> warnings;
  const Model model = load(options.model, &warnings);
  if (!options.write.empty()) write_model(model.spec(), options.write);
  if (options.json) return print(info_json(model, warnings));
  show(info_text(model, warnings));
}

}  // namespace

void add_info_command(CLI::App& program) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App& command = *program.add_subcommand("info", "Show joints in order, limits, masses, frames and warnings");
  add_model_option(command, options->model)->required();
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--write", options->write, "also write the model to this .urdf or .yaml file")
      ->type_name("FILE")
      ->check(not_empty());
  command.footer(
      "Examples:\n  verne info models/humanoid.yaml\n"
      "  verne info robot.urdf --floating-base --write robot.yaml");
  command.callback([options] { run_info(*options); });
}

}  // namespace verne::cli
