/// `verne eval --given`: motions that are given in part.
#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

using Json = nlohmann::json;

Outcome eval_given(const std::string& model, const std::string& given, const std::string& want,
                   const std::string& input) {
  return verne({"eval", shipped(model), "--given", given, "--want", want}, input);
}

/// The answers to one state.
Json answer(const std::string& model, const std::string& given, const std::string& want, const Json& state) {
  const Outcome outcome = eval_given(model, given, want, state.dump() + "\n");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  return Json::parse(outcome.out);
}
Json plain(const std::string& model, const std::string& want, const Json& state) {
  return Json::parse(verne({"eval", shipped(model), "--want", want}, state.dump() + "\n").out);
}

void expect_near(const Json& a, const Json& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_array()) {
      expect_near(a[i], b[i], tolerance, what + "[" + std::to_string(i) + "]");
    } else {
      EXPECT_NEAR(a[i].get<double>(), b[i].get<double>(), tolerance) << what << "[" << i << "]";
    }
  }
}

const Json kMotion{{"q", {0.3, -1}},
                   {"v", {1, -2}},
                   {"a", {9, 2}},
                   {"tau", {0.5, 9}},
                   {"loads", {{{"link", "link2"}, {"force", {0, 3, 0}}, {"point", {0.1, 0, 0}}}}}};

TEST(CliEvalGiven, CompletesTheMotionThatAllResultsAreOf) {
  const Json found =
      answer("two_link", "acceleration=elbow", "tau,acceleration,joint_wrenches,link_accelerations,com", kMotion);
  EXPECT_EQ(found["acceleration"][1], 2);
  EXPECT_EQ(found["tau"][0], 0.5);
  Json motion = kMotion;
  motion["a"] = found["acceleration"];
  const Json expected = plain("two_link", "tau,joint_wrenches,link_accelerations,com", motion);
  expect_near(found["tau"], expected["tau"], 1e-13, "tau");
  expect_near(found["joint_wrenches"]["elbow"], expected["joint_wrenches"]["elbow"], 1e-13, "wrench");
  EXPECT_EQ(found["link_accelerations"], expected["link_accelerations"]);
  EXPECT_EQ(found["com"], expected["com"]);
}

TEST(CliEvalGiven, DerivativesAreSlopes) {
  const Json d = answer("two_link", "acceleration=elbow", "d_tau,d_acceleration,d_joint_wrenches", kMotion);
  constexpr double kStep = 1e-6;
  for (const char* by : {"q", "v", "a", "tau"}) {
    for (std::size_t j = 0; j < 2; ++j) {
      Json moved[2] = {kMotion, kMotion};
      moved[0][by][j] = kMotion[by][j].get<double>() - kStep;
      moved[1][by][j] = kMotion[by][j].get<double>() + kStep;
      Json f[2];
      for (int k = 0; k < 2; ++k) {
        f[k] = answer("two_link", "acceleration=elbow", "tau,acceleration,joint_wrenches", moved[k]);
      }
      const auto slope = [&](const Json& after, const Json& before) {
        return (after.get<double>() - before.get<double>()) / (2 * kStep);
      };
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(d["d_tau"][by][i][j].get<double>(), slope(f[1]["tau"][i], f[0]["tau"][i]), 1e-7) << by << i << j;
        EXPECT_NEAR(d["d_acceleration"][by][i][j].get<double>(),
                    slope(f[1]["acceleration"][i], f[0]["acceleration"][i]), 1e-7)
            << by << i << j;
      }
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(d["d_joint_wrenches"]["elbow"][by][i][j].get<double>(),
                    slope(f[1]["joint_wrenches"]["elbow"][i], f[0]["joint_wrenches"]["elbow"][i]), 1e-7)
            << by << i << j;
      }
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    Json moved[2] = {kMotion, kMotion};
    moved[0]["loads"][0]["force"][j] = kMotion["loads"][0]["force"][j].get<double>() - 1;
    moved[1]["loads"][0]["force"][j] = kMotion["loads"][0]["force"][j].get<double>() + 1;
    const Json before = answer("two_link", "acceleration=elbow", "tau,acceleration", moved[0]);
    const Json after = answer("two_link", "acceleration=elbow", "tau,acceleration", moved[1]);
    for (const std::string what : {"tau", "acceleration"}) {
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(d["d_" + what]["loads"][0]["force"][i][j].get<double>(),
                    (after[what][i].get<double>() - before[what][i].get<double>()) / 2, 1e-12);
      }
    }
  }
}

TEST(CliEvalGiven, AnswersDoNotDependOnTheirNeighbours) {
  std::string lines;
  for (int k = 0; k < 40; ++k) {
    Json state = kMotion;
    state["q"] = {0.1 * k, 1};
    if (k % 3 == 0) state.erase("loads");
    lines += state.dump() + "\n";
  }
  const std::string want = "tau,acceleration,d_tau";
  const Outcome all = eval_given("two_link", "acceleration=shoulder", want, lines);
  std::string one_by_one;
  std::istringstream each(lines);
  for (std::string line; std::getline(each, line);) {
    one_by_one += eval_given("two_link", "acceleration=shoulder", want, line + "\n").out;
  }
  EXPECT_EQ(all.out, one_by_one);
}

TEST(CliEvalGiven, AnEelFindsOutHowItSwims) {
  std::string hinges = "acceleration=hinge1";
  for (int k = 2; k <= 12; ++k) hinges += ",hinge" + std::to_string(k);
  Json state;
  state["a"] = std::vector<double>(18, 0.0);
  state["a"][6] = 3;
  const Json found = answer("eel", hinges, "acceleration,tau,momentum,com", state);
  EXPECT_GT(std::abs(found["acceleration"][5].get<double>()), 0.1);  // the head turns against the body
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found["com"]["acceleration"][i].get<double>(), 0, 1e-14);
}

/// One crank of a five-bar is moved, the other driven: the inverse model of the motion found has the same torques.
TEST(CliEvalGiven, CompletesMotionsOfMechanisms) {
  const Json state{{"v", {1, -2}},
                   {"a", {3, 99}},
                   {"tau", {99, 0.4}},
                   {"loads", {{{"link", "left_rod"}, {"force", {1, 3, 0}}, {"point", {0.1, 0, 0}}}}}};
  const std::string want = "tau,acceleration,tree,loop_wrenches,joint_wrenches,link_accelerations";
  const Json found = answer("five_bar", "acceleration=left_crank_joint", want, state);
  EXPECT_NEAR(found["acceleration"][0].get<double>(), 3, 1e-12);
  EXPECT_EQ(found["tau"][1], 0.4);
  Json motion = state;
  motion["a"] = found["acceleration"];
  const Json expected = plain("five_bar", "tau,tree,loop_wrenches,joint_wrenches,link_accelerations", motion);
  expect_near(found["tau"], expected["tau"], 1e-11, "tau");
  expect_near(found["tree"]["a"], expected["tree"]["a"], 1e-11, "tree");
  expect_near(found["loop_wrenches"]["tool_pin"], expected["loop_wrenches"]["tool_pin"], 1e-10, "loop");
  expect_near(found["joint_wrenches"]["right_rod_joint"], expected["joint_wrenches"]["right_rod_joint"], 1e-10,
              "joint");
  expect_near(found["link_accelerations"]["right_rod"]["linear"], expected["link_accelerations"]["right_rod"]["linear"],
              1e-11, "link");
  // The same of a line about the tree, of which accelerations that are found need not be told.
  Json of_tree = state;
  of_tree.erase("v"), of_tree.erase("a");
  const Json& tree = found["tree"];
  of_tree["tree"] = {{"q", tree["q"]}, {"v", tree["v"]}, {"a", std::vector<double>(4, 0.0)}};
  of_tree["tree"]["a"][0] = 3;
  const Json again = answer("five_bar", "acceleration=left_crank_joint", "tau,acceleration", of_tree);
  expect_near(again["tau"], found["tau"], 1e-10, "tau of a tree line");
  expect_near(again["acceleration"], found["acceleration"], 1e-10, "acceleration of a tree line");
}

TEST(CliEvalGiven, SaysWhatMechanismsCannotBeGiven) {
  const auto complaint = [](const std::string& model, const std::string& given, const std::string& want,
                            const std::string& line) {
    const Outcome outcome = verne({"eval", model, "--given", given, "--want", want}, line + "\n");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  const std::string five_bar = shipped("five_bar");
  EXPECT_EQ(complaint(five_bar, "acceleration=left_crank", "tau", "{}"),
            "error: --given: there is no joint 'left_crank' (did you mean 'left_crank_joint'?)\n");
  EXPECT_EQ(
      complaint(five_bar, "acceleration=left_crank_joint,right_crank_joint,left_rod_joint", "tau", "{}"),
      "error: --given: 'left_rod_joint' is not an independent coordinate of the mechanism: its loops tell how it is "
      "accelerated\n");
  EXPECT_EQ(complaint(five_bar, "acceleration=left_crank_joint", "tau,d_tau", "{}"),
            "error: --want: d_tau of a model with closed loops is not known together with --given\n");
  EXPECT_EQ(complaint(five_bar, "acceleration=left_crank_joint", "tau", R"({"weights": [1, 2]})"),
            "stdin:1: error: weights: have no meaning together with --given\n");
  std::string text = read_file(shipped("four_bar"));
  const std::string before = "independent: [crank_joint]";
  ASSERT_TRUE(contains(text, before));
  text.replace(text.find(before), before.size(), "independent: [rocker_joint]");
  const Folder folder;
  EXPECT_EQ(complaint(folder.write("rocked.yaml", text), "acceleration=rocker_joint", "tau", "{}"),
            "error: --given: 'rocker_joint' is not actuated: it has no torque to be found\n");
}

TEST(CliEvalGiven, SaysWhatCannotBeGiven) {
  const auto complaint = [](const std::string& given) {
    const Outcome outcome = eval_given("two_link", given, "tau", "{}\n");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_EQ(complaint("elbow"), "error: --given: expected acceleration=JOINT,JOINT,..., found 'elbow'\n");
  EXPECT_EQ(complaint("acceleration=ellbow,root_joint"),
            "error: --given: there is no joint 'ellbow' (did you mean 'elbow'?)\n"
            "error: --given: joint 'root_joint' is fixed: it has no acceleration to give\n");
  const Folder folder;
  const std::string model = folder.write("hand.yaml",
                                         "format: verne-model/1\nname: hand\nconvention: tree\nlinks:\n"
                                         "  - {name: a, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}\n"
                                         "  - {name: b, joint: {type: revolute}}\n");
  const Outcome outcome = verne({"eval", model, "--given", "acceleration=a_joint", "--want", "tau"}, "{}\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "hybrid_dynamics: the mass matrix is singular: joint 'b_joint'")) << outcome.err;
  EXPECT_EQ(verne({"eval", model, "--given", "acceleration=b_joint", "--want", "tau"}, "{}\n").exit_code, 0);
}

}  // namespace
}  // namespace verne::test
