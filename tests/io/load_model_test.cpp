#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "io/io_support.h"
#include "support/paths.h"
#include "verne/io/file.h"
#include "verne/io/model_io.h"

namespace verne::test {
namespace {

namespace fs = std::filesystem;

const std::string kData = source_dir() + "/tests/data/";
constexpr char kLink[] =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

class LoadModel : public testing::Test {
 protected:
  LoadModel() : folder_(fs::temp_directory_path() / ("verne_load_test_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~LoadModel() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, const std::string& text) const {
    write_text_file(path(name), text);
    return path(name);
  }
  /// The message of loading `text` strictly, so that implausible data are errors, too; without the folder.
  std::string error(const std::string& name, const std::string& text) const {
    const std::string message = input_error([&] { load_model(file(name, text), {.strict = true}); });
    std::string short_message;
    const std::string prefix = folder_.string() + "/";
    for (std::size_t i = 0; i < message.size();) {
      const bool here = message.compare(i, prefix.size(), prefix) == 0;
      if (here) i += prefix.size();
      if (!here) short_message += message[i++];
    }
    return short_message;
  }
  std::string urdf_error(const std::string& contents) const {
    return error("m.urdf", "<robot name='r'>\n" + contents + "\n</robot>");
  }
  std::string yaml_error(const std::string& rest) const {
    return error("m.yaml", "format: verne-model/1\nconvention: tree\n" + rest);
  }

  fs::path folder_;
};

TEST_F(LoadModel, ByExtensionOrFirstCharacter) {
  const std::string urdf = read_text_file(kData + "urdf/gripper.urdf");
  const std::string yaml = read_text_file(kData + "conventions/dh.yaml");
  EXPECT_EQ(load_spec(file("a.URDF", urdf)).name, "gripper");
  EXPECT_EQ(load_spec(file("a.xml", urdf)).name, "gripper");
  EXPECT_EQ(load_spec(file("a", "\xEF\xBB\xBF\n " + urdf.substr(urdf.find('\n') + 1))).name, "gripper");
  EXPECT_EQ(load_spec(file("a.yml", yaml)).name, "arm");
  EXPECT_EQ(load_spec(file("a.model", yaml)).name, "arm");
}

TEST_F(LoadModel, ModelsAndWarnings) {
  std::vector<Diagnostic> warnings;
  const Model model = load_model(kData + "urdf/gripper.urdf", {}, &warnings);
  EXPECT_EQ(model.nv(), 3);
  EXPECT_TRUE(model.coupled());
  EXPECT_NE(messages(warnings, "warning").find("ignored, not needed here: <gazebo> (1)"), std::string::npos);
  EXPECT_EQ(load_model(kData + "urdf/gripper.urdf", {.floating_base = true}).nv(), 9);
  EXPECT_EQ(load_model(kData + "conventions/screw.yaml").nv(), 4);
}

TEST_F(LoadModel, FilesThatAreNone) {
  EXPECT_NE(input_error([&] { load_model(path("none.urdf")); }).find("none.urdf: error: cannot be opened"),
            std::string::npos);
  EXPECT_NE(input_error([&] { load_model(folder_.string()); }).find("error: is a folder"), std::string::npos);
  EXPECT_EQ(error("a.xacro", "<robot/>"),
            "a.xacro: error: this is xacro, not URDF: run `xacro FILE > robot.urdf` first");
  EXPECT_EQ(error("a.yaml", ""), "a.yaml: error: expected a map, found nothing");
  EXPECT_NE(error("a.urdf", "format: verne-model/1"), "");
}

TEST_F(LoadModel, AllProblemsAtOnce) {
  EXPECT_EQ(error("m.yaml", "format: verne-model/1\nconvention: tree\ngravity: 3\nlinks:\n  - {name: a, mas: 1}"),
            "m.yaml:3: error: gravity: expected a list of 3 numbers, found '3'\n"
            "m.yaml:5: error: link 'a': unknown key 'mas' (did you mean 'mass'?)\n"
            "m.yaml:5: error: link 'a': joint is missing");
}

/// The structure is checked by build_model(); here it is checked that the lines of files reach its messages.
TEST_F(LoadModel, StructureOfUrdf) {
  const auto begins = [](const std::string& message, const std::string& start) {
    EXPECT_EQ(message.substr(0, start.size()), start) << message;
  };
  const std::string links = std::string("<link name='a'>") + kLink + "</link>\n<link name='b'>" + kLink + "</link>\n";
  begins(urdf_error(links), "m.urdf:3: error: link 'b': ");
  begins(urdf_error(links + "<joint name='j' type='continuous'><parent link='c'/><child link='b'/></joint>"),
         "m.urdf:3: error: link 'b': ");
  begins(urdf_error(links +
                    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 0'/></joint>"),
         "m.urdf:4: error: joint 'j': axis is zero");
  begins(urdf_error(links + "<joint name='j' type='prismatic'><parent link='a'/><child link='b'/><limit lower='1' "
                            "upper='0' effort='1' velocity='1'/></joint>"),
         "m.urdf:4: error: joint 'j': ");
  begins(urdf_error(links +
                    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><mimic joint='j'/></joint>"),
         "m.urdf:4: error: joint 'j': mimic: ");
  begins(urdf_error("<link name='a'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                    "iyz='0'/></inertial></link>"),
         "m.urdf:2: error: link 'a': mass");
  begins(urdf_error("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0' "
                    "iyz='0'/></inertial></link>"),
         "m.urdf:2: error: link 'a': inertia breaks the triangle inequality");
  begins(urdf_error(links + "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n<joint name='k' "
                            "type='fixed'><parent link='b'/><child link='a'/></joint>"),
         "m.urdf");
  begins(urdf_error("<link name='a'/>\n<link name='b'/>\n<joint name='j' type='continuous'><parent link='a'/><child "
                    "link='b'/></joint>"),
         "m.urdf:4: error: joint 'j': ");
}

TEST_F(LoadModel, StructureOfYaml) {
  const auto begins = [](const std::string& message, const std::string& start) {
    EXPECT_EQ(message.substr(0, start.size()), start) << message;
  };
  const std::string a = "links:\n  - {name: a, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}\n";
  begins(yaml_error(a + "  - {name: a, joint: {name: k, type: revolute}, mass: 1, inertia: [1, 1, 1]}"),
         "m.yaml:5: error: link 'a': ");
  begins(yaml_error(a + "  - {name: b, parent: c, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}"),
         "m.yaml:5: error: link 'b': ");
  begins(yaml_error(a + "  - {name: b, parent: b, joint: {type: revolute}, mass: 1, inertia: [1, 1, 1]}"),
         "m.yaml:5: error: link 'b': ");
  begins(yaml_error(a + "  - {name: b, joint: {type: revolute}}"), "m.yaml:5: error: joint 'b_joint': ");
  begins(yaml_error(a + "frames:\n  - {name: f, link: x}"), "m.yaml:6: error: frame 'f': ");
  begins(yaml_error(a + "contacts:\n  - {name: f, link: x}"), "m.yaml:6: error: contact 'f': ");
}

/// A chain of `joints` revolute joints.
std::string long_urdf(int joints) {
  std::string text = "<robot name='chain'>\n<link name='link_0'/>\n";
  for (int i = 1; i <= joints; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "<link name='link_" + n + "'>" + kLink +
        "<visual><origin xyz='0 0 0.1'/><geometry><box size='1 1 1'/></geometry></visual></link>\n<joint name='joint_" +
        n + "' type='revolute'><parent link='link_" + std::to_string(i - 1) + "'/><child link='link_" + n +
        "'/><origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/><axis xyz='0 1 0'/>"
        "<limit lower='-1' upper='1' effort='10' velocity='5'/><dynamics damping='0.1' friction='0.2'/></joint>\n";
  }
  return text + "</robot>\n";
}

TEST_F(LoadModel, SixtyJointsLoadQuickly) {
  const std::string name = file("long.urdf", long_urdf(60));
  double best = 1e9;
  for (int i = 0; i < 10; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(load_model(name).nv(), 60);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  RecordProperty("best_milliseconds", std::to_string(best));
#ifdef NDEBUG
  EXPECT_LT(best, 5);
#else
  EXPECT_LT(best, 100);  // without optimization, perhaps under a sanitizer
#endif
}

}  // namespace
}  // namespace verne::test
