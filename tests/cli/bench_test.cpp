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
      EXPECT_GE(row["worst_ns_excess"], 0);
    }
    EXPECT_EQ(row.contains("instruction_set"), row["library"] == "Verne");
    algorithms.insert(row["algorithm"].get<std::string>());
  }
  EXPECT_EQ(algorithms.size(), 28u);
}

TEST(CliBench, TableHasALineForEveryAlgorithm) {
  const Outcome outcome = verne({"bench", shipped("quadruped"), "--seconds", "0.001", "--states", "8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2 + 1 + 32) << outcome.out;
}

TEST(CliBench, RowsByName) {
  const Outcome outcome =
      verne({"bench", shipped("two_link"), "--json", "--seconds", "0.001", "--rows", "mass_matrix,forward_dynamics*"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::set<std::string> algorithms;
  for (const auto& row : nlohmann::json::parse(outcome.out)) algorithms.insert(row["algorithm"].get<std::string>());
  EXPECT_EQ(algorithms, (std::set<std::string>{"mass_matrix", "forward_dynamics", "forward_dynamics_with_wrenches",
                                               "forward_dynamics_derivatives"}));
  const Outcome none = verne({"bench", shipped("two_link"), "--rows", "mass"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(contains(none.err, "--rows: no row of this model has such a name")) << none.err;
}

TEST(CliBench, Roofline) {
  const Outcome outcome = verne(
      {"bench", shipped("two_link"), "--roofline", "--json", "--seconds", "0.001", "--rows", "inverse_dynamics,mass*"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto roofline = nlohmann::json::parse(outcome.out);
  EXPECT_GT(roofline["operations_per_ns"], roofline["scalar_operations_per_ns"]);
  ASSERT_EQ(roofline["rows"].size(), 2u);
  EXPECT_EQ(roofline["rows"][0]["bytes"], 8 * (2 + 2 + 2 + 2));
  for (const auto& row : roofline["rows"]) {
    EXPECT_GT(row["operations"], 20) << row;
    EXPECT_LT(row["operations"], 1000) << row;
    EXPECT_GT(row["batch_ns"], 0) << row;
  }
  EXPECT_EQ(verne({"bench", shipped("two_link"), "--roofline", "--rows", "bias"}).exit_code, 2);
}

TEST(CliBench, Chains) {
  const Outcome outcome = verne({"bench", "--chain", "2,257", "--json", "--seconds", "0.001", "--states", "8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(rows.size(), 2u * (8 + 4));  // no matrices of long chains
  EXPECT_EQ(rows.back()["joints"], 257);
  EXPECT_EQ(verne({"bench", shipped("two_link"), "--chain", "2"}).exit_code, 2);
  const Outcome loops = verne({"bench", "--four-bars", "1,3", "--seconds", "0.001"});
  EXPECT_EQ(loops.exit_code, 0) << loops.err;
  EXPECT_TRUE(contains(loops.out, "closed forward dynamics")) << loops.out;
  EXPECT_TRUE(contains(loops.out, "per four-bar")) << loops.out;
}

TEST(CliBench, TasksGiveARowForEachVariantAndSolver) {
  const std::string folder = source_dir() + "/tasks/";
  const Outcome outcome = verne({"bench", "--json", "--seconds", "0.001", "--tasks", folder + "two_link_min_time.yaml",
                                 folder + "arm7_reach.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string variants;
  for (const auto& row : nlohmann::json::parse(outcome.out)) {
    if (row["solver"] != "ipopt") continue;
    variants += row["task"].get<std::string>() + " " + row["variant"].get<std::string>() + "\n";
    EXPECT_EQ(row.size(), 9u) << row;
    EXPECT_EQ(row["status"], "solved") << row;
    EXPECT_GT(row["iterations"], 0) << row;
    EXPECT_GT(row["function_seconds"], 0) << row;
    EXPECT_EQ(row["guess_seconds"] > 0, row["variant"] != "resolve") << row;
    EXPECT_GT(row["solve_seconds"], row["function_seconds"]) << row;
    EXPECT_GT(row["cost"], 0) << row;
  }
  EXPECT_EQ(variants,
            "two_link_min_time first\ntwo_link_min_time refined\n"
            "arm7_reach first\narm7_reach refined\narm7_reach resolve\n");
}

TEST(CliBench, TasksAsATable) {
  const std::string task = source_dir() + "/tasks/two_link_min_time.yaml";
  const Outcome outcome = verne({"bench", "--seconds", "0.001", "--tasks", task, "--variants", "first"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("two_link_min_time  first    ipopt"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("refined"), std::string::npos) << outcome.out;
  const Outcome alone =
      verne({"bench", "--seconds", "0.001", "--tasks", task, "--variants", "first", "--solvers", "verne"});
  EXPECT_NE(alone.out.find("two_link_min_time  first    verne"), std::string::npos) << alone.out;
  EXPECT_EQ(alone.out.find("ipopt"), std::string::npos) << alone.out;
}

TEST(CliBench, BadTasksAreRefused) {
  const std::string task = source_dir() + "/tasks/two_link_min_time.yaml";
  const auto complaint_of = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = verne(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  // Every file's problems at once.
  const std::string missing = complaint_of({"bench", "--tasks", "no_such_1.yaml", task, "no_such_2.yaml"});
  EXPECT_TRUE(has(missing, "no_such_1.yaml") && has(missing, "no_such_2.yaml")) << missing;
  EXPECT_TRUE(has(complaint_of({"bench", "--tasks", task, "--variants", "third"}), "third"));
  EXPECT_TRUE(has(complaint_of({"bench", shipped("two_link"), "--tasks", task}), "give either"));
  EXPECT_TRUE(has(complaint_of({"bench", shipped("two_link"), "--variants", "first"}), "--variants is for --tasks"));
  EXPECT_TRUE(has(complaint_of({"bench", shipped("two_link"), "--solvers", "ipopt"}), "--solvers is for --tasks"));
}

}  // namespace
}  // namespace verne::test
