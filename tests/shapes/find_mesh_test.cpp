#include "shapes/find_mesh.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "support/mesh_files.h"

namespace verne {
namespace {

class FindMesh : public testing::Test {
 protected:
  FindMesh() {
    for (const char* const variable : {"ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"}) ::unsetenv(variable);
    folder_.write("ws/arm/package.xml", "<package/>");
    folder_.write("ws/arm/meshes/link.stl", "");
    folder_.write("ws/arm/robots/deep/urdf/near.stl", "");
    folder_.write("ws/outside.stl", "");
    folder_.write("other/hand/meshes/palm.stl", "");
    folder_.write("prefix/share/foot/sole.stl", "");
    folder_.write("loose/a/b/model.urdf", "");
    folder_.write("loose/here.stl", "");
    search_.model_file = folder_.path("ws/arm/robots/deep/urdf/arm.urdf");
  }

  std::string found(const std::string& name) const { return find_mesh(name, search_).path; }
  std::string problem(const std::string& name) const { return find_mesh(name, search_).problem; }

  test::MeshFolder folder_;
  MeshSearch search_;
};

TEST_F(FindMesh, BesideTheModelAndUpToItsPackage) {
  EXPECT_EQ(found("near.stl"), folder_.path("ws/arm/robots/deep/urdf/near.stl"));
  EXPECT_EQ(found("../../../meshes/link.stl"), folder_.path("ws/arm/meshes/link.stl"));
  EXPECT_EQ(found("file://" + folder_.path("ws/arm/meshes/link.stl")), folder_.path("ws/arm/meshes/link.stl"));
  EXPECT_EQ(problem("none.stl"), "there is no such file");
  for (const std::string name : {"../../../../outside.stl", "/etc/passwd", "../../../../../../../../etc/passwd"}) {
    EXPECT_EQ(found(name), "");
    EXPECT_EQ(problem(name), "is outside the model's folders (" + folder_.path("ws/arm") + ")") << name;
  }
  search_.model_file = folder_.path("loose/a/b/model.urdf");  // no package around it: two folders up
  EXPECT_EQ(found("../../here.stl"), folder_.path("loose/here.stl"));
  EXPECT_NE(problem("../../../ws/outside.stl").find("is outside"), std::string::npos);
}

TEST_F(FindMesh, Packages) {
  for (const std::string scheme : {"package://", "model://"}) {
    EXPECT_EQ(found(scheme + "arm/meshes/link.stl"), folder_.path("ws/arm/meshes/link.stl"));
    EXPECT_NE(problem(scheme + "hand/meshes/palm.stl").find("there is no package 'hand'"), std::string::npos);
    EXPECT_EQ(problem(scheme + "arm/../outside.stl"), "leads out of its package");
    EXPECT_EQ(problem(scheme), "names no file of a package");
  }
  EXPECT_EQ(found("$(find arm)/meshes/link.stl"), folder_.path("ws/arm/meshes/link.stl"));
  const std::string palm = folder_.path("other/hand/meshes/palm.stl");
  search_.package_paths = {folder_.path("other")};
  EXPECT_EQ(found("package://hand/meshes/palm.stl"), palm);
  EXPECT_EQ(found(palm), palm);                          // such folders may be read
  search_.package_paths = {folder_.path("other/hand")};  // the package itself
  EXPECT_EQ(found("package://hand/meshes/palm.stl"), palm);
  search_.package_paths.clear();
  ::setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder_.path("other")).c_str(), 1);
  ::setenv("AMENT_PREFIX_PATH", folder_.path("prefix").c_str(), 1);
  EXPECT_EQ(found("package://hand/meshes/palm.stl"), palm);
  EXPECT_EQ(found("package://foot/sole.stl"), folder_.path("prefix/share/foot/sole.stl"));
  ::unsetenv("ROS_PACKAGE_PATH"), ::unsetenv("AMENT_PREFIX_PATH");
}

TEST_F(FindMesh, NothingIsFetched) {
  for (const std::string name : {"http://example.org/a.stl", "https://example.org/a.stl", "ftp://a/b.stl"}) {
    EXPECT_EQ(problem(name), "only files are read, nothing is fetched");
  }
}

}  // namespace
}  // namespace verne
