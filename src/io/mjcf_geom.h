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
};

/// `X_BF`: where the element stands; `orient`: how it is turned against that.
MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& X_BF, const Transform<double>& placed);

/// About the body's origin; nothing for shapes without a volume that is known (meshes, planes).
std::optional<RigidInertia<double>> inertia_of(const MjcfGeom& geom);
/// Nothing for shapes that pictures do not have.
std::optional<VisualSpec> visual_of(const MjcfGeom& geom, const std::string& mesh_file);

}  // namespace verne
