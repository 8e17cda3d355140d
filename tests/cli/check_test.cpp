#include <algorithm>

#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

TEST(CliCheck, EveryShippedModelAgrees) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Outcome outcome = verne({"check", entry.path().string(), "--json", "--states", "3"});
    EXPECT_EQ(outcome.exit_code, 0) << entry.path() << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(report["agree"], true);
    EXPECT_EQ(report["states"], 3);
    // Of platforms that are free only the sources on closed loops tell something.
    const std::string name = entry.path().stem().string();
    EXPECT_GE(report["compared"], name == "hybrid" ? 1 : name == "delta" || name == "gough_stewart" ? 2 : 4) << name;
  }
}

TEST(CliCheck, TableOfTheTwoLinkArm) {
  const Outcome outcome = verne({"check", shipped("two_link")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"Barman", "Khalil, direct by columns", "Nasser", "Lie algebra, expanded", "sensitivities",
                           "7 of 7 formulations agree with the library within 1e-09"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << part;
  }
}

TEST(CliCheck, JsonRows) {
  const auto report = nlohmann::json::parse(verne({"check", shipped("puma560"), "--json"}).out);
  ASSERT_EQ(report["rows"].size(), 9);
  const auto& barman = report["rows"][2];
  EXPECT_EQ(barman["formulation"], "Barman");
  EXPECT_EQ(barman["description"], "dh");
  EXPECT_EQ(barman["without"], "rotor inertia");
  for (const char* quantity : {"torques", "internal_forces", "sensitivities"}) {
    EXPECT_LT(barman[quantity]["disagreement"], 1e-12);
    EXPECT_GT(barman[quantity]["disagreement"], 0);
  }
  EXPECT_FALSE(barman.contains("accelerations"));
  EXPECT_GT(barman["multiplications"], 100);
  EXPECT_GT(barman["additions"], 100);
  EXPECT_GT(barman["microseconds"], 0);
}

TEST(CliCheck, DisagreementSavesTheWorstState) {
  const Folder folder;
  const std::string worst = folder.file("worst.json");
  const Outcome outcome = verne({"check", shipped("arm7"), "--tolerance", "0", "--worst", worst});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.out, "0 of 7 formulations agree")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, worst)) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  const auto state = nlohmann::json::parse(read_file(worst));
  EXPECT_EQ(state["q"].size(), 7);
  EXPECT_EQ(state["tau"].size(), 7);
  // It is a line for `verne eval`.
  EXPECT_EQ(verne({"eval", shipped("arm7"), "--want", "tau", "-i", worst}).exit_code, 0);
  EXPECT_EQ(folder.count(), 1);
}

TEST(CliCheck, FreeBase) {
  const Outcome outcome = verne({"check", shipped("quadruped")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "Khalil, inverse by matrices")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "is free: a screw axis has one coordinate")) << outcome.out;
  EXPECT_EQ(verne({"check", shipped("arm7"), "--floating-base"}).exit_code, 0);
}

/// Khalil's models of loops against those of the library, at closed states.
TEST(CliCheck, ClosedLoops) {
  for (const std::string name : {"four_bar", "slider_crank", "five_bar", "sr400", "gough_stewart", "delta", "hybrid"}) {
    const Outcome outcome = verne({"check", shipped(name), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    const auto& rows = report["rows"];
    for (const bool legs : {false, true}) {
      const auto& row = legs ? rows.back() : rows[rows.size() - 2];
      EXPECT_EQ(row["formulation"], legs ? "Khalil, parallel" : "Khalil, closed loops");
      if (legs && name != "gough_stewart" && name != "delta") continue;
      for (const char* quantity : {"torques", "accelerations"}) {
        EXPECT_LT(row[quantity]["disagreement"], 1e-9) << name;
        EXPECT_GT(row[quantity]["disagreement"], 0) << name;
      }
    }
  }
}

/// Every kind of joint can be cut: an arm with a joint more than its end leaves it.
TEST(CliCheck, LoopsOfAllKinds) {
  struct Kind {
    const char* type;
    int joints;  ///< in the arm: six less what the joint leaves, and the motor's
  };
  const char* const axes[] = {"[0, 0, 1]", "[0, 1, 0]",     "[1, 0, 0]",   "[0, 1, 1]",
                              "[1, 1, 0]", "[0.3, 0.2, 1]", "[1, -1, 0.5]"};
  for (const Kind& kind : {Kind{"point_on_line", 3},
                           {"planar", 4},
                           {"spherical", 4},
                           {"cylindrical", 5},
                           {"universal", 5},
                           {"prismatic", 6},
                           {"revolute", 6},
                           {"rigid", 7}}) {
    std::string links, home, parent = "base";
    double x = 0.1, y = 0.07, z = 0.04;  // of the end, where it is closed; centres of joints are not on one line
    const auto place = [](double px, double py, double pz) {
      return "{xyz: [" + std::to_string(px) + ", " + std::to_string(py) + ", " + std::to_string(pz) + "]}";
    };
    for (int k = 0; k < kind.joints; ++k) {
      const std::string name = "arm" + std::to_string(k), joint = "turn" + std::to_string(k);
      const double dy = 0.05 * k, dz = 0.1 * (k % 3);
      links += "  - {name: " + name + ", parent: " + parent + ", joint: {name: " + joint +
               ", type: revolute, axis: " + axes[k] + (k > 0 ? ", actuated: false" : "") +
               "}, pose: " + place(0.3, dy, dz) + ", mass: 1, com: [0.1, 0.02, 0.03], inertia: [0.01, 0.02, 0.015]}\n";
      home += (k == 0 ? "" : ", ") + joint + ": 0";
      parent = name;
      x += 0.3, y += dy, z += dz;
    }
    const Folder folder;
    const std::string model = folder.write(
        "model.yaml",
        "format: verne-model/1\nname: arm\nconvention: tree\ngravity: [0, 0, -9.81]\nbase: {type: fixed}\nlinks:\n" +
            links + "loops:\n  - {name: closing, type: " + kind.type + ", a: {link: " + parent +
            ", pose: {xyz: [0.1, 0.07, 0.04]}}, b: {link: world, pose: " + place(x, y, z) + "}}\nhome: {" + home +
            "}\n");
    const Outcome outcome = verne({"check", model, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << kind.type << outcome.err << outcome.out;
    const auto report = nlohmann::json::parse(outcome.out);
    const auto& row = report["rows"][report["rows"].size() - 2];
    ASSERT_TRUE(row["torques"].contains("disagreement")) << kind.type << row.dump();
    EXPECT_LT(row["torques"]["disagreement"], 1e-9) << kind.type;
    EXPECT_LT(row["accelerations"]["disagreement"], 1e-9) << kind.type;
  }
}

TEST(CliCheck, ElasticJoints) {
  const Outcome outcome = verne({"check", shipped("elastic_arm"), "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  const auto report = nlohmann::json::parse(outcome.out);
  const auto& elastic = report["rows"].back();
  EXPECT_EQ(elastic["formulation"], "Khalil, elastic");
  EXPECT_FALSE(elastic.contains("without"));
  for (const char* quantity : {"torques", "accelerations", "internal_forces"}) {
    EXPECT_LT(elastic[quantity]["disagreement"], 1e-10) << quantity;
    EXPECT_GT(elastic[quantity]["disagreement"], 0) << quantity;
  }
  EXPECT_EQ(report["rows"][2]["without"], "friction, rotor inertia and springs");
  EXPECT_EQ(verne({"check", shipped("eel")}).exit_code, 0);
  EXPECT_EQ(verne({"check", shipped("space_arm")}).exit_code, 0);
}

TEST(CliCheck, OutOfReachHasAReasonInItsCell) {
  const Folder folder;
  const std::string model =
      folder.write("ball.yaml",
                   "format: verne-model/1\nname: ball\nconvention: tree\nlinks:\n"
                   "  - {name: a, joint: {name: hip, type: spherical}, mass: 1, com: [0, 0, 0.1], "
                   "inertia: [0.1, 0.1, 0.1]}\n");
  const Outcome outcome = verne({"check", model, "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["compared"], 0);
  EXPECT_EQ(report["rows"][2]["torques"]["reason"],
            "joint 'hip' is spherical: a Denavit-Hartenberg row has one angle or one distance");
  EXPECT_TRUE(contains(verne({"check", model}).out, "no formulation can express this model"));
  const Outcome coupled = verne({"check", source_dir() + "/tests/data/urdf/gripper.urdf"});
  EXPECT_EQ(coupled.exit_code, 0);
  EXPECT_TRUE(contains(coupled.out, "follows another (mimic)")) << coupled.out;
}

TEST(CliCheck, NothingToCheckAndBadUsage) {
  const Folder folder;
  const std::string model =
      folder.write("none.yaml", "format: verne-model/1\nname: none\nconvention: tree\nlinks: []\n");
  const Outcome outcome = verne({"check", model});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "no joint moves")) << outcome.err;
  EXPECT_EQ(verne({"check", shipped("two_link"), "--states", "0"}).exit_code, 2);
  EXPECT_EQ(verne({"check"}).exit_code, 2);
  const Outcome help = verne({"check", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(contains(help.out, "Example")) << help.out;
  const Outcome unwritable = verne({"check", shipped("two_link"), "--tolerance", "0", "--worst", "/no/such/folder/w"});
  EXPECT_EQ(unwritable.exit_code, 3);
}

}  // namespace
}  // namespace verne::test
