/// What stands around a model: objects with names, from a file of ours or of MoveIt.
#pragma once

#include <string>
#include <vector>

#include "io/yaml_map.h"
#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// One shape of an object.
struct SceneShape {
  std::string object;
  VisualSpec shape;  ///< its pose is that in the world
  int line = 0;      ///< of the file
};

struct Scene {
  std::vector<SceneShape> shapes;
  double margin = 0;  ///< m: what is nearer collides
};

/// Reads `verne-scene/1`, the text that MoveIt saves as `.scene`, or its PlanningScene as YAML. Throws InputError with
/// every mistake: shapes other than spheres, capsules, boxes and cylinders, sizes that are not positive, names given
/// twice, …
VERNE_API Scene read_scene(const std::string& text, const std::string& file);
/// The same of `{objects: …, margin: …}` in another file; what is wrong is reported there.
VERNE_API Scene read_scene(const YamlNode& map, const YamlReader& reader);

}  // namespace verne
