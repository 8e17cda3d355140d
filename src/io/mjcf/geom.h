/// Shapes of MuJoCo's format: what they weigh and how they look.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/mjcf/element.h"
#include "verne/model/spec.h"
#include "verne/spatial/inertia.h"

namespace verne {

/// A mesh in <asset>: a vertex v of the file is at scale * turnᵀ (v - place) of the geom.
struct MjcfMesh {
  std::string file;  ///< as one opens it
  Vec3<double> scale{1, 1, 1}, place{0, 0, 0};
  Mat3<double> turn = Mat3<double>::identity();
};

/// A shape in the axes of its body.
struct MjcfGeom {
  std::string type;  ///< "sphere", "capsule", …
  Transform<double> X_BG = Transform<double>::identity();
  Vec3<double> size{0, 0, 0};  ///< MuJoCo's: radius; radius and half the length; half the edges
  std::optional<double> mass;
  double density = 1000;
  double group = 0;
  std::optional<Vec3<double>> colour;                    ///< its own
  std::uint64_t contact_type = 1, contact_affinity = 1;  ///< masks
  bool visible = true;
  bool shell = false;  ///< all mass is in the surface, where density is per area
};

/// `fromto`: the long axis lies between two points, z from the second to the first.
struct MjcfEnds {
  Transform<double> X_FG;
  double half_length;
};
std::optional<MjcfEnds> read_mjcf_ends(const MjcfElement& element);

/// `X_BF`: where the element stands.
MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& X_BF);

/// About the body's origin; nothing for shapes without a volume that is known (meshes, planes).
std::optional<RigidInertia<double>> inertia_of(const MjcfGeom& geom);
/// Its file relative to the model's folder.
std::string name_of(const MjcfMesh& mesh, const std::string& folder);

/// Whether pictures show it, and whether it may touch others.
bool is_shown(const MjcfGeom& geom);
bool may_collide(const MjcfGeom& geom);
/// Nothing for shapes that pictures do not have. `folder` is that of the model, to which names of files are relative.
std::optional<VisualSpec> shape_of(const MjcfGeom& geom, const MjcfMesh* mesh, const std::string& folder);

}  // namespace verne
