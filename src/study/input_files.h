/// The files that a study is made from. Each is read once: all points are of one version, whatever happens on the disk.
#pragma once

#include "verne/study/study.h"

namespace verne {

class InputFiles {
 public:
  /// With files that are at hand already, which then are all that there are; none: those of the disk.
  explicit InputFiles(StudyFiles* files) : files_(files ? *files : StudyFiles{}), closed_(!files_.empty()) {}

  /// The contents. Throws InputError.
  std::string text(const std::string& path);
  const StudyFiles& all() const { return files_; }

 private:
  StudyFiles files_;
  bool closed_;
};

}  // namespace verne
