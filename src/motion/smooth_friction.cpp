#include "motion/smooth_friction.h"

#include <cmath>

#include "model/names_text.h"
#include "motion/task_reader.h"

namespace verne {
namespace {

constexpr double kOfVelocityLimit = 0.01, kWithoutLimit = 0.01;  // the latter in rad/s or m/s
constexpr double kWidest = 1e3;

double default_width(const DofSpec& dof) {
  return std::isfinite(dof.velocity) && dof.velocity > 0 ? kOfVelocityLimit * dof.velocity : kWithoutLimit;
}

}  // namespace

Model with_smooth_friction(const YamlMap& map, const Model& model) {
  const bool given = map.find("friction_width") != nullptr;
  const double width = positive_number(map, "friction_width", 1, kWidest);
  ModelSpec spec = model.spec();
  std::vector<std::string> names;
  for (LinkSpec& link : spec.links) {
    bool jumps = false;
    for (DofSpec& dof : link.joint.dofs) {
      if (dof.coulomb == 0 || dof.friction_width > 0) continue;
      dof.friction_width = given ? width : default_width(dof);
      jumps = true;
    }
    if (jumps) names.push_back(link.joint.name);
  }
  if (names.empty()) return model;
  if (!given) {
    map.reader().diagnostics().warning(
        map.line(),
        group_text(
            "model: Coulomb friction jumps at rest and is rounded off, over a hundredth of the velocity limit (0.01 "
            "rad/s or m/s without one) since no `friction_width` is given",
            "joint", names));
  }
  return build_model(std::move(spec));
}

}  // namespace verne
