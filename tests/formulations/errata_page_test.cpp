/// Every entry of docs/errata.md names a test, and every test of an erratum is named there.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.h"

namespace verne::test {
namespace {

/// What stands between backticks.
std::vector<std::string> between_backticks(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream parts(line);
  bool inside = false;
  for (std::string part; std::getline(parts, part, '`'); inside = !inside) {
    if (inside) words.push_back(part);
  }
  return words;
}

TEST(ErrataPage, NamesItsTests) {
  std::set<std::string> tests, named;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    if (std::string(suite.name()).find("Errata") == std::string::npos || std::string(suite.name()) == "ErrataPage")
      continue;
    for (int k = 0; k < suite.total_test_count(); ++k)
      tests.insert(std::string(suite.name()) + "." + suite.GetTestInfo(k)->name());
  }
  std::ifstream page(source_dir() + "/docs/errata.md");
  const std::string heading = "test `", dots = "…`";
  std::string prefix;
  for (std::string line; std::getline(page, line);) {
    if (const std::size_t at = line.find(heading), end = line.find(dots); at != std::string::npos) {
      prefix = line.substr(at + heading.size(), end - at - heading.size());
      continue;
    }
    for (const std::string& word : between_backticks(line)) {
      if (!prefix.empty() && word.find('.') != std::string::npos) named.insert(prefix + word);
    }
  }
  EXPECT_FALSE(tests.empty());
  EXPECT_EQ(named, tests);
}

}  // namespace
}  // namespace verne::test
