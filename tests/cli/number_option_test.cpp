/// Numbers on the command line.
#include "cli/program.h"

namespace verne::test {
namespace {

/// `nan` compares with nothing, so that no bound stops it unless it must be within both.
TEST(CliNumbers, AreNumbersWithinBounds) {
  const std::string model = shipped("two_link");
  const Folder folder;
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& bounds) {
    for (const char* number : {"nan", "-1", "1e400", "1,2"}) {
      std::vector<std::string> all = arguments;
      all.back() += std::string("=") + number;
      const Outcome out = verne(all);
      EXPECT_EQ(out.exit_code, 2) << all.back();
      EXPECT_NE(out.err.find("expected a number from " + bounds + ", found '" + number + "'"), std::string::npos)
          << out.err;
    }
  };
  refused({"simulate", model, "-o", folder.file("out"), "--time"}, "1e-06 to 1e+06");
  refused({"simulate", model, "-o", folder.file("out"), "--tolerance"}, "1e-13 to 0.01");
  refused({"simulate", model, "-o", folder.file("out"), "--friction-width"}, "1e-06 to 1000");
  refused({"plot", folder.file("out"), "--width"}, "30 to 2000");
  refused({"plot", folder.file("out"), "--height"}, "30 to 2000");
  refused({"film", folder.file("out"), "--speed"}, "0.001 to 1000");
  refused({"film", folder.file("out"), "--seconds"}, "0.001 to 1000");
  refused({"check", model, "--tolerance"}, "0 to 1");
  refused({"bench", model, "--seconds"}, "0.001 to 60");
  EXPECT_EQ(verne({"film", model, "-o", folder.file("a.mp4"), "--camera", "nan,0,0,0,0,0"}).exit_code, 2);
  EXPECT_EQ(folder.count(), 0);
}

}  // namespace
}  // namespace verne::test
