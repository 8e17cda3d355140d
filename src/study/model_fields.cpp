#include "study/model_variants.h"

namespace verne {

namespace {

/// A number of a degree of freedom that may be set.
struct DofField {
  const char* name;
  void (*set)(DofSpec& dof, double value);
};
constexpr DofField kDofFields[] = {
    {"friction", [](DofSpec& dof, double value) { dof.coulomb = value; }},
    {"viscous", [](DofSpec& dof, double value) { dof.viscous = value; }},
    {"friction_width", [](DofSpec& dof, double value) { dof.friction_width = value; }},
    {"rotor_inertia", [](DofSpec& dof, double value) { dof.rotor_inertia = value; }},
    {"stiffness", [](DofSpec& dof, double value) { dof.stiffness = value; }},
    {"rest", [](DofSpec& dof, double value) { dof.rest = value; }},
    {"ligament", [](DofSpec& dof, double value) { dof.ligament = value; }},
    {"lower", [](DofSpec& dof, double value) { dof.lower = value; }},
    {"upper", [](DofSpec& dof, double value) { dof.upper = value; }},
    {"velocity", [](DofSpec& dof, double value) { dof.velocity = value; }},
    {"effort", [](DofSpec& dof, double value) { dof.effort_lower = -value, dof.effort_upper = value; }},
};

/// The same body, lighter or heavier: inertia goes with mass.
void set_mass(LinkSpec& link, double value) {
  const double ratio = link.mass > 0 ? value / link.mass : 1;
  Sym3<double>& inertia = link.inertia;
  for (double* entry : {&inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz}) *entry *= ratio;
  if (link.first_moment) link.first_moment = *link.first_moment * ratio;
  link.mass = value;
  link.has_inertial = true;
}
/// A number of a link that may be set.
struct LinkField {
  const char* name;
  void (*set)(LinkSpec& link, double value);
};
constexpr LinkField kLinkFields[] = {
    {"mass", set_mass},
    {"com.x", [](LinkSpec& link, double value) { link.com.x = value; }},
    {"com.y", [](LinkSpec& link, double value) { link.com.y = value; }},
    {"com.z", [](LinkSpec& link, double value) { link.com.z = value; }},
};

/// A number of the world that may be set.
struct WorldField {
  const char* name;
  void (*set)(ModelSpec& spec, double value);
};
constexpr WorldField kWorldFields[] = {
    {"gravity.x", [](ModelSpec& spec, double value) { spec.gravity.x = value; }},
    {"gravity.y", [](ModelSpec& spec, double value) { spec.gravity.y = value; }},
    {"gravity.z", [](ModelSpec& spec, double value) { spec.gravity.z = value; }},
};

constexpr char kPrefix[] = "model.";

/// Visits each field with its name and how it is set, until one is found that `visit` accepts.
template <class Spec, class Visit>
bool for_each_field(Spec& spec, const Visit& visit) {
  for (const WorldField& field : kWorldFields) {
    if (visit(std::string(kPrefix) + field.name, [&](ModelSpec& of, double value) { field.set(of, value); })) {
      return true;
    }
  }
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    for (const LinkField& field : kLinkFields) {
      const auto set = [&](ModelSpec& of, double value) { field.set(of.links[k], value); };
      if (visit(kPrefix + spec.links[k].name + "." + field.name, set)) return true;
    }
    const JointSpec& joint = spec.links[k].joint;
    if (velocity_count(joint.type) == 0) continue;
    for (const DofField& field : kDofFields) {
      const auto set = [&](ModelSpec& of, double value) {
        std::vector<DofSpec>& dofs = of.links[k].joint.dofs;
        if (dofs.empty()) dofs.resize(static_cast<std::size_t>(velocity_count(of.links[k].joint.type)));
        for (DofSpec& dof : dofs) field.set(dof, value);
      };
      if (visit(kPrefix + joint.name + "." + field.name, set)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> field_names(const ModelSpec& spec) {
  std::vector<std::string> names;
  for_each_field(spec, [&](const std::string& name, const auto&) { return names.push_back(name), false; });
  return names;
}

bool set_field(ModelSpec& spec, const std::string& name, double value) {
  return for_each_field(spec, [&](const std::string& field, const auto& set) {
    if (field != name) return false;
    set(spec, value);
    return true;
  });
}

}  // namespace verne
