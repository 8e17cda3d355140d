#include "study/journal.h"

#include <gtest/gtest.h>
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
  const Journal journal(path, "header");
  EXPECT_THROW(Journal(path, "header"), EnvironmentError);
}

}  // namespace
}  // namespace verne
