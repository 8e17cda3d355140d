/// The objects of a scene as bodies to keep clear of: files of meshes and maps are read here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/scene/scene.h"
#include "spatial/convex_pieces.h"
#include "verne/model/model.h"

namespace verne {

/// A convex body, or many pieces.
struct SceneBody {
  std::string object;
  ConvexBody body;
  std::shared_ptr<const ConvexPieces> pieces;  ///< in place of the body, where it is not null
  Transform<double> X_WB = Transform<double>::identity();
};

/// In the order of shapes, around a model; `notes` tell what became of meshes and maps. Throws InputError, with the
/// scene's file and line, for files that are not found, cannot be read, or hold too much, and for poses in the axes of
/// links that move.
VERNE_API std::vector<SceneBody> scene_bodies(const Scene& scene, const Model& model,
                                              const std::vector<std::string>& package_paths,
                                              std::vector<Diagnostic>& notes);

}  // namespace verne
