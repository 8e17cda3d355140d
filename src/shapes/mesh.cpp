#include "shapes/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace verne {

namespace {

struct MeshHeader {
  std::uint64_t positions, triangles, parts;
};
struct PartRecord {
  std::uint64_t triangles;
  double colour[3];  ///< not numbers where there is none
};

template <typename T>
void put_all(std::string& bytes, const T* values, std::size_t count) {
  if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <typename T>
bool take_all(const std::string& bytes, std::size_t& place, T* values, std::size_t count) {
  if ((bytes.size() - place) / sizeof(T) < count) return false;
  if (count > 0) std::memcpy(values, bytes.data() + place, count * sizeof(T));
  place += count * sizeof(T);
  return true;
}

bool is_sound(const Mesh& mesh) {
  std::size_t in_parts = 0;
  for (const MeshPart& part : mesh.parts) {
    if (part.triangles > mesh.triangle_count()) return false;
    in_parts += part.triangles;
  }
  return in_parts == mesh.triangle_count() && mesh.positions.size() % 3 == 0 && mesh.triangles.size() % 3 == 0 &&
         std::ranges::all_of(mesh.positions, [](float x) { return std::isfinite(x); }) &&
         std::ranges::all_of(mesh.triangles, [&](std::uint32_t v) { return v < mesh.vertex_count(); });
}

}  // namespace

std::string bytes_of(const Mesh& mesh) {
  const MeshHeader header{mesh.positions.size(), mesh.triangles.size(), mesh.parts.size()};
  std::string bytes;
  put_all(bytes, &header, 1);
  put_all(bytes, mesh.positions.data(), mesh.positions.size());
  put_all(bytes, mesh.triangles.data(), mesh.triangles.size());
  for (const MeshPart& part : mesh.parts) {
    const Vec3<double> colour = part.colour.value_or(Vec3<double>{NAN, NAN, NAN});
    const PartRecord record{part.triangles, {colour.x, colour.y, colour.z}};
    put_all(bytes, &record, 1);
  }
  return bytes;
}

std::optional<Mesh> mesh_from(const std::string& bytes) {
  MeshHeader header{};
  std::size_t place = 0;
  if (!take_all(bytes, place, &header, 1)) return std::nullopt;
  const std::uint64_t most = bytes.size();  // no count may be larger: memory is taken before it is read
  if (header.positions > most || header.triangles > most || header.parts > most) return std::nullopt;
  Mesh mesh;
  mesh.positions.resize(header.positions);
  mesh.triangles.resize(header.triangles);
  if (!take_all(bytes, place, mesh.positions.data(), header.positions) ||
      !take_all(bytes, place, mesh.triangles.data(), header.triangles)) {
    return std::nullopt;
  }
  for (std::uint64_t i = 0; i < header.parts; ++i) {
    PartRecord record{};
    if (!take_all(bytes, place, &record, 1)) return std::nullopt;
    MeshPart& part = mesh.parts.emplace_back();
    part.triangles = record.triangles;
    const auto [r, g, b] = record.colour;
    if (std::isfinite(r) && std::isfinite(g) && std::isfinite(b)) part.colour = Vec3<double>{r, g, b};
  }
  if (place != bytes.size() || !is_sound(mesh)) return std::nullopt;
  return mesh;
}

}  // namespace verne
