/// Models with closed loops through the program.
#include <cmath>
#include <sstream>

#include "cli/program.h"

namespace verne::test {
namespace {

using LoopJson = nlohmann::json;

Outcome eval_loops(const std::string& model, const std::string& want, const std::string& input) {
  return verne({"eval", shipped(model), "--want", want}, input);
}

TEST(CliLoops, TreeAndTorques) {
  const std::string wants = "tree,tau,acceleration,mass_matrix,bias,loop_wrenches,joint_wrenches,link_poses,d_tau";
  const Outcome outcome = eval_loops("four_bar", wants, R"({"q": [1.3], "v": [2], "a": [-3], "tau": [0.2]})");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const LoopJson out = LoopJson::parse(outcome.out);
  // The coupler's end is the rocker's.
  const auto q = out["tree"]["q"].get<std::vector<double>>();
  ASSERT_EQ(q.size(), 3u);
  EXPECT_NEAR(0.1 * std::cos(q[0]) + 0.3 * std::cos(q[0] + q[1]), 0.3 + 0.2 * std::cos(q[2]), 1e-13);
  EXPECT_NEAR(0.1 * std::sin(q[0]) + 0.3 * std::sin(q[0] + q[1]), 0.2 * std::sin(q[2]), 1e-13);
  EXPECT_EQ(out["tree"]["v"][0], 2.0);
  // tau = M a + bias in one coordinate, and so are its derivatives.
  const double M = out["mass_matrix"][0][0], bias = out["bias"][0], tau = out["tau"][0], a = out["acceleration"][0];
  EXPECT_NEAR(tau, -3 * M + bias, 1e-12);
  EXPECT_NEAR(a, (0.2 - bias) / M, 1e-8);
  EXPECT_NEAR(out["d_tau"]["a"][0][0], M, 1e-12);
  // Passive pins bear no moment about their axes.
  EXPECT_NEAR(out["loop_wrenches"]["closing"][5], 0, 1e-12);
  EXPECT_NEAR(out["joint_wrenches"]["rocker_joint"][5], 0, 1e-12);
  EXPECT_NEAR(out["joint_wrenches"]["crank_joint"][5], tau, 1e-12);
  // The tree's own state gives the same.
  LoopJson tree;
  tree["tree"] = out["tree"];
  const Outcome again = eval_loops("four_bar", "tau", tree.dump());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NEAR(LoopJson::parse(again.out)["tau"][0], tau, 1e-11);
}

/// Wrenches are linear in the acceleration; of what nothing determines there is no derivative.
TEST(CliLoops, DerivativesOfJointWrenches) {
  const Outcome outcome = eval_loops("four_bar", "tau,d_tau,joint_wrenches,d_joint_wrenches,undetermined",
                                     "{\"q\": [1.3], \"v\": [2]}\n{\"q\": [1.3], \"v\": [2], \"a\": [1]}\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t end = outcome.out.find('\n');
  const LoopJson still = LoopJson::parse(outcome.out.substr(0, end)), moved = LoopJson::parse(outcome.out.substr(end));
  for (const char* const by : {"q", "v", "a"}) {  // the motor's torque is the moment about its pin
    EXPECT_NEAR(still["d_joint_wrenches"]["crank_joint"][by][5][0], still["d_tau"][by][0][0], 1e-11);
  }
  std::size_t unknown = 0, listed = 0;
  for (const auto& [joint, names] : still["undetermined"]["joint_wrenches"].items()) listed += names.size();
  for (const auto& [joint, wrench] : still["joint_wrenches"].items()) {
    for (std::size_t i = 0; i < 6; ++i) {
      const LoopJson& row = still["d_joint_wrenches"][joint]["a"][i];
      if (row.is_null()) {
        ++unknown;
        continue;
      }
      EXPECT_NEAR(row[0], moved["joint_wrenches"][joint][i].get<double>() - wrench[i].get<double>(), 1e-11);
    }
  }
  EXPECT_EQ(unknown, listed);
  EXPECT_GT(unknown, 0u);
}

/// Reactions are linear in the acceleration, in the torque and in the force of a load, and so are their derivatives.
TEST(CliLoops, DerivativesOfReactionsAndByLoads) {
  const std::string load = R"("loads": [{"link": "rocker", "point": [0.1, 0, 0], "force": [3, FY, 0]}])";
  const auto line = [&](const char* a, const char* tau, const char* fy) {
    std::string text =
        "{\"q\": [1.3], \"v\": [2], \"a\": [" + std::string(a) + "], \"tau\": [" + tau + "], " + load + "}\n";
    return text.replace(text.find("FY"), 2, fy);
  };
  const std::string lines = line("0", "0", "1") + line("1", "1", "1") + line("0", "0", "2");
  for (const bool forward : {false, true}) {
    const std::string found = forward ? "acceleration" : "tau", by = forward ? "tau" : "a";
    const Outcome outcome = eval_loops(
        "four_bar", found + ",d_" + found + ",loop_wrenches,d_loop_wrenches,joint_wrenches,d_joint_wrenches", lines);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::istringstream answers(outcome.out);
    std::string text;
    std::vector<LoopJson> at;
    while (std::getline(answers, text)) at.push_back(LoopJson::parse(text));
    ASSERT_EQ(at.size(), 3u);
    for (const char* const kind : {"loop_wrenches", "joint_wrenches"}) {
      int known = 0;
      for (const auto& [name, wrench] : at[0][kind].items()) {
        for (std::size_t i = 0; i < 6; ++i) {
          const LoopJson& row = at[0]["d_" + std::string(kind)][name][by][i];
          if (row.is_null()) continue;
          ++known;
          EXPECT_NEAR(row[0], at[1][kind][name][i].get<double>() - wrench[i].get<double>(), 1e-9) << kind << name << i;
        }
      }
      EXPECT_GT(known, 0);
    }
    const LoopJson& d = at[0]["d_" + found];
    ASSERT_EQ(d["loads"].size(), 1u);
    EXPECT_NEAR(d["loads"][0]["force"][0][1], at[2][found][0].get<double>() - at[0][found][0].get<double>(), 1e-9);
    EXPECT_NE(d["loads"][0]["point"][0][0], 0);
  }
}

/// The least Σ weight tau² cannot be improved by torques that move nothing: weighted, it is at right angles to them.
TEST(CliLoops, WeightedTorques) {
  std::string weights;
  for (int k = 0; k < 38; ++k) weights += (k == 0 ? "" : ", ") + std::to_string(1 + k % 5);
  const std::string held = R"({"contacts": ["stance_l", "stance_r"])";
  const Outcome outcome = eval_loops("humanoid", "tau,null_space_torques,idle_torques,acceleration,d_tau",
                                     held + "}\n" + held + ", \"weights\": [" + weights + "]}\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t end = outcome.out.find('\n');
  const LoopJson plain = LoopJson::parse(outcome.out.substr(0, end)), dear = LoopJson::parse(outcome.out.substr(end));
  const LoopJson& idle = plain["null_space_torques"];
  EXPECT_EQ(idle, plain["idle_torques"]);  // its old name
  ASSERT_EQ(idle.size(), plain["tau"].size());
  ASSERT_GT(idle[0].size(), 0u);
  double apart = 0;
  for (std::size_t j = 0; j < idle[0].size(); ++j) {
    double along = 0, weighted = 0;
    for (std::size_t i = 0; i < idle.size(); ++i) {
      along += idle[i][j].get<double>() * plain["tau"][i].get<double>();
      weighted += idle[i][j].get<double>() * double(1 + i % 5) * dear["tau"][i].get<double>();
      apart = std::max(apart, std::abs(plain["tau"][i].get<double>() - dear["tau"][i].get<double>()));
    }
    EXPECT_NEAR(along, 0, 1e-9) << j;
    EXPECT_NEAR(weighted, 0, 1e-9) << j;
  }
  EXPECT_GT(apart, 1e-3);
  const Outcome negative = eval_loops("four_bar", "tau", R"({"weights": [-1]})");
  EXPECT_EQ(negative.exit_code, 2);
  EXPECT_EQ(negative.err, "stdin:1: error: weights[0]: expected a positive number\n");
  EXPECT_EQ(eval_loops("two_link", "tau", R"({"weights": [1, 1]})").exit_code, 2);
  EXPECT_EQ(eval_loops("two_link", "idle_torques", "{}").exit_code, 2);
  const Outcome none = eval_loops("four_bar", "idle_torques", "{}");
  EXPECT_EQ(none.out, "{\"idle_torques\":[[]]}\n") << none.err;
}

/// The other branch has the coupler and the rocker mirrored at the line from crank pin to pivot.
TEST(CliLoops, GuessChoosesTheBranch) {
  const auto rocker = [](const std::string& line) {
    const Outcome outcome = eval_loops("four_bar", "tree", line);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return LoopJson::parse(outcome.out)["tree"]["q"][2].get<double>();
  };
  EXPECT_GT(rocker(R"({"q": [1.0]})"), 0);
  EXPECT_LT(rocker(R"({"q": [1.0], "guess": [1.0, -2.5, -2.0]})"), 0);
  EXPECT_GT(rocker("{}"), 0);  // home
}

TEST(CliLoops, BadLines) {
  const auto refused = [](const std::string& model, const std::string& want, const std::string& line) {
    const Outcome outcome = eval_loops(model, want, line);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_TRUE(contains(refused("gough_stewart", "tau", "{}\n{\"q\": [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}"),
                       "stdin:2: error: loop 'ball"));
  EXPECT_TRUE(
      contains(refused("four_bar", "tau", R"({"tree": {"q": [1, -0.4, 1.7]}})"), "stdin:1: error: loop 'closing'"));
  EXPECT_TRUE(contains(refused("four_bar", "tau", R"({"q": [1, 2]})"), "q: expected an array of 1 numbers"));
  EXPECT_TRUE(contains(refused("four_bar", "tau", R"({"tree": {}, "q": [1]})"), "either that or tree"));
  EXPECT_TRUE(contains(refused("four_bar", "coriolis_matrix", "{}"), "closed loops"));
  EXPECT_TRUE(contains(refused("two_link", "tree", "{}"), "the model has no loops"));
}

TEST(CliLoops, Info) {
  const Outcome text = verne({"info", shipped("four_bar")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "mobility 1 = 3 coordinates of the tree - 2 of 5 equations")) << text.out;
  EXPECT_TRUE(contains(text.out, "independent: crank_joint")) << text.out;
  const LoopJson info = LoopJson::parse(verne({"info", shipped("four_bar"), "--json"}).out)["mechanism"];
  EXPECT_EQ(info["rank"], 2);
  EXPECT_EQ(info["undetermined_loop_wrenches"]["closing"], (LoopJson{"fz", "mx", "my"}));
  EXPECT_EQ(info["independent"], LoopJson{"crank_joint"});
}

/// The crank of this four-bar reaches 0.51 to 1.69 rad on either side, and nothing between the sides.
TEST(CliLoops, SaysWhereBranchesAreNotConnected) {
  Folder folder;
  const std::string model = folder.write("two_sides.yaml", R"(format: verne-model/1
name: two_sides
convention: tree
base: {type: fixed}
links:
  - {name: crank, joint: {name: crank_joint, type: revolute, axis: [0, 0, 1]}, mass: 1, com: [0.1, 0, 0]}
  - {name: coupler, parent: crank, joint: {name: pin, type: revolute, axis: [0, 0, 1], actuated: false}, pose: {xyz: [0.3, 0, 0]}, mass: 1, com: [0.1, 0, 0]}
  - {name: rocker, parent: base, joint: {name: rocker_joint, type: revolute, axis: [0, 0, 1], actuated: false}, pose: {xyz: [0.3, 0, 0]}, mass: 1, com: [0.1, 0, 0]}
loops:
  - {name: closing, type: revolute, a: {link: coupler, pose: {xyz: [0.3, 0, 0]}}, b: {link: rocker, pose: {xyz: [0.15, 0, 0]}}}
home: {crank_joint: 1, pin: -1.56, rocker_joint: 0.67}
)");
  const Outcome outcome = verne({"eval", model, "--want", "tree"}, "{\"q\": [1.3]}\n{\"q\": [-1]}\n{\"q\": [0.6]}\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);
  EXPECT_TRUE(contains(outcome.err, "stdin:2: warning: the mechanism cannot go straight from")) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(CliLoops, OnAFloatingBase) {
  const Outcome outcome = verne({"eval", shipped("four_bar"), "--floating-base", "--want", "tree"},
                                R"({"q": [0.1, 0.2, 0.3, 0, 0, 0, 1, 1.3]})");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const LoopJson fixed = LoopJson::parse(eval_loops("four_bar", "tree", R"({"q": [1.3]})").out);
  const LoopJson floating = LoopJson::parse(outcome.out);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(floating["tree"]["q"][7 + k], fixed["tree"]["q"][k], 1e-12);
  }
}

TEST(CliLoops, InfoBeginsWithTheMobility) {
  EXPECT_TRUE(contains(verne({"info", shipped("four_bar")}).out,
                       "  1 degree of freedom, 3 of the tree without its loops (nq 3, nv 3), "));
}

TEST(CliLoops, NamesAreThoseOfOneJointOnly) {
  Folder folder;
  std::string text = read_file(shipped("four_bar"));
  text.replace(text.find("name: closing"), 13, "name: crank_joint");
  const Outcome outcome = verne({"info", folder.write("same.yaml", text)});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "loop 'crank_joint': a joint of the tree has this name, too")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "same.yaml:")) << outcome.err;
}

}  // namespace
}  // namespace verne::test
