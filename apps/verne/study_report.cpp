#include "study_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "exit_status.h"
#include "interrupt.h"
#include "output.h"
#include "verne/io/file.h"

namespace verne::cli {

namespace {

namespace fs = std::filesystem;

/// Points without success, by what became of them, and one of each.
void show_failures(const StudyOutcome& outcome) {
  std::map<std::string, std::pair<int, std::size_t>> kinds;  // how many, and the first
  for (std::size_t k = 0; k < outcome.rows.size(); ++k) {
    const StudyRow& row = outcome.rows[k];
    if (row.done && !row.result.success) ++kinds.try_emplace(row.result.status, 0, k).first->second.first;
  }
  for (const auto& [status, found] : kinds) {
    const auto& [count, first] = found;
    const std::string head = fmt::format("  {:<12} {} point{}, ", status, count, count == 1 ? "" : "s");
    show(fmt::format("{}{}{}: {}\n", head, count == 1 ? "" : "as ", first, outcome.rows[first].result.reason));
  }
}

/// Where a search found the best result.
void show_best(const Study& study, const StudyOutcome& outcome) {
  if (!outcome.best) return;
  const StudyRow& row = outcome.rows[static_cast<std::size_t>(*outcome.best)];
  const std::vector<std::string>& columns = study.work->columns();
  std::string text = fmt::format("best: point {}", *outcome.best);
  const auto values = outcome.points.point(*outcome.best);
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format(", {} = {:.6g}", study.spec.parameters[k].name, values[k]);
  }
  const std::string& result = study.spec.sample.search.result;
  const auto column = std::find(columns.begin(), columns.end(), result) - columns.begin();
  show(fmt::format("{}: {} {:.9g}\n", text, result, row.result.results[static_cast<std::size_t>(column)]));
}

}  // namespace

std::string time_text(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void find_study(std::string& study, std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(study, error)) return;
  if (!folder.empty()) throw InputError("study: to continue a folder, leave out -o; else name a study file");
  folder = study;
  study = study_file_of(folder);
}

void finish_study(const Study& study, const StudyOutcome& outcome, const std::string& folder) {
  int done = 0;
  for (const StudyRow& row : outcome.rows) done += row.done;
  show(study.spec.name + ": ");
  show(fmt::format("{} of {} points", done, outcome.rows.size()), outcome.complete ? Tone::good : Tone::fair);
  show(outcome.unsolved > 0 ? fmt::format(", {} without a solution\n", outcome.unsolved) : "\n");
  show_best(study, outcome);
  show_failures(outcome);
  std::error_code error;
  const bool page = fs::exists(fs::path(folder) / "study.html", error);
  show(folder + ": table.csv, study.sqlite" + (page ? ", study.html\n" : "\n"));
  check_interrupt();
  if (outcome.not_computed > 0) {
    throw NotAchieved{fmt::format("{}: {} point{} could not be computed", study.spec.name, outcome.not_computed,
                                  outcome.not_computed == 1 ? "" : "s")};
  }
  if (outcome.unsolved == static_cast<int>(outcome.rows.size())) {
    throw NotAchieved{fmt::format("{}: no point was solved", study.spec.name)};
  }
}

}  // namespace verne::cli
