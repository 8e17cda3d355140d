/// What can be told from the mass and inertia of one link.
#pragma once

#include <optional>

#include "verne/base/small_matrix.h"
#include "verne/model/plausibility.h"

namespace verne {

// A body may be large or light, but its mass does not lie ten metres from its centre.
inline constexpr double kLargestGyrationRadius = 10;  // m

/// Of an inertia about the centre of mass, in increasing order.
Vec3<double> principal_moments(const Sym3<double>& I);

/// Why no body has this mass and these principal moments, but for rounding; nothing when some body has.
std::optional<PlausibilityKind> implausibility_of(double mass, const Vec3<double>& J);

}  // namespace verne
