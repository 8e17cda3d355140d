/// What a Mechanism holds.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "structures/loop_system.h"
#include "verne/structures/mechanism.h"

namespace verne {

struct Mechanism::Contents {
  explicit Contents(const Model& from) : model(from), layout(from) {}

  Model model;
  LoopLayout layout;
  double length = 1;
  Eigen::VectorXd row_scale;     ///< of equations: 1 / length for those in metres
  Eigen::VectorXd column_scale;  ///< of velocities: length for those in metres per second
  std::vector<int> rows, redundant_rows;
  /// By how much redundant equations may be open, in units of `length`: what a file's rounding makes of them.
  double slack = 0;
  std::vector<int> independent, independent_q, dependent, actuated;
  /// Of independent_q what has an independent velocity of its own. A quaternion of whose three velocities some are
  /// dependent has none: its independent velocities are those of `partial_v`, and it leads (loops.md, section 2).
  std::vector<int> exact_q, partial_v;
  Values home;
  Eigen::VectorXd reference;  ///< a closed configuration that is not singular, home or near it
  std::vector<std::array<bool, 6>> loop_determined, joint_determined;
  std::string without_inertia;  ///< what moves although nothing resists it, in words; empty as a rule
  std::vector<Diagnostic> notes, warnings;
};

/// Below this part of the largest singular value, of equations and velocities in units of `length`, the rank of a
/// generic configuration does not count a singular value: loops are closed there to 1e-13.
inline constexpr double kRankTolerance = 1e-8;
/// In units of `length`: a loop that files leave open by less is one whose numbers were rounded. The same for equations
/// that repeat others but for so much.
inline constexpr double kFileRounding = 1e-6;
/// A state with a larger condition number is called singular. Where a branch ends or meets another, rounding moves
/// closed coordinates by the condition number, and G by its square: 1e-6 of it is what may be lost.
inline constexpr double kWorstCondition = 5e4;

}  // namespace verne
