/// What `verne eval --want` can be asked for.
#pragma once

#include <string>
#include <vector>

#include "verne/quantities/quantities.h"

namespace verne::cli {

using Want = WantedQuantity;

/// The words between commas.
std::vector<std::string> split_list(const std::string& list);

/// From names with commas between them. Throws InputError with every name that is not understood, or that models with
/// loops (or without) do not have.
std::vector<Want> parse_wants(const std::string& list, const Model& model);

}  // namespace verne::cli
