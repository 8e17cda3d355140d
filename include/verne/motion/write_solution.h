/// A solution as files. Formats: docs/tasks.md (outputs) and docs/report.md (solution.json).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/motion/solution.h"
#include "verne/motion/stride.h"

namespace verne {

/// Everything; `command` is what reproduces it. A solved step is unfolded into its stride.
VERNE_API std::string solution_json(const Task& task, const Solution& solution, const SampledMotion& motion,
                                    const std::string& generator, const std::string& command);
/// Seconds, which differ from run to run and are therefore kept apart.
VERNE_API std::string timing_json(const Solution& solution);
/// One line per time: q, v, a, tau of each coordinate, force and moment of each joint.
VERNE_API std::string motion_csv(const Model& model, const SampledMotion& motion);
/// The positions as OpenSim's storage format, angles in radians.
VERNE_API std::string motion_sto(const Model& model, const SampledMotion& motion, const std::string& name);
/// For people: status, cost, verification, limits that bind; scores of a person's work where the motion is given.
VERNE_API std::string summary_text(const Task& task, const Solution& solution, const SampledMotion* motion = nullptr);

/// A file of a result.
struct ResultFile {
  std::string name;  ///< as `motion.csv`
  std::string text;  ///< what it holds
};
/// All files of a solution, `solution.json` the first; of its stride, too, where it has one: nothing is computed again.
VERNE_API std::vector<ResultFile> solution_files(const Task& task, const Solution& solution,
                                                 const SampledMotion& motion, const std::optional<Stride>& stride,
                                                 const std::string& generator, const std::string& command);

/// A row of a sweep.
struct FrontRow {
  double value = 0;    ///< of the parameter
  std::string folder;  ///< that has its files
  Solution solution;   ///< what was found
};
/// The rows of a sweep as `front.json` (docs/report.md).
VERNE_API std::string front_json(const std::string& parameter, const std::vector<FrontRow>& rows);
/// The rows of a sweep as a table: parameter, status, duration, costs and the excess of limits.
VERNE_API std::string front_csv(const std::string& parameter, const std::vector<FrontRow>& rows);

}  // namespace verne
