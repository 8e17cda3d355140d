/// Bodies of other sizes: docs/gait.md.
#pragma once

#include <optional>
#include <string>

#include "io/yaml/map.h"
#include "verne/model/model.h"

namespace verne {

/// What a task says of the person: nothing stays as in the model.
struct BodySize {
  std::optional<double> stature{}, mass{};  ///< m, kg
  bool female = false;                      ///< the model is male
};

/// The stature that belongs to the legs of a model of a human; nothing where there is a segment that no link has the
/// name of.
std::optional<double> stature_of(const Model& model);

/// The model with lengths, masses and inertias of another person; `stature_of` must know its stature. Links that are
/// no segments, as tools and what is worn, stay as they are, at places on the body that scale; `mass` is without them.
ModelSpec scaled_body(const Model& model, const BodySize& size);

/// The same as `model:` of a task asks for it, {file, stature, mass, sex}; nothing where it does not, or asks for what
/// cannot be, which is reported.
std::optional<ModelSpec> read_scaled_body(const YamlMap& map, const Model& model);

}  // namespace verne
