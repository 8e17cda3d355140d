/// A model as pictures need it, in JSON: what it is called, how its links hang together, and their shapes.
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/io/json_writer.h"
#include "verne/model/model.h"

namespace verne {

/// Writes the `model` object of solution files (docs/report.md). Poses are `position` [x, y, z] and `rotation`
/// [qx, qy, qz, qw] in link axes. A joint's pose is that of its child-side frame, in which joint wrenches are given.
/// A mesh is its number in mesh_names(): those of collision shapes come after those of visual ones.
VERNE_API void append_model(JsonWriter& json, const Model& model);

/// The mesh files that the shapes of a model name, each once, in the order of the links.
struct MeshNames {
  std::vector<std::string> visuals, collisions;  ///< of visual and of collision shapes
};
/// The files that the shapes of `model` name.
VERNE_API MeshNames mesh_names(const Model& model);

}  // namespace verne
