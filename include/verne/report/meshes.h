/// The meshes that a model names, in the form in which pages carry them (docs/report.md).
#pragma once

#include <string>
#include <vector>

#include "verne/base/error.h"
#include "verne/base/export.h"
#include "verne/model/model.h"

namespace verne {

/// Where meshes are looked for, and how fine they are shown.
struct MeshOptions {
  std::vector<std::string> package_paths{};  ///< folders that hold packages, for `package://` and `model://`
  bool full = false;                         ///< all triangles at rest, however many there are
};

/// The file `meshes.json` for a model, or "" when it names no meshes. What cannot be found or read is left out, and
/// `notes` has a line for each kind of reason: the page draws a rod instead.
VERNE_API std::string meshes_json(const Model& model, const MeshOptions& options, std::vector<Diagnostic>& notes);

}  // namespace verne
