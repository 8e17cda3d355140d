/// Left and right: which freedom, link and wrench is the mirror image of which, for steps and their strides.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "verne/model/model.h"

namespace verne {

/// The mirror image of a motion: coordinate i of it is sign[i] times coordinate partner[i].
struct Mirror {
  std::vector<int> partner;
  std::vector<double> sign;
  std::vector<std::string> problems;  ///< where the model at zero is no mirror image of itself
};

/// Partners by the names of the model's freedoms, signs from where their axes are. The model must have a MirrorSpec.
Mirror mirror_of(const Model& model);

/// Every freedom is its own image.
Mirror no_mirror(std::size_t count);

/// The name of what mirrors a joint, link, frame or freedom: with the other ending, or the same.
std::string mirrored_name(const std::string& name, const MirrorSpec& mirror);

/// H = 1 − 2 n nᵀ: what the mirror makes of points and forces.
Eigen::Matrix3d reflection(const MirrorSpec& mirror);

/// The wrench of a joint of the mirror image: `map` times that of joint `partner`. docs/theory/gait.md, (15)
struct WrenchImage {
  int partner = 0;
  Eigen::Matrix<double, 6, 6> map;
};
/// One for each joint of the model, whose frames at zero tell how they are placed.
std::vector<WrenchImage> wrench_images(const Model& model);

}  // namespace verne
