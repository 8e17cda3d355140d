/// How a folder remembers which study it holds.
#pragma once

#include <string>

#include "verne/study/study.h"

namespace verne {

inline constexpr char kJournalName[] = "journal";

/// What the journal of a study begins with; paths are as seen from its folder.
std::string study_header(const Study& study, const std::string& folder);
/// Throws InputError that says what has changed where a header is not that of the study.
void require_same_study(const std::string& header, const Study& study, const std::string& journal);

}  // namespace verne
