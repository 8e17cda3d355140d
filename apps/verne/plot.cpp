#include <filesystem>
#include <memory>

#include "commands.h"
#include "output.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/report/plot.h"

namespace verne::cli {

namespace {

struct PlotCommand {
  std::string path, output = "-";
  PlotOptions plot;
};

/// A sweep has no solution of its own.
void refuse_sweep(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "front.json") || std::filesystem::exists(folder / "solution.json")) return;
  throw InputError({Diagnostic{folder.string(), 0,
                               "holds a sweep: plot one of its rows, as in verne plot " + (folder / "00").string() +
                                   ", or see all of them by verne report"}});
}

void run_plot(const PlotCommand& options) {
  const std::filesystem::path path = options.path;
  refuse_sweep(path);
  const std::filesystem::path file = std::filesystem::is_directory(path) ? path / "solution.json" : path;
  const std::string drawing = plot_svg(read_solution(file.string(), ""), options.plot);
  if (options.output == "-") return print(drawing);
  write_text_file(options.output, drawing);
}

std::string list_of_names() {
  std::string list;
  for (const std::string& name : plot_names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

void add_plot_command(CLI::App& program) {
  const auto options = std::make_shared<PlotCommand>();
  CLI::App& command = *program.add_subcommand("plot", "Draw a figure of a solution as SVG");
  command.add_option("DIR", options->path, "folder that `verne predict` wrote, or a solution file")
      ->type_name("")
      ->required();
  command.add_option("--what", options->plot.what, list_of_names())->type_name("NAME")->capture_default_str();
  command.add_option("--joints", options->plot.joints, "only these, with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  command.add_option("--width", options->plot.width_mm, "in millimetres")
      ->check(CLI::Range(30.0, 2000.0))
      ->type_name("MM")
      ->capture_default_str();
  command.add_option("--height", options->plot.height_mm, "in millimetres")
      ->check(CLI::Range(30.0, 2000.0))
      ->type_name("MM")
      ->capture_default_str();
  command.add_option("-o,--output", options->output, "the drawing; - is standard output")
      ->type_name("FILE")
      ->check(not_empty())
      ->capture_default_str();
  command.footer(
      "Examples:\n  verne plot out --what torques -o torques.svg\n  verne plot out --what joint_forces --joints "
      "hip_r,knee_r -o forces.svg");
  command.callback([options] { run_plot(*options); });
}

}  // namespace verne::cli
