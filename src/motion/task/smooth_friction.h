/// Coulomb friction that jumps at rest, as URDF and MJCF write it, has no derivative there.
#pragma once

#include "io/yaml_map.h"
#include "verne/model/model.h"

namespace verne {

/// The model with such friction rounded off over `model: {friction_width}` of a task or, where the task does not say,
/// over a hundredth of the joint's velocity limit; that is a warning.
Model with_smooth_friction(const YamlMap& map, const Model& model);

}  // namespace verne
