/// What programs that run studies say, and how they end.
#pragma once

#include <string>

#include "verne/study/study.h"

namespace verne::cli {

/// A time for people.
std::string time_text(double seconds);

/// Says what became of a study. Throws Interrupted when a signal has come, and NotAchieved when points could not be
/// computed or none was solved.
void finish_study(const Study& study, const StudyOutcome& outcome, const std::string& folder);

/// `verne study DIR` continues what is in DIR: puts the study file and the folder in their places.
void find_study(std::string& study, std::string& folder);

}  // namespace verne::cli
