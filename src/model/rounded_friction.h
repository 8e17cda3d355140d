/// Coulomb friction without width, which jumps at rest, rounded off.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verne/base/export.h"
#include "verne/model/spec.h"

namespace verne {

/// The same model with a width wherever Coulomb friction has none; `joints` receives the names of these joints.
VERNE_API ModelSpec with_rounded_friction(ModelSpec spec, const std::function<double(const DofSpec&)>& width_of,
                                          std::vector<std::string>& joints);

}  // namespace verne
