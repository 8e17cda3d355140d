/// Every entry of docs/errata.md names a test, and every test of an erratum is named there.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace verne::test {
namespace {

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
  std::ifstream page(VERNE_SOURCE_DIR "/docs/errata.md");
  const std::regex heading(R"(test `(\w+)…`)"), name(R"(`(\w*\.\w+)`)");
  std::string prefix;
  for (std::string line; std::getline(page, line);) {
    std::smatch match;
    if (std::regex_search(line, match, heading)) prefix = match[1];
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; !prefix.empty() && at != end; ++at) {
      named.insert(prefix + (*at)[1].str());
    }
  }
  EXPECT_FALSE(tests.empty());
  EXPECT_EQ(named, tests);
}

}  // namespace
}  // namespace verne::test
