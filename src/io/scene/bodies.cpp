#include "io/scene/bodies.h"

#include <algorithm>
#include <cmath>

#include "base/regular_file.h"
#include "io/convex_shapes.h"
#include "io/number.h"
#include "shapes/find_mesh.h"
#include "shapes/occupancy.h"
#include "shapes/read_mesh.h"
#include "shapes/surface_pieces.h"

namespace verne {

namespace {

constexpr std::size_t kLargestMap = std::size_t{256} << 20;

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string millimetres_thicker(double metres) {
  return metres > 0 ? ", " + format_number(std::ceil(metres * 1e5) / 100) + " mm thicker at most" : "";
}

/// Reads the files of one scene.
class SceneFiles {
 public:
  SceneFiles(const Scene& scene, const std::vector<std::string>& package_paths, std::vector<Diagnostic>& notes)
      : scene_(scene), search_{scene.file, package_paths}, notes_(notes) {}

  SceneBody body_of(const SceneShape& shape) const {
    SceneBody found{shape.object, {}, nullptr, shape.shape.X_LV};
    if (shape.shape.shape != VisualSpec::Shape::mesh) {
      found.body = convex_body(shape.shape);
      return found;
    }
    const std::string what = shape.mesh ? "its mesh" : in_quotes(shape.shape.mesh);
    try {
      if (shape.kind == SceneShape::Kind::octomap || shape.kind == SceneShape::Kind::voxels) {
        found.pieces = of_map(shape, what);
      } else if (const Mesh mesh = shape.mesh ? *shape.mesh : read_mesh(path_of(shape)); mesh.triangles.empty()) {
        throw InputError("is empty");
      } else if (shape.kind == SceneShape::Kind::hull) {
        found.body = mesh_hull(mesh, shape.shape.size);
        note(shape, what + " counts as its convex hull" + millimetres_thicker(found.body.skin));
      } else {
        found.pieces = of_surface(shape, mesh, what);
      }
    } catch (const InputError& error) {
      throw InputError({Diagnostic{scene_.file, shape.line,
                                   "objects: " + shape.object + ": " + what + " " + error.problems().front().text}});
    }
    return found;
  }

 private:
  std::string path_of(const SceneShape& shape) const {
    FoundMesh found = find_mesh(shape.shape.mesh, search_);
    if (found.path.empty()) throw InputError("cannot be used: " + found.problem);
    return found.path;
  }
  void note(const SceneShape& shape, const std::string& text) const {
    notes_.push_back({scene_.file, shape.line, "object " + in_quotes(shape.object) + ": " + text});
  }

  std::shared_ptr<const ConvexPieces> of_surface(const SceneShape& shape, const Mesh& mesh,
                                                 const std::string& what) const {
    const SurfacePieces surface = surface_pieces(mesh, shape.shape.size);
    std::string text = what + " counts as ";
    if (surface.solids > 0) text += counted(surface.solids, "convex part", "convex parts");
    if (surface.solids > 0 && surface.triangles > 0) text += " and ";
    if (surface.triangles > 0) text += counted(surface.triangles, "triangle", "triangles");
    text += surface.thicker > 0 ? millimetres_thicker(surface.thicker) : ", exactly";
    if (surface.open_edges > 0) {
      text += "; it is open (" + counted(surface.open_edges, "edge", "edges") + "): where it is, nothing is inside";
    }
    note(shape, text);
    return surface.pieces;
  }

  std::shared_ptr<const ConvexPieces> of_map(const SceneShape& shape, const std::string& what) const {
    const std::string bytes = read_regular_file(path_of(shape), kLargestMap);
    const OccupancyMap map = shape.kind == SceneShape::Kind::octomap
                                 ? read_octomap(bytes)
                                 : read_voxels(bytes, shape.resolution, shape.origin, shape.occupied);
    std::vector<ConvexPiece> boxes = boxes_of(map);
    note(shape, what + " has " + counted(map.cells.size(), "occupied cell", "occupied cells") + " of " +
                    format_number(map.resolution) + " m or more, " + counted(boxes.size(), "box", "boxes") +
                    "; what is unknown counts as free");
    DrawnSurface drawn = drawn_boxes(boxes);
    const std::size_t count = boxes.size();
    return std::make_shared<ConvexPieces>(std::move(boxes), count, std::move(drawn));
  }

  const Scene& scene_;
  MeshSearch search_;
  std::vector<Diagnostic>& notes_;
};

/// Names that are none of the model's links stand for the world: `map`, `odom`.
Transform<double> frame_of(const SceneShape& shape, const Model& model, const std::string& file) {
  const std::span<const Link> links = model.links();
  const auto link = std::ranges::find(links, shape.frame, &Link::name);
  Transform<double> X_WF = Transform<double>::identity();
  if (link == links.end()) return X_WF;
  if (link->body >= 0) {
    throw InputError({Diagnostic{file, shape.line,
                                 in_quotes(shape.object) + ": its poses are in the axes of " + in_quotes(shape.frame) +
                                     ", which moves: give them in the world"}});
  }
  for (const Link* at = &*link; at; at = at->parent >= 0 ? &links[static_cast<std::size_t>(at->parent)] : nullptr) {
    const auto spec = std::ranges::find(model.spec().links, at->name, &LinkSpec::name);
    X_WF = spec->X_PJ * spec->X_JL * X_WF;
  }
  return X_WF;
}

}  // namespace

std::vector<SceneBody> scene_bodies(const Scene& scene, const Model& model,
                                    const std::vector<std::string>& package_paths, std::vector<Diagnostic>& notes) {
  const SceneFiles files(scene, package_paths, notes);
  std::vector<SceneBody> bodies;
  std::vector<Diagnostic> problems;
  for (const SceneShape& shape : scene.shapes) {
    try {
      bodies.push_back(files.body_of(shape));
      bodies.back().X_WB = frame_of(shape, model, scene.file) * bodies.back().X_WB;
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return bodies;
}

}  // namespace verne
