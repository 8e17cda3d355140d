// The examples of docs/tasks.md, docs/how-do-i.md and docs/work.md are tasks, or parts of one.
#include <gtest/gtest.h>

#include <vector>

#include "motion/task/yaml_blocks.h"
#include "support/paths.h"
#include "verne/motion/task.h"

namespace verne {
namespace {

using test::completed;
using test::Example;
using test::yaml_blocks;

TEST(TaskDocs, EveryExampleIsSound) {
  const std::string docs = test::source_dir() + "/docs";
  for (const std::string page : {"/tasks.md", "/how-do-i.md", "/work.md"}) {
    const std::vector<Example> examples = yaml_blocks(docs + page);
    for (const Example& example : examples) {
      SCOPED_TRACE("docs" + page + ":" + std::to_string(example.line));
      EXPECT_NO_THROW(read_task(completed(example.text), "example", docs)) << example.text;
    }
    EXPECT_GE(examples.size(), page == "/work.md" ? 2u : 10u);
  }
}

}  // namespace
}  // namespace verne
