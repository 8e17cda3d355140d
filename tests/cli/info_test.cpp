#include "cli/program.h"
#include "support/paths.h"

namespace verne::test {
namespace {

TEST(CliProgram, HelpAndVersion) {
  const Outcome version = verne({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.substr(0, 6), "verne ");
  EXPECT_EQ(verne({"--help"}).exit_code, 0);
  for (const char* command : {"info", "convert", "eval", "bench", "check", "predict", "report", "view", "plot", "ik"}) {
    const Outcome help = verne({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(contains(help.out, "Example")) << command;
    EXPECT_TRUE(contains(help.out, std::string("verne ") + command)) << command;
    EXPECT_EQ(help.err, "");
  }
}

TEST(CliProgram, UsageErrors) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"inffo"},
                                             {"info"},
                                             {"info", "--nonsense", "x"},
                                             {"eval", shipped("two_link")},
                                             {"bench"},
                                             {"bench", "--chain", "0"},
                                             {"eval", shipped("two_link"), "--want", "tau", "--threads", "0"}}) {
    const Outcome outcome = verne(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "error: ")) << outcome.err;
  }
  EXPECT_TRUE(contains(verne({"inffo"}).err, "did you mean 'info'?"));
}

TEST(CliProgram, UnknownInstructionSetInEnvironment) {
  const Outcome outcome = shell("VERNE_INSTRUCTION_SET=mmx '" + program() + "' info '" + shipped("two_link") + "'");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "VERNE_INSTRUCTION_SET=mmx")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "baseline")) << outcome.err;
}

TEST(CliProgram, ClosedAndFullOutput) {
  const std::string info = "'" + program() + "' info '" + shipped("human55") + "'";
  // `true` reads nothing; the writer may notice the closed pipe or not, and ends quietly in both cases.
  const Outcome closed = shell("{ sleep 0.1; " + info + "; echo $? >&2; } | true");
  EXPECT_EQ(closed.err, "0\n");
  const Outcome full = shell(info + " > /dev/full");
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_TRUE(contains(full.err, "No space left")) << full.err;
}

TEST(CliInfo, TableNamesEveryJointInOrder) {
  const Outcome outcome = verne({"info", shipped("stanford_arm")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  std::size_t place = 0;
  for (const char* joint : {"waist", "shoulder", "extension", "wrist_roll_joint", "wrist_bend_joint"}) {
    place = outcome.out.find(joint, place);
    ASSERT_NE(place, std::string::npos) << joint;
  }
  EXPECT_TRUE(contains(outcome.out, "6 degrees of freedom"));
}

TEST(CliInfo, EveryShippedModel) {
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Outcome outcome = verne({"info", entry.path().string(), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << entry.path();
    const auto info = nlohmann::json::parse(outcome.out);
    int nv = 0;
    for (const auto& joint : info["joints"]) nv += joint["dofs"].size();
    EXPECT_EQ(info["nv"], nv);
    EXPECT_GT(info["mass"], 0);
  }
}

TEST(CliInfo, Json) {
  const auto info = nlohmann::json::parse(verne({"info", shipped("two_link"), "--json"}).out);
  EXPECT_EQ(info["name"], "two_link");
  EXPECT_EQ(info["nq"], 2);
  EXPECT_EQ(info["mass"], 1.0);
  EXPECT_EQ(info["joints"][1]["name"], "shoulder");
  EXPECT_EQ(info["joints"][2]["v"], 1);
  EXPECT_EQ(info["joints"][2]["dofs"][0]["effort_upper"], 10.0);
  EXPECT_EQ(info["frames"][0]["name"], "tool");
  EXPECT_TRUE(info["notes"].empty());
  EXPECT_TRUE(info["doubts"].empty());
}

TEST(CliInfo, FloatingBase) {
  const auto info = nlohmann::json::parse(verne({"info", shipped("arm7"), "--json", "--floating-base"}).out);
  EXPECT_EQ(info["nq"], 14);
  EXPECT_EQ(info["nv"], 13);
  EXPECT_EQ(info["base"]["type"], "free");
  EXPECT_TRUE(info["joints"][0]["dofs"][0]["upper"].is_null());
  EXPECT_EQ(verne({"info", shipped("quadruped"), "--floating-base"}).exit_code, 2);
}

TEST(CliInfo, ReadsStandardInput) {
  const Outcome outcome = verne({"info", "-"}, read_file(shipped("two_link")));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "shoulder"));
}

TEST(CliInfo, NamesSteerNeitherTerminalNorTable) {
  const Folder folder;
  const std::string model = folder.write("m.yaml", R"(format: verne-model/1
name: "arm\e]0;title\u202E"
convention: tree
links:
  - {name: "upper\nlower\tü", joint: {type: revolute, name: "j\u0085"}, mass: 1, inertia: [1, 1, 1]}
)");
  const Outcome text = verne({"info", model});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out.substr(0, text.out.find('\n')), "arm\\u001b]0;title\\u202e");
  EXPECT_TRUE(contains(text.out, "upper\\u000alower\\u0009ü")) << text.out;
  for (const char* raw : {"\x1b", "\u202E", "\t", "\xC2\x85"}) EXPECT_FALSE(contains(text.out, raw)) << raw;
  const Outcome data = verne({"info", model, "--json"});
  const auto info = nlohmann::json::parse(data.out);
  EXPECT_EQ(info["name"], "arm\x1b]0;title\u202E");  // data is kept, in escapes
  EXPECT_EQ(info["links"][1]["name"], "upper\nlower\tü");
  EXPECT_FALSE(contains(data.out, "\x1b") || contains(data.out, "\u202E"));
}

TEST(CliInfo, CoupledJointsAndWarnings) {
  const Outcome outcome = verne({"info", source_dir() + "/tests/data/urdf/gripper.urdf"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "= 1.5 x grip_left + 0.01")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "note: no position limits: 1 joint ('turn')")) << outcome.out;
}

TEST(CliInfo, SaysWhatReplacedWrite) {
  const Folder folder;
  const Outcome outcome = verne({"info", shipped("two_link"), "--write", folder.file("back.yaml")});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "verne convert MODEL -o " + folder.file("back.yaml"))) << outcome.err;
  EXPECT_EQ(folder.count(), 0);
}

TEST(CliInfo, Collisions) {
  const Outcome text = verne({"info", shipped("arm7"), "--collisions"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "a joint connects them")) << text.out;
  const Folder folder;
  const std::string scene = folder.write("scene.yaml",
                                         "format: verne-scene/1\nobjects:\n  ball: {sphere: {radius: 0.1}, pose: {xyz: "
                                         "[1, 0, 0]}}\nallowed_contacts: [[ball, link7]]\n");
  const Outcome outcome = verne({"info", shipped("arm7"), "--collisions", "--json", "--scene", scene});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(all["shapes_of_objects"], 1);
  EXPECT_EQ(all["left_out"]["allowed"], nlohmann::json::parse("[[\"ball\", \"link7\"]]"));
  EXPECT_FALSE(all["left_out"]["connected"].empty());
  EXPECT_EQ(verne({"info", shipped("arm7"), "--scene", scene}).exit_code, 2) << "of --collisions alone";
}

}  // namespace
}  // namespace verne::test
