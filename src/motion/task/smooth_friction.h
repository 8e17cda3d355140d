/// Coulomb friction that jumps at rest, as URDF and MJCF write it, has no derivative there.
#pragma once

#include "io/yaml/map.h"
#include "verne/model/spec.h"

namespace verne {

/// Rounds such friction off over `model: {friction_width}` of a task or, where the task does not say, over a hundredth
/// of the joint's velocity limit; that is a warning. Returns whether there was any.
bool smooth_friction(const YamlMap& map, ModelSpec& spec);

}  // namespace verne
