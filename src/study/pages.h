/// The pages of a study: its own, and the reports of motions that are kept.
#pragma once

#include <string>

#include "study/kept_solutions.h"
#include "verne/study/study.h"

namespace verne {

/// study.html. `remaining`: seconds that the rest will take, while it runs; below 0: not known.
void write_study_page(const Study& study, const StudyOutcome& outcome, const KeptSolutions& kept,
                      const std::string& folder, const StudyOptions& options, bool running, double remaining);
/// report.html of each kept motion, unless there are too many.
void write_kept_reports(const KeptSolutions& kept, const std::string& folder, const StudyOptions& options);

}  // namespace verne
