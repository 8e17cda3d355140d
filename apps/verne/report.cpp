#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "output.h"
#include "verne/io/file.h"
#include "verne/report/measured.h"
#include "verne/report/report.h"

namespace verne::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> paths;
  std::string output, compare;
};

std::string output_path(const ReportOptions& options) {
  if (!options.output.empty()) return options.output;
  const std::filesystem::path first = options.paths.front();
  if (options.paths.size() > 1) return "comparison.html";
  return ((std::filesystem::is_directory(first) ? first : first.parent_path()) / "report.html").string();
}

void run_report(const ReportOptions& options) {
  const bool one_folder = options.paths.size() == 1 && std::filesystem::is_directory(options.paths.front());
  ReportContents contents = one_folder ? read_report_folder(options.paths.front()) : read_for_comparison(options.paths);
  if (!options.compare.empty()) {
    const MeasuredCurves measured = read_measured(options.compare);
    for (const SolutionFile& solution : contents.solutions) {
      if (contents.solutions.size() > 1) show(solution.label + ": ");
      show(likeness_text(likeness(solution, measured), measured));
    }
    contents.measured = measured_json(contents, measured);
  }
  const std::string page = report_page(contents, "verne " VERNE_VERSION), path = output_path(options);
  write_text_file(path, page);
  show(fmt::format("{}  ({:.1f} MB, {} solution{})\n", path, double(page.size()) / 1e6, contents.solutions.size(),
                   contents.solutions.size() == 1 ? "" : "s"));
}

}  // namespace

void add_report_command(CLI::App& program) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App& command = *program.add_subcommand("report", "Make the page that shows a solution, or compares several");
  command.add_option("DIR", options->paths, "folders that `verne predict` wrote, or solution files")
      ->type_name("")
      ->required();
  command
      .add_option("-o,--output", options->output, "the page (default: DIR/report.html, or comparison.html for several)")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--compare", options->compare, "measured curves over the gait cycle (CSV, docs/gait.md)")
      ->type_name("FILE")
      ->check(not_empty());
  command.footer("Examples:\n  verne report out\n  verne report slow fast -o comparison.html");
  command.callback([options] { run_report(*options); });
}

}  // namespace verne::cli
