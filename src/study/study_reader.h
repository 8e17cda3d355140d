/// The study file as plain data, and what it names.
#pragma once

#include "io/yaml/map.h"
#include "study/input_files.h"
#include "verne/study/study.h"

namespace verne {

/// What is computed at each point, as the file says it.
struct StudySource {
  enum class Kind { task, simulate, eval };
  Kind kind = Kind::task;
  std::string path;                                ///< of the task or the model, found from the study's folder
  YamlNode node;                                   ///< of `simulate` or `eval`
  std::vector<std::string> report;                 ///< further results
  std::optional<std::vector<std::string>> curves;  ///< over time; nothing: the usual ones
  int line = 0, report_line = 0, curves_line = 0;  ///< of the file
};

/// A study file that was read, but for what it names.
struct StudyFile {
  StudySpec spec;
  StudySource source;
  int points = 0;  ///< at most
};
StudyFile read_study_file(const std::string& path, InputFiles& files);

/// YAML in one line, for comparisons and messages.
std::string flow_text(const YamlNode& node);

}  // namespace verne
