/// What stands around a model, as the user names it.
#pragma once

#include <string>
#include <vector>

#include "io/named_state.h"
#include "structures/collisions.h"

namespace verne::cli {

/// The links of a model among the objects of a scene file; notes go to standard error.
Collisions load_scene(const std::string& path, const Model& model, const Srdf& srdf,
                      const std::vector<std::string>& package_paths);

}  // namespace verne::cli
