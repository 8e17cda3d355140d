/// Two steps of a motion that ends as its mirror image: the cycle that repeats for ever (docs/gait.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/motion/solution.h"

namespace verne {

/// A quantity over the cycle as laboratories measure it: `hip_flexion_r_deg`, `grf_vertical_r_BW`, …
struct StrideCurve {
  std::string name, unit;
  Values values;
};

struct Stride {
  Values percent;                   ///< of the cycle: 0, 1, … 100
  SampledMotion motion;             ///< at these; the last instant is the first one, two steps farther on
  std::vector<StrideCurve> curves;  ///< of the trunk and the right side, where the model has joints of these names
};

/// The motion and, from its half on, its mirror image moved on, docs/theory/gait.md (14)–(15). Nothing where the motion
/// does not end as its mirror image, or goes on by anything but translations of its first joints.
VERNE_API std::optional<Stride> unfold_stride(const Task& task, const Solution& solution);

/// One line per percent: the curves, then all that motion_csv() has.
VERNE_API std::string stride_csv(const Model& model, const Stride& stride);
/// OpenSim's files, with its names where it has one: coordinates in degrees; ground reactions; moments.
VERNE_API std::string stride_coordinates_mot(const Model& model, const Stride& stride);
VERNE_API std::string stride_ground_mot(const Model& model, const Stride& stride);
VERNE_API std::string stride_moments_sto(const Model& model, const Stride& stride);

}  // namespace verne
