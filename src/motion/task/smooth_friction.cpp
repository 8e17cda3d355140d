#include "motion/task/smooth_friction.h"

#include <cmath>
#include <utility>

#include "model/names_text.h"
#include "model/rounded_friction.h"
#include "motion/task/task_reader.h"

namespace verne {
namespace {

constexpr double kOfVelocityLimit = 0.01, kWithoutLimit = 0.01;  // the latter in rad/s or m/s
constexpr double kWidest = 1e3;

double default_width(const DofSpec& dof) {
  return std::isfinite(dof.velocity) && dof.velocity > 0 ? kOfVelocityLimit * dof.velocity : kWithoutLimit;
}

}  // namespace

bool smooth_friction(const YamlMap& map, ModelSpec& spec) {
  const bool given = map.find("friction_width") != nullptr;
  const double width = positive_number(map, "friction_width", 1, kWidest);
  std::vector<std::string> names;
  spec = with_rounded_friction(
      std::move(spec), [&](const DofSpec& dof) { return given ? width : default_width(dof); }, names);
  if (names.empty()) return false;
  if (!given) {
    map.reader().diagnostics().warning(
        map.line(),
        group_text(
            "model: Coulomb friction jumps at rest and is rounded off, over a hundredth of the velocity limit (0.01 "
            "rad/s or m/s without one) since no `friction_width` is given",
            "joint", names));
  }
  return true;
}

}  // namespace verne
