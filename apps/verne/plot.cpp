#include <filesystem>
#include <memory>

#include "commands.h"
#include "number_option.h"
#include "output.h"
#include "verne/io/file.h"
#include "verne/report/measured.h"
#include "verne/report/plot.h"

namespace verne::cli {

namespace {

struct PlotCommand {
  std::vector<std::string> paths;
  std::string output = "-", compare;
  PlotOptions plot;
};

void run_plot(const PlotCommand& options) {
  const bool one_folder = options.paths.size() == 1 && std::filesystem::is_directory(options.paths.front());
  const ReportContents contents =
      one_folder ? read_report_folder(options.paths.front()) : read_for_comparison(options.paths);
  PlotOptions plot = options.plot;
  if (!options.compare.empty()) plot.measured = read_measured(options.compare);
  const std::string drawing = plot_svg(contents, plot);
  if (options.output == "-") return print(drawing);
  write_text_file(options.output, drawing);
}

std::string list_of_names() {
  std::string list = "over time: ";
  for (const std::string& name : plot_names()) list += name + ", ";
  list += std::string("over the gait cycle: ") + kStridePlot + "; of a sweep: ";
  for (const std::string& name : sweep_plot_names()) list += name + (&name == &sweep_plot_names().back() ? "" : ", ");
  return list + " (default: torques, of a sweep front or cost)";
}

}  // namespace

void add_plot_command(CLI::App& program) {
  const auto options = std::make_shared<PlotCommand>();
  CLI::App& command = *program.add_subcommand("plot", "Draw a figure of solutions as SVG");
  command
      .add_option("DIR", options->paths,
                  "folders that `verne predict` wrote (one, a sweep, several), or solution files")
      ->type_name("")
      ->required();
  command.add_option("--what", options->plot.what, list_of_names())->type_name("NAME")->check(not_empty());
  command.add_option("--joints", options->plot.joints, "only these, with commas between; of a stride its curves")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  command.add_option("--width", options->plot.width_mm, "in millimetres (default: 120, of strides 180)")
      ->check(number_between(30, 2000))
      ->type_name("MM");
  command.add_option("--height", options->plot.height_mm, "in millimetres (default: 75, of strides 160)")
      ->check(number_between(30, 2000))
      ->type_name("MM");
  command.add_option("--compare", options->compare, "measured curves behind a stride (CSV, docs/gait.md)")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("-o,--output", options->output, "the drawing; - is standard output")
      ->type_name("FILE")
      ->check(not_empty())
      ->capture_default_str();
  command.footer(
      "Examples:\n  verne plot out --what torques -o torques.svg\n  verne plot out --what joint_forces --joints "
      "hip_r,knee_r -o forces.svg\n  verne plot slow fast --what power -o power.svg\n  verne plot sweep --what front "
      "-o "
      "front.svg\n  verne plot step --what stride --compare measured.csv -o stride.svg");
  command.callback([options] { run_plot(*options); });
}

}  // namespace verne::cli
