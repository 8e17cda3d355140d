/// Warnings about a model that works but may not be what its author meant.
#pragma once

#include <span>

#include "verne/base/error.h"
#include "verne/model/model.h"

namespace verne {

/// Missing limits, links without inertial, mass that never moves; one line each, with the first few names.
void advise(std::span<const Joint> joints, std::span<const Link> links, const ModelSpec& spec,
            Diagnostics& diagnostics);

}  // namespace verne
