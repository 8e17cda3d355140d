/// Shapes of MuJoCo's format: what they weigh and how they look.
#pragma once

#include "io/mjcf_element.h"
#include "verne/model/spec.h"
#include "verne/spatial/inertia.h"

namespace verne {

/// A shape in the axes of its body.
struct MjcfGeom {
  std::string type;  ///< "sphere", "capsule", …
  Transform<double> X_BG = Transform<double>::identity();
  Vec3<double> size{0, 0, 0};  ///< MuJoCo's: radius; radius and half the length; half the edges
  std::optional<double> mass;
  double density = 1000;
  double group = 0;
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
/// Nothing for shapes that pictures do not have.
std::optional<VisualSpec> visual_of(const MjcfGeom& geom, const std::string& mesh_file);

}  // namespace verne
