#include "verne/report/meshes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/user_cache.h"
#include "report/compress.h"
#include "shapes/drawn_mesh.h"
#include "shapes/find_mesh.h"
#include "shapes/hull.h"
#include "shapes/read_mesh.h"
#include "verne/base/text.h"
#include "verne/io/json_writer.h"
#include "verne/io/model_json.h"

namespace verne {

namespace {

// Triangles of all links together, each as often as it is drawn.
constexpr std::size_t kMoving = 40'000, kAtRest = 120'000, kHulls = 15'000;
constexpr std::size_t kFewest = 60;  // that a mesh is left with
constexpr std::size_t kMostNamed = 3;

/// A mesh of the model, by its number.
struct NumberedMesh {
  std::string name;
  bool hull = false;
  std::size_t uses = 0;
  double scale = 0;  ///< the largest that it is drawn with
  DrawnMesh drawn{};
};

std::vector<NumberedMesh> numbered_meshes(const Model& model) {
  const MeshNames names = mesh_names(model);
  std::vector<NumberedMesh> all;
  for (const std::string& name : names.visuals) all.push_back({name, false});
  for (const std::string& name : names.collisions) all.push_back({name, true});
  const auto count = [&](const std::vector<VisualSpec>& shapes, bool hull) {
    for (const VisualSpec& shape : shapes) {
      if (shape.shape != VisualSpec::Shape::mesh) continue;
      for (NumberedMesh& mesh : all) {
        if (mesh.hull != hull || mesh.name != shape.mesh) continue;
        ++mesh.uses;
        mesh.scale = std::max({mesh.scale, std::abs(shape.size.x), std::abs(shape.size.y), std::abs(shape.size.z)});
      }
    }
  };
  for (const LinkSpec& link : model.spec().links) {
    count(link.visuals, false);
    count(link.collisions, true);
  }
  return all;
}

/// How many triangles each mesh may have so that all together have no more than `budget`: large ones more than small
/// ones, and none more than it has.
std::vector<std::size_t> shares(const std::vector<NumberedMesh*>& meshes, std::size_t budget) {
  const auto at = [&](double level, std::size_t i) {
    const double most = level * std::sqrt(meshes[i]->scale * meshes[i]->drawn.diagonal());
    return std::min<std::size_t>(meshes[i]->drawn.fine_count(), kFewest + static_cast<std::size_t>(most));
  };
  const auto total = [&](double level) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < meshes.size(); ++i) sum += meshes[i]->uses * at(level, i);
    return sum;
  };
  double low = 0, high = 1e9;
  for (int i = 0; i < 100; ++i) {
    const double middle = std::sqrt((low + 1e-3) * high);
    (total(middle) <= budget ? low : high) = middle;
  }
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < meshes.size(); ++i) all.push_back(at(total(high) <= budget ? high : low, i));
  return all;
}

void simplify_all(std::vector<NumberedMesh>& meshes, bool full) {
  std::vector<NumberedMesh*> visuals, hulls;
  for (NumberedMesh& mesh : meshes) (mesh.hull ? hulls : visuals).push_back(&mesh);
  const std::vector<std::size_t> fine = shares(visuals, kAtRest), coarse = shares(visuals, kMoving),
                                 of_hulls = shares(hulls, kHulls);
  for (std::size_t i = 0; i < visuals.size(); ++i) {
    DrawnMesh& drawn = visuals[i]->drawn;
    simplify(drawn, full ? drawn.fine_count() : fine[i], coarse[i]);
  }
  for (std::size_t i = 0; i < hulls.size(); ++i) simplify(hulls[i]->drawn, of_hulls[i], of_hulls[i]);
}

// --- What a page reads: differences to the entry `stride` places before, 0 -1 1 -2 2 … as 0 1 2 3 4 …, first the
// lowest bytes of all, then the next ones
// -----------------------------------------------------------------------------------

template <typename T>
std::string packed(const std::vector<T>& values, std::size_t stride) {
  std::vector<std::uint32_t> codes(values.size());
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t change = std::int64_t{values[i]} - (i < stride ? 0 : std::int64_t{values[i - stride]});
    codes[i] = static_cast<std::uint32_t>(change < 0 ? -2 * change - 1 : 2 * change);
    largest = std::max(largest, codes[i]);
  }
  std::string bytes;
  for (unsigned shift = 0; shift == 0 || (shift < 32 && largest >> shift > 0); shift += 8) {
    for (const std::uint32_t code : codes) bytes += static_cast<char>(code >> shift & 255U);
  }
  return base64(bytes);
}

void append_level(JsonWriter& json, const char* key, const std::vector<std::uint32_t>& triangles) {
  json.key(key).begin_object().key("triangles").value(static_cast<int>(triangles.size() / 3));
  json.key("corners").value(packed(triangles, 1)).end_object();
}

std::string data_of(const DrawnMesh& mesh) {
  JsonWriter json;
  json.begin_object().key("vertices").value(static_cast<int>(mesh.vertex_count()));
  json.key("low").values(mesh.low).key("step").values(mesh.step);
  json.key("positions").value(packed(mesh.positions, 3)).key("parts").begin_array();
  for (const DrawnPart& part : mesh.parts) {
    json.begin_object();
    if (part.colour) json.key("colour").values(std::array{part.colour->x, part.colour->y, part.colour->z});
    append_level(json, "fine", part.fine);
    append_level(json, "coarse", part.coarse);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

// --- What is said of those that are missing
// ---------------------------------------------------------------------------

using Missing = std::map<std::string, std::vector<std::string>>;  ///< names by reasons

void add_notes(const Missing& missing, const std::string& file, std::vector<Diagnostic>& notes) {
  for (const auto& [why, names] : missing) {
    std::string text = names.size() == 1 ? "mesh " : std::to_string(names.size()) + " meshes (";
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
      text += (i > 0 ? ", '" : "'") + escaped(names[i]) + "'";
    if (names.size() > 1) text += names.size() > kMostNamed ? ", …)" : ")";
    notes.push_back({file, 0, text + ": " + why + "; rods are drawn in place of links without other shapes"});
  }
}

/// Reads what can be read; the others stay empty.
void read_all(std::vector<NumberedMesh>& meshes, const MeshSearch& search, Missing& missing) {
  std::map<std::string, std::optional<Mesh>> by_path;
  for (NumberedMesh& mesh : meshes) {
    const FoundMesh found = find_mesh(mesh.name, search);
    auto& problems = missing[found.problem];
    if (found.path.empty()) {
      if (std::ranges::find(problems, mesh.name) == problems.end()) problems.push_back(mesh.name);
      continue;
    }
    try {
      auto& read = by_path[found.path];
      if (!read) read = read_mesh(found.path);
      const std::optional<Mesh> hull = mesh.hull ? convex_hull(*read) : std::nullopt;
      mesh.drawn = drawn_mesh(hull ? *hull : *read);
    } catch (const InputError& error) {
      missing[error.problems().front().text].push_back(mesh.name);
    }
  }
  missing.erase("");
}

}  // namespace

std::string meshes_json(const Model& model, const MeshOptions& options, std::vector<Diagnostic>& notes) {
  std::vector<NumberedMesh> meshes = numbered_meshes(model);
  if (meshes.empty()) return "";
  Missing missing;
  read_all(meshes, {model.spec().file, options.package_paths}, missing);
  add_notes(missing, model.spec().file, notes);
  simplify_all(meshes, options.full);
  std::map<std::string, std::string> data;
  std::string numbers;
  for (const NumberedMesh& mesh : meshes) {
    numbers += numbers.empty() ? "" : ",";
    if (mesh.drawn.fine_count() == 0) {
      numbers += "null";
      continue;
    }
    const std::string text = data_of(mesh.drawn), key = fingerprint(text);
    data[key] = text;
    append_quoted(numbers, key);
  }
  std::string json = "{\"format\":\"verne-meshes/1\",\"meshes\":[" + numbers + "],\"data\":{";
  for (const auto& [key, text] : data) json += (json.back() == '{' ? "\"" : ",\"") + key + "\":" + text;
  return json + "}}";
}

}  // namespace verne
