/// Replays the inputs that the fuzzers found worth keeping: seeds, inputs that reach new code, and past failures.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/entry.h"
#include "support/paths.h"
#include "verne/io/file.h"

namespace verne::test {
namespace {

void replay(const std::string& format, void (*run)(const std::string&)) {
  const std::string folder = source_dir() + "/tests/fuzz/corpus/" + format;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NO_THROW(run(read_text_file(entry.path().string()))) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 0);
}

TEST(FuzzCorpus, Urdf) {
  replay("urdf", fuzz::run_urdf);
}
TEST(FuzzCorpus, Sdf) {
  replay("sdf", fuzz::run_sdf);
}
TEST(FuzzCorpus, Yaml) {
  replay("yaml", fuzz::run_yaml);
}
TEST(FuzzCorpus, State) {
  replay("state", fuzz::run_state);
}
TEST(FuzzCorpus, Mjcf) {
  replay("mjcf", fuzz::run_mjcf);
}
TEST(FuzzCorpus, Octomap) {
  replay("octomap", fuzz::run_octomap);
}
TEST(FuzzCorpus, Voxels) {
  replay("voxels", fuzz::run_voxels);
}
TEST(FuzzCorpus, Scene) {
  replay("scene", fuzz::run_scene);
}
TEST(FuzzCorpus, Par) {
  replay("par", fuzz::run_par);
}
TEST(FuzzCorpus, Csv) {
  replay("csv", fuzz::run_csv);
}
TEST(FuzzCorpus, Task) {
  replay("task", fuzz::run_task);
}
TEST(FuzzCorpus, Solution) {
  replay("solution", fuzz::run_solution);
}

}  // namespace
}  // namespace verne::test
