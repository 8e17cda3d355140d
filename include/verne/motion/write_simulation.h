/// A simulated motion as files: those of a solution, so that reports and plots read both (docs/report.md).
#pragma once

#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/motion/solution.h"
#include "verne/simulate/simulate.h"

namespace verne {

/// What a simulation was asked for, in words.
struct SimulationNotes {
  std::string name, torques;                 ///< of the motion; what the torques were
  std::vector<std::string> contacts{};       ///< that were held
  std::vector<std::string> prescribed{};     ///< coordinates that moved as they were told
  double tolerance = 0, asked_duration = 0;  ///< of a step; s
  double friction_width = 0;  ///< over which Coulomb friction without width was rounded off; 0: it was not
};

/// The quantities of a solution along a simulated motion.
VERNE_API SampledMotion sample_simulation(const std::vector<SimulationPhase>& phases, const SimulatedMotion& simulated);

/// `model` is what is shown; loops and contacts are those of the phases.
VERNE_API std::string simulation_json(const Model& model, const std::vector<SimulationPhase>& phases,
                                      const SimulatedMotion& simulated, const SampledMotion& motion,
                                      const SimulationNotes& notes, const std::string& generator,
                                      const std::string& command);
/// For people.
VERNE_API std::string simulation_summary(const std::vector<SimulationPhase>& phases, const SimulatedMotion& simulated,
                                         const SimulationNotes& notes);
/// "simulated", "stopped", "failed" or "interrupted".
VERNE_API const char* to_string(SimulatedMotion::End end);

}  // namespace verne
