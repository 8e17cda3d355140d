#include "study/journal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program.h"
#include "verne/base/error.h"

namespace verne {
namespace {

const std::vector<std::string> kRecords{"one", "", std::string("t\0w\no", 5), std::string(5000, 'x')};

std::string written_journal(const test::Folder& folder) {
  const std::string path = folder.file("journal");
  Journal journal(path, "header");
  for (const std::string& record : kRecords) journal.append(record);
  journal.flush();
  return path;
}

TEST(Journal, GivesBackWhatWasWritten) {
  const test::Folder folder;
  const std::string path = written_journal(folder);
  Journal journal(path, "another");
  EXPECT_EQ(journal.header(), "header");
  EXPECT_EQ(journal.records(), kRecords);
  EXPECT_EQ(journal.dropped(), 0u);
  EXPECT_EQ(journal_header(path), "header");
  EXPECT_EQ(journal_header(folder.file("none")), std::nullopt);
}

TEST(Journal, CutOffAnywhereItLosesTheLastRecordAlone) {
  const test::Folder folder;
  const std::string whole = test::read_file(written_journal(folder));
  for (std::size_t size = 0; size < whole.size(); size += size < 120 ? 1 : 487) {
    const std::string path = folder.write("cut", whole.substr(0, size));
    std::size_t kept = 0;
    try {
      {
        Journal journal(path, "again");
        kept = journal.records().size();
        for (std::size_t k = 0; k < kept; ++k) EXPECT_EQ(journal.records()[k], kRecords[k]);
        journal.append("more");
        journal.flush();
      }
      Journal journal(path, "again");
      ASSERT_EQ(journal.records().size(), kept + 1) << size;
      EXPECT_EQ(journal.records().back(), "more");
      EXPECT_EQ(journal.dropped(), 0u);
    } catch (const InputError&) {
      EXPECT_LT(size, 40u);  // the header itself is not whole
    }
  }
}

TEST(Journal, ADamagedRecordAndWhatFollowsIsDropped) {
  const test::Folder folder;
  std::string text = test::read_file(written_journal(folder));
  text[text.size() - 100] ^= 1;
  const std::string path = folder.write("damaged", text);
  const Journal journal(path, "header");
  EXPECT_EQ(journal.records().size(), kRecords.size() - 1);
  EXPECT_GT(journal.dropped(), 0u);
}

TEST(Journal, OtherFilesAreRefusedAndStay) {
  const test::Folder folder;
  const std::string path = folder.write("journal", "something else that nobody wants to lose");
  EXPECT_THROW(Journal(path, "header"), InputError);
  EXPECT_THROW(journal_header(path), InputError);
  EXPECT_EQ(test::read_file(path), "something else that nobody wants to lose");
}

TEST(Journal, OnlyOneProcessWritesIt) {
  const test::Folder folder;
  const std::string path = folder.file("journal");
  EXPECT_FALSE(is_being_written(path));
  {
    const Journal journal(path, "header");
    EXPECT_THROW(Journal(path, "header"), EnvironmentError);
    EXPECT_EQ(read_journal(path).header, "header");
    EXPECT_TRUE(is_being_written(path));
  }
  EXPECT_FALSE(is_being_written(path));
}

/// A process that has the journal open, is killed, and leaves a child which has not closed it yet.
TEST(Journal, ChildrenOfAKilledProcessDoNotKeepIt) {
  const test::Folder folder;
  const std::string path = folder.file("journal");
  int ready[2], last[2];
  ASSERT_EQ(::pipe(ready) | ::pipe(last), 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    const Journal journal(path, "header");
    if (::fork() == 0) {
      char byte = 0;
      ::close(last[1]);
      [[maybe_unused]] const ssize_t count = ::read(last[0], &byte, 1);  // until the test has ended
      ::_exit(0);
    }
    [[maybe_unused]] const ssize_t count = ::write(ready[1], "!", 1);
    ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(is_being_written(path));
  EXPECT_THROW(Journal(path, "header"), EnvironmentError);
  ::kill(writer, SIGKILL);
  ::waitpid(writer, nullptr, 0);
  EXPECT_FALSE(is_being_written(path));
  EXPECT_NO_THROW(Journal(path, "header"));
  for (const int end : {ready[0], ready[1], last[0], last[1]}) ::close(end);
}

}  // namespace
}  // namespace verne
