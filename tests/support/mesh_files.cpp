#include "support/mesh_files.h"

#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace verne::test {

namespace {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string joined(const std::vector<std::array<float, 3>>& points) {
  std::ostringstream text;
  for (const auto& p : points) text << p[0] << ' ' << p[1] << ' ' << p[2] << ' ';
  return text.str();
}

/// Positions, then corners as 32 bits.
std::string buffer_of(const Triangles& mesh) {
  std::string bytes;
  for (const auto& p : mesh.points) put(bytes, p);
  for (const auto& c : mesh.corners) put(bytes, c);
  return bytes;
}

std::string base64_of(const std::string& bytes) {
  static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string gltf_with(const Triangles& mesh, const std::string& uri, const std::array<double, 3>& move) {
  const std::size_t positions = 12 * mesh.points.size(), corners = 12 * mesh.corners.size();
  std::ostringstream json;
  json
      << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"children":[1]},{"mesh":0,"translation":[)"
      << move[0] << ',' << move[1] << ',' << move[2] << R"(]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{)"
      << uri << R"("byteLength":)" << positions + corners << R"(}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":)"
      << positions << R"(},{"buffer":0,"byteOffset":)" << positions << R"(,"byteLength":)" << corners << R"(}],
"accessors":[{"bufferView":0,"componentType":5126,"count":)"
      << mesh.points.size()
      << R"(,"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]},{"bufferView":1,"componentType":5125,"count":)"
      << 3 * mesh.corners.size() << R"(,"type":"SCALAR"}]})";
  return json.str();
}

}  // namespace

Triangles tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::string stl_text(const Triangles& mesh) {
  std::ostringstream text;
  text << "solid made\n";
  for (const auto& c : mesh.corners) {
    text << "facet normal 0 0 0\nouter loop\n";
    for (const int k : c) {
      const auto& p = mesh.points[std::size_t(k)];
      text << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
    }
    text << "endloop\nendfacet\n";
  }
  text << "endsolid made\n";
  return text.str();
}

std::string stl_bytes(const Triangles& mesh) {
  std::string bytes(80, ' ');
  put(bytes, static_cast<std::uint32_t>(mesh.corners.size()));
  for (const auto& c : mesh.corners) {
    put(bytes, std::array<float, 3>{});
    for (const int k : c) put(bytes, mesh.points[std::size_t(k)]);
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string obj_text(const Triangles& mesh, const std::string& library) {
  std::ostringstream text;
  if (!library.empty()) text << "mtllib " << library << "\n";
  for (const auto& p : mesh.points) text << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
  if (!library.empty()) text << "usemtl paint\n";
  for (const auto& c : mesh.corners) text << "f " << c[0] + 1 << ' ' << c[1] + 1 << ' ' << c[2] + 1 << '\n';
  return text.str();
}

std::string collada_text(const Triangles& mesh, double metres, const std::string& up_axis, bool material) {
  std::ostringstream text, corners;
  for (const auto& c : mesh.corners) corners << c[0] << ' ' << c[1] << ' ' << c[2] << ' ';
  text << R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter=")"
       << metres << R"("/><up_axis>)" << up_axis << "</up_axis></asset>\n";
  if (material) {
    text
        << R"(<library_effects><effect id="e"><profile_COMMON><technique sid="common"><lambert><diffuse><color>0.8 0.4 0.2 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="paint"><instance_effect url="#e"/></material></library_materials>)";
  }
  text
      << R"(<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count=")"
      << 3 * mesh.points.size() << "\">" << joined(mesh.points)
      << R"(</float_array><technique_common><accessor source="#a" count=")" << mesh.points.size()
      << R"(" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count=")"
      << mesh.corners.size() << R"(" material="x"><input semantic="VERTEX" source="#v" offset="0"/><p>)"
      << corners.str() << R"(</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node id="n"><instance_geometry url="#g">)"
      << (material
              ? R"(<bind_material><technique_common><instance_material symbol="x" target="#m"/></technique_common></bind_material>)"
              : "")
      << R"(</instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>)";
  return text.str();
}

std::string gltf_text(const Triangles& mesh, const std::array<double, 3>& move) {
  return gltf_with(mesh, R"("uri":"data:application/octet-stream;base64,)" + base64_of(buffer_of(mesh)) + "\",", move);
}

std::string glb_bytes(const Triangles& mesh) {
  std::string json = gltf_with(mesh, "", {0, 0, 0}), data = buffer_of(mesh), bytes = "glTF";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  put(bytes, std::uint32_t{2});
  put(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + data.size()));
  put(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  put(bytes, static_cast<std::uint32_t>(data.size()));
  bytes += std::string("BIN\0", 4) + data;
  return bytes;
}

MeshFolder::MeshFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "verne-meshes-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
  const char* const before = ::getenv("XDG_CACHE_HOME");
  cache_before_ = before ? before : "";
  ::setenv("XDG_CACHE_HOME", path("cache").c_str(), 1);
}

MeshFolder::~MeshFolder() {
  if (cache_before_.empty()) {
    ::unsetenv("XDG_CACHE_HOME");
  } else {
    ::setenv("XDG_CACHE_HOME", cache_before_.c_str(), 1);
  }
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string MeshFolder::write(const std::string& name, const std::string& text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

}  // namespace verne::test
