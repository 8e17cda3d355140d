#include "study/input_files.h"

#include "base/regular_file.h"
#include "verne/base/error.h"

namespace verne {

std::string InputFiles::text(const std::string& path) {
  for (const auto& [name, contents] : files_) {
    if (name == path) return contents;
  }
  if (closed_) throw InputError({{path, 0, "was not sent along with the study"}});
  files_.emplace_back(path, read_regular_file(path));
  return files_.back().second;
}

}  // namespace verne
