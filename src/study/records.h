/// Results of points as the journal has them, and what a search makes of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verne/study/study.h"

namespace verne {

struct PointRecord {
  int point;
  StudyRow row;
};
std::string packed(int point, const StudyRow& row);
PointRecord unpack_record(std::string_view bytes);

/// What is searched for, of each point: NaN where it has none.
std::vector<double> searched_results(const Study& study, const std::vector<StudyRow>& rows);
/// The best of these; nothing without a search.
std::optional<int> best_point(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace verne
