#include "model/model_fields.h"

namespace verne {

namespace {

constexpr char kPrefix[] = "model.";

/// A number of a degree of freedom, which all of a joint have alike.
struct DofField {
  const char* name;
  double DofSpec::*number;
};
constexpr DofField kDofFields[] = {
    {"friction", &DofSpec::coulomb},
    {"viscous", &DofSpec::viscous},
    {"friction_width", &DofSpec::friction_width},
    {"rotor_inertia", &DofSpec::rotor_inertia},
    {"stiffness", &DofSpec::stiffness},
    {"rest", &DofSpec::rest},
    {"ligament", &DofSpec::ligament},
    {"lower", &DofSpec::lower},
    {"upper", &DofSpec::upper},
    {"velocity", &DofSpec::velocity},
    {"effort", &DofSpec::effort_upper},
};

/// A coordinate of a vector.
struct Coordinate {
  const char* name;
  double Vec3<double>::*number;
};
constexpr Coordinate kCoordinates[] = {{".x", &Vec3<double>::x}, {".y", &Vec3<double>::y}, {".z", &Vec3<double>::z}};

/// The same body, lighter or heavier: inertia goes with mass.
void set_mass(LinkSpec& link, double value) {
  const double ratio = link.mass > 0 ? value / link.mass : 1;
  Sym3<double>& inertia = link.inertia;
  for (double* entry : {&inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz}) *entry *= ratio;
  if (link.first_moment) link.first_moment = *link.first_moment * ratio;
  link.mass = value;
  link.has_inertial = true;
}

void set_of_joint(JointSpec& joint, const DofField& field, double value) {
  if (joint.dofs.empty()) joint.dofs.resize(static_cast<std::size_t>(velocity_count(joint.type)));
  for (DofSpec& dof : joint.dofs) {
    dof.*field.number = value;
    if (field.number == &DofSpec::effort_upper) dof.effort_lower = -value;
  }
}

/// Visits each field with its name, its value and how it is set in a model like this, until one is accepted.
template <class Visit>
bool for_each_field(const ModelSpec& spec, const Visit& visit) {
  for (const auto& [name, number] : kCoordinates) {
    const auto set = [number = number](ModelSpec& of, double value) { of.gravity.*number = value; };
    if (visit(std::string(kPrefix) + "gravity" + name, spec.gravity.*number, set)) return true;
  }
  for (std::size_t k = 0; k < spec.links.size(); ++k) {
    const LinkSpec& link = spec.links[k];
    const std::string of_link = kPrefix + link.name, of_joint = kPrefix + link.joint.name;
    if (visit(of_link + ".mass", link.mass, [k](ModelSpec& of, double value) { set_mass(of.links[k], value); })) {
      return true;
    }
    for (const auto& [name, number] : kCoordinates) {
      const auto set_com = [k, number = number](ModelSpec& of, double value) { of.links[k].com.*number = value; };
      if (visit(of_link + ".com" + name, link.com.*number, set_com)) return true;
      const auto set_place = [k, number = number](ModelSpec& of, double value) { of.links[k].X_PJ.p.*number = value; };
      if (visit(of_joint + ".place" + name, link.X_PJ.p.*number, set_place)) return true;
    }
    if (velocity_count(link.joint.type) == 0) continue;
    for (const DofField& field : kDofFields) {
      const auto set = [k, &field](ModelSpec& of, double value) { set_of_joint(of.links[k].joint, field, value); };
      const DofSpec dof = link.joint.dofs.empty() ? DofSpec{} : link.joint.dofs.front();
      if (visit(of_joint + "." + field.name, dof.*field.number, set)) return true;
    }
  }
  return false;
}

}  // namespace

std::map<std::string, double> fields_of(const ModelSpec& spec) {
  std::map<std::string, double> fields;
  for_each_field(spec, [&](const std::string& name, double value, const auto&) {
    fields.emplace(name, value);
    return false;
  });
  return fields;
}

bool set_field(ModelSpec& spec, const std::string& name, double value) {
  return for_each_field(spec, [&](const std::string& field, double, const auto& set) {
    if (field != name) return false;
    set(spec, value);
    return true;
  });
}

}  // namespace verne
