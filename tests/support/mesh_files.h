/// Mesh files in every format that is read, and folders to put them into.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace verne::test {

struct Triangles {
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<int, 3>> corners;
};

/// Corners of edges 1, 2, 3 along x, y, z from the origin: closed, seen against the clock from outside.
Triangles tetrahedron();

std::string stl_text(const Triangles& mesh);
std::string stl_bytes(const Triangles& mesh);
/// With a material that `library` defines, unless it is "".
std::string obj_text(const Triangles& mesh, const std::string& library = "");
/// In units of `metres`; `material` is red 0.8, green 0.4, blue 0.2.
std::string collada_text(const Triangles& mesh, double metres = 1, const std::string& up_axis = "Z_UP",
                         bool material = false);
/// The same, moved by a node; glb is the binary form.
std::string gltf_text(const Triangles& mesh, const std::array<double, 3>& move = {0, 0, 0});
std::string glb_bytes(const Triangles& mesh);

/// A folder of a test's own, which is taken away afterwards; the user's cache is in it as long.
class MeshFolder {
 public:
  MeshFolder();
  ~MeshFolder();
  MeshFolder(const MeshFolder&) = delete;
  MeshFolder& operator=(const MeshFolder&) = delete;

  /// Writes a file, with the folders on its way; returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::string cache_before_;
};

}  // namespace verne::test
