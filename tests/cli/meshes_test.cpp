/// Meshes of models, from the command line into pages.
#include "cli/program.h"
#include "support/mesh_files.h"

namespace verne::test {
namespace {

using nlohmann::json;

class CliMeshes : public testing::Test {
 protected:
  CliMeshes() {
    meshes_.write("packages/arm/arm.stl", stl_bytes(tetrahedron()));
    model_ = meshes_.write("robots/a/b/arm.urdf", R"(<robot name="arm"><link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://arm/arm.stl"/></geometry></visual></link>
<joint name="joint" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" effort="10" velocity="10"/></joint></robot>)");
  }
  std::string out(const std::string& name) const { return meshes_.path("out/" + name); }
  /// What meshes.json says of the only mesh.
  json mesh(const std::string& folder = "") const {
    return json::parse(read_file(out(folder + "meshes.json")))["meshes"][0];
  }

  MeshFolder meshes_;
  std::string model_;
};

TEST_F(CliMeshes, FoundInPackages) {
  const std::vector<std::string> simulate{"simulate", model_, "--time", "0.01",       "--samples",
                                          "3",        "-o",   out(""),  "--no-report"};
  const Outcome missing = verne(simulate);
  EXPECT_EQ(missing.exit_code, 0) << missing.err;
  EXPECT_TRUE(contains(missing.err, "note: mesh 'package://arm/arm.stl': there is no package 'arm' (--package-path"));
  EXPECT_TRUE(mesh().is_null());
  std::vector<std::string> again = simulate;
  again.insert(again.end(), {"--package-path", meshes_.path("elsewhere"), "--package-path", meshes_.path("packages")});
  const Outcome found = verne(again);
  EXPECT_EQ(found.err, "");
  EXPECT_TRUE(contains(found.out, "meshes.json"));
  EXPECT_TRUE(mesh().is_string());
  EXPECT_EQ(verne({"report", out("")}).exit_code, 0);
  // A file that somebody else may have written
  std::ofstream(out("meshes.json")) << "{\"format\":\"verne-meshes/2\",\"meshes\":[],\"data\":{}}";
  const Outcome other = verne({"report", out("")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "expected \"format\":\"verne-meshes/1\"")) << other.err;
}

/// Once for all rows of a sweep.
TEST_F(CliMeshes, OfASweep) {
  const std::string task = meshes_.write("task.yaml", "format: verne-task/1\nname: swing\nmodel: " + model_ + R"(
parameters: {goal: 1}
trajectory: {control_points: 6, nodes: 12}
duration: 1
minimize: [{effort: 1}]
subject_to: {start: {position: {joint: 0}}, end: {position: {joint: goal}}}
refine: off
output: {samples: 5}
)");
  const Outcome swept =
      verne({"predict", task, "--sweep", "goal=0.5:1:2", "--package-path", meshes_.path("packages"), "-o", out("")});
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_TRUE(mesh().is_string());
  EXPECT_FALSE(std::filesystem::exists(out("00/meshes.json")));
  // A row alone has them, too.
  EXPECT_EQ(verne({"report", out("01")}).exit_code, 0);
  const auto size = [&](const std::string& page) { return std::filesystem::file_size(out(page)); };
  const auto with = size("01/report.html");
  std::filesystem::remove(out("meshes.json"));
  EXPECT_EQ(verne({"report", out("01")}).exit_code, 0);
  EXPECT_LT(size("01/report.html"), with);
}

}  // namespace
}  // namespace verne::test
