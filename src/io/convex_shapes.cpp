#include "io/convex_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "base/user_cache.h"
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

/// A core and its skin as bytes, and back.
std::string bytes_of(const ConvexBody& body) {
  std::vector<double> numbers{body.skin};
  for (const Vec3<double>& p : body.points) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}
std::optional<ConvexBody> body_from(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (bytes.size() % sizeof(double) != 0 || numbers.size() % 3 != 1) return std::nullopt;
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  ConvexBody body;
  body.core = ConvexBody::Core::points, body.skin = numbers[0];
  for (std::size_t k = 1; k < numbers.size(); k += 3) body.points.push_back(Vec3<double>::load(&numbers[k]));
  return body;
}

/// Found once and kept in the user's cache, by what it is of.
ConvexBody kept_cover(const std::vector<Vec3<double>>& points) {
  if (points.size() <= kMostCorners) return cover(points, kThicker, kMostCorners);
  ConvexBody whole;
  whole.points = points;
  const std::string key = "cover 1 " + format_number(kThicker) + " " + std::to_string(kMostCorners) + bytes_of(whole);
  try {
    const auto make = [&](const std::string&, const std::string& path) {
      write_work_file(path, bytes_of(cover(points, kThicker, kMostCorners)));
    };
    if (auto body = body_from(cached(user_cache(), fingerprint(key) + ".hull", make).contents)) return *std::move(body);
  } catch (const EnvironmentError&) {  // no cache
  }
  return cover(points, kThicker, kMostCorners);
}

ConvexBody cover_of(const Mesh& hull, const Vec3<double>& scale) {
  std::vector<Vec3<double>> points;
  const std::vector<float>& positions = hull.positions;
  for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
    points.push_back(
        {scale.x * double(positions[k]), scale.y * double(positions[k + 1]), scale.z * double(positions[k + 2])});
  }
  return kept_cover(points);
}

/// Meshes by their names, each read once.
class Hulls {
 public:
  Hulls(const Model& model, const std::vector<std::string>& package_paths)
      : file_(model.spec().file), search_{file_, package_paths} {}

  ConvexBody of(const VisualSpec& shape) {
    const auto [known, is_new] = read_.try_emplace(shape.mesh);
    if (is_new) known->second = read(shape.mesh);
    ConvexBody body = cover_of(known->second, shape.size);
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

ConvexBody mesh_hull(const Mesh& mesh, const Vec3<double>& scale) {
  const auto hull = convex_hull(mesh);
  return cover_of(hull ? *hull : mesh, scale);
}

DrawnSurface drawn_hull(const std::vector<Vec3<double>>& points) {
  Mesh mesh;
  for (const Vec3<double>& p : points) {
    for (int i = 0; i < 3; ++i) mesh.positions.push_back(static_cast<float>(p[i]));
  }
  std::optional<Mesh> hull = convex_hull(mesh);
  return hull ? DrawnSurface{std::move(hull->positions), std::move(hull->triangles)} : DrawnSurface{};
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
    const std::vector<VisualSpec>& of_link = has_own ? links[k].collisions : links[k].visuals;
    for (std::size_t n = 0; n < of_link.size(); ++n) {
      const bool mesh = of_link[n].shape == VisualSpec::Shape::mesh;
      shapes.push_back(
          {static_cast<int>(k), mesh ? hulls.of(of_link[n]) : convex_body(of_link[n]), of_link[n].X_LV, n});
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
