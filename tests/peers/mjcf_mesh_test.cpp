// Bodies that are meshes, read by us and by MuJoCo: the same masses in the same places.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "peers/agreement.h"
#include "peers/mujoco_model.h"
#include "shapes/find_mesh.h"
#include "shapes/read_mesh.h"
#include "support/mesh_files.h"
#include "verne/dynamics/kinematics.h"

namespace verne::test {
namespace {

/// MuJoCo keeps vertices as floats, and moves them.
constexpr double kFloats = 3e-6;

/// A tent with a low ridge: closed, and seen from its middle in part only.
Triangles tent() {
  Triangles mesh;
  for (const float z : {0.0F, 0.7F}) {
    for (const auto& [x, y] :
         {std::pair(0.0F, 0.0F), std::pair(2.0F, 0.2F), std::pair(0.3F, 0.4F), std::pair(0.2F, 2.5F)})
      mesh.points.push_back({x, y, z});
  }
  mesh.corners = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                  {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  return mesh;
}

struct MeshCase {
  const char *compiler, *asset, *geom;
};

class MjcfMesh : public testing::TestWithParam<MeshCase> {
 protected:
  std::string text() const {
    const MeshCase& c = GetParam();
    return std::string("<mujoco><compiler meshdir=\"") + folder_.path("") + "\" " + c.compiler + "/>" +
           "<asset><mesh name=\"m\" file=\"tent.stl\" " + c.asset +
           "/></asset><worldbody><body name=\"b\" pos=\"1 2 3\">" + "<freejoint/><geom type=\"mesh\" mesh=\"m\" " +
           c.geom + "/>" +
           "<body name=\"c\" pos=\"0.5 0 0\"><joint axis=\"1 2 3\"/><geom size=\"0.1\"/><geom type=\"mesh\" mesh=\"m\" "
           "pos=\"0 1 0\"/></body>" +
           "</body></worldbody></mujoco>";
  }
  MeshFolder folder_;
};

TEST_P(MjcfMesh, WeighsAndStandsAsInMujoco) {
  folder_.write("tent.stl", stl_bytes(tent()));
  const std::string path = folder_.write("model.xml", text());
  const Model model = build_model(load_spec(path));
  std::string reason;
  auto peer = peers::MujocoModel::read(text(), model, reason);
  ASSERT_TRUE(peer) << reason;
  std::mt19937_64 rng(3);
  Data<> data(model);
  const Eigen::VectorXd q = random_configuration(model, rng);
  Eigen::MatrixXd theirs(model.nv(), model.nv());
  peer->mass_matrix(q, theirs);
  const Eigen::MatrixXd ours = mass_matrix(model, data, q);
  EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(), kFloats * theirs.cwiseAbs().maxCoeff()) << ours << "\n\n" << theirs;

  // The vertices in the world: by the shape's pose in its link, and the link's by the kinematics.
  const Kinematics<double> kinematics = forward_kinematics<double>(model, data, q);
  std::vector<Eigen::Vector3d> points = peer->mesh_points(q);
  std::size_t found = 0;
  for (const LinkSpec& link : model.spec().links) {
    for (const VisualSpec& shape : link.visuals) {
      if (shape.shape != VisualSpec::Shape::mesh) continue;
      const Mesh mesh = read_mesh(find_mesh(shape.mesh, {path}).path);
      for (std::size_t i = 0; i < mesh.positions.size(); i += 3) {
        const Vec3<double> v{shape.size.x * mesh.positions[i], shape.size.y * mesh.positions[i + 1],
                             shape.size.z * mesh.positions[i + 2]};
        const Vec3<double> in_link = shape.X_LV * v;
        const int site = model.link(link.name);
        const Eigen::Vector3d p =
            kinematics.position(site) + kinematics.rotation(site) * Eigen::Vector3d(in_link.x, in_link.y, in_link.z);
        double nearest = 1;
        for (const Eigen::Vector3d& point : points) nearest = std::min(nearest, (point - p).norm());
        EXPECT_LE(nearest, 1e-5);
        ++found;
      }
    }
  }
  EXPECT_EQ(found, 2u * 3u * 12u);
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, MjcfMesh,
    testing::Values(MeshCase{"", "", ""}, MeshCase{"", "", "density=\"300\" pos=\"1 0 2\" euler=\"10 20 30\""},
                    MeshCase{"exactmeshinertia=\"true\"", "", ""}, MeshCase{"", "", "mass=\"2.5\""},
                    MeshCase{"", "scale=\"0.5 2 1.5\"", ""}, MeshCase{"", "refpos=\"1 2 3\" scale=\"0.5 2 1.5\"", ""},
                    MeshCase{"", "refpos=\"1 2 3\" refquat=\"1 2 3 4\" scale=\"2 2 2\"", "quat=\"0.5 1 0 0\""}));

}  // namespace
}  // namespace verne::test
