#include <fmt/core.h>

#include <filesystem>
#include <map>
#include <memory>

#include "commands.h"
#include "model_option.h"
#include "output.h"
#include "table.h"
#include "verne/codegen/generate.h"
#include "verne/io/json_writer.h"
#include "wants.h"

namespace verne::cli {

namespace {

struct CodegenOptions {
  ModelOption model;
  std::string want = "tau", contacts, target = "c", output, math = "libm", parameters = "numeric", precision = "double";
  bool no_grouping = false, json = false;
  CodeOptions code;
};

const std::map<std::string, CodeTarget> kTargets{
    {"c", CodeTarget::c}, {"lanes", CodeTarget::lanes}, {"cuda", CodeTarget::cuda}};

/// The model's name or, where it has none, that of its file.
std::string name_for(const Model& model, const CodegenOptions& options) {
  if (!options.code.name.empty()) return options.code.name;
  return model.name().empty() ? std::filesystem::path(options.model.path).stem().string() : model.name();
}

void write_files(const GeneratedCode& code, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", folder, error.message()));
  std::vector<std::unique_ptr<NewFile>> files;  // which fit each other: all of them or none take their place
  for (const GeneratedFile& file : code.files) {
    files.push_back(std::make_unique<NewFile>((std::filesystem::path(folder) / file.name).string()));
    files.back()->write(file.text);
  }
  for (const std::unique_ptr<NewFile>& file : files) file->finish();
}

std::string costs_json(const GeneratedCode& code) {
  JsonWriter json;
  json.begin_array();
  for (const QuantityCost& cost : code.costs) {
    json.begin_object().key("quantity").value(cost.quantity);
    json.key("multiplications").value(static_cast<int>(cost.multiplications));
    json.key("additions").value(static_cast<int>(cost.additions));
    json.key("trigonometric").value(static_cast<int>(cost.trigonometric));
    json.key("files").begin_array();
    for (const std::string& file : cost.files) json.value(file);
    json.end_array().end_object();
  }
  return json.end_array().text() + "\n";
}

std::string costs_text(const GeneratedCode& code) {
  const auto right = Table::Align::right;
  Table table({{"quantity"}, {"multiplications", right}, {"additions", right}, {"sines and cosines", right}});
  for (const QuantityCost& cost : code.costs) {
    table.add_row({cost.quantity, std::to_string(cost.multiplications), std::to_string(cost.additions),
                   std::to_string(cost.trigonometric)});
  }
  std::string files;
  for (const GeneratedFile& file : code.files) files += (files.empty() ? "" : ", ") + file.name;
  return table.text("") + "\n" + files + "\n";
}

void run_codegen(CodegenOptions options) {
  CodeOptions& code = options.code;
  const Model model = load(options.model);
  code.want = split_list(options.want);
  if (!options.contacts.empty()) code.contacts = split_list(options.contacts);
  code.target = kTargets.at(options.target);
  code.math = options.math == "inline" ? CodeMath::inline_source : CodeMath::libm;
  code.symbolic = options.parameters == "symbolic";
  code.single_precision = options.precision == "float";
  code.grouped = !options.no_grouping;
  code.name = name_for(model, options);
  const GeneratedCode generated = generate_code(model, code);
  write_files(generated, options.output);
  if (options.json) return print(costs_json(generated));
  show(costs_text(generated));
}

}  // namespace

void add_codegen_command(CLI::App& program) {
  const auto options = std::make_shared<CodegenOptions>();
  CLI::App& command = *program.add_subcommand("codegen", "Write source code for one model, as short as it can be");
  add_model_option(command, options->model)->required();
  command
      .add_option("--want", options->want,
                  "what to compute, commas between (default tau): " + known_quantities(kKnownCode))
      ->type_name("LIST");
  command.add_option("--target", options->target, "c (default), lanes (C for batches in wide registers) or cuda")
      ->check(CLI::IsMember(kTargets))
      ->type_name("c|lanes|cuda");
  command.add_option("-o,--output", options->output, "folder for the files")
      ->required()
      ->type_name("DIR")
      ->check(not_empty());
  command.add_option("--parameters", options->parameters, "numeric (default): in the source; symbolic: in a struct")
      ->check(CLI::IsMember({"numeric", "symbolic"}))
      ->type_name("numeric|symbolic");
  command.add_option("--contacts", options->contacts, "contacts of the model that are held, commas between")
      ->type_name("LIST")
      ->check(not_empty());
  command.add_flag("--no-grouping", options->no_grouping, "the bodies' own parameters in place of base parameters");
  command.add_option("--precision", options->precision, "double (default) or float")
      ->check(CLI::IsMember({"double", "float"}))
      ->type_name("double|float");
  command.add_option("--math", options->math, "sines and tanh of the C library (default) or in the source")
      ->check(CLI::IsMember({"libm", "inline"}))
      ->type_name("libm|inline");
  command.add_option("--lanes", options->code.lanes, "states in a block, for the target lanes (default 8)")
      ->check(CLI::IsMember({2, 4, 8}))
      ->type_name("2|4|8");
  command
      .add_option("--snap", options->code.snap,
                  "angles so near to multiples of 30 and 45 degrees are taken as these, rad (default 1e-11; 1e-5 for "
                  "files with few digits)")
      ->type_name("ANGLE");
  command.add_option("--name", options->code.name, "of files and functions, in place of the model's")
      ->type_name("NAME")
      ->check(not_empty());
  command.add_flag("--json", options->json, "print what it costs as JSON");
  command.footer(
      "Examples:\n  verne codegen models/rx90.yaml -o rx90\n"
      "  verne codegen models/arm7.yaml --want tau,mass_matrix,d_tau --math inline -o arm7\n"
      "  verne codegen models/four_bar.yaml --want acceleration,loop_wrenches -o four_bar");
  command.callback([options] { run_codegen(*options); });
}

}  // namespace verne::cli
