#include "verne/study/study.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "result_report.h"
#include "study_report.h"
#include "study_view.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

namespace fs = std::filesystem;

struct StudyArguments {
  std::string study, folder;
  int workers = 0, ranks = 64, point = -1;
  bool quiet = false, no_report = false, slurm = false;
};

/// How far it is, as one line of the terminal that is written over.
class StudyLine {
 public:
  StudyLine(std::string name, bool quiet) : name_(std::move(name)), on_(!quiet && ::isatty(STDERR_FILENO) == 1) {}
  ~StudyLine() {
    if (on_) show_progress("");
  }
  bool operator()(const StudyProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (on_ && now - shown_ >= std::chrono::milliseconds(100)) {
      shown_ = now;
      std::string line = fmt::format("{}  {} of {} points", name_, progress.done, progress.points);
      if (progress.failed > 0) line += fmt::format(", {} not solved", progress.failed);
      if (progress.remaining >= 0) line += ", " + time_text(progress.remaining) + " left";
      show_progress(line);
    }
    return !interrupt_requested();
  }

 private:
  std::string name_;
  bool on_;
  std::chrono::steady_clock::time_point shown_{};
};

int workers_of(const StudyArguments& arguments) {
  if (arguments.workers > 0) return arguments.workers;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// A script for a queue of SLURM. It may be sent off again and again: each time the study continues.
void show_slurm_script(const StudyArguments& arguments, const std::string& name) {
#ifndef VERNE_HAVE_MPI
  throw InputError("--slurm: this build has no verne-mpi: install libopenmpi-dev and build again");
#endif
  show(
      fmt::format("#!/bin/sh\n"
                  "#SBATCH --job-name={}\n"
                  "#SBATCH --ntasks={}           # one hands out points, the others compute\n"
                  "#SBATCH --cpus-per-task=1\n"
                  "#SBATCH --time=24:00:00\n"
                  "#SBATCH --requeue              # a job that begins again continues\n"
                  "#SBATCH --signal=TERM@60       # a minute to write the tables\n"
                  "srun verne-mpi {} -o {}\n",
                  quoted(file_name_for(name)), arguments.ranks, quoted(arguments.study), quoted(arguments.folder)));
}

/// One point again, for its motion.
void run_point(const StudyArguments& arguments) {
  std::error_code error;
  if (!fs::is_directory(arguments.study, error)) throw InputError("--point: name the folder of a study");
  const std::string out = arguments.folder.empty() ? chosen_folder(arguments.study, arguments.point) : arguments.folder;
  const bool on_terminal = !arguments.quiet && ::isatty(STDERR_FILENO) == 1;
  const auto go_on = [&] {
    if (on_terminal) show_progress(fmt::format("computing point {}", arguments.point));
    return !interrupt_requested();
  };
  const bool done = write_point(arguments.study, arguments.point, out, !arguments.no_report, go_on);
  if (on_terminal) show_progress("");
  if (!done) check_interrupt();
  show(fmt::format("point {}: {}\n", arguments.point, (fs::path(out) / "solution.json").string()));
}

void run_study_command(StudyArguments arguments) {
  if (arguments.point >= 0) return run_point(arguments);
  find_study(arguments.study, arguments.folder);
  const Study study = load_study(arguments.study);
  if (arguments.folder.empty()) arguments.folder = (fs::path("out") / file_name_for(study.spec.name)).string();
  if (arguments.slurm) return show_slurm_script(arguments, study.spec.name);
  StudyLine line(study.spec.name, arguments.quiet);
  StudyOptions options;
  options.workers = workers_of(arguments);
  options.program = "verne " VERNE_VERSION;
  options.pages = !arguments.no_report;
  options.progress = std::ref(line);
  options.say = [](const std::string& what) { complain("note: " + what); };
  finish_study(study, run_study(study, arguments.folder, options), arguments.folder);
}

}  // namespace

void add_study_command(CLI::App& program) {
  const auto arguments = std::make_shared<StudyArguments>();
  CLI::App& command = *program.add_subcommand("study", "Compute a task, a simulation or states at many points");
  command.add_option("STUDY", arguments->study, "study file (docs/study.md), or the folder of a study to continue")
      ->type_name("")
      ->required()
      ->check(not_empty());
  command.add_option("-o,--output", arguments->folder, "folder for the results (default: out/ and the study's name)")
      ->type_name("DIR")
      ->check(not_empty());
  command.add_option("--threads", arguments->workers, "points that are computed at once (default: one a processor)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command.add_option("--point", arguments->point, "compute this point of a folder again, for its motion")
      ->check(CLI::Range(0, 10000000))
      ->type_name("K");
  command.add_flag("--no-report", arguments->no_report, "do not write study.html and reports of kept motions");
  command.add_flag("--slurm", arguments->slurm, "print a job script for a cluster instead");
  command.add_option("--ranks", arguments->ranks, "processes of that job (default 64)")
      ->check(CLI::Range(2, 1000000))
      ->type_name("N");
  command.add_flag("--quiet", arguments->quiet, "no progress on the terminal");
  command.footer(
      "Examples:\n"
      "  verne study payload.yaml -o out/payload\n"
      "  verne study out/payload                  continues where it was interrupted\n"
      "  verne study out/payload --point 17       the motion of one point\n"
      "  verne study payload.yaml -o out/payload --slurm --ranks 256 > job.sh\n\n"
      "Exit status: 0 every point was computed (points without a solution are results,\n"
      "too), 1 none was solved, or some could not be computed (crashed, beyond a limit,\n"
      "numbers that make no sense), 2 bad input, 3 environment error, 130 interrupted:\n"
      "what was computed is written, and the same command continues.");
  command.callback([arguments] { run_study_command(*arguments); });
}

}  // namespace verne::cli
