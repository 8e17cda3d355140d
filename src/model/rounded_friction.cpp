#include "model/rounded_friction.h"

namespace verne {

ModelSpec with_rounded_friction(ModelSpec spec, const std::function<double(const DofSpec&)>& width_of,
                                std::vector<std::string>& joints) {
  for (LinkSpec& link : spec.links) {
    bool jumps = false;
    for (DofSpec& dof : link.joint.dofs) {
      if (dof.coulomb == 0 || dof.friction_width > 0) continue;
      dof.friction_width = width_of(dof);
      jumps = true;
    }
    if (jumps) joints.push_back(link.joint.name);
  }
  return spec;
}

}  // namespace verne
