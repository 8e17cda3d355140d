#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/subject.h"
#include "model/validate.h"

namespace verne {

namespace {

// Room for rounding in files, relative to the sum of the principal moments.
constexpr double kTolerance = 1e-6;
// A link whose moments are this small a part of its rigid assembly's may have odd ones: files put placeholders on links
// that exist for their frame only.
constexpr double kNegligible = 1e-3;
constexpr double kLargestGyrationRadius = 10;  // m
constexpr double kLargestMomentRatio = 1e6;
constexpr double kLargestDensity = 22.6e3;  // kg/m³, osmium

bool is_zero(const Sym3<double>& I) {
  return I.xx == 0 && I.xy == 0 && I.xz == 0 && I.yy == 0 && I.yz == 0 && I.zz == 0;
}

/// In increasing order.
Eigen::Vector3d principal_moments(const Sym3<double>& I) {
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string moments_text(const Eigen::Vector3d& J) {
  return rounded_text(J[0]) + ", " + rounded_text(J[1]) + ", " + rounded_text(J[2]);
}

/// For each link, the sum of the principal moments of all links that fixed joints tie to it, itself included. This is
/// less than the assembly has as a whole, as distances between the links are left out.
std::vector<double> assembly_moments(const ModelSpec& spec) {
  const std::size_t count = spec.links.size();
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < count; ++i) index.try_emplace(spec.links[i].name, i);
  std::vector<std::size_t> up(count);  // a forest; links of one assembly have the same top
  std::iota(up.begin(), up.end(), std::size_t{0});
  const auto top = [&up](std::size_t i) {
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto parent = index.find(spec.links[i].parent);
    if (spec.links[i].joint.type == JointType::fixed && parent != index.end()) up[top(i)] = top(parent->second);
  }
  std::vector<double> sums(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Sym3<double>& I = spec.links[i].inertia;
    sums[top(i)] += I.xx + I.yy + I.zz;
  }
  std::vector<double> moments(count);
  for (std::size_t i = 0; i < count; ++i) moments[i] = sums[top(i)];
  return moments;
}

void check_moments(const Eigen::Vector3d& J, double assembly, const Subject& subject) {
  const double room = kTolerance * J.sum();
  if (!(J[0] >= -room)) {
    subject.error("inertia is not positive: its principal moments are " + moments_text(J));
  } else if (!(J[0] + J[1] >= J[2] - room)) {
    const std::string text = "inertia breaks the triangle inequality: of its principal moments " + moments_text(J) +
                             " the largest exceeds the sum of the others, which no mass distribution has";
    if (J.sum() < kNegligible * assembly) {
      subject.warning(text + "; it is negligible in the rigid assembly that the link belongs to");
    } else {
      subject.error(text);
    }
  }
}

void warn_about_moments(double mass, const Eigen::Vector3d& J, const Subject& subject) {
  const double gyration = std::sqrt(J[2] / mass);
  if (gyration > kLargestGyrationRadius) {
    subject.warning("suspicious inertia: its radius of gyration is " + rounded_text(gyration) + " m");
  }
  // Of all shapes of the same volume, a ball has the least sum of moments: 3 * 2/5 m r².
  const double r = std::cbrt(mass / kLargestDensity * 3 / (4 * std::numbers::pi));
  if (J.sum() < 1.2 * mass * r * r) {
    subject.warning("suspicious inertia: so small that the link must be denser than any metal (principal moments " +
                    moments_text(J) + ", mass " + number_text(mass) + ")");
  }
  if (J[2] > kLargestMomentRatio * J[0]) {
    subject.warning("suspicious inertia: its principal moments " + moments_text(J) + " differ by more than 1e6 times");
  }
}

void check_inertia(const LinkSpec& link, double assembly, Diagnostics& diagnostics) {
  const Subject subject(diagnostics, "link", link.name, link.line);
  const Sym3<double>& I = link.inertia;
  const bool mass_usable = subject.require_not_negative("mass", link.mass);
  const bool com_usable = subject.require_finite("com", link.com);
  const bool inertia_usable = subject.require_finite("inertia", {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz});
  if (!mass_usable || !com_usable || !inertia_usable) return;
  if (is_zero(I)) {
    if (link.mass > 0) subject.warning("suspicious inertia: zero, though the mass is " + number_text(link.mass));
    return;
  }
  if (link.mass == 0) {
    subject.error("inertia without mass: give both, or neither for a massless link");
    return;
  }
  const Eigen::Vector3d J = principal_moments(I);
  check_moments(J, assembly, subject);
  warn_about_moments(link.mass, J, subject);
}

}  // namespace

void check_inertias(const ModelSpec& spec, Diagnostics& diagnostics) {
  const std::vector<double> moments = assembly_moments(spec);
  for (std::size_t i = 0; i < spec.links.size(); ++i) check_inertia(spec.links[i], moments[i], diagnostics);
}

}  // namespace verne
