/// What the URDF reader and writer must agree on.
#pragma once

namespace verne {

/// URDF wants a number for every limit of a revolute or prismatic joint; this size and more stands for "none".
inline constexpr double kUrdfUnlimited = 1e9;

}  // namespace verne
