#include "shapes/read_mesh.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <random>
#include <set>

#include "shapes/limited_child.h"
#include "support/complaint.h"
#include "support/mesh_files.h"
#include "verne/base/error.h"

namespace verne {
namespace {

using test::MeshFolder;
using test::Triangles;

using Corner = std::array<float, 3>;

/// The corners of all triangles; of each, the smallest first.
std::multiset<std::array<Corner, 3>> triangles_of(const Mesh& mesh) {
  std::multiset<std::array<Corner, 3>> all;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    std::array<Corner, 3> t;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* const p = &mesh.positions[3 * std::size_t{mesh.triangles[i + k]}];
      t[k] = {p[0], p[1], p[2]};
    }
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.insert(t);
  }
  return all;
}

std::multiset<std::array<Corner, 3>> expected(const Triangles& mesh, float factor = 1, Corner move = {0, 0, 0}) {
  Mesh same;
  for (const Corner& p : mesh.points) {
    for (std::size_t k = 0; k < 3; ++k) same.positions.push_back(factor * p[k] + move[k]);
  }
  for (const auto& c : mesh.corners) same.triangles.insert(same.triangles.end(), c.begin(), c.end());
  return triangles_of(same);
}

TEST(ReadMesh, EveryFormat) {
  const MeshFolder folder;
  const Triangles mesh = test::tetrahedron();
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"a.stl", test::stl_text(mesh)},
           {"b.STL", test::stl_bytes(mesh)},
           {"c.obj", test::obj_text(mesh)},
           {"d.dae", test::collada_text(mesh)},
           {"e.gltf", test::gltf_text(mesh)},
           {"f.glb", test::glb_bytes(mesh)},
       }) {
    SCOPED_TRACE(name);
    const std::string path = folder.write(name, text);
    EXPECT_EQ(triangles_of(read_mesh(path)), expected(mesh));
    EXPECT_EQ(triangles_of(read_mesh(path)), expected(mesh)) << "from the cache";
  }
}

/// Lengths are metres, and axes as they are written.
TEST(ReadMesh, UnitsAndAxes) {
  const MeshFolder folder;
  const Triangles mesh = test::tetrahedron();
  for (const char* const up : {"X_UP", "Y_UP", "Z_UP"}) {
    const Mesh read = read_mesh(folder.write(std::string(up) + ".dae", test::collada_text(mesh, 0.125, up)));
    EXPECT_EQ(triangles_of(read), expected(mesh, 0.125F)) << up;
  }
  const Mesh moved = read_mesh(folder.write("moved.gltf", test::gltf_text(mesh, {1, 2, 3})));
  EXPECT_EQ(triangles_of(moved), expected(mesh, 1, {1, 2, 3}));
}

TEST(ReadMesh, Colours) {
  const MeshFolder folder;
  const Triangles mesh = test::tetrahedron();
  const auto colour = [](const Mesh& read) {
    EXPECT_EQ(read.parts.size(), 1u);
    return read.parts[0].colour;
  };
  EXPECT_FALSE(colour(read_mesh(folder.write("plain.obj", test::obj_text(mesh)))));
  EXPECT_FALSE(colour(read_mesh(folder.write("plain.stl", test::stl_text(mesh)))));
  EXPECT_FALSE(colour(read_mesh(folder.write("plain.dae", test::collada_text(mesh)))));
  const auto painted = colour(read_mesh(folder.write("painted.dae", test::collada_text(mesh, 1, "Z_UP", true))));
  ASSERT_TRUE(painted);
  EXPECT_NEAR(painted->x, 0.8, 1e-6);
  EXPECT_NEAR(painted->z, 0.2, 1e-6);
  // The library of materials is a file of its own, which may change while the mesh does not.
  const std::string obj = folder.write("painted.obj", test::obj_text(mesh, "paint.mtl"));
  for (const float red : {0.25F, 0.5F}) {
    folder.write("paint.mtl", "newmtl paint\nKd " + std::to_string(red) + " 0.5 1\n");
    ASSERT_TRUE(colour(read_mesh(obj)));
    EXPECT_NEAR(colour(read_mesh(obj))->x, red, 1e-6);
  }
}

std::string refusal(const std::string& path) {
  return test::complaint<InputError>([&] { read_mesh(path); });
}

TEST(ReadMesh, WhatIsNoMesh) {
  const MeshFolder folder;
  const Triangles mesh = test::tetrahedron();
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"empty.stl", ""},
           {"empty.dae", ""},
           {"no_triangles.obj", "v 0 0 0\n"},
           {"prose.stl", "Not a mesh at all, only some lines.\n"},
           {"prose.gltf", "Not a mesh at all."},
           {"cut.dae", test::collada_text(mesh).substr(0, 700)},
           {"cut.stl", test::stl_bytes(mesh).substr(0, 150)},
           {"cut.glb", test::glb_bytes(mesh).substr(0, 400)},
       }) {
    EXPECT_NE(refusal(folder.write(name, text)).find("cannot be read as a mesh: "), std::string::npos) << name;
  }
  Triangles holes = mesh;
  holes.points[1][0] = NAN;
  EXPECT_NE(refusal(folder.write("nan.stl", test::stl_bytes(holes))).find("no numbers"), std::string::npos);
  EXPECT_NE(refusal(folder.write("a.step", "ISO-10303-21;")).find("is no mesh that is understood"), std::string::npos);
  EXPECT_NE(refusal(folder.path("nowhere.stl")).find("cannot be opened"), std::string::npos);
  ASSERT_EQ(::mkfifo(folder.path("pipe.stl").c_str(), 0600), 0);
  EXPECT_NE(refusal(folder.path("pipe.stl")).find("is a pipe"), std::string::npos);
  const std::string huge = folder.write("huge.stl", "");
  std::filesystem::resize_file(huge, (std::uintmax_t{200} << 20) + 1);
  EXPECT_NE(refusal(huge).find("is larger than 200 MB"), std::string::npos);
}

/// The file says that it has four thousand million triangles.
TEST(ReadMesh, CountsThatAreTooLarge) {
  const MeshFolder folder;
  std::string bytes = test::stl_bytes(test::tetrahedron());
  bytes.replace(80, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_NE(refusal(folder.write("many.stl", bytes)), "none");
}

/// Whatever a file holds, this process goes on: a child reads it. VERNE_MESH_MUTATIONS says how many of each format.
TEST(ReadMesh, MutatedFilesEndNothing) {
  const char* const wish = std::getenv("VERNE_MESH_MUTATIONS");
  const int count = wish ? std::atoi(wish) : 12;
  const MeshFolder folder;
  const Triangles mesh = test::tetrahedron();
  std::mt19937_64 rng(5);
  int read = 0, refused = 0;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"a.stl", test::stl_text(mesh)},
           {"b.stl", test::stl_bytes(mesh)},
           {"c.obj", test::obj_text(mesh)},
           {"d.dae", test::collada_text(mesh, 1, "Z_UP", true)},
           {"e.gltf", test::gltf_text(mesh)},
           {"f.glb", test::glb_bytes(mesh)},
       }) {
    for (int k = 0; k < count; ++k) {
      std::string changed = text;
      for (std::uint64_t left = 1 + rng() % 8; left > 0; --left)
        changed[rng() % changed.size()] = static_cast<char>(rng());
      if (rng() % 4 == 0) changed.resize(rng() % changed.size());
      const std::string why = refusal(folder.write(name, changed));
      (why == "none" ? read : refused) += 1;
    }
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

TEST(LimitedChild, FailuresAreOnlyToldOf) {
  EXPECT_EQ(run_in_child([] { return std::string(100000, 'x'); }).output, std::string(100000, 'x'));
  EXPECT_EQ(run_in_child([]() -> std::string { throw std::runtime_error("bad luck"); }).failure, "bad luck");
  EXPECT_NE(run_in_child([]() -> std::string { std::abort(); }).failure.find("crashes"), std::string::npos);
  ChildLimits short_time;
  short_time.seconds = 1;
  EXPECT_NE(run_in_child(
                []() -> std::string {
                  volatile bool on = true;
                  while (on) {
                  }
                  return "";
                },
                short_time)
                .failure.find("takes too long"),
            std::string::npos);
  ChildLimits little_output;
  little_output.output = 1000;
  EXPECT_EQ(run_in_child([] { return std::string(100000, 'x'); }, little_output).failure, "makes too much");
}

TEST(Mesh, BytesOfAnythingElseAreNone) {
  Mesh mesh{{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}, {{Vec3<double>{1, 0, 0.5}, 1}}};
  const std::string bytes = bytes_of(mesh);
  const auto back = mesh_from(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->positions, mesh.positions);
  EXPECT_EQ(back->triangles, mesh.triangles);
  EXPECT_EQ(back->parts[0].colour->z, 0.5);
  for (std::size_t length = 0; length < bytes.size(); ++length) EXPECT_FALSE(mesh_from(bytes.substr(0, length)));
  EXPECT_FALSE(mesh_from(bytes + "x"));
  mesh.triangles[0] = 3;
  EXPECT_FALSE(mesh_from(bytes_of(mesh)));
  mesh.triangles[0] = 0, mesh.positions[4] = INFINITY;
  EXPECT_FALSE(mesh_from(bytes_of(mesh)));
}

}  // namespace
}  // namespace verne
