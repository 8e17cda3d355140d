/// Examples of the docs that are tasks, or parts of one.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "verne/io/file.h"

namespace verne::test {

struct Example {
  int line = 0;
  std::string text;
};

/// Those of a page.
inline std::vector<Example> yaml_blocks(const std::string& path) {
  std::vector<Example> blocks;
  std::istringstream lines(read_text_file(path));
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().text += line + "\n";
    } else if (line == "```yaml") {
      inside = true;
      blocks.push_back({number, ""});
    }
  }
  return blocks;
}

/// Adds what a task cannot do without.
inline std::string completed(const std::string& part) {
  std::string text = part;
  for (const std::string needed :
       {"format: verne-task/1\n", "model: ../models/two_link.yaml\n", "duration: 1\n", "minimize: [{effort: 1}]\n"}) {
    const std::string key = needed.substr(0, needed.find(' '));
    if (("\n" + part).find("\n" + key) == std::string::npos) text += needed;
  }
  return text;
}

}  // namespace verne::test
