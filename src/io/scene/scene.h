/// What stands around a model: objects with names, from a file of ours or of MoveIt.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/yaml/map.h"
#include "shapes/mesh.h"
#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// One shape of an object.
struct SceneShape {
  /// A mesh as its surface or as its hull; a map of what is occupied: their files are `shape.mesh`.
  enum class Kind { shape, hull, octomap, voxels };
  std::string object;
  VisualSpec shape;  ///< its pose is that in the world
  int line = 0;      ///< of the file
  Kind kind = Kind::shape;
  std::string frame{};                    ///< a link that the pose is in the axes of; else the world
  double resolution = 0, occupied = 0.5;  ///< of voxels
  Vec3<double> origin{0, 0, 0};
  std::shared_ptr<const Mesh> mesh{};  ///< that the scene's file itself holds
};

/// Links and objects that may touch: names, or patterns with `*` and `?`.
struct AllowedContact {
  std::string a, b;
  int line = 0;
};

/// MoveIt's allowed_collision_matrix: which of these names may touch, and which may touch whatever it does not have.
struct ContactMatrix {
  std::vector<std::string> names;
  std::vector<std::vector<bool>> enabled;  ///< a row and a column for each of them
  std::map<std::string, bool> otherwise{};
  int line = 0;
  bool allows(const std::string& a, const std::string& b) const;
};

struct Scene {
  std::vector<SceneShape> shapes;
  double margin = 0;  ///< m: what is nearer collides
  std::vector<AllowedContact> allowed{};
  ContactMatrix matrix{};
  bool capsules = false;  ///< meshes of links count as capsules that hold them, in place of hulls
  std::string file{};     ///< meshes are beside it
};

/// Reads `verne-scene/1`, the text that MoveIt saves as `.scene`, or its PlanningScene as YAML. Throws InputError with
/// every mistake: sizes that are not positive, names given twice, …
VERNE_API Scene read_scene(const std::string& text, const std::string& file);
/// The same of `{objects: …, margin: …, allowed_contacts: …}` in another file; what is wrong is reported there.
VERNE_API Scene read_scene(const YamlNode& map, const YamlReader& reader);

/// What is wrong with a shape's size; empty: nothing.
std::string size_problem(const VisualSpec& shape);

/// Pairs of links and objects that may touch, each once. Throws InputError for a name or pattern that is none of them,
/// and for a matrix that has none of these links.
VERNE_API std::vector<std::pair<std::string, std::string>> allowed_pairs(const Scene& scene,
                                                                         const std::vector<std::string>& links);

}  // namespace verne
