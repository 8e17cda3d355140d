#include "study/motion_curves.h"

#include <algorithm>

#include "base/star.h"
#include "model/primitives.h"

namespace verne {

namespace {

constexpr Eigen::Index kWrenchRows = 6, kForceRows = 3;

enum class CurveOf { position, dof, joint };
struct CurveQuantity {
  const char* name;
  CurveOf per;
  const char *unit, *angular_unit;
  double (*at)(const SampledMotion& motion, int index, Eigen::Index k);
};
constexpr CurveQuantity kCurveQuantities[] = {
    {"position", CurveOf::position, "m", "rad",
     [](const SampledMotion& m, int i, Eigen::Index k) { return m.q.eigen()(i, k); }},
    {"velocity", CurveOf::dof, "m/s", "rad/s",
     [](const SampledMotion& m, int i, Eigen::Index k) { return m.v.eigen()(i, k); }},
    {"acceleration", CurveOf::dof, "m/s²", "rad/s²",
     [](const SampledMotion& m, int i, Eigen::Index k) { return m.a.eigen()(i, k); }},
    {"effort", CurveOf::dof, "N", "N m",
     [](const SampledMotion& m, int i, Eigen::Index k) { return m.tau.eigen()(i, k); }},
    {"power", CurveOf::dof, "W", "W",
     [](const SampledMotion& m, int i, Eigen::Index k) { return m.tau.eigen()(i, k) * m.v.eigen()(i, k); }},
    {"joint_force", CurveOf::joint, "N", "N",
     [](const SampledMotion& m, int i, Eigen::Index k) {
       return m.joint_wrenches.eigen().block<kForceRows, 1>(kWrenchRows * i, k).norm();
     }},
    {"joint_moment", CurveOf::joint, "N m", "N m",
     [](const SampledMotion& m, int i, Eigen::Index k) {
       return m.joint_wrenches.eigen().block<kForceRows, 1>(kWrenchRows * i + kForceRows, k).norm();
     }},
};

/// For each velocity.
std::vector<bool> angular_dofs(const Model& model) {
  std::vector<bool> angular;
  for (const Joint& joint : model.joints()) {
    const Primitives primitives = primitives_of(joint.spec);
    for (int k = 0; k < joint.nv; ++k) angular.push_back(primitives.kind[k] != JointKind::prismatic);
  }
  return angular;
}

/// At even parts of the time, between samples by straight lines.
void append_values(const SampledMotion& motion, const CurveQuantity& quantity, int index, std::vector<float>& out) {
  const Values& time = motion.time;
  const Eigen::Index last = time.size() - 1;
  Eigen::Index k = 0;
  for (int percent = 0; percent < kCurveValues; ++percent) {
    const double t = time[0] + (time[last] - time[0]) * percent / (kCurveValues - 1);
    while (k + 1 < last && time[k + 1] <= t) ++k;
    const double before = quantity.at(motion, index, k);
    const double width = last > 0 ? time[k + 1] - time[k] : 0;
    const double share = width > 0 ? std::clamp((t - time[k]) / width, 0.0, 1.0) : 0;
    const double after = share > 0 ? quantity.at(motion, index, k + 1) : before;
    out.push_back(static_cast<float>(before + share * (after - before)));
  }
}

}  // namespace

MotionCurves::MotionCurves(const Model& model, const std::vector<std::string>& of_stride) {
  const std::vector<bool> angular = angular_dofs(model);
  for (int quantity = 0; quantity < static_cast<int>(std::size(kCurveQuantities)); ++quantity) {
    const CurveQuantity& of = kCurveQuantities[quantity];
    if (of.per == CurveOf::position && model.nq() != model.nv()) continue;  // of quaternions
    const std::size_t count = of.per == CurveOf::joint ? model.joints().size() : angular.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = of.per == CurveOf::joint ? model.joints()[i].spec.name : model.dof_names()[i];
      const char* unit = of.per != CurveOf::joint && angular[i] ? of.angular_unit : of.unit;
      known_.push_back({{std::string(of.name) + "." + name, unit}, quantity, static_cast<int>(i)});
    }
  }
  for (const std::string& name : of_stride) known_.push_back({{name, ""}, -1, 0});
}

std::vector<std::string> MotionCurves::known() const {
  std::vector<std::string> names;
  for (const Known& one : known_) names.push_back(one.curve.name);
  return names;
}

bool MotionCurves::add(const std::string& pattern) {
  bool fits = false;
  for (const Known& one : known_) {
    const std::string& name = one.curve.name;
    if (name != pattern && !fits_star(name, pattern)) continue;
    fits = true;
    if (std::any_of(list_.begin(), list_.end(), [&](const StudyCurve& curve) { return curve.name == name; })) continue;
    taken_.push_back(one);
    list_.push_back(one.curve);
  }
  return fits;
}

void MotionCurves::add_default(const Model& model) {
  constexpr std::size_t kFew = 8;
  std::vector<std::string> driven;
  for (const Joint& joint : model.joints()) {
    for (int k = 0; joint.spec.actuated && k < joint.nv; ++k) {
      driven.push_back(model.dof_names()[static_cast<std::size_t>(joint.v + k)]);
    }
  }
  if (driven.size() > kFew) return;
  for (const char* quantity : {"position.", "effort."}) {
    for (const std::string& name : driven) add(quantity + name);
  }
}

std::vector<float> MotionCurves::values(const SampledMotion& motion, const Stride* stride) const {
  std::vector<float> out;
  for (const Known& one : taken_) {
    if (one.quantity >= 0) {
      append_values(stride ? stride->motion : motion, kCurveQuantities[one.quantity], one.index, out);
      continue;
    }
    if (!stride) return {};  // whatever the task of other points is, this one has none
    const auto curve = std::find_if(stride->curves.begin(), stride->curves.end(),
                                    [&](const auto& of) { return of.name == one.curve.name; });
    for (int k = 0; k < kCurveValues; ++k) out.push_back(static_cast<float>(curve->values[k]));
  }
  return out;
}

}  // namespace verne
