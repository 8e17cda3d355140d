/// A shape of a model in JSON.
#pragma once

#include "verne/base/export.h"
#include "verne/io/json_writer.h"
#include "verne/model/spec.h"

namespace verne {

/// Entries of an object: type, dimensions, pose in link axes, colour; of a mesh all but its number.
VERNE_API void append_shape(JsonWriter& json, const VisualSpec& shape);

}  // namespace verne
