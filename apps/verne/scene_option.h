/// What stands around a model, as the user names it, and what of all that is kept apart.
#pragma once

#include <string>
#include <vector>

#include "io/named_state.h"
#include "structures/collisions.h"

namespace verne::cli {

/// The links of a model, among the objects of a scene file where `scene` names one.
Collisions collisions_of(const Model& model, const Srdf& srdf, const std::string& scene,
                         const std::vector<std::string>& package_paths, std::vector<Diagnostic>& notes);
/// The same; notes go to standard error.
Collisions load_scene(const std::string& path, const Model& model, const Srdf& srdf,
                      const std::vector<std::string>& package_paths);

/// Shapes, pairs that are looked at, and those that are not, with the reason.
std::string collisions_text(const Collisions& collisions, const std::vector<Diagnostic>& notes);
std::string collisions_json(const Collisions& collisions, const std::vector<Diagnostic>& notes);

}  // namespace verne::cli
