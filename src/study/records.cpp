#include "study/records.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "study/messages.h"
#include "study/wire.h"

namespace verne {

std::string packed(int point, const StudyRow& row) {
  WireWriter out;
  return out.put(point).put(row.started_from).put(row.tries).put(row.seconds).put(packed(row.result)).bytes();
}

PointRecord unpack_record(std::string_view bytes) {
  WireReader in(bytes);
  PointRecord record{in.take<int>(), {}};
  record.row.started_from = in.take<int>();
  record.row.tries = in.take<int>();
  record.row.seconds = in.take<double>();
  record.row.result = unpack_result(in.take_text());
  record.row.done = true;
  return record;
}

std::vector<double> searched_results(const Study& study, const std::vector<StudyRow>& rows) {
  const std::vector<std::string>& columns = study.work->columns();
  const auto column = std::find(columns.begin(), columns.end(), study.spec.sample.search.result) - columns.begin();
  std::vector<double> results;
  for (const StudyRow& row : rows) {
    const bool known = row.done && row.result.success;
    results.push_back(known ? row.result.results[static_cast<std::size_t>(column)]
                            : std::numeric_limits<double>::quiet_NaN());
  }
  return results;
}

std::optional<int> best_point(const Study& study, const std::vector<StudyRow>& rows) {
  std::optional<int> best;
  if (study.spec.sample.kind != SampleSpec::Kind::search) return best;
  const std::vector<double> results = searched_results(study, rows);
  const double sign = study.spec.sample.search.largest ? -1 : 1;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const bool better = !best || sign * results[k] < sign * results[static_cast<std::size_t>(*best)];
    if (std::isfinite(results[k]) && better) best = static_cast<int>(k);
  }
  return best;
}

}  // namespace verne
