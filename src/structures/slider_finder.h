/// Whether a leg is one of those that kernels/slider_leg.h knows in closed form.
#pragma once

#include <array>
#include <optional>

#include "structures/kernels/leg_plan.h"

namespace verne {

/// What does not depend on where the leg stands, or nothing where it is made otherwise. The leg has three bodies in a
/// row, of one velocity each.
std::optional<SliderLeg> slider_leg_of(const Tree& leg);
/// Entries of SliderLeg::axes for one leg.
std::array<double, 12> slider_axes_of(const Tree& leg);

}  // namespace verne
