#include "io/convex_shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "io/number.h"
#include "shapes/find_mesh.h"
#include "shapes/hull.h"
#include "shapes/read_mesh.h"
#include "spatial/convex_cover.h"

namespace verne {

namespace {

/// Of hulls: more corners take longer, fewer make the body thicker than it is.
constexpr std::size_t kMostCorners = 64;
constexpr double kThicker = 5e-4;  // m

/// Meshes by their names, each read once.
class Hulls {
 public:
  Hulls(const Model& model, const std::vector<std::string>& package_paths)
      : file_(model.spec().file), search_{file_, package_paths} {}

  ConvexBody of(const VisualSpec& shape) {
    const auto [known, is_new] = read_.try_emplace(shape.mesh);
    if (is_new) known->second = read(shape.mesh);
    std::vector<Vec3<double>> points;
    const std::vector<float>& positions = known->second.positions;
    for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
      points.push_back({shape.size.x * double(positions[k]), shape.size.y * double(positions[k + 1]),
                        shape.size.z * double(positions[k + 2])});
    }
    ConvexBody body = cover(points, kThicker, kMostCorners);
    thickest_ = std::max(thickest_, body.skin);
    return body;
  }
  /// By which bodies are thicker than the hulls of their meshes, m; nothing where there were none.
  std::optional<double> thicker() const { return read_.empty() ? std::nullopt : std::optional(thickest_); }

 private:
  Mesh read(const std::string& name) const {
    const FoundMesh found = find_mesh(name, search_);
    if (found.path.empty()) throw InputError({Diagnostic{file_, 0, "mesh " + in_quotes(name) + ": " + found.problem}});
    Mesh mesh = read_mesh(found.path);
    if (mesh.positions.empty()) throw InputError({Diagnostic{file_, 0, "mesh " + in_quotes(name) + " is empty"}});
    if (auto hull = convex_hull(mesh)) return *std::move(hull);
    return mesh;
  }

  std::string file_;
  double thickest_ = 0;
  MeshSearch search_;
  std::map<std::string, Mesh> read_;
};

}  // namespace

ConvexBody convex_body(const VisualSpec& shape) {
  ConvexBody body;
  switch (shape.shape) {
    case VisualSpec::Shape::sphere:
      body.skin = shape.size.x;
      break;
    case VisualSpec::Shape::capsule:
      body.core = ConvexBody::Core::line, body.half.z = shape.size.y / 2, body.skin = shape.size.x;
      break;
    case VisualSpec::Shape::box:
      body.core = ConvexBody::Core::box, body.half = shape.size * 0.5;
      break;
    case VisualSpec::Shape::cylinder:
      body.core = ConvexBody::Core::cylinder, body.half = {shape.size.x, shape.size.x, shape.size.y / 2};
      break;
    case VisualSpec::Shape::mesh:
      break;
  }
  return body;
}

std::vector<LinkShape> link_shapes(const Model& model, const std::vector<std::string>& package_paths,
                                   std::vector<Diagnostic>& notes) {
  const std::vector<LinkSpec>& links = model.spec().links;
  const bool has_own = std::ranges::any_of(links, [](const LinkSpec& link) { return !link.collisions.empty(); });
  if (!has_own) {
    notes.push_back({model.spec().file, 0, "the model has no collision shapes: those of its picture stand in"});
  }
  Hulls hulls(model, package_paths);
  std::vector<LinkShape> shapes;
  for (std::size_t k = 0; k < links.size(); ++k) {
    for (const VisualSpec& shape : has_own ? links[k].collisions : links[k].visuals) {
      const bool mesh = shape.shape == VisualSpec::Shape::mesh;
      shapes.push_back({static_cast<int>(k), mesh ? hulls.of(shape) : convex_body(shape), shape.X_LV});
    }
  }
  if (const auto thicker = hulls.thicker()) {
    notes.push_back({model.spec().file, 0,
                     "meshes of links count as their convex hulls, " + format_number(std::round(*thicker * 1e5) / 100) +
                         " mm thicker at most"});
  }
  return shapes;
}

}  // namespace verne
