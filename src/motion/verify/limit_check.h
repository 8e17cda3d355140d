/// Are limits kept between the nodes, too? docs/theory/motion.md, section 9.
#pragma once

#include <utility>
#include <vector>

#include "motion/curve/phases.h"
#include "motion/terms/node_term.h"
#include "verne/trajectory/trajectory.h"

namespace verne {

struct Peak {
  Place place;
  double excess;
};

struct LimitReport {
  LimitName name;
  Interval bounds;
  double utilisation = 0;                         ///< 1 at a bound
  double excess = -kInfinity;                     ///< largest (value − bound) / |bound|; negative inside
  double worst_time = 0, worst_value = 0;         ///< where that is
  std::vector<Peak> peaks;                        ///< local maxima of the excess above the tolerance
  std::vector<std::pair<double, double>> active;  ///< times between which the limit is used to within 0.1 %
  std::size_t stage = 0;                          ///< of the motion, where it holds
  bool of_all_phases = false;                     ///< it holds of the motion as a whole
  double price = 0;                               ///< what one more unit of it would take off the cost
  /// Of that, what one more unit on each span of the curve would; empty where it can only be wider as a whole.
  std::vector<double> prices;
};

/// All inequalities along some spans, on twenty points between neighbouring nodes or knots, with a local search around
/// each maximum; means of mean_limits(); rates of rate_limits(), like the first. In the order of their LimitNumbers.
std::vector<LimitReport> check_limits(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                                      const std::vector<Place>& nodes, double tolerance);
/// The same along the whole motion.
std::vector<LimitReport> check_limits(const Task& task, const Trajectory& trajectory, const std::vector<Place>& nodes,
                                      double tolerance);

/// An equation along the motion (a passive joint's effort, …) where it is farthest from being met.
struct EquationReport {
  LimitName name;
  double asked = 0, value = 0, time = 0;
};
/// Along some spans, and between the places `nodes` where they are imposed, too. In the order of path_equations(), then
/// balance_equations().
std::vector<EquationReport> check_equations(const Task& task, const Trajectory& trajectory, const SpanRange& spans,
                                            const std::vector<Place>& nodes);

/// (value − bound) / |bound| for the bound that is nearer to being exceeded; negative inside.
double excess_of(double value, const Interval& bounds);
/// The bound that a value exceeds or, inside, the one that it is nearer to.
double nearer_bound(double value, const Interval& bounds);

/// Whether the hulls of the spline's control points prove a limit of order 0, 1 or 2 at all times of some spans;
/// nothing when no freedom has one.
std::optional<bool> certify(const Trajectory& trajectory, const SpanRange& spans, int order,
                            const std::vector<Interval>& bounds, double tolerance);

}  // namespace verne
