#include <cmath>

#include "io/mjcf/body.h"
#include "io/number.h"
#include "io/unlimited.h"
#include "verne/spatial/rotation.h"

namespace verne {

namespace {

class MjcfJointReader {
 public:
  MjcfJointReader(MjcfContents& contents, const MjcfPart& part, LinkSpec& link)
      : m_(contents), element_(part.element), X_BF_(part.X_BF), link_(link), joint_(link.joint) {}

  void read() {
    joint_.line = element_.line();
    const bool free = element_.tag() == "freejoint";  // which has no defaults
    const std::string type = free ? "free" : element_.word("type", "hinge");
    if (!free && springs_by_time()) not_modelled("springdamper");
    if (type == "free") {
      joint_.type = JointType::free;
      if (!free) read_free_dofs();
      return;
    }
    const Vec3<double> anchor = X_BF_ * element_.vector("pos", {0, 0, 0});
    link_.X_PJ = link_.X_PJ * Transform<double>{Mat3<double>::identity(), anchor};
    link_.X_JL = {Mat3<double>::identity(), anchor * -1.0};
    if (type == "ball") return read_ball();
    if (type != "hinge" && type != "slide") return element_.error("type: unknown joint type " + in_quotes(type));
    read_axis(type == "hinge");
  }

 private:
  void not_modelled(const std::string& attribute) { m_.notes.not_modelled(element_, attribute, "joint", joint_.name); }

  bool springs_by_time() const {
    const auto given = element_.numbers("springdamper", 2);
    return given && ((*given)[0] != 0 || (*given)[1] != 0) && m_.options.passive_forces();
  }

  void read_ball() {
    joint_.type = JointType::spherical;
    DofSpec dof = read_dof(false);
    if (std::isfinite(dof.upper)) m_.notes.not_understood(element_, "range of a ball joint");
    if (dof.stiffness != 0) not_modelled("stiffness of a ball joint");
    dof.lower = -kInfinity, dof.upper = kInfinity, dof.stiffness = dof.rest = 0;
    joint_.dofs.assign(3, dof);
  }

  void read_axis(bool angular) {
    joint_.type = angular ? JointType::revolute : JointType::prismatic;
    joint_.axis = X_BF_.R * element_.vector("axis", {0, 0, 1});
    if (norm(joint_.axis) == 0) return element_.error("axis: the axis is zero");
    joint_.axis = normalized(joint_.axis);
    joint_.dofs = {read_dof(angular)};
    // The file's pose is taken at the reference, not at zero.
    const double ref = element_.number("ref", 0), reference = angular ? element_.compiler().angle(ref) : ref;
    m_.references[m_.spec.links.size()] = reference;
    if (angular) {
      link_.X_JL = Transform<double>{rotation_about(joint_.axis, -reference), {0, 0, 0}} * link_.X_JL;
    } else {
      link_.X_JL.p = link_.X_JL.p - joint_.axis * reference;
    }
  }

  /// Of friction and rotor inertia along the axes of the world, only viscous friction is the same along those of the
  /// body.
  void read_free_dofs() {
    DofSpec dof = read_dof(false);
    if (dof.rotor_inertia != 0) not_modelled("armature of a free joint");
    if (dof.coulomb != 0) not_modelled("frictionloss of a free joint");
    if (dof.stiffness != 0) not_modelled("stiffness of a free joint");
    DofSpec kept;
    kept.viscous = dof.viscous;
    if (kept.viscous != 0) joint_.dofs.assign(6, kept);
  }

  DofSpec read_dof(bool angular) {
    DofSpec dof;
    const auto unit = [&](double x) { return angular ? element_.compiler().angle(x) : x; };
    const auto range = m_.options.limits() ? element_.range("limited", "range") : std::nullopt;
    if (range) dof.lower = limit_as_read(unit((*range)[0])), dof.upper = limit_as_read(unit((*range)[1]));
    if (const auto forces = element_.range("actuatorfrclimited", "actuatorfrcrange")) {
      dof.effort_lower = limit_as_read((*forces)[0]), dof.effort_upper = limit_as_read((*forces)[1]);
    }
    dof.viscous = m_.options.dampers() ? element_.number("damping", 0) : 0;
    dof.coulomb = m_.options.friction() ? element_.number("frictionloss", 0) : 0;
    dof.rotor_inertia = element_.number("armature", 0);
    dof.stiffness = m_.options.springs() ? element_.number("stiffness", 0) : 0;
    if (dof.stiffness != 0) dof.rest = unit(element_.number("springref", 0));
    return dof;
  }

  MjcfContents& m_;
  const MjcfElement& element_;
  const Transform<double>& X_BF_;
  LinkSpec& link_;
  JointSpec& joint_;
};

}  // namespace

void read_mjcf_joint(MjcfContents& contents, const MjcfPart& part, LinkSpec& link) {
  MjcfJointReader(contents, part, link).read();
}

}  // namespace verne
