/// `verne info --base-parameters`: which parameters have no effect, and which act together.
#pragma once

#include <string>

#include "verne/codegen/base_parameters.h"

namespace verne::cli {

/// Both ways of finding them: by rules from the geometry alone (of the open tree, where there are loops), and by rank.
struct FoundParameters {
  BaseParameters by_rules, by_rank;
};

std::string base_parameters_text(const FoundParameters& found, bool loops);
std::string base_parameters_json(const FoundParameters& found);

}  // namespace verne::cli
