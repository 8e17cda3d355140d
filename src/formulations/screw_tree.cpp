#include "formulations/screw_tree.h"

#include <algorithm>

#include "formulations/tree_reading.h"

namespace verne::formulations {

namespace {

/// (z; −z × r + pitch z) of an axis through r, or (0; z).
Vec6<double> screw_axis(const TreeBody& body, const Transform<double>& X_0B) {
  const Vec3<double> z = X_0B.R.column(2);
  if (body.kind == JointKind::prismatic) return {{0, 0, 0}, z};
  const double pitch = body.kind == JointKind::helical ? body.pitch : 0;
  return {z, cross(X_0B.p, z) + z * pitch};
}

}  // namespace

Expressed<ScrewTree> screw_tree_of(const Model& model) {
  Expressed<ScrewTree> out;
  out.reason = beyond_reach(model, {.rule = "a screw axis has one coordinate", .helical = true});
  if (!out.reason.empty()) return out;
  const Tree& tree = model.tree();
  ScrewTree& built = out.description.emplace();
  built.gravity = Vec3<double>::load(tree.gravity);
  built.variables = tree.nv;
  std::vector<Transform<double>> homes;  // of the bodies' own frames
  for (int b = 0; b < tree.body_count; ++b) {
    const TreeBody& body = tree.bodies[b];
    const auto above = body.parent < 0 ? Transform<double>::identity() : homes[static_cast<std::size_t>(body.parent)];
    homes.push_back(above * placement_of(body));
    const RigidInertia<double> inertia = inertia_of(body);
    const CentralInertia about_com = central(inertia);
    ScrewLink link;
    link.parent = body.parent + 1;
    link.M_0i = homes.back() * Transform<double>{Mat3<double>::identity(), about_com.com};
    link.screw = screw_axis(body, homes.back());
    link.variable = body.v;
    link.mass = inertia.mass;
    link.inertia = about_com.inertia;
    link.body = b;
    link.com = about_com.com;
    built.links.push_back(link);
  }
  return out;
}

}  // namespace verne::formulations
