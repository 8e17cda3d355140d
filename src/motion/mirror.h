#pragma once

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

}  // namespace verne
