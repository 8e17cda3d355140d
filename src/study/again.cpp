#include "verne/study/again.h"

#include <filesystem>
#include <limits>

#include "study/journal.h"
#include "study/local_crew.h"
#include "study/messages.h"
#include "study/records.h"
#include "study/study_header.h"
#include "verne/base/error.h"

namespace verne {

namespace {

namespace fs = std::filesystem;

std::string journal_of(const std::string& folder) {
  return (fs::path(folder) / kJournalName).string();
}

/// Where a search had gone: its points follow from the results before them.
SamplePoints searched_points(const Study& study, const std::vector<StudyRow>& rows, int point) {
  SamplePoints points = study.points;
  std::vector<StudyRow> before;
  while (points.count() <= point) {
    before.push_back(rows[before.size()]);
    const auto next = next_of_search(study.spec.parameters, study.spec.sample, searched_results(study, before));
    if (!next) break;
    append_point(points, study.spec.parameters, *next);
  }
  return points;
}

}  // namespace

std::optional<PointResult> compute_again(const Study& study, const std::string& folder, int point,
                                         const std::function<bool()>& go_on) {
  const std::string path = journal_of(folder);
  const JournalContents journal = read_journal(path);
  require_same_study(journal.header, study, path);
  const bool searches = study.spec.sample.kind == SampleSpec::Kind::search;
  const int count = searches ? study.spec.sample.count : study.points.count();
  const auto refuse = [&](const std::string& why) {
    throw InputError(folder + ": point " + std::to_string(point) + why);
  };
  if (point < 0 || point >= count) refuse(": the study has the points 0 to " + std::to_string(count - 1));
  std::vector<StudyRow> rows(static_cast<std::size_t>(count));
  for (const std::string& bytes : journal.records) {
    PointRecord record = unpack_record(bytes);
    if (record.point >= 0 && record.point < count) rows[static_cast<std::size_t>(record.point)] = std::move(record.row);
  }
  const StudyRow& row = rows[static_cast<std::size_t>(point)];
  if (!row.done) refuse(" has not been computed yet");
  const auto values = searches ? searched_points(study, rows, point).point(point) : study.points.point(point);
  const std::string none;
  const std::string& start =
      row.started_from >= 0 ? rows[static_cast<std::size_t>(row.started_from)].result.motion : none;
  LocalCrew crew(*study.work, study.spec.limits, 1);
  constexpr double kAll = std::numeric_limits<double>::infinity();
  crew.give(0, point, packed(PointOrder{point, {values.begin(), values.end()}, start, false, kAll}));
  while (!go_on || go_on()) {
    if (auto answer = crew.next(0.1)) return std::move(answer->result);
  }
  return std::nullopt;
}

bool holds_study(const std::string& folder) {
  std::error_code error;
  return fs::is_regular_file(journal_of(folder), error);
}

bool is_being_computed(const std::string& folder) {
  return is_being_written(journal_of(folder));
}

}  // namespace verne
