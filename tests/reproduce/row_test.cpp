#include "reproduce/row.h"

#include <gtest/gtest.h>

#include "reproduce/output.h"
#include "reproduce/rows.h"
#include "reproduce/sources.h"
#include "support/text.h"
#include "verne/base/error.h"

namespace verne::test {
namespace {

using reproduce::Answer;
using reproduce::Result;
using reproduce::Row;
using reproduce::Sources;
using reproduce::Verdict;

Row row_of(std::function<void(Sources&, Answer&)> run) {
  return {"a-row", reproduce::Document::lie, "section <1>", "something & more", std::move(run)};
}
Result result_of(std::function<void(Sources&, Answer&)> run) {
  static Row row;
  row = row_of(std::move(run));
  Sources sources(".", nullptr);
  return run_row(row, sources);
}

TEST(ReproducedRow, VerdictsFollowFromNumbers) {
  const auto with = [](double printed, std::optional<double> known, double obtained, const char* erratum,
                       const char* reason) {
    return result_of([=](Sources&, Answer& answer) {
             auto& finding = answer.add_printed("T", "s", printed, obtained, 1e-3);
             finding.known = known, finding.rounding = 0.005;
             answer.erratum = erratum, answer.reason = reason;
           })
        .verdict;
  };
  EXPECT_EQ(with(0.39, {}, 0.3902, "", ""), Verdict::agrees);
  EXPECT_EQ(with(0.39, 0.3918, 0.392, "", ""), Verdict::agrees);
  EXPECT_EQ(with(0.39, 0.3918, 0.392, "an erratum", "a reason"), Verdict::agrees);
  EXPECT_EQ(with(0.39, 0.4918, 0.492, "an erratum", ""), Verdict::agrees_after_erratum);
  EXPECT_EQ(with(0.39, 0.4918, 0.492, "", "a reason"), Verdict::differs);
  // Without an explanation it is a disagreement; no explanation excuses a number that is off.
  EXPECT_EQ(with(0.39, 0.4918, 0.492, "", ""), Verdict::disagrees);
  EXPECT_EQ(with(0.39, 0.4918, 0.395, "an erratum", "a reason"), Verdict::disagrees);
  EXPECT_EQ(with(0.39, {}, NAN, "an erratum", "a reason"), Verdict::disagrees);
}

TEST(ReproducedRow, FailuresAreTold) {
  const Result failed = result_of([](Sources&, Answer&) { throw InputError("no such model"); });
  EXPECT_EQ(failed.verdict, Verdict::disagrees);
  EXPECT_EQ(failed.why, "no such model");
  const Result missing = result_of([](Sources&, Answer&) { throw reproduce::NotAvailable{"not built"}; });
  EXPECT_EQ(missing.verdict, Verdict::not_available);
  const reproduce::Reproduction all{"verne", {missing}, 3};
  const std::string page = reproduction_page(all);
  for (const char* part : {"Not available: not built.", "3 more were not run", "section &lt;1&gt;",
                           "something &amp; more", "default-src 'none'", "verne reproduce --only a-row"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(reproduction_json(all), "\"verdict\":\"not_available\""));
}

TEST(ReproducedRow, NamesAreUniqueAndEveryRowSaysWhere) {
  std::set<std::string> names;
  for (const Row& row : reproduce::all_rows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.place.empty() || row.says.empty()) << row.name;
  }
  EXPECT_GE(names.size(), 30);
}

}  // namespace
}  // namespace verne::test
