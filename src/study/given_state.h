/// A state whose numbers may use parameters.
#pragma once

#include "io/yaml_map.h"
#include "verne/io/state_io.h"

namespace verne {

/// {q: [...], v: [...], a: [...], tau: [...]}; what is missing is zero, and quaternions have length one. The neutral
/// state when there is no such key.
StateLine read_state(const YamlMap& map, const char* key, const Model& model);

}  // namespace verne
