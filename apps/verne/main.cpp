/// The program `verne`: parses the command line and turns exceptions into exit codes.
#include <fmt/core.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <sstream>
#include <stdexcept>

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "output.h"
#include "standard_streams.h"
#include "verne/base/error.h"
#include "verne/dynamics/batch.h"

namespace verne::cli {
namespace {

/// The library takes this variable as a programmer's wish; here it is the user's.
void check_environment() {
  const char* const wish = std::getenv("VERNE_INSTRUCTION_SET");
  if (!wish || !*wish) return;
  const auto known = instruction_sets();
  if (std::find(known.begin(), known.end(), wish) != known.end()) return;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw InputError(fmt::format("VERNE_INSTRUCTION_SET={}: this machine has {}", wish, list));
}

/// The parser would only say that it misses a command.
void check_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  throw InputError(fmt::format("unknown command '{}'{} (see verne --help)", argv[1], suggestion(argv[1], names)));
}

/// For every command, before or after its name. Takes effect before the command runs.
void add_color_option(CLI::App& program) {
  static const std::map<std::string, Colours> kNames{
      {"auto", Colours::automatic}, {"always", Colours::always}, {"never", Colours::never}};
  program
      .add_option_function<std::string>(
          "--color", [](const std::string& name) { use_colours(kNames.at(name)); },
          "auto (on terminals, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember(kNames))
      ->trigger_on_parse()
      ->type_name("WHEN");
  for (CLI::App* command : program.get_subcommands(nullptr)) command->fallthrough();
}

void parse_and_run(int argc, char** argv) {
  CLI::App program{"Dynamics of robots and humans."};
  program.name("verne");
  program.set_version_flag("--version", "verne " VERNE_VERSION);
  program.require_subcommand(1);
  program.footer("Example:\n  verne predict tasks/two_link_min_time.yaml");
  add_info_command(program);
  add_convert_command(program);
  add_eval_command(program);
  add_ik_command(program);
  add_bench_command(program);
  add_codegen_command(program);
  add_check_command(program);
  add_reproduce_command(program);
#ifdef VERNE_HAVE_MOTION
  add_predict_command(program);
  add_simulate_command(program);
#endif
#ifdef VERNE_HAVE_STUDY
  add_study_command(program);
#endif
  add_report_command(program);
  add_view_command(program);
  add_plot_command(program);
  add_film_command(program);
  add_color_option(program);
  check_command(program, argc, argv);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw InputError(fmt::format("{} (see verne --help)", error.what()));
    std::ostringstream text;  // --help, --version
    program.exit(error, text, text);
    show(text.str());
  }
}

}  // namespace
}  // namespace verne::cli

int main(int argc, char** argv) {
  return verne::cli::exit_status_of([&] {
    verne::cli::open_missing_streams();
    verne::cli::watch_signals();
    verne::cli::check_environment();
    verne::cli::parse_and_run(argc, argv);
  });
}
