/// What joints bear by themselves, from tables of angles and torques: docs/gait.md, Ligaments.
#pragma once

#include <string>
#include <vector>

#include "io/yaml/map.h"
#include "motion/task/task_reader.h"
#include "verne/model/spec.h"

namespace verne {

/// What acts on a joint at an angle while muscles are slack: negative where it would turn back.
struct PassivePoint {
  double angle, torque;
};

/// A spring and ligaments, which act as −k (q − rest) − c x³, as near to a table as they come.
struct PassiveFit {
  double stiffness = 0, rest = 0, ligament = 0, slack_lower = 0, slack_upper = 0;
  double misfit = 0;  ///< the largest, at the angles of the table
};
/// Least squares over the table, whose angles grow: of both coefficients, which are not negative, for the range where
/// ligaments are slack, and of that by search.
PassiveFit fit_passive(const std::vector<PassivePoint>& table);

/// `model: {passive: FILE}` or `{passive: {joint: [[angle, torque], …]}}` of a task, in place of the model's own
/// springs and ligaments; `plain`: the model of the file, whose strength the torques are in proportion to. Reports what
/// is wrong. Returns whether it changed the model.
bool put_passive_torques(const YamlMap& map, const Surroundings& around, const ModelSpec& plain, ModelSpec& spec);

}  // namespace verne
