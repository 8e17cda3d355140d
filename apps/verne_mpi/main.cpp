/// The program `verne-mpi`: a study on many machines (docs/study.md). Rank 0 hands out points, the others compute them.
#include <fmt/core.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <filesystem>
#include <sstream>

#include "apps/verne/exit_status.h"
#include "apps/verne/interrupt.h"
#include "apps/verne/output.h"
#include "apps/verne/study_report.h"
#include "mpi_crew.h"
#include "study/local_crew.h"
#include "study/wire.h"

namespace verne::cli {
namespace {

struct MpiArguments {
  std::string study, folder;
  double silence = 300;
};

MpiArguments parse(int argc, char** argv) {
  MpiArguments arguments;
  CLI::App program{"A study on many machines: mpirun verne-mpi STUDY -o DIR"};
  program.name("verne-mpi");
  program.add_option("STUDY", arguments.study, "study file, or the folder of a study to continue")->required();
  program.add_option("-o,--output", arguments.folder, "folder for the results")->type_name("DIR");
  program
      .add_option("--silence", arguments.silence,
                  "seconds beyond the limit of a point after which a rank counts as gone (default 300)")
      ->type_name("S");
  program.footer(
      "Examples:\n  mpirun -n 8 --oversubscribe verne-mpi payload.yaml -o out/payload\n"
      "  srun verne-mpi payload.yaml -o out/payload\n\n"
      "Exit status as of verne study.");
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw InputError(fmt::format("{} (see verne-mpi --help)", error.what()));
    std::ostringstream text;
    program.exit(error, text, text);
    show(text.str());
    arguments.study.clear();
  }
  return arguments;
}

std::string packed_files(const std::string& path, const StudyFiles& files) {
  WireWriter out;
  out.put(path).put(static_cast<int>(files.size()));
  for (const auto& [name, contents] : files) out.put(name).put(contents);
  return out.bytes();
}

/// A line now and then: what ranks say goes to a file as often as to a terminal.
bool tell(const StudyProgress& progress) {
  constexpr auto kPause = std::chrono::seconds(30);
  static auto next = std::chrono::steady_clock::now() + kPause;
  if (std::chrono::steady_clock::now() >= next && progress.remaining >= 0) {
    next = std::chrono::steady_clock::now() + kPause;
    complain(fmt::format("{} of {} points, {} left", progress.done, progress.points, time_text(progress.remaining)));
  }
  return !interrupt_requested();
}

/// What the other ranks have been told.
struct Told {
  bool study = false, home = false;
};

void hand_out(const MpiWorld& world, MpiArguments arguments, Told& told) {
  find_study(arguments.study, arguments.folder);
  StudyFiles files;
  const Study study = load_study(arguments.study, &files);
  if (arguments.folder.empty()) arguments.folder = (std::filesystem::path("out") / study.spec.name).string();
  world.shared(packed_files(arguments.study, files));
  told.study = true;
  MpiCrew crew(world, study.spec.limits.seconds + arguments.silence);
  StudyOptions options;
  options.program = "verne " VERNE_VERSION;
  options.progress = tell;
  options.say = [](const std::string& what) { complain("note: " + what); };
  if (world.size() > 1) options.crew = &crew;
  const StudyOutcome outcome = run_study(study, arguments.folder, options);
  crew.dismiss();
  told.home = true;
  finish_study(study, outcome, arguments.folder);
}

/// Nothing is read from the disk: there need not be one that all share.
void compute(const MpiWorld& world) {
  const std::string sent = world.shared("");
  if (sent.empty()) return;  // rank 0 has no study
  WireReader in(sent);
  const std::string path(in.take_text());
  StudyFiles files(static_cast<std::size_t>(in.take<int>()));
  for (auto& [name, contents] : files) {
    name = in.take_text();
    contents = in.take_text();
  }
  const Study study = load_study(path, &files);
  LocalCrew crew(*study.work, study.spec.limits, 1);
  serve(crew);
}

}  // namespace
}  // namespace verne::cli

int main(int argc, char** argv) {
  using namespace verne;
  const MpiWorld world(&argc, &argv);
  cli::watch_signals();
  if (world.rank() > 0) {
    const int status = cli::exit_status_of([&] { cli::compute(world); });
    if (status != 0) world.abort(status);
    return 0;
  }
  cli::Told told;
  const int status = cli::exit_status_of([&] {
    const cli::MpiArguments arguments = cli::parse(argc, argv);
    if (!arguments.study.empty()) cli::hand_out(world, arguments, told);
  });
  if (!told.study) {
    world.shared("");
  } else if (!told.home) {
    world.abort(status);
  }
  return status;
}
