#include <set>

#include "cli/program.h"

namespace verne::test {
namespace {

TEST(CliBench, JsonRowsForEveryAlgorithm) {
  const Outcome outcome = verne({"bench", shipped("two_link"), "--json", "--seconds", "0.001", "--states", "16"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::set<std::string> algorithms;
  for (const auto& row : nlohmann::json::parse(outcome.out)) {
    EXPECT_GT(row["ns_per_state"], 0);
    EXPECT_TRUE(row["mode"] == "single" || row["mode"] == "batch");
    EXPECT_EQ(row.contains("p999_ns"), row["mode"] == "single");
    EXPECT_EQ(row.contains("worst_ns_excess"), row["mode"] == "single");
    if (row["mode"] == "single") {
      EXPECT_LE(row["worst_ns_excess"], row["p999_ns"]);
    }
    EXPECT_EQ(row.contains("instruction_set"), row["library"] == "Verne");
    algorithms.insert(row["algorithm"].get<std::string>());
  }
  EXPECT_EQ(algorithms.size(), 25u);
}

TEST(CliBench, TableHasALineForEveryAlgorithm) {
  const Outcome outcome = verne({"bench", shipped("quadruped"), "--seconds", "0.001", "--states", "8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2 + 1 + 25) << outcome.out;
}

TEST(CliBench, Chains) {
  const Outcome outcome = verne({"bench", "--chain", "2,257", "--json", "--seconds", "0.001", "--states", "8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(rows.size(), 2u * (8 + 4));  // no matrices of long chains
  EXPECT_EQ(rows.back()["joints"], 257);
  EXPECT_EQ(verne({"bench", shipped("two_link"), "--chain", "2"}).exit_code, 2);
}

}  // namespace
}  // namespace verne::test
