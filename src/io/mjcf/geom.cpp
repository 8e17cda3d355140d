#include "io/mjcf/geom.h"

#include <cmath>
#include <filesystem>

#include "io/mjcf/compiler.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

constexpr int kShownGroups = 3;  // MuJoCo shows groups 0, 1 and 2

struct Solid {
  double size;            ///< volume, of a shell its area
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

/// MuJoCo takes what lies between an ellipsoid and one with axes longer by this, in metres, and Thomsen's formula for
/// the area.
constexpr double kEllipsoidShell = 1e-6;
constexpr double kThomsen = 1.6075;

Solid shell_of_ellipsoid(const Vec3<double>& s) {
  const Vec3<double> outer = s + Vec3<double>{kEllipsoidShell, kEllipsoidShell, kEllipsoidShell};
  const double inside = s.x * s.y * s.z, all = outer.x * outer.y * outer.z;
  Vec3<double> gyration;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    gyration[k] = (all * (squared(outer[i]) + squared(outer[j])) - inside * (squared(s[i]) + squared(s[j]))) /
                  (5 * (all - inside));
  }
  const double powers = std::pow(s.x * s.y, kThomsen) + std::pow(s.y * s.z, kThomsen) + std::pow(s.z * s.x, kThomsen);
  return {4 * M_PI * std::pow(powers / 3, 1 / kThomsen), gyration};
}

/// All mass in the surface, evenly.
std::optional<Solid> shell_of(const MjcfGeom& geom) {
  const auto [a, b, c] = geom.size;
  if (geom.type == "sphere") {
    const double gyration = 2 * a * a / 3;
    return Solid{4 * M_PI * a * a, {gyration, gyration, gyration}};
  }
  if (geom.type == "box") {  // <x²> over pairs of faces: a² across x, else a²/3
    const double across_x = 8 * b * c, across_y = 8 * a * c, across_z = 8 * a * b,
                 area = across_x + across_y + across_z;
    const double xx = a * a * (across_x + (across_y + across_z) / 3) / area;
    const double yy = b * b * (across_y + (across_x + across_z) / 3) / area;
    const double zz = c * c * (across_z + (across_x + across_y) / 3) / area;
    return Solid{area, {yy + zz, xx + zz, xx + yy}};
  }
  if (geom.type == "ellipsoid") return shell_of_ellipsoid(geom.size);
  const double wall = 4 * M_PI * a * b;
  if (geom.type == "cylinder") {
    const double ends = 2 * M_PI * a * a, area = wall + ends;
    const double across = wall * (a * a / 2 + b * b / 3) + ends * (a * a / 4 + b * b);
    return Solid{area, {across / area, across / area, (wall + ends / 2) * a * a / area}};
  }
  if (geom.type == "capsule") {  // the halves of the sphere have their centres r/2 beyond the ends
    const double ends = 4 * M_PI * a * a, area = wall + ends;
    const double across = wall * (a * a / 2 + b * b / 3) + ends * (2 * a * a / 3 - squared(a / 2) + squared(b + a / 2));
    return Solid{area, {across / area, across / area, (wall + 2 * ends / 3) * a * a / area}};
  }
  return std::nullopt;
}

/// Nothing for a mesh that is turned and then scaled by different factors, which no pose says.
std::optional<VisualSpec> shape_of_mesh(const MjcfGeom& geom, const MjcfMesh& mesh, const std::string& folder) {
  const auto [a, b, c] = mesh.scale;
  const Mat3<double> back = transpose(mesh.turn);
  const bool even = a == b && b == c, turned = norm(rotation_vector_of(mesh.turn)) > 0;
  if (turned && !even) return std::nullopt;
  const Vec3<double> place = back * mesh.place;
  VisualSpec visual;
  visual.shape = VisualSpec::Shape::mesh;
  visual.X_LV = geom.X_BG * Transform<double>{back, {-a * place.x, -b * place.y, -c * place.z}};
  visual.size = mesh.scale;
  visual.mesh = name_of(mesh, folder);
  visual.colour = geom.colour;
  return visual;
}

}  // namespace

std::optional<MjcfEnds> read_mjcf_ends(const MjcfElement& element) {
  const auto ends = element.numbers("fromto", 6);
  if (!ends) return std::nullopt;
  const std::vector<double>& e = *ends;
  const Vec3<double> from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]}, way = from - to;
  const double length = norm(way);
  if (length > 0) return MjcfEnds{{shortest_turn_of_z(way), (from + to) * 0.5}, length / 2};
  element.error("fromto: the two points are the same");
  return std::nullopt;
}

MjcfGeom read_mjcf_geom(const MjcfElement& element, const Transform<double>& X_BF) {
  MjcfGeom geom;
  geom.type = element.has("mesh") ? "mesh" : element.word("type", "sphere");  // which may be fitted to the mesh
  const std::vector<double> size = element.first_numbers("size", {0, 0, 0});
  geom.size = {size[0], size[1], size[2]};
  geom.X_BG = X_BF * element.compiler().pose(element);
  if (const auto ends = read_mjcf_ends(element)) {
    const bool round = geom.type == "capsule" || geom.type == "cylinder";
    (round ? geom.size.y : geom.size.z) = ends->half_length;
    if (!round) geom.size.y = geom.size.x;
    geom.X_BG = X_BF * ends->X_FG;
  }
  if (element.has("mass")) geom.mass = element.number("mass", 0);
  geom.density = element.number("density", geom.density);
  geom.group = element.number("group", 0);
  geom.shell = element.word("shellinertia", "false") == "true";
  const auto mask = [&](const char* key) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(element.number(key, 1))));
  };
  geom.contact_type = mask("contype"), geom.contact_affinity = mask("conaffinity");
  if (const auto rgba = element.numbers("rgba", 4)) {
    geom.visible = (*rgba)[3] > 0;
    geom.colour = Vec3<double>{(*rgba)[0], (*rgba)[1], (*rgba)[2]};
  }
  return geom;
}

std::optional<RigidInertia<double>> inertia_of(const MjcfGeom& geom) {
  const auto solid = geom.shell ? shell_of(geom) : solid_of(geom);
  if (!solid) return std::nullopt;
  const double mass = geom.mass.value_or(geom.density * solid->size);
  const Vec3<double>& g = solid->gyration;
  return geom.X_BG * RigidInertia<double>{mass, {0, 0, 0}, {mass * g.x, 0, 0, mass * g.y, 0, mass * g.z}};
}

bool is_shown(const MjcfGeom& geom) {
  return geom.group < kShownGroups && geom.visible;
}

bool may_collide(const MjcfGeom& geom) {
  return geom.contact_type != 0 || geom.contact_affinity != 0;
}

std::string name_of(const MjcfMesh& mesh, const std::string& folder) {
  return std::filesystem::path(mesh.file).lexically_proximate(folder.empty() ? "." : folder).string();
}

std::optional<VisualSpec> shape_of(const MjcfGeom& geom, const MjcfMesh* mesh, const std::string& folder) {
  VisualSpec visual;
  visual.X_LV = geom.X_BG;
  visual.colour = geom.colour;
  const auto [a, b, c] = geom.size;
  if (geom.type == "sphere") {
    visual.shape = VisualSpec::Shape::sphere, visual.size = {a, 0, 0};
  } else if (geom.type == "capsule" || geom.type == "cylinder") {
    visual.shape = geom.type == "capsule" ? VisualSpec::Shape::capsule : VisualSpec::Shape::cylinder;
    visual.size = {a, 2 * b, 0};
  } else if (geom.type == "box") {
    visual.shape = VisualSpec::Shape::box, visual.size = {2 * a, 2 * b, 2 * c};
  } else if (geom.type == "mesh" && mesh) {
    return shape_of_mesh(geom, *mesh, folder);
  } else {
    return std::nullopt;
  }
  return visual;
}

}  // namespace verne
