/// `verne convert`, and what all commands do with a model with implausible data.
#include <cmath>

#include "cli/program.h"

namespace verne::test {
namespace {

/// A two-link arm in URDF; `inertia` is that of the forearm, `hand` goes into its last link.
std::string implausible_arm(const std::string& inertia, const std::string& hand = "") {
  const auto inertial = [](const std::string& numbers) {
    return "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"2\"/><inertia " + numbers + "/></inertial>";
  };
  return "<robot name=\"arm\">\n<link name=\"base\"/>\n<link name=\"upper\">" +
         inertial("ixx=\"0.01\" iyy=\"0.02\" izz=\"0.02\"") + "</link>\n<link name=\"fore\">" + inertial(inertia) +
         "</link>\n<link name=\"hand\">" + hand +
         "</link>\n"
         "<joint name=\"shoulder\" type=\"continuous\"><parent link=\"base\"/><child link=\"upper\"/></joint>\n"
         "<joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"fore\"/>"
         "<origin xyz=\"0.3 0 0\"/><axis xyz=\"0 0 1\"/></joint>\n"
         "<joint name=\"wrist\" type=\"fixed\"><parent link=\"fore\"/><child link=\"hand\"/></joint>\n</robot>\n";
}

const std::string kSound = "ixx=\"0.01\" iyy=\"0.02\" izz=\"0.02\"";
const std::string kBeyondTriangle = "ixx=\"0.01\" iyy=\"0.02\" izz=\"0.05\"";
const std::string kState = "{\"q\":[0.3,-0.5],\"v\":[1,2],\"a\":[3,-2],\"tau\":[1,2]}\n";

std::vector<double> numbers_of(const std::string& model, const std::string& want, const std::string& states = kState) {
  const Outcome outcome = verne({"eval", model, "--want", want}, states);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out)[want].get<std::vector<double>>();
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  double scale = 0;
  for (const double x : a) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12 * scale);
}

TEST(CliPlausibility, IsComputedAsWrittenWithOneWarning) {
  const Folder folder;
  const std::string path = folder.write("arm.urdf", implausible_arm(kBeyondTriangle));
  const Outcome outcome = verne({"eval", path, "--want", "tau,acceleration"}, kState);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err,
            path +
                ": warning: inertia beyond the triangle inequality, as no mass distribution has it: 1 link "
                "('fore')\n");
  const auto info = nlohmann::json::parse(verne({"info", path, "--json"}).out);
  ASSERT_EQ(info["doubts"].size(), 1u);
  EXPECT_EQ(info["doubts"][0]["kind"], "triangle_inequality");
  EXPECT_EQ(info["doubts"][0]["name"], "fore");
  EXPECT_EQ(info["doubts"][0]["line"], 4);
}

TEST(CliPlausibility, StrictIsAnErrorOfEveryCommand) {
  const Folder folder;
  const std::string path = folder.write("arm.urdf", implausible_arm(kBeyondTriangle));
  const std::string complaint = path + ":4: error: link 'fore': inertia breaks the triangle inequality";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"info", path},
           {"convert", path, "-o", folder.file("x.yaml")},
           {"eval", path, "--want", "tau"},
           {"bench", path},
           {"check", path},
           {"view", path, "--no-browser"},
       }) {
    std::vector<std::string> strict = command;
    strict.push_back("--strict");
    const Outcome outcome = verne(strict);
    EXPECT_EQ(outcome.exit_code, 2) << command[0];
    EXPECT_TRUE(contains(outcome.err, complaint)) << command[0] << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(folder.count(), 1);
}

TEST(CliPlausibility, ShippedModelsHaveNone) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    const Outcome outcome = verne({"info", entry.path().string(), "--strict"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    ++count;
  }
  EXPECT_GE(count, 12);
}

TEST(CliPlausibility, AJointThatCarriesNothingHasNoForwardDynamics) {
  const Folder folder;
  std::string text = implausible_arm(kSound);
  text.replace(text.find("type=\"fixed\""), 12, "type=\"continuous\"");
  const std::string path = folder.write("arm.urdf", text);
  const std::string state = "{\"q\":[0.3,-0.5,0],\"v\":[1,2,3],\"a\":[3,-2,1]}\n";
  const std::vector<double> tau = numbers_of(path, "tau", state);
  EXPECT_NE(tau[0], 0);
  EXPECT_EQ(tau[2], 0);
  for (const char* want : {"acceleration", "inverse_mass_matrix", "d_acceleration"}) {
    const Outcome outcome = verne({"eval", path, "--want", want}, state);
    EXPECT_EQ(outcome.exit_code, 2) << want;
    EXPECT_EQ(outcome.out, "") << want;
    EXPECT_TRUE(contains(outcome.err, "the mass matrix is singular: joint 'wrist'")) << outcome.err;
  }
}

TEST(CliConvert, KeepsTorquesThroughEveryFormat) {
  const Folder folder;
  const std::string state = "{\"q\":[0.1,-0.3,0.5,0.7,-1.1,1.3,0.2],\"v\":[1,2,3,-1,-2,-3,4],\"a\":[3,-2,1,1,2,3,5]}\n";
  const std::vector<double> expected = numbers_of(shipped("arm7"), "tau", state);
  std::string last = shipped("arm7");
  for (const char* name : {"a.yaml", "b.urdf", "c.yml", "d.xml", "e.urdf"}) {
    const Outcome outcome = verne({"convert", last, "-o", folder.file(name)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    last = folder.file(name);
    expect_same(expected, numbers_of(last, "tau", state));
  }
  EXPECT_EQ(folder.count(), 5);
}

TEST(CliConvert, DoubtfulModelsStayAsTheyAre) {
  const Folder folder;
  const std::string path = folder.write("arm.urdf", implausible_arm(kBeyondTriangle));
  const Outcome outcome = verne({"convert", path, "-o", folder.file("arm.yaml")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, "warning: inertia beyond the triangle inequality")) << outcome.err;
  expect_same(numbers_of(path, "tau"), numbers_of(folder.file("arm.yaml"), "tau"));
  EXPECT_EQ(verne({"info", folder.file("arm.yaml"), "--strict"}).exit_code, 2);
}

TEST(CliConvert, RepairSaysWhatChanged) {
  const Folder folder;
  const std::string path = folder.write("arm.urdf", implausible_arm(kBeyondTriangle));
  const Outcome outcome = verne({"convert", path, "--repair", "--strict", "-o", folder.file("sound.urdf")});
  EXPECT_EQ(outcome.exit_code, 0);
  // ½ tr(I) 1 − I = diag(0.03, 0.02, -0.01), whose last entry goes to a millionth of the first.
  EXPECT_EQ(outcome.err, path + ": repaired: link 'fore': principal moments 0.01, 0.02, 0.05 -> 0.02, 0.03, 0.05\n");
  EXPECT_EQ(verne({"info", folder.file("sound.urdf"), "--strict"}).exit_code, 0);
  const auto info = nlohmann::json::parse(verne({"info", folder.file("sound.urdf"), "--json"}).out);
  EXPECT_EQ(info["mass"], 4);
}

TEST(CliConvert, FormatsAndPlaces) {
  const Folder folder;
  const std::string two_link = shipped("two_link");
  const Outcome kind = verne({"convert", two_link, "-o", folder.file("model.txt")});
  EXPECT_EQ(kind.exit_code, 2);
  EXPECT_TRUE(contains(kind.err, "--to")) << kind.err;
  EXPECT_EQ(verne({"convert", two_link, "-o", folder.file("no/such/folder.yaml")}).exit_code, 3);
  EXPECT_EQ(verne({"convert", two_link}).exit_code, 2);
  EXPECT_EQ(verne({"convert", two_link, "-o", "-", "--to", "step"}).exit_code, 2);
  EXPECT_EQ(folder.count(), 0);
  EXPECT_EQ(verne({"convert", two_link, "-o", folder.file("model.txt"), "--to", "yaml"}).exit_code, 0);
  EXPECT_EQ(verne({"convert", two_link, "-o", "-", "--to", "yaml"}).out, read_file(folder.file("model.txt")));
}

TEST(CliConvert, SaysWhatMjcfCannotExpress) {
  const Folder folder;
  const Outcome outcome = verne({"convert", shipped("two_link"), "-o", folder.file("back.xml")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, "back.xml: warning: MJCF cannot say: velocity limits: shoulder, elbow"))
      << outcome.err;
  const Outcome refused = verne({"convert", shipped("hybrid"), "-o", folder.file("hybrid.xml")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "MJCF has free joints in the world only")) << refused.err;
  EXPECT_EQ(folder.count(), 1);
}

TEST(CliConvert, LoopsThatWouldCloseOtherwiseAreRefused) {
  const Folder folder;
  for (const char* name : {"m.urdf", "m.par"}) {
    const Outcome refused = verne({"convert", shipped("four_bar"), "-o", folder.file(name)});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(contains(refused.err, "cannot say from where loops are closed")) << refused.err;
  }
  EXPECT_EQ(folder.count(), 0);
}

/// The same mechanism from URDF+ and from YAML.
TEST(CliConvert, LoopsOfUrdfAreClosed) {
  const Folder folder;
  const std::string urdf = folder.file("sr400.urdf");
  ASSERT_EQ(verne({"convert", shipped("sr400"), "-o", urdf}).exit_code, 0);
  const std::string state = "{\"q\":[0.1,0.2,-0.1,0.3,0.2,0.1],\"v\":[1,2,3,-1,-2,-3],\"a\":[3,-2,1,1,2,3]}\n";
  for (const char* want : {"mass_matrix", "bias"}) {
    const Outcome yaml = verne({"eval", shipped("sr400"), "--want", want}, state);
    const Outcome of_urdf = verne({"eval", urdf, "--want", want}, state);
    ASSERT_EQ(of_urdf.exit_code, 0) << of_urdf.err;
    const auto flat = [&](const std::string& text) {
      return nlohmann::json::parse(text)[want].flatten().get<std::map<std::string, double>>();
    };
    const auto expected = flat(yaml.out), found = flat(of_urdf.out);
    ASSERT_EQ(expected.size(), found.size());
    for (const auto& [key, value] : expected) EXPECT_NEAR(value, found.at(key), 1e-9 * (1 + std::abs(value))) << key;
  }
}

TEST(CliConvert, SaysWhatUrdfCannotExpress) {
  const Folder folder;
  const Outcome outcome = verne({"convert", shipped("two_link"), "-o", folder.file("back.urdf")});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, "back.urdf: warning: URDF cannot say: gravity")) << outcome.err;
  const std::string helical = folder.write("h.yaml",
                                           "format: verne-model/1\nconvention: tree\nlinks:\n  - {name: a, mass: 1, "
                                           "inertia: [1, 1, 1], joint: {type: helical, pitch: 0.1}}\n");
  const Outcome refused = verne({"convert", helical, "-o", folder.file("h.urdf")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "URDF has no helical joint")) << refused.err;
  EXPECT_EQ(folder.count(), 2);
}

}  // namespace
}  // namespace verne::test
