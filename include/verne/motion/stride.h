/// Two steps, the cycle of walking that repeats for ever: a motion that ends as its mirror image and that image, or one
/// that ends as it began (docs/gait.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/motion/solution.h"

namespace verne {

/// A quantity over the cycle as laboratories measure it: `hip_flexion_r_deg`, `grf_vertical_r_BW`, …
struct StrideCurve {
  std::string name, unit;  ///< as in stride.csv; of its values
  Values values;           ///< one for each percent
};

/// A whole cycle of walking.
struct Stride {
  Values percent;        ///< of the cycle: 0, 1, … 100
  SampledMotion motion;  ///< at these; the last instant is the first one, two steps farther on
  /// Of the trunk and the right side, where the model has joints of these names. The left side is the right one half a
  /// cycle later, unless the motion is a whole stride: then it has curves, too, which begin as its foot strikes.
  std::vector<StrideCurve> curves;
};

/// The motion and, from its half on, its mirror image moved on, docs/theory/gait.md (14)–(15); or the motion alone
/// where it stands on the ground and ends as it began, farther on. Nothing for other motions, and for those that go on
/// by anything but translations of their first joints.
VERNE_API std::optional<Stride> unfold_stride(const Task& task, const Solution& solution);

/// The curves that strides of the task have; none where there is no stride.
VERNE_API std::vector<std::string> stride_curve_names(const Task& task);

/// One line per percent: the curves, then all that motion_csv() has.
VERNE_API std::string stride_csv(const Model& model, const Stride& stride);
/// OpenSim's files, with its names where it has one: coordinates in degrees; ground reactions; moments.
VERNE_API std::string stride_coordinates_mot(const Model& model, const Stride& stride);
/// Ground reactions: forces, centres of pressure and free moments of both feet.
VERNE_API std::string stride_ground_mot(const Model& model, const Stride& stride);
/// Moments and forces of the joints.
VERNE_API std::string stride_moments_sto(const Model& model, const Stride& stride);

}  // namespace verne
