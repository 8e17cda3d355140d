/// Robots of other people, which lie beside the project and are no part of it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/paths.h"

namespace verne::test {

/// Their URDF files; none when they are not there. falcon.urdf names a link that it does not define and is left out.
inline std::vector<std::string> real_urdf_files() {
  const std::filesystem::path folder = source_dir() + "/../shared/robots/example-robot-data/robots";
  std::vector<std::string> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf" && entry.path().stem() != "falcon") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace verne::test

#define VERNE_SKIP_WITHOUT_ROBOTS(files) \
  if (files.empty()) GTEST_SKIP() << "the folder shared/robots beside the project is not there"
