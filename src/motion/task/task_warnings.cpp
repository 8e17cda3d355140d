/// What was assumed in reading, and limits and costs of wrenches that nothing determines (docs/theory/loops.md, section
/// 4).
#include <cmath>

#include "motion/curve/phases.h"
#include "motion/terms/limits/joint_limit.h"
#include "motion/terms/task_loads.h"
#include "structures/closed_dynamics.h"
#include "verne/motion/task.h"

namespace verne {

namespace {

constexpr int kTrials = 4;
constexpr double kTrialStep = 0.05;  ///< rad or m, from home
/// Of the largest component: what rounding leaves of a wrench that is zero.
constexpr double kNothing = 1e-9;
constexpr const char* kComponents[] = {"fx", "fy", "fz", "mx", "my", "mz"};

/// Of the wrenches of joints and, behind them, of loops.
bool is_determined(const Mechanism& mechanism, std::size_t wrench, int component) {
  const std::size_t joints = mechanism.model().joints().size();
  return wrench < joints ? mechanism.joint_determined(static_cast<int>(wrench), component)
                         : mechanism.loop_determined(static_cast<int>(wrench - joints), component);
}

/// Whether anything acts on what is not determined, in motions near home: across the plane of a mechanism as a rule
/// nothing does, and then there is nothing to share out.
bool is_shared_out(const Task& task) {
  const Mechanism& mechanism = *task.mechanism;
  const Model& model = task.model;
  MechanismData<double> data(mechanism);
  const Loads<double> loads = loads_of(task);
  Matrix6X<double> joints(6, static_cast<Eigen::Index>(model.joints().size())),
      loops(6, static_cast<Eigen::Index>(model.loops().size()));
  const Eigen::VectorXd home = mechanism.home().eigen(), none = Eigen::VectorXd::Zero(mechanism.mobility()),
                        tau = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mechanism.actuated().size()));
  Eigen::VectorXd q(home.size()), v(model.nv()), a(model.nv()), free_v(mechanism.mobility());
  double whole = 0, shared = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    try {
      Eigen::VectorXd free_q = mechanism.independent_home().eigen();
      for (Eigen::Index k = 0; k < free_q.size(); ++k) free_q[k] += trial * kTrialStep * std::sin(trial + 2.0 * k);
      for (Eigen::Index k = 0; k < free_v.size(); ++k) free_v[k] = std::cos(trial + 3.0 * k);
      assemble<double>(mechanism, data, free_q, home, q);
      closed_motion<double>(mechanism, data, q, free_v, none, v, a);
      forward_dynamics<double>(mechanism, data, q, v, tau, a, &loads, &loops, &joints);
    } catch (const InputError&) {
      continue;  // out of reach, or singular: other states tell enough
    }
    for (Eigen::Index k = 0; k < joints.cols() + loops.cols(); ++k) {
      const auto wrench = k < joints.cols() ? joints.col(k) : loops.col(k - joints.cols());
      for (int i = 0; i < 6; ++i) {
        whole = std::max(whole, std::abs(wrench[i]));
        if (!is_determined(mechanism, static_cast<std::size_t>(k), i)) shared = std::max(shared, std::abs(wrench[i]));
      }
    }
  }
  return shared > kNothing * whole;
}

/// Of a task without phases, or of one phase; `where` says which.
std::vector<Diagnostic> warnings_of(const Task& task, const std::string& where) {
  std::vector<Diagnostic> warnings;
  if (!task.mechanism || task.mechanism->all_determined() || !is_shared_out(task)) return warnings;
  const auto joints = task.model.joints().size();
  /// Of the components first to first + 2 of wrench k, those that nothing determines.
  const auto unknown = [&](std::size_t k, int first) {
    std::string names;
    for (int i = first; i < first + 3; ++i) {
      if (!is_determined(*task.mechanism, k, i)) names += (names.empty() ? "" : ", ") + std::string(kComponents[i]);
    }
    return names;
  };
  const auto warning = [&](const std::string& what, std::size_t k, int first) {
    const std::string names = unknown(k, first);
    if (names.empty()) return;
    const std::string& of = k < joints ? task.model.joints()[k].spec.name : task.model.loops()[k - joints].name;
    warnings.push_back({task.file, 0,
                        what + " of '" + of + "'" + where + ": the motion does not determine " + names +
                            ", since parts of the mechanism may hold against each other; one of many values is meant, "
                            "in which redundant equations of the loops bear nothing"});
  };
  for (const JointLimit* limit : joint_limits()) {
    for (std::size_t k = 0; limit->of_bearings() && k < limit->entries(task.limits); ++k) {
      if (!limit->is_set(task.limits, k)) continue;
      warning("the limit " + std::string(limit->kind().name), k, limit->first_component());
    }
  }
  for (const CostSpec& cost : task.costs) {
    const CostType& type = type_of(cost);
    for (std::size_t k = 0; type.of_joints && k < cost.scale.size(); ++k) {
      if (cost.scale[k] != 0) warning("the cost " + std::string(type.name), k, 0);
    }
  }
  return warnings;
}

}  // namespace

std::vector<PlausibilityWarning> implausible_data(const Task& task) {
  std::vector<PlausibilityWarning> all(task.model.plausibility_warnings().begin(),
                                       task.model.plausibility_warnings().end());
  std::erase_if(all, [&](const PlausibilityWarning& warning) {
    const auto holds = [&](const PhaseSpec& phase) {
      return std::ranges::find(phase.attach, warning.name, &AttachSpec::object) != phase.attach.end();
    };
    return warning.kind == PlausibilityKind::nothing_to_move && std::ranges::any_of(task.phases, holds);
  });
  return all;
}

std::vector<Diagnostic> task_warnings(const Task& task) {
  std::vector<Diagnostic> all = task.warnings;
  const auto add = [&](const Task& part, const std::string& where) {
    const std::vector<Diagnostic> warnings = warnings_of(part, where);
    all.insert(all.end(), warnings.begin(), warnings.end());
  };
  if (task.phases.empty()) {
    add(task, "");
    return all;
  }
  const std::vector<Stage> parts = stages(task, phase_of_spans(task));
  for (std::size_t k = 0; k < parts.size(); ++k) add(parts[k].task, " in phase '" + task.phases[k].name + "'");
  return all;
}

}  // namespace verne
