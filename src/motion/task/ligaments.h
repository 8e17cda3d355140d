/// Ligaments of all joints of a model at once: docs/gait.md.
#pragma once

#include "io/yaml_map.h"
#include "verne/model/model.h"

namespace verne {

struct LigamentRule {
  double within;  ///< rad: this far before the ends of a joint's range they become taut
  double effort;  ///< what they bear at the ends, of what the joint's muscles can do (the mean of both directions)
};

/// The model with ligaments in place of its own for each angle whose range and effort are limited.
Model with_ligaments(const Model& model, const LigamentRule& rule);

/// The same as `model: {ligaments: {within, effort}}` of a task asks for it; reports what is wrong.
Model with_ligaments(const YamlMap& map, const Model& model);

}  // namespace verne
