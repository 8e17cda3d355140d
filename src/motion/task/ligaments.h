/// Ligaments of all joints of a model at once: docs/gait.md.
#pragma once

#include "io/yaml/map.h"
#include "verne/model/spec.h"

namespace verne {

struct LigamentRule {
  double within;  ///< rad: this far before the ends of a joint's range they become taut
  double effort;  ///< what they bear at the ends, of what the joint's muscles can do (the mean of both directions)
};

/// Puts ligaments in place of the model's own on each angle whose range and effort are limited.
void put_ligaments(const LigamentRule& rule, ModelSpec& spec);

/// The same as `model: {ligaments: {within, effort}}` of a task asks for it; reports what is wrong. Returns whether it
/// changed the model.
bool put_ligaments(const YamlMap& map, ModelSpec& spec);

}  // namespace verne
