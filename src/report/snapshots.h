/// A motion as sticks at equal times, as in a stroboscope's light.
#pragma once

#include <nlohmann/json.hpp>

#include "report/svg_chart.h"

namespace verne {

/// Every link from its joint to the joints that it carries or to its tip, from light to dark with time, in the plane
/// that shows sticks and ways best. Throws nlohmann's exceptions where the solution is not of the expected form.
ChartSpec snapshot_chart(const nlohmann::json& solution);

}  // namespace verne
