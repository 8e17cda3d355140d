#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "model/names_text.h"
#include "model/principal_moments.h"
#include "model/subject.h"
#include "model/validate.h"

namespace verne {

namespace {

constexpr double kLargestMomentRatio = 1e6;
constexpr double kLargestDensity = 22.6e3;  // kg/m³, osmium

/// Links whose inertia may be meant, as an idealization, but is more often a slip. One note for each kind.
struct Suspicious {
  std::vector<std::string> point, wide, dense, thin;

  void add(const std::string& link, double mass, const Vec3<double>& J) {
    if (J.x == 0 && J.y == 0 && J.z == 0) return point.push_back(link);
    if (std::sqrt(J.z / mass) > kLargestGyrationRadius) wide.push_back(link);
    // Of all shapes of the same volume, a ball has the least sum of moments: 3 * 2/5 m r².
    const double r = std::cbrt(mass / kLargestDensity * 3 / (4 * std::numbers::pi));
    if (J.x + J.y + J.z < 1.2 * mass * r * r) dense.push_back(link);
    if (J.z > kLargestMomentRatio * J.x) thin.push_back(link);
  }

  void report(Findings& findings) const {
    const auto note = [&](const char* what, const std::vector<std::string>& links) {
      if (!links.empty()) findings.warning(0, group_text(std::string("suspicious inertia: ") + what, "link", links));
    };
    note("zero, though there is mass", point);
    note("its radius of gyration is above 10 m", wide);
    note("so small that the link must be denser than any metal", dense);
    note("its principal moments differ by more than 1e6 times", thin);
  }
};

std::string moments_text(const Vec3<double>& J) {
  return rounded_text(J.x) + ", " + rounded_text(J.y) + ", " + rounded_text(J.z);
}

std::string explain(PlausibilityKind kind, const Vec3<double>& J) {
  if (kind == PlausibilityKind::negative_moment)
    return "inertia is not positive: its principal moments are " + moments_text(J);
  if (kind == PlausibilityKind::inertia_without_mass) {
    return "inertia without mass: give both, or neither for a massless link";
  }
  return "inertia breaks the triangle inequality: of its principal moments " + moments_text(J) +
         " the largest exceeds the sum of the others, which no mass distribution has";
}

void check_inertia(const LinkSpec& link, Findings& findings, Suspicious& suspicious) {
  const Subject subject(findings, "link", link.name, link.line);
  const Sym3<double>& I = link.inertia;
  const bool mass_usable = subject.require_not_negative("mass", link.mass);
  const bool com_usable = link.first_moment ? subject.require_finite("first_moment", *link.first_moment)
                                            : subject.require_finite("com", link.com);
  const bool inertia_usable = subject.require_finite("inertia", {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz});
  if (!mass_usable || !com_usable || !inertia_usable || link.first_moment) return;
  const Vec3<double> J = principal_moments(I);
  if (const auto kind = implausibility_of(link.mass, J)) {
    subject.implausible(*kind, explain(*kind, J));
  } else if (link.mass > 0) {
    suspicious.add(link.name, link.mass, J);
  }
}

/// A first moment without mass is what is left of a body whose mass counts with the body before it, which a joint that
/// slides does not allow.
void check_first_moment(const ModelSpec& spec, const LinkSpec& link, Findings& findings) {
  const auto is_moment = [](const Vec3<double>& mc) { return mc.x != 0 || mc.y != 0 || mc.z != 0; };
  if (!link.first_moment || link.mass > 0 || !is_moment(*link.first_moment)) return;
  const LinkSpec* moving = &link;
  for (std::size_t steps = 0; moving && moving->joint.type == JointType::fixed && steps < spec.links.size(); ++steps) {
    const auto parent = std::find_if(spec.links.begin(), spec.links.end(),
                                     [&](const LinkSpec& other) { return other.name == moving->parent; });
    moving = parent == spec.links.end() ? nullptr : &*parent;
  }
  const JointType type = moving ? moving->joint.type : JointType::fixed;
  if (type != JointType::prismatic && type != JointType::helical && type != JointType::free) return;
  Subject(findings, "link", link.name, link.line)
      .error(std::string("a first_moment without mass is not possible on a ") + to_string(type) + " joint");
}

void note_grouped(const ModelSpec& spec, Findings& findings) {
  std::vector<std::string> links;
  for (const LinkSpec& link : spec.links) {
    if (link.first_moment) links.push_back(link.name);
  }
  if (links.empty()) return;
  findings.warning(
      0, group_text("grouped parameters: wrenches, momentum, energy and centre of mass are those of no real body",
                    "link", links));
}

}  // namespace

void check_inertias(const ModelSpec& spec, Findings& findings) {
  Suspicious suspicious;
  for (const LinkSpec& link : spec.links) {
    check_inertia(link, findings, suspicious);
    check_first_moment(spec, link, findings);
  }
  suspicious.report(findings);
  note_grouped(spec, findings);
}

}  // namespace verne
