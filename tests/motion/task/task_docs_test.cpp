// The examples of docs/tasks.md and docs/how-do-i.md are tasks, or parts of one.
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "support/paths.h"
#include "verne/io/file.h"
#include "verne/motion/task.h"

namespace verne {
namespace {

struct Example {
  int line = 0;
  std::string text;
};

std::vector<Example> yaml_blocks(const std::string& path) {
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
std::string completed(const std::string& part) {
  std::string text = part;
  for (const std::string needed :
       {"format: verne-task/1\n", "model: ../models/two_link.yaml\n", "duration: 1\n", "minimize: [{effort: 1}]\n"}) {
    const std::string key = needed.substr(0, needed.find(' '));
    if (("\n" + part).find("\n" + key) == std::string::npos) text += needed;
  }
  return text;
}

TEST(TaskDocs, EveryExampleIsSound) {
  const std::string docs = test::source_dir() + "/docs";
  for (const std::string page : {"/tasks.md", "/how-do-i.md"}) {
    const std::vector<Example> examples = yaml_blocks(docs + page);
    for (const Example& example : examples) {
      SCOPED_TRACE("docs" + page + ":" + std::to_string(example.line));
      EXPECT_NO_THROW(read_task(completed(example.text), "example", docs)) << example.text;
    }
    EXPECT_GE(examples.size(), 10u);
  }
}

}  // namespace
}  // namespace verne
