/// A model as pictures need it, in JSON: what it is called, how its links hang together, and their shapes.
#pragma once

#include "verne/base/export.h"
#include "verne/io/json_writer.h"
#include "verne/model/model.h"

namespace verne {

/// Writes the `model` object of solution files (docs/report.md). Poses are `position` [x, y, z] and `rotation`
/// [qx, qy, qz, qw] in link axes. A joint's pose is that of its child-side frame, in which joint wrenches are given.
/// Meshes are left out: pages that show the model cannot rely on other files.
VERNE_API void append_model(JsonWriter& json, const Model& model);

}  // namespace verne
