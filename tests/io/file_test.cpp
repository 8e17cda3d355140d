#include "verne/io/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/regular_file.h"
#include "io/io_support.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

/// A folder that disappears with the test.
class FileTest : public testing::Test {
 protected:
  FileTest() : folder_(fs::temp_directory_path() / ("verne_file_test_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~FileTest() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(FileTest, WritesAndReadsBack) {
  const std::string text = std::string("line\n\0zero", 10) + std::string(200000, 'x');
  write_text_file(path("a.txt"), text);
  EXPECT_EQ(read_text_file(path("a.txt")), text);
  write_text_file(path("a.txt"), "new");
  EXPECT_EQ(read_text_file(path("a.txt")), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "temporary file left";
}

TEST_F(FileTest, FilesThatOthersNameAreNoPipes) {
  write_text_file(path("a.txt"), "text");
  EXPECT_EQ(read_regular_file(path("a.txt")), "text");
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  for (const std::string& name : {path("fifo"), std::string("/dev/null"), std::string("/dev/zero")}) {
    EXPECT_EQ(input_error([&] { read_regular_file(name); }), name + ": error: is a pipe or a device, expected a file");
  }
  EXPECT_EQ(input_error([&] { read_regular_file(folder_.string()); }),
            folder_.string() + ": error: is a folder, expected a file");
  // As models and their parts are named.
  EXPECT_NE(input_error([&] { load_spec(path("fifo")); }).find("is a pipe"), std::string::npos);
  write_text_file(path("m.xml"), "<mujoco>\n<include file='fifo'/></mujoco>");
  EXPECT_NE(input_error([&] { load_spec(path("m.xml")); }).find("is a pipe"), std::string::npos);
}

TEST_F(FileTest, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(input_error([&] { read_text_file(path("none")); }),
            path("none") + ": error: cannot be opened: No such file or directory");
  EXPECT_EQ(input_error([&] { read_text_file(folder_.string()); }),
            folder_.string() + ": error: is a folder, expected a file");
}

TEST_F(FileTest, WhatCannotBeWrittenIsNamed) {
  try {
    write_text_file(path("no/such/folder/a.txt"), "x");
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find("no/such/folder/a.txt: cannot be written"), std::string::npos);
  }
  fs::create_directory(path("folder"));
  EXPECT_THROW(write_text_file(path("folder"), "x"), EnvironmentError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "temporary file left";
}

/// Names may be as long as the file system allows, and a link is replaced, not what it leads to.
TEST_F(FileTest, LongNamesAndLinks) {
  for (const std::size_t length : {100, 230, 255}) {
    const std::string file = path(std::string(length, 'n'));
    write_text_file(file, "x");
    EXPECT_EQ(read_text_file(file), "x");
  }
  EXPECT_THROW(write_text_file(path(std::string(256, 'n')), "x"), EnvironmentError);
  write_text_file(path("kept"), "old");
  fs::create_symlink(path("kept"), path("link"));
  write_text_file(path("link"), "new");
  EXPECT_EQ(read_text_file(path("kept")), "old");
  EXPECT_EQ(read_text_file(path("link")), "new");
}

TEST_F(FileTest, DevicesAreNotReplaced) {
  write_text_file("/dev/null", "x");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
  EXPECT_THROW(write_text_file("/dev/full", "x"), EnvironmentError);
}

TEST_F(FileTest, WhatIsNotFinishedIsAbandoned) {
  write_text_file(path("old"), "old");
  // In a process of its own, which ends at once.
  const auto end_at_once = [&] {
    NewFile first(path("new")), second(path("old"));
    first.write("half"), second.write("half");
    write_text_file(path("whole"), "whole");
    abandon_new_files();
    ::_exit(7);
  };
  EXPECT_EXIT(end_at_once(), testing::ExitedWithCode(7), "");
  EXPECT_EQ(read_text_file(path("old")), "old");
  EXPECT_EQ(read_text_file(path("whole")), "whole");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2) << "temporary file left";
}

TEST_F(FileTest, UnfinishedFilesDoNotShow) {
  {
    NewFile file(path("a"));
    file.write("half");
    EXPECT_FALSE(fs::exists(path("a")));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  NewFile file(path("a"));
  file.write("wh"), file.write("ole");
  file.finish();
  EXPECT_EQ(read_text_file(path("a")), "whole");
}

TEST(FileName, NeverLeadsOutOfAFolder) {
  EXPECT_EQ(file_name_for("two_link min-time 2.0"), "two_link min-time 2.0");
  EXPECT_EQ(file_name_for("Hüpfen 跳"), "Hüpfen 跳");
  EXPECT_EQ(file_name_for("../../x"), "_._.._x");
  EXPECT_EQ(file_name_for("/etc/passwd"), "_etc_passwd");
  EXPECT_EQ(file_name_for(".."), "_.");
  EXPECT_EQ(file_name_for("."), "_");
  EXPECT_EQ(file_name_for("a\nb\x1b\u202E\xFF"), "a_b___");
  EXPECT_EQ(file_name_for(std::string("a\0b", 3)), "a_b");
  EXPECT_EQ(file_name_for(""), "");
  std::string umlauts = "x";
  for (int k = 0; k < 200; ++k) umlauts += "ü";
  EXPECT_EQ(file_name_for(umlauts), umlauts.substr(0, 127));
}

}  // namespace
}  // namespace verne::test
