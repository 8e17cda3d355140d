/// Every kind of bad model file: exit code 2, and a message with file, line and what is wrong.
#include "cli/program.h"

namespace verne::test {
namespace {

struct BadModel {
  const char* name;  ///< of the test
  const char* file;
  std::string text;
  int line;               ///< 0: none
  const char* complaint;  ///< part of the message
};

void PrintTo(const BadModel& model, std::ostream* out) {
  *out << model.text;
}

/// A YAML tree; `links` begins in line 4.
std::string tree(const std::string& links) {
  return "format: verne-model/1\nconvention: tree\nlinks:\n" + links;
}
/// A sound moving link in two lines.
std::string link(const std::string& name, const std::string& joint, const std::string& more = "") {
  return "  - {name: " + name + ", mass: 1, inertia: [1, 1, 1], " + more + "\n     joint: {" + joint + "}}\n";
}
std::string robot(const std::string& content) {
  return "<robot name=\"r\">\n" + content + "</robot>\n";
}
/// A URDF link in one line.
std::string urdf_link(const std::string& name) {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyz=\"0\"/></inertial></link>\n";
}
std::string urdf_joint(const std::string& name, const std::string& parent, const std::string& child,
                       const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + more + "</joint>\n";
}

const std::string kPair = urdf_link("a") + urdf_link("b");
const std::string kMimic = "type: revolute, mimic: {joint: ";

const std::vector<BadModel> kBadModels{
    {"EmptyYaml", "m.yaml", "", 0, "expected a map, found nothing"},
    {"TruncatedYaml", "m.yaml", tree("  - {name: a, joint: {type: rev"), 4, ""},
    {"TruncatedUrdf", "m.urdf", "<robot name=\"r\">\n<link name=\"a\">\n", 0, ""},
    {"NotUrdf", "m.urdf", "<html></html>\n", 1, "robot"},
    {"Xacro", "m.xacro", robot(""), 0, "run `xacro FILE > robot.urdf` first"},
    {"WrongType", "m.yaml", tree("  - name: a\n    joint: {type: revolute}\n    mass: heavy\n"), 6, "mass"},
    {"MassInDegrees", "m.yaml", tree("  - name: a\n    joint: {type: revolute}\n    mass: 5 deg\n"), 6,
     "mass: expected a number without a unit, found '5 deg'"},
    {"NotUtf8Yaml", "m.yaml", tree(link("a\xC3", "type: revolute")), 4, "expected UTF-8 text, found the byte \\xc3"},
    {"NotUtf8Urdf", "m.urdf", robot(urdf_link("a\xE9")), 2, "expected UTF-8 text, found the byte \\xe9"},
    {"HalfACharacter", "m.urdf", robot(urdf_link("a&#xD800;")), 2,
     "name: expected characters, found 'a\\xed\\xa0\\x80'"},
    {"NameThatSteers", "m.yaml", tree(link("\"a\\e[31m\"", "type: revolut")), 5, "link 'a\\u001b[31m': "},
    {"UnknownKey", "m.yaml", tree("  - name: a\n    joint: {type: revolute}\n    maas: 1\n"), 6,
     "did you mean 'mass'?"},
    {"UnknownJointType", "m.yaml", tree(link("a", "type: revolut")), 5, "revolute"},
    {"DuplicateLink", "m.yaml", tree(link("a", "type: revolute") + link("a", "type: revolute, name: b")), 6, "'a'"},
    {"DuplicateJoint", "m.yaml", tree(link("a", "type: revolute, name: j") + link("b", "type: revolute, name: j")), 0,
     "'j'"},
    {"UnknownParent", "m.yaml", tree(link("hand", "type: revolute") + link("b", "type: revolute", "parent: hnad,")), 6,
     "parent 'hnad' does not exist"},
    {"Cycle", "m.urdf", robot(kPair + urdf_joint("j", "a", "b") + urdf_joint("k", "b", "a")), 0, "cycle"},
    {"TwoRoots", "m.urdf", robot(kPair), 0, "root"},
    {"ZeroAxis", "m.yaml", tree(link("a", "type: revolute, axis: [0, 0, 0]")), 5, "axis"},
    {"NegativeMass", "m.yaml", tree("  - name: a\n    joint: {type: revolute}\n    mass: -1\n"), 0, "mass"},
    {"NanMass", "m.yaml", tree("  - name: a\n    joint: {type: revolute}\n    mass: .nan\n"), 0, "mass"},
    {"MimicOfItself", "m.yaml", tree(link("a", kMimic + "j}, name: j")), 0, "'j'"},
    {"MimicCircle", "m.yaml", tree(link("a", kMimic + "j}, name: i") + link("b", kMimic + "i}, name: j")), 0,
     "follows this joint in turn"},
    {"SdfWithoutLinks", "m.sdf", "<sdf version=\"1.7\"><model name=\"m\"/></sdf>\n", 0, "the model has no links"},
    {"OldSdf", "m.sdf", "<sdf version=\"1.3\"/>\n", 1, "expected version 1.4 to 1.11"},
    {"LimitThatIsNoNumber", "m.yaml", tree(link("a", "type: revolute, limits: {position: [.nan, 1]}")), 0, "position"},
    {"BadNumberInUrdf", "m.urdf", robot(kPair + urdf_joint("j", "a", "b", "<origin xyz=\"0 zero 0\"/>")), 4, "xyz"},
};

class CliBadModel : public testing::TestWithParam<BadModel> {};

TEST_P(CliBadModel, IsRefused) {
  const Folder folder;
  const std::string path = folder.write(GetParam().file, GetParam().text);
  const Outcome outcome = verne({"info", path});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  const std::string where = path + ":" + (GetParam().line > 0 ? std::to_string(GetParam().line) + ": error: " : "");
  EXPECT_NE(outcome.err.find(where), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().complaint), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Files, CliBadModel, testing::ValuesIn(kBadModels),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CliBadModel, AllProblemsAtOnce) {
  const Folder folder;
  const std::string path = folder.write("m.yaml", tree("  - name: a\n    maas: 1\n    joint: {typ: revolute}\n"));
  const Outcome outcome = verne({"info", path});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_GE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 2) << outcome.err;
}

TEST(CliBadModel, MissingFileAndFolder) {
  const Outcome missing = verne({"info", "no/such/file.urdf"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err, "no/such/file.urdf: error: cannot be opened: No such file or directory\n");
  EXPECT_EQ(verne({"info", "/"}).exit_code, 2);
}

TEST(CliBadModel, UnscaledAxisIsNormalisedWithANote) {
  const Folder folder;
  const std::string path = folder.write("m.yaml", tree(link("a", "type: revolute, axis: [0, 0, 2]")));
  const Outcome info = verne({"info", path});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_NE(info.out.find("note: "), std::string::npos) << info.out;
  const Outcome eval = verne({"eval", path, "--want", "mass_matrix"}, "{}\n");
  EXPECT_EQ(eval.out, "{\"mass_matrix\":[[1]]}\n");
  EXPECT_NE(eval.err.find("axis"), std::string::npos) << eval.err;
}

}  // namespace
}  // namespace verne::test
