#include "io/convex_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "base/user_cache.h"
#include "io/number.h"
#include "shapes/capsule_cover.h"
#include "shapes/find_mesh.h"
#include "shapes/hull.h"
#include "shapes/read_mesh.h"
#include "spatial/convex_cover.h"

namespace verne {

namespace {

/// Of hulls: more corners take longer, fewer make the body thicker than it is.
constexpr std::size_t kMostCorners = 64;
constexpr double kThicker = 5e-4;  // m
/// Of capsules.
constexpr std::size_t kMostCapsules = 8;
constexpr double kThickerCapsules = 0.01;  // m

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

/// Bytes that are made once and kept in the user's cache, by what they are of.
std::string kept(const std::string& key, const char* ending, const std::function<std::string()>& make) {
  try {
    const auto write = [&](const std::string&, const std::string& path) { write_work_file(path, make()); };
    return cached(user_cache(), fingerprint(key) + ending, write).contents;
  } catch (const EnvironmentError&) {  // no cache
    return make();
  }
}

ConvexBody kept_cover(const std::vector<Vec3<double>>& points) {
  const auto make = [&] { return cover(points, kThicker, kMostCorners); };
  if (points.size() <= kMostCorners) return make();
  ConvexBody whole;
  whole.points = points;
  const std::string key = "cover 1 " + format_number(kThicker) + " " + std::to_string(kMostCorners) + bytes_of(whole);
  auto body = body_from(kept(key, ".hull", [&] { return bytes_of(make()); }));
  return body ? *std::move(body) : make();
}

/// Capsules as bytes, and back.
std::string bytes_of(const CapsuleCover& cover) {
  std::string bytes(reinterpret_cast<const char*>(&cover.thicker), sizeof cover.thicker);
  return bytes.append(reinterpret_cast<const char*>(cover.capsules.data()),
                      cover.capsules.size() * sizeof(FittedCapsule));
}
CapsuleCover capsules_from(const std::string& bytes) {
  static_assert(std::is_trivially_copyable_v<FittedCapsule>);
  CapsuleCover cover;
  constexpr std::size_t kHead = sizeof cover.thicker;
  if (bytes.size() < kHead || (bytes.size() - kHead) % sizeof(FittedCapsule) != 0) return cover;
  std::memcpy(&cover.thicker, bytes.data(), kHead);
  cover.capsules.resize((bytes.size() - kHead) / sizeof(FittedCapsule));
  std::memcpy(static_cast<void*>(cover.capsules.data()), bytes.data() + kHead, bytes.size() - kHead);
  return cover;
}
CapsuleCover kept_capsules(const Mesh& mesh, const Vec3<double>& scale) {
  const auto make = [&] { return cover_by_capsules(mesh, scale, kThickerCapsules, kMostCapsules); };
  const std::string key = "capsules 1 " + format_number(kThickerCapsules) + " " + std::to_string(kMostCapsules) + " " +
                          format_number(scale.x) + " " + format_number(scale.y) + " " + format_number(scale.z) + " " +
                          bytes_of(mesh);
  CapsuleCover found = capsules_from(kept(key, ".capsules", [&] { return bytes_of(make()); }));
  return found.capsules.empty() ? make() : found;
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

/// A body, and where it is.
struct PlacedShape {
  ConvexBody body;
  Transform<double> X;
};

/// Meshes by their names, each read once.
class Hulls {
 public:
  Hulls(const Model& model, const std::vector<std::string>& package_paths, bool capsules)
      : file_(model.spec().file), capsules_(capsules), search_{file_, package_paths} {}

  std::vector<PlacedShape> of(const VisualSpec& shape) {
    const auto [known, is_new] = read_.try_emplace(shape.mesh);
    if (is_new) known->second = read(shape.mesh);
    std::vector<PlacedShape> bodies;
    if (!capsules_) {
      bodies.push_back({cover_of(known->second, shape.size), shape.X_LV});
      thickest_ = std::max(thickest_, bodies[0].body.skin);
      return bodies;
    }
    const CapsuleCover cover = kept_capsules(known->second, shape.size);
    thickest_ = std::max(thickest_, cover.thicker);
    for (const FittedCapsule& capsule : cover.capsules) {
      ConvexBody body;
      body.core = ConvexBody::Core::line, body.half.z = capsule.half, body.skin = capsule.radius;
      bodies.push_back({std::move(body), shape.X_LV * capsule.X});
    }
    count_ += cover.capsules.size();
    return bodies;
  }
  /// What they count as, for people.
  std::string text() const {
    return capsules_ ? std::to_string(count_) + " capsules that hold them" : "their convex hulls";
  }
  /// By which bodies are thicker than meshes or their hulls, m; nothing where there were none.
  std::optional<double> thicker() const { return read_.empty() ? std::nullopt : std::optional(thickest_); }

 private:
  Mesh read(const std::string& name) const {
    const FoundMesh found = find_mesh(name, search_);
    if (found.path.empty()) throw InputError({Diagnostic{file_, 0, "mesh " + in_quotes(name) + ": " + found.problem}});
    Mesh mesh = read_mesh(found.path);
    if (mesh.positions.empty()) throw InputError({Diagnostic{file_, 0, "mesh " + in_quotes(name) + " is empty"}});
    if (capsules_ && !mesh.triangles.empty()) return mesh;
    if (auto hull = convex_hull(mesh)) return *std::move(hull);
    return mesh;
  }

  std::string file_;
  bool capsules_;
  std::size_t count_ = 0;
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
                                   std::vector<Diagnostic>& notes, bool capsules) {
  const std::vector<LinkSpec>& links = model.spec().links;
  const bool has_own = std::ranges::any_of(links, [](const LinkSpec& link) { return !link.collisions.empty(); });
  if (!has_own) {
    notes.push_back({model.spec().file, 0, "the model has no collision shapes: those of its picture stand in"});
  }
  Hulls hulls(model, package_paths, capsules);
  std::vector<LinkShape> shapes;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::vector<VisualSpec>& of_link = has_own ? links[k].collisions : links[k].visuals;
    for (std::size_t n = 0; n < of_link.size(); ++n) {
      const bool mesh = of_link[n].shape == VisualSpec::Shape::mesh;
      const std::vector<PlacedShape> parts =
          mesh ? hulls.of(of_link[n]) : std::vector<PlacedShape>{{convex_body(of_link[n]), of_link[n].X_LV}};
      for (const PlacedShape& part : parts) shapes.push_back({static_cast<int>(k), part.body, part.X, n});
    }
  }
  if (const auto thicker = hulls.thicker()) {
    notes.push_back({model.spec().file, 0,
                     "meshes of links count as " + hulls.text() + ", " +
                         format_number(std::round(*thicker * 1e5) / 100) + " mm thicker at most"});
  }
  return shapes;
}

}  // namespace verne
