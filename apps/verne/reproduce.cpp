#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "reproduce/output.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"
#include "table.h"

namespace verne::cli {

namespace fs = std::filesystem;
namespace rp = reproduce;

namespace {

struct ReproduceOptions {
  std::string folder = "out/reproduction", data;
  std::vector<std::string> only;
  bool list = false, quiet = false;
};

/// Rows whose name is this, or begins with it and a hyphen.
std::vector<rp::Row> chosen_rows(const std::vector<std::string>& only) {
  std::vector<rp::Row> all = rp::all_rows();
  if (only.empty()) return all;
  std::vector<rp::Row> chosen;
  std::vector<std::string> names;  // of rows, and what begins those of several
  for (const rp::Row& row : all) {
    for (std::size_t end = row.name.find('-'); end != std::string::npos; end = row.name.find('-', end + 1)) {
      names.push_back(row.name.substr(0, end));
    }
    names.push_back(row.name);
  }
  const auto fits = [](const std::string& name, const std::string& wish) {
    return name == wish || name.starts_with(wish + "-");
  };
  for (const std::string& wish : only) {
    if (std::ranges::find(names, wish) == names.end()) {
      throw InputError(fmt::format("--only {}: there is no such row{}; verne reproduce --list names all", wish,
                                   suggestion(wish, names)));
    }
  }
  for (rp::Row& row : all) {
    const auto wanted = [&](const std::string& wish) { return fits(row.name, wish); };
    if (std::any_of(only.begin(), only.end(), wanted)) chosen.push_back(std::move(row));
  }
  return chosen;
}

bool has_data(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "models/two_link.yaml", error) && fs::is_directory(folder / "tasks", error);
}

/// Where models and tasks are: as asked, here, with the installed program, or in the source tree that it was built in.
fs::path data_folder(const std::string& asked) {
  if (!asked.empty()) {
    if (!has_data(asked)) {
      throw InputError(fmt::format("--data {}: expected a folder with the folders models and tasks of Verne", asked));
    }
    return asked;
  }
  std::vector<fs::path> places{"."};
  std::error_code error;
  for (fs::path at = fs::read_symlink("/proc/self/exe", error); at.has_relative_path();) {
    at = at.parent_path();
    places.push_back(at / "share/verne"), places.push_back(at);
  }
  const auto found = std::find_if(places.begin(), places.end(), has_data);
  if (found == places.end()) {
    throw EnvironmentError("the models and tasks of Verne were not found: name their folder with --data");
  }
  return *found;
}

Tone tone_of(rp::Verdict verdict) {
  if (verdict == rp::Verdict::disagrees) return Tone::bad;
  return verdict == rp::Verdict::differs || verdict == rp::Verdict::not_available ? Tone::fair : Tone::good;
}

/// What stands in the way of the files would be found when all work has been done.
void prepare(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", folder.string(), error.message()));
  NewFile probe((folder / ".verne-probe").string());
}

/// Figures of these rows that an earlier run left and this one did not write.
void remove_stale(const fs::path& folder, const rp::Reproduction& done, const std::set<std::string>& written) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const auto of = [&](const rp::Result& result) { return name.starts_with(result.row->name); };
    const bool figure = name.ends_with(".svg") && std::any_of(done.results.begin(), done.results.end(), of);
    if (figure && !written.contains(name)) stale.push_back(entry.path());
  }
  for (const fs::path& file : stale) fs::remove(file, error);
}

/// Files take their places together, once there was room for all of them.
void write_files(const fs::path& folder, const rp::Reproduction& done) {
  std::vector<std::unique_ptr<NewFile>> files;
  std::set<std::string> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    files.push_back(std::make_unique<NewFile>((folder / name).string()));
    files.back()->write(text);
    written.insert(name);
  };
  for (const rp::Result& result : done.results) {
    for (const rp::Figure& figure : result.answer.figures) write(file_of(*result.row, figure), figure.svg);
  }
  write("reproduction.json", reproduction_json(done));
  write("reproduction_timing.json", reproduction_timing_json(done));
  write("reproduction.html", reproduction_page(done));
  for (const auto& file : files) file->finish();
  remove_stale(folder, done, written);
}

/// A line for each row as it is done: people watch.
void show_result(const rp::Result& result, std::size_t width) {
  show(fmt::format("{:<{}}  ", result.row->name, width));
  show(fmt::format("{}", to_string(result.verdict, result.why)), tone_of(result.verdict));
  show(fmt::format("  ({:.2f} s)\n", result.seconds));
}

void list_rows(const std::vector<rp::Row>& rows) {
  Table table({{"row"}, {"document"}, {"place"}});
  for (const rp::Row& row : rows) {
    const std::string title = rp::title_of(row.document);
    table.add_row({row.name, title.substr(0, title.find(':')), row.place});
  }
  show(table.text());
}

void run_reproduce(const ReproduceOptions& options) {
  const std::vector<rp::Row> rows = chosen_rows(options.only);
  if (options.list) return list_rows(rows);
  const bool on_terminal = !options.quiet && ::isatty(STDERR_FILENO);
  std::string at;
  rp::Sources sources(data_folder(options.data), [&](const std::string& what) {
    if (on_terminal) show_progress(at + what);
    return !interrupt_requested();
  });
  prepare(options.folder);
  std::size_t width = 0;
  for (const rp::Row& row : rows) width = std::max(width, row.name.size());
  rp::Reproduction done;
  done.program = "verne " VERNE_VERSION;
  try {
    for (const rp::Row& row : rows) {
      at = fmt::format("{} of {}: {}: ", done.results.size() + 1, rows.size(), row.name);
      sources.report("");
      done.results.push_back(run_row(row, sources));
      if (on_terminal) show_progress("");
      show_result(done.results.back(), width);
    }
  } catch (const rp::Stopped&) {
    if (on_terminal) show_progress("");
  }
  done.rows_left = rows.size() - done.results.size();
  write_files(options.folder, done);
  show(fmt::format("\nopen {} in a browser\n", (fs::path(options.folder) / "reproduction.html").string()));
  check_interrupt();
  if (const int wrong = count(done, rp::Verdict::disagrees)) {
    throw NotAchieved{fmt::format("{} of {} rows disagree", wrong, rows.size())};
  }
}

}  // namespace

void add_reproduce_command(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App& command =
      *program.add_subcommand("reproduce", "Run what the source documents claim, and show it beside their numbers");
  command.add_option("-o,--output", options->folder, "folder for the page, reproduction.json and the figures")
      ->type_name("DIR")
      ->check(not_empty())
      ->capture_default_str();
  command.add_option("--only", options->only, "these rows, or all whose names begin so: thesis, khalil-7")
      ->type_name("NAME")
      ->take_all();
  command.add_flag("--list", options->list, "name all rows, and stop");
  command.add_option("--data", options->data, "folder with the folders models and tasks (default: those of Verne)")
      ->type_name("DIR")
      ->check(not_empty());
  command.add_flag("--quiet", options->quiet, "no progress on the terminal");
  command.footer(
      "Examples:\n  verne reproduce\n  verne reproduce --only thesis-time-4.1\n  verne reproduce --list\n\n"
      "Exit status: 0 nothing disagrees, 1 a row disagrees, 2 bad input, 3 environment\nerror, 130 interrupted: the "
      "page then has what was done.");
  command.callback([options] { run_reproduce(*options); });
}

}  // namespace verne::cli
