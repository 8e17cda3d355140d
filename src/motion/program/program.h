/// A task on a given curve as a nonlinear program: docs/theory/motion.md, (17).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "motion/curve/curve_variables.h"
#include "motion/curve/phases.h"
#include "motion/program/integrals.h"
#include "motion/program/node_limits.h"
#include "motion/program/rate_limits.h"
#include "motion/terms/limit_numbers.h"
#include "motion/terms/task_terms.h"
#include "verne/nlp/problem.h"

namespace verne {

/// What may change from one solve to the next.
struct Grid {
  CurveVariables curve;
  std::vector<Place> nodes;  ///< where limits are imposed
  /// By what fraction each limit is tightened on each span of the curve, limit after limit by their LimitNumbers; but
  /// for means. Empty: not.
  std::vector<double> tightening;
  /// Of the limit with this number: on each span, or empty.
  std::span<const double> tightening_of(std::size_t limit) const;
  ContactForces forces{};   ///< that contacts bear to begin with, where they are variables; empty: what the rule gives
  std::vector<int> idle{};  ///< freedoms whose limits have no price: the tie-breaker may have more weight there
};

/// What a phase is in the program: owned by the problem, null where it has nothing of the kind.
struct StageFunctions {
  NodeLimits* limits = nullptr;  ///< path limits; those of all phases are the last constraints of the problem
  int limits_first_row = 0;
  std::size_t limits_block = 0;  ///< of the problem's constraints
  Integrals* integrals = nullptr;
  int means_first_row = 0;      ///< of mean_limits()
  RateLimits* rates = nullptr;  ///< of rate_limits()
  int rates_first_row = 0;
};

struct Program {
  CurveVariables curve;
  nlp::Problem problem;
  std::vector<PlacedStage> stages;
  std::vector<StageFunctions> functions;  ///< of each stage
  LimitNumbers limit_numbers;
  std::vector<std::size_t> tightened_as_a_whole;  ///< numbers of limits, which are not by their bounds
  std::vector<nlp::Function*> costs_at_ends;      ///< of the problem: costs from code at the start or the end
  std::vector<nlp::Function*> costs_of_fatigue;   ///< of the problem
  Trajectory guess;                               ///< that the program was made from
  std::size_t own_costs = 0;                      ///< costs of the problem that are the task's: the first ones
  int first_of_fatigue = 0;                       ///< variable
  int fatigue_first_row = 0;                      ///< of limits of fatigue, whose numbers are behind all others

  /// What contacts bear at a point, where that is a variable.
  ContactForces contact_forces(std::span<const double> x) const;
};

Program make_program(const Task& task, const Grid& grid, const Trajectory& guess);

/// Makes the program of a grid out of the one of another on the same curve, whose nodes it has, and perhaps more.
/// Returns whether moving bounds was enough; if not, the program is as it was.
bool tighten_bounds(Program& program, const Grid& from, const Grid& to);

/// Nodes at even times on each phase of a curve, so many on all.
std::vector<Place> even_nodes(const Trajectory& curve, const std::vector<int>& phase_of_span, int count);
/// Where equations along the motion are imposed: as many places as the acceleration has control points (its Greville
/// abscissae, averages of knots), so that each equation takes one freedom of the curve. Curves of degree 2 and 1 have
/// those of the velocity and the position. Where the acceleration may jump there is one on either side.
std::vector<Place> equation_nodes(const Trajectory& curve);

}  // namespace verne
