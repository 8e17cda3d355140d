/// The shapes of a model's links as convex bodies, for questions about touching.
#pragma once

#include <string>
#include <vector>

#include "spatial/convex.h"
#include "verne/model/model.h"

namespace verne {

/// A shape of a link.
struct LinkShape {
  int link = 0;
  ConvexBody body;
  Transform<double> X_LB = Transform<double>::identity();
};

/// A sphere, capsule, box or cylinder.
VERNE_API ConvexBody convex_body(const VisualSpec& shape);

/// Collision shapes of all links, meshes as their hulls; those of the picture where the model has no collision shapes,
/// of which `notes` tells. Throws InputError for meshes that are not found or cannot be read.
VERNE_API std::vector<LinkShape> link_shapes(const Model& model, const std::vector<std::string>& package_paths,
                                             std::vector<Diagnostic>& notes);

}  // namespace verne
