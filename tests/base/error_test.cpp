#include "verne/base/error.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace verne::test {
namespace {

TEST(Diagnostic, IsWrittenAsCompilersDo) {
  EXPECT_EQ(to_string(Diagnostic{"arm.urdf", 12, "no mass"}, "error"), "arm.urdf:12: error: no mass");
  EXPECT_EQ(to_string(Diagnostic{"arm.urdf", 0, "no mass"}, "warning"), "arm.urdf: warning: no mass");
  EXPECT_EQ(to_string(Diagnostic{"", 0, "no mass"}, "error"), "error: no mass");
}

TEST(InputError, ListsEveryProblemUpToTwenty) {
  const InputError two({{"f", 1, "a"}, {"f", 2, "b"}});
  EXPECT_STREQ(two.what(), "f:1: error: a\nf:2: error: b");
  EXPECT_EQ(two.problems().size(), 2u);
  const InputError many(std::vector<Diagnostic>(25, Diagnostic{"f", 1, "a"}));
  const std::string text = many.what();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_EQ(text.substr(text.rfind('\n') + 1), "and 5 more errors");
  EXPECT_EQ(many.problems().size(), 25u);
  EXPECT_STREQ(InputError("alone").what(), "error: alone");
}

TEST(InputError, IsAnError) {
  EXPECT_THROW(throw InputError("x"), Error);
  EXPECT_THROW(throw EnvironmentError("x"), Error);
}

TEST(Diagnostics, ThrowsOnceWithAllErrorsAndNotForWarnings) {
  Diagnostics diagnostics("m.yaml");
  diagnostics.warning(3, "odd");
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  diagnostics.error(4, "bad");
  diagnostics.error(0, "worse");
  try {
    diagnostics.throw_if_errors();
    FAIL() << "nothing thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "m.yaml:4: error: bad\nm.yaml: error: worse");
  }
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings()[0].line, 3);
}

TEST(Nearest, FindsMisspellings) {
  const std::vector<std::string> words{"shoulder", "elbow", "wrist"};
  EXPECT_EQ(nearest("elbwo", words), "");  // two edits in five letters is a guess too far
  EXPECT_EQ(nearest("elbo", words), "elbow");
  EXPECT_EQ(nearest("sholder", words), "shoulder");
  EXPECT_EQ(nearest("shuolder", words), "shoulder");
  EXPECT_EQ(nearest("knee", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest("elbow", {}), "");
  EXPECT_EQ(nearest("elbow", words), "elbow");
}

TEST(Nearest, TakesTheFirstOfEquals) {
  EXPECT_EQ(nearest("link3", {"link1", "link2"}), "link1");
}

TEST(Suggestion, AsksPolitely) {
  EXPECT_EQ(suggestion("elbo", {"elbow"}), " (did you mean 'elbow'?)");
  EXPECT_EQ(suggestion("knee", {"elbow"}), "");
}

TEST(Suggestion, FindsNamesByTheirParts) {
  const std::vector<std::string> frames{"panda_link8", "panda_hand_tcp", "panda_hand", "panda_leftfinger"};
  const auto suggested = [&](const std::string& word) {
    const std::string text = suggestion(word, frames);
    return text.empty() ? "" : text.substr(16, text.size() - 19);
  };
  EXPECT_EQ(suggested("tcp"), "panda_hand_tcp");
  EXPECT_EQ(suggested("TCP"), "panda_hand_tcp");
  EXPECT_EQ(suggested("hand"), "panda_hand");  // the shortest that has it
  EXPECT_EQ(suggested("finger"), "panda_leftfinger");
  EXPECT_EQ(suggested("fr3_panda_hand_frame"), "panda_hand");
  EXPECT_EQ(suggested("l"), "");
  EXPECT_EQ(suggested("tool"), "");
  EXPECT_EQ(suggestion("or", {"world"}), "");  // short parts of words are everywhere
  EXPECT_EQ(suggestion("wrist", {"wrst", "wrist_roll"}), " (did you mean 'wrst'?)");  // misspellings first
}

}  // namespace
}  // namespace verne::test
