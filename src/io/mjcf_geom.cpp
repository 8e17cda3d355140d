#include "io/mjcf_geom.h"

#include <cmath>

#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr int kShownGroups = 3;  // MuJoCo shows groups 0, 1 and 2

struct Solid {
  double volume;
  Vec3<double> gyration;  ///< moments of inertia over the mass
};

double squared(double x) {
  return x * x;
}

std::optional<Solid> solid_of(const MjcfGeom& geom) {
  const auto [a, b, c] = geom.size;
  if (geom.type == "sphere") {
    const double gyration = 0.4 * a * a;
    return Solid{4 * M_PI / 3 * a * a * a, {gyration, gyration, gyration}};
  }
  if (geom.type == "box") {
    return Solid{8 * a * b * c, {(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3}};
  }
  if (geom.type == "ellipsoid") {
    return Solid{4 * M_PI / 3 * a * b * c, {(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5}};
  }
  if (geom.type == "cylinder") {
    const double across = a * a / 4 + b * b / 3;
    return Solid{2 * M_PI * a * a * b, {across, across, a * a / 2}};
  }
  if (geom.type == "capsule") {  // a cylinder and two halves of a ball, each with its centre 3/8 r beyond the end
    const double cylinder = 2 * M_PI * a * a * b, ball = 4 * M_PI / 3 * a * a * a, volume = cylinder + ball;
    const double across =
        cylinder * (a * a / 4 + b * b / 3) + ball * (0.4 * a * a - squared(3 * a / 8) + squared(b + 3 * a / 8));
    return Solid{volume, {across / volume, across / volume, (cylinder * 0.5 + ball * 0.4) * a * a / volume}};
  }
  return std::nullopt;
}

/// `fromto` places the long axis between two points.
bool read_ends(const MjcfElement& element, MjcfGeom& geom, Transform<double>& placed) {
  const auto ends = element.numbers("fromto", 6);
  if (!ends) return false;
  const std::vector<double>& e = *ends;
  const Vec3<double> from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]}, way = to - from;
  const double length = norm(way);
  if (length == 0) {
    element.error("fromto: the two points are the same");
    return false;
  }
  placed = {frame_with_z_along(way), (from + to) * 0.5};
  const bool round = geom.type == "capsule" || geom.type == "cylinder";
  (round ? geom.size.y : geom.size.z) = length / 2;
  if (!round) geom.size.y = geom.size.x;
  return true;
}

}  // namespace

MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& X_BF, const Transform<double>& placed) {
  MjcfGeom geom;
  geom.type = element.has("mesh") ? "mesh" : element.word("type", "sphere");  // which may be fitted to the mesh
  std::vector<double> size = element.numbers("size", 1).value_or(std::vector<double>{});
  size.resize(3, 0.0);
  geom.size = {size[0], size[1], size[2]};
  Transform<double> X_FG = placed;
  read_ends(element, geom, X_FG);
  geom.X_BG = X_BF * X_FG;
  if (element.has("mass")) geom.mass = element.number("mass", 0);
  geom.density = element.number("density", geom.density);
  geom.group = element.number("group", 0);
  return geom;
}

std::optional<RigidInertia<double>> inertia_of(const MjcfGeom& geom) {
  const auto solid = solid_of(geom);
  if (!solid) return std::nullopt;
  const double mass = geom.mass.value_or(geom.density * solid->volume);
  const Vec3<double>& g = solid->gyration;
  return geom.X_BG * RigidInertia<double>{mass, {0, 0, 0}, {mass * g.x, 0, 0, mass * g.y, 0, mass * g.z}};
}

std::optional<VisualSpec> visual_of(const MjcfGeom& geom, const std::string& mesh_file) {
  if (geom.group >= kShownGroups) return std::nullopt;
  VisualSpec visual;
  visual.X_LV = geom.X_BG;
  const auto [a, b, c] = geom.size;
  if (geom.type == "sphere") {
    visual.shape = VisualSpec::Shape::sphere, visual.size = {a, 0, 0};
  } else if (geom.type == "capsule" || geom.type == "cylinder") {
    visual.shape = geom.type == "capsule" ? VisualSpec::Shape::capsule : VisualSpec::Shape::cylinder;
    visual.size = {a, 2 * b, 0};
  } else if (geom.type == "box") {
    visual.shape = VisualSpec::Shape::box, visual.size = {2 * a, 2 * b, 2 * c};
  } else if (geom.type == "mesh" && !mesh_file.empty()) {
    visual.shape = VisualSpec::Shape::mesh, visual.size = {1, 1, 1}, visual.mesh = mesh_file;
  } else {
    return std::nullopt;
  }
  return visual;
}

}  // namespace verne
