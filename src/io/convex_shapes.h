/// The shapes of a model's links as convex bodies, for questions about touching.
#pragma once

#include <string>
#include <vector>

#include "shapes/mesh.h"
#include "spatial/convex_pieces.h"
#include "verne/model/model.h"

namespace verne {

/// A shape of a link.
struct LinkShape {
  int link = 0;
  ConvexBody body;
  Transform<double> X_LB = Transform<double>::identity();
  std::size_t number = 0;  ///< among the collision shapes of its link
};

/// A sphere, capsule, box or cylinder.
VERNE_API ConvexBody convex_body(const VisualSpec& shape);
/// The hull of a mesh, scaled axis by axis; its skin is by how much it may be thicker than that.
VERNE_API ConvexBody mesh_hull(const Mesh& mesh, const Vec3<double>& scale);
/// What a page draws of the hull of points.
VERNE_API DrawnSurface drawn_hull(const std::vector<Vec3<double>>& points);

/// Collision shapes of all links, meshes as their hulls, or as a few capsules that hold them; those of the picture
/// where the model has no collision shapes, of which `notes` tells. Throws InputError for meshes that are not found or
/// cannot be read.
VERNE_API std::vector<LinkShape> link_shapes(const Model& model, const std::vector<std::string>& package_paths,
                                             std::vector<Diagnostic>& notes, bool capsules = false);

}  // namespace verne
