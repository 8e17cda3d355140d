/// Does forward dynamics, driven by the predicted efforts, move as predicted? docs/theory/motion.md, (21) and (22).
#pragma once

#include <functional>
#include <optional>

#include "motion/curve/phases.h"

namespace verne {

struct SimulationCheck {
  double drift = 0;  ///< largest |q − predicted q| at the end of a span, started on the prediction at its start
  double whole_horizon = 0;  ///< the same over the whole motion in one go, for information
  /// When that cannot be followed any further, as it became singular or ever faster, s; the drift is then infinite.
  std::optional<double> diverges_at{};
  bool stopped = false;  ///< by whoever was asked whether to go on: nothing is known of the drift
};

/// Integrates the model's forward dynamics with an error that is controlled. Where that fails, the drift is infinite;
/// where a joint never carries inertia there is nothing to integrate, and it is NaN; one that does so in other phases
/// moves as predicted. Efforts are those of inverse dynamics
/// along the curve, and exactly the bound where a task fixes an effort (a passive joint). `go_on`: asked at every
/// evaluation of the dynamics, unless empty.
SimulationCheck check_by_simulation(const std::vector<Stage>& stages, const Trajectory& trajectory,
                                    const std::function<bool()>& go_on = {});

}  // namespace verne
