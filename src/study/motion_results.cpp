#include "study/motion_results.h"

#include <algorithm>
#include <cmath>

#include "base/star.h"

namespace verne {

namespace {

constexpr int kWrench = 6, kHalf = 3;  // rows of a wrench, and of its force

double peak(const Table& rows, int row) {
  return rows.eigen().row(row).cwiseAbs().maxCoeff();
}
double largest_norm(const Table& rows, int first) {
  return rows.eigen().middleRows(first, kHalf).colwise().norm().maxCoeff();
}
/// Over time, by trapezoids.
double mean_square(const Table& rows, int row, const Values& time) {
  const auto values = rows.eigen().row(row);
  double integral = 0;
  for (Eigen::Index k = 1; k < values.size(); ++k) {
    integral += (time[k] - time[k - 1]) * (values[k] * values[k] + values[k - 1] * values[k - 1]) / 2;
  }
  const double duration = time[time.size() - 1] - time[0];
  return duration > 0 ? integral / duration : values[0] * values[0];
}

enum class Per { dof, position, joint };
struct MotionQuantity {
  const char* name;
  Per per;
  double (*of)(const SampledMotion& motion, int index);
};
using Motion = SampledMotion;
constexpr MotionQuantity kMotionQuantities[] = {
    {"peak_effort", Per::dof, [](const Motion& m, int i) { return peak(m.tau, i); }},
    {"rms_effort", Per::dof, [](const Motion& m, int i) { return std::sqrt(mean_square(m.tau, i, m.time)); }},
    {"peak_power", Per::dof,
     [](const Motion& m, int i) {
       return (m.tau.eigen().row(i).cwiseProduct(m.v.eigen().row(i))).cwiseAbs().maxCoeff();
     }},
    {"peak_velocity", Per::dof, [](const Motion& m, int i) { return peak(m.v, i); }},
    {"final_velocity", Per::dof, [](const Motion& m, int i) { return m.v.eigen()(i, m.v.cols() - 1); }},
    {"peak_acceleration", Per::dof, [](const Motion& m, int i) { return peak(m.a, i); }},
    {"least_position", Per::position, [](const Motion& m, int i) { return m.q.eigen().row(i).minCoeff(); }},
    {"most_position", Per::position, [](const Motion& m, int i) { return m.q.eigen().row(i).maxCoeff(); }},
    {"final_position", Per::position, [](const Motion& m, int i) { return m.q.eigen()(i, m.q.cols() - 1); }},
    {"peak_joint_force", Per::joint,
     [](const Motion& m, int i) { return largest_norm(m.joint_wrenches, kWrench * i); }},
    {"peak_joint_moment", Per::joint,
     [](const Motion& m, int i) { return largest_norm(m.joint_wrenches, kWrench * i + kHalf); }},
};

}  // namespace

MotionResults::MotionResults(const Model& model) : model_(model) {
  for (std::size_t k = 0; k < std::size(kMotionQuantities); ++k) {
    const Per per = kMotionQuantities[k].per;
    if (per == Per::position && model.nq() != model.nv()) continue;  // of quaternions
    const auto count = per == Per::joint ? model.joints().size() : model.dof_names().size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& of = per == Per::joint ? model.joints()[i].spec.name : model.dof_names()[i];
      known_.push_back(std::string(kMotionQuantities[k].name) + "." + of);
      what_is_known_.push_back({k, static_cast<int>(i)});
    }
  }
}

bool MotionResults::add(const std::string& pattern) {
  bool fits = false;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    if (known_[k] != pattern && !fits_star(known_[k], pattern)) continue;
    fits = true;
    if (std::find(names_.begin(), names_.end(), known_[k]) != names_.end()) continue;
    names_.push_back(known_[k]);
    taken_.push_back(what_is_known_[k]);
  }
  return fits;
}

void MotionResults::add_for_dofs(const std::string& name, bool driven_alone) {
  for (const Joint& joint : model_.joints()) {
    if (driven_alone && !joint.spec.actuated) continue;
    for (int k = 0; k < joint.nv; ++k) add(name + "." + model_.dof_names()[static_cast<std::size_t>(joint.v + k)]);
  }
}

std::vector<double> MotionResults::values(const SampledMotion& motion) const {
  std::vector<double> out;
  for (const Taken& one : taken_) out.push_back(kMotionQuantities[one.quantity].of(motion, one.index));
  return out;
}

}  // namespace verne
