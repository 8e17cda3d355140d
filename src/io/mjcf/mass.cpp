#include <algorithm>
#include <cmath>

#include "io/mjcf/body.h"
#include "io/mjcf/geom.h"
#include "io/principal_axes.h"
#include "io/trivial.h"
#include "shapes/find_mesh.h"
#include "shapes/mesh_inertia.h"
#include "shapes/read_mesh.h"
#include "verne/spatial/inertia.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

/// The moments about the principal axes, raised to the bound and balanced where no body has them.
Sym3<double> corrected(const Sym3<double>& inertia, const MjcfCompiler& compiler) {
  const PrincipalAxes principal = principal_axes(inertia);
  Vec3<double> m = principal.moments;
  for (int k = 0; k < 3; ++k) m[k] = std::max(m[k], compiler.bound_inertia);
  const bool impossible = m.x + m.y < m.z || m.y + m.z < m.x || m.x + m.z < m.y;
  if (compiler.balance && impossible) m.x = m.y = m.z = (m.x + m.y + m.z) / 3;
  return rotate(principal.R, Sym3<double>{m.x, 0, 0, m.y, 0, m.z});
}

void read_given_inertia(const MjcfElement& inertial, LinkSpec& link) {
  link.mass = inertial.number("mass", 0);
  if (!inertial.has("mass")) inertial.error("mass is missing");
  link.com = inertial.vector("pos", {0, 0, 0});
  if (const auto full = inertial.numbers("fullinertia", 6)) {
    const std::vector<double>& i = *full;
    link.inertia = {i[0], i[3], i[4], i[1], i[5], i[2]};
  } else if (const auto diagonal = inertial.numbers("diaginertia", 3)) {
    const std::vector<double>& d = *diagonal;
    link.inertia = rotate(inertial.compiler().orientation(inertial), Sym3<double>{d[0], 0, 0, d[1], 0, d[2]});
  }
}

struct WeighedGeom {
  const MjcfElement* element;
  MjcfGeom geom;
};

/// The shapes that have mass, by their groups; of those that weigh nothing, too.
std::vector<WeighedGeom> weighed_geoms(const MjcfBody& body, const MjcfCompiler& compiler) {
  std::vector<WeighedGeom> found;
  for (const MjcfPart& part : body.geoms) {
    const MjcfGeom geom = read_mjcf_geom(part.element, part.X_BF);
    if (geom.group >= compiler.groups[0] && geom.group <= compiler.groups[1]) found.push_back({&part.element, geom});
  }
  return found;
}

/// Null where the file is not there or is no mesh.
const Mesh* find_read_mesh(MjcfContents& contents, const MjcfMesh& mesh) {
  const MjcfFile& model = contents.file().files.first();
  const std::string name = name_of(mesh, model.folder);
  const auto [entry, added] = contents.read_meshes.try_emplace(name);
  if (added) {
    const FoundMesh found = find_mesh(name, {model.path});
    try {
      if (!found.path.empty()) entry->second = read_mesh(found.path);
    } catch (const InputError&) {
      entry->second.reset();  // as if it were not there: the model's other links are sound
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

/// Of the box that has the same moments of inertia over its mass.
double box_volume(const MeshInertia& body) {
  const Vec3<double> m = principal_axes(body.inertia).moments * (1 / body.size);
  double volume = 8;
  for (int k = 0; k < 3; ++k) volume *= std::sqrt(std::max(0.0, 1.5 * (m.x + m.y + m.z - 2 * m[k])));
  return volume;
}

/// As MuJoCo weighs a shape that is a mesh: unless it is told to be exact, by the volume of that box. Shells are as in
/// its newer versions.
std::optional<RigidInertia<double>> inertia_of_mesh(MjcfContents& contents, const MjcfElement& element,
                                                    const MjcfGeom& geom) {
  const MjcfDocument& document = *element.scope().instance->document;
  const auto asset = document.meshes.find(element.word("mesh", ""));
  const bool fitted = element.word("type", "mesh") != "mesh";  // to a shape that is like the mesh
  if (asset == document.meshes.end() || fitted) return std::nullopt;
  const Mesh* const mesh = find_read_mesh(contents, asset->second);
  if (!mesh) return std::nullopt;
  const MjcfMesh& by = asset->second;
  const auto place = [&](const Vec3<double>& v) {
    const Vec3<double> turned = transpose_times(by.turn, v - by.place);
    return Vec3<double>{by.scale.x * turned.x, by.scale.y * turned.y, by.scale.z * turned.z};
  };
  const MeshMass kind = geom.shell                        ? MeshMass::shell
                        : element.compiler().exact_meshes ? MeshMass::exact
                                                          : MeshMass::positive;
  const auto found = mesh_inertia(*mesh, kind, place);
  if (!found) return std::nullopt;
  const double volume = kind == MeshMass::positive ? box_volume(*found) : found->size;
  const double mass = geom.mass.value_or(geom.density * volume), density = mass / found->size;
  const Sym3<double>& i = found->inertia;
  const Vec3<double> mc = found->centre * mass;
  const Sym3<double> about_centre{density * i.xx, density * i.xy, density * i.xz,
                                  density * i.yy, density * i.yz, density * i.zz};
  return geom.X_BG * RigidInertia<double>{mass, mc, about_centre + steiner(mc, found->centre)};
}

void add_geom_masses(MjcfContents& contents, const std::vector<WeighedGeom>& geoms, bool moves, LinkSpec& link) {
  RigidInertia<double> sum = RigidInertia<double>::zero();
  for (const auto& [element, geom] : geoms) {
    const double amount = geom.mass.value_or(geom.density);
    if (amount < 0) {
      element->error((geom.mass ? "mass" : "density") + std::string(": expected a number that is not negative"));
    }
    if (amount == 0 || geom.type == "plane") continue;
    const auto inertia = geom.type == "mesh" ? inertia_of_mesh(contents, *element, geom) : inertia_of(geom);
    if (inertia) {
      sum += *inertia;
    } else if (moves) {
      contents.notes.not_modelled(*element, "mass that follows from a " + geom.type, "link", link.name);
    }
  }
  link.com = geoms.front().geom.X_BG.p;  // of shapes that weigh nothing
  if (sum.mass <= 0) return;
  link.mass = sum.mass;
  link.com = sum.mc * (1 / sum.mass);
  link.inertia = sum.I + steiner(sum.mc * -1.0, link.com);
}

}  // namespace

void read_mjcf_mass(MjcfContents& contents, const MjcfBody& body, const MjcfElement& element, bool moves,
                    LinkSpec& link) {
  const MjcfCompiler& compiler = element.compiler();
  const bool always = compiler.from_geoms == "true",
             from_geoms = always || (compiler.from_geoms == "auto" && !body.inertial);
  const std::vector<WeighedGeom> geoms = from_geoms ? weighed_geoms(body, compiler) : std::vector<WeighedGeom>{};
  if (!geoms.empty()) {
    add_geom_masses(contents, geoms, moves, link);
  } else if (body.inertial) {
    read_given_inertia(*body.inertial, link);
  }
  if (compiler.bound_mass > 0) link.mass = std::max(link.mass, compiler.bound_mass);
  if (compiler.bound_inertia > 0 || compiler.balance) link.inertia = corrected(link.inertia, compiler);
  link.has_inertial = !weighs_nothing(link);
  if (!link.has_inertial) link.com = {0, 0, 0};
}

}  // namespace verne
